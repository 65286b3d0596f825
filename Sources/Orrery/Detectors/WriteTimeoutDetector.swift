// SPDX-License-Identifier: Apache-2.0

/// Guesses the end of an animation by a timeout without writes.
///
/// Every write restarts the timeout. When it expires, the animation counts as finished. The next
/// write begins another one.
///
/// This is a known recipe for a framework without completions, kept unchanged to show its errors:
///
/// - It is always late by its whole timeout.
/// - A stall that is longer than the timeout counts as the end, and the writes after it as another
///   animation.
/// - It does not detect repetitions, never fires for an endless one, and cannot distinguish a
///   finished animation from a cancelled one.
///
/// The recipe shares its state between all views of a type: if several start together, only one is
/// notified. Here each detector has its own state. Use the events of an animation instead.
public struct WriteTimeoutDetector: Hashable, Sendable {
  /// Seconds without a write.
  public let timeout: Double

  /// When the timeout will expire, in seconds; nil if no animation is running.
  public private(set) var deadline: Double?

  /// Makes a detector that has seen nothing.
  ///
  /// - Parameter timeout: Seconds without a write.
  public init(timeout: Double = 0.1) {
    self.timeout = timeout
  }

  /// Handles a write of the animated property.
  ///
  /// - Parameter time: Seconds. A write at the deadline itself is in time.
  /// - Returns: When the animation before counted as finished, if that was not reported yet.
  @discardableResult
  public mutating func write(at time: Double) -> Double? {
    let expiry = deadline.flatMap { time > $0 ? $0 : nil }
    deadline = time + timeout
    return expiry
  }

  /// Moves time on without a write.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: When the animation counted as finished, reported once.
  public mutating func advance(to time: Double) -> Double? {
    guard let expiry = deadline, time >= expiry else { return nil }
    deadline = nil
    return expiry
  }

  /// The completion times that follow from writes; after the last write there are no more.
  ///
  /// - Parameters:
  ///   - writes: Seconds, ascending; times that are not finite are ignored.
  ///   - timeout: Seconds without a write.
  /// - Returns: Seconds, ascending.
  public static func fires(writes: [Double], timeout: Double = 0.1) -> [Double] {
    var detector = WriteTimeoutDetector(timeout: timeout)
    var fires: [Double] = []
    for write in writes where write.isFinite {
      if let expiry = detector.write(at: write) { fires.append(expiry) }
    }
    if let expiry = detector.advance(to: .infinity) { fires.append(expiry) }
    return fires
  }
}
