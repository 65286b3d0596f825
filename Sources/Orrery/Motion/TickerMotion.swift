// SPDX-License-Identifier: Apache-2.0

/// Content that runs leftward through a container and comes back in on the other side, seamlessly.
///
/// Two copies, one ``period`` apart, are at -offset and period - offset, with
///
///     offset = speed·(date - beginning) mod period        period = max(container, content + gap)
///
/// The offset is a function of the date, also with long pauses between frames and clocks that are
/// set back. It begins at 0 as soon as both widths are known. A new width keeps the offset in
/// points, wrapped if the period is shorter. A pause keeps the offset, and the motion continues
/// from there.
///
/// Dates are seconds since any fixed time. They are subtracted in `Double` before anything else, so
/// dates since 1970 are precise enough to distinguish frames.
public struct TickerMotion: Hashable, Sendable {
  /// Points per second; >= 0.
  public let speed: Double

  /// Free points between content that is wider than the container and its copy.
  public let gap: Double

  /// Points; nil while unknown.
  public private(set) var content: Double?

  /// Points; nil while unknown.
  public private(set) var container: Double?

  /// Whether the motion is paused.
  public private(set) var isPaused = false

  /// The date at which the offset, before wrapping, was `anchor`; nil before both widths are known.
  private var anchorDate: Double?
  private var anchor = 0.0

  /// Makes a ticker whose offset is 0 until its widths are set.
  ///
  /// - Parameters:
  ///   - speed: Points per second; below 0 counts as 0.
  ///   - gap: Points between content that is wider than the container and its copy.
  public init(speed: Double = 50, gap: Double = 0) {
    self.speed = speed > 0 && speed.isFinite ? speed : 0
    self.gap = gap
  }

  /// Makes a ticker of known widths.
  ///
  /// - Parameters:
  ///   - content: Points.
  ///   - container: Points.
  ///   - speed: Points per second.
  ///   - gap: Points between content that is wider than the container and its copy.
  ///   - date: When the offset is 0, in seconds.
  public init(
    content: Double, container: Double, speed: Double = 50, gap: Double = 0, from date: Double = 0
  ) {
    self.init(speed: speed, gap: gap)
    setWidths(content: content, container: container, at: date)
  }

  /// Points from one copy to the next; 0 while a width is unknown, or if the result is not positive
  /// and finite.
  public var period: Double {
    guard let content, let container else { return 0 }
    let period = max(container, content + gap)
    return period > 0 && period.isFinite ? period : 0
  }

  /// Sets the widths; equal widths change nothing.
  ///
  /// - Parameters:
  ///   - content: Points; nil if not known.
  ///   - container: Points; nil if not known.
  ///   - date: Time of the change, in seconds.
  public mutating func setWidths(content: Double?, container: Double?, at date: Double) {
    if (content, container) == (self.content, self.container) { return }
    let offset = offset(at: date)
    (self.content, self.container) = (content, container)
    anchor = offset
    anchorDate = period > 0 ? date : nil
  }

  /// Pauses the motion; does nothing if it is paused.
  ///
  /// - Parameter date: Time of the pause, in seconds.
  public mutating func pause(at date: Double) {
    guard !isPaused else { return }
    anchor = offset(at: date)
    isPaused = true
  }

  /// Continues a paused motion at its offset.
  ///
  /// - Parameter date: Time at which it continues, in seconds.
  public mutating func resume(at date: Double) {
    guard isPaused else { return }
    isPaused = false
    if anchorDate != nil { anchorDate = date }
  }

  /// How far the content has moved to the left.
  ///
  /// - Parameter date: Seconds; before the beginning the motion runs backward.
  /// - Returns: Points, in [0, period).
  public func offset(at date: Double) -> Double {
    guard let anchorDate else { return 0 }
    let moved = isPaused ? 0 : speed * (date - anchorDate)
    return Loop.wrap(anchor + moved, period: period)
  }

  /// Positions of both copies.
  ///
  /// - Parameter date: Seconds.
  /// - Returns: Points from the container's left edge.
  public func copies(at date: Double) -> [Double] {
    let offset = offset(at: date)
    return [0 - offset, period - offset]
  }

  /// Offsets at frames; the motion begins at the first one.
  ///
  /// - Parameters:
  ///   - dates: Seconds.
  ///   - content: Points.
  ///   - container: Points.
  ///   - speed: Points per second.
  ///   - gap: Points between content that is wider than the container and its copy.
  /// - Returns: An offset for each date.
  public static func offsets(
    dates: [Double], content: Double, container: Double, speed: Double = 50, gap: Double = 0
  ) -> [Double] {
    guard let first = dates.first else { return [] }
    let ticker = TickerMotion(
      content: content, container: container, speed: speed, gap: gap, from: first)
    return dates.map { ticker.offset(at: $0) }
  }
}
