// SPDX-License-Identifier: Apache-2.0

/// A row whose offset is animated from a tuned start to 0, again and again: one copy, which jumps.
///
/// Its errors, which ``MarqueeMotion`` does not have:
///
/// - Rows with the same duration but different starts differ in speed.
/// - A start below 0 moves the row to the right.
/// - The start fits one language and one screen only.
public struct LinearMarqueeAsWritten: Hashable, Sendable {
  /// Offset in points at the start of each cycle.
  public let start: Double

  /// Seconds of each cycle.
  public let duration: Double

  /// Makes the motion.
  ///
  /// - Parameters:
  ///   - start: Offset in points at the start of each cycle.
  ///   - duration: Seconds of each cycle.
  public init(start: Double, duration: Double = 60) {
    self.start = start
    self.duration = duration
  }

  /// The offset: start · (1 - frac(t / duration)).
  ///
  /// - Parameter time: Seconds.
  /// - Returns: Points; 0 for a duration that is not greater than 0.
  public func offset(at time: Double) -> Double {
    guard duration > 0, duration.isFinite else { return 0 }
    return start * (1 - Loop.wrap(time, period: duration) / duration)
  }

  /// Points per second, to the right if positive.
  public var velocity: Double { -start / duration }

  /// Points by which the picture jumps at the end of each cycle of a row with this period.
  ///
  /// - Parameter period: Points from one copy to the next in a row with several copies.
  /// - Returns: 0 or more.
  public func jump(period: Double) -> Double { abs(abs(start) - period) }
}
