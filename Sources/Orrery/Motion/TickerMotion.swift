// SPDX-License-Identifier: Apache-2.0

/// Content that runs leftward through a container and comes back in on the other side, seamlessly.
///
/// Two copies, one ``period`` apart, stand at -offset and period - offset, with
///
///     offset = speed·(date - beginning) mod period        period = max(container, content + gap)
///
/// The offset is a function of the date, for long pauses between frames and for clocks that are set
/// back too. It begins at 0 as soon as both widths are known. A new width keeps the offset in
/// points, wrapped if the period is shorter. While the ticker is paused its offset stays, and goes
/// on from there.
///
/// Dates are seconds since any moment; they are subtracted in `Double` before anything else, so
/// those since 1970 tell frames apart.
public struct TickerMotion: Hashable, Sendable {
  /// Points per second; >= 0.
  public let speed: Double

  /// Points that stay free between content that is wider than the container and its copy.
  public let gap: Double

  /// Points; nil as long as nobody knows.
  public private(set) var content: Double?

  /// Points; nil as long as nobody knows.
  public private(set) var container: Double?

  /// Whether the offset stays.
  public private(set) var isPaused = false

  /// The date at which the offset, before wrapping, was `anchor`; nil before both widths are known.
  private var anchorDate: Double?
  private var anchor = 0.0

  /// Makes a ticker that stands at 0 until its widths are set.
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

  /// Points from one copy to the next; 0 as long as a width is not known, or is no number.
  public var period: Double {
    guard let content, let container else { return 0 }
    let period = max(container, content + gap)
    return period > 0 && period.isFinite ? period : 0
  }

  /// Takes the widths; the same widths again change nothing.
  ///
  /// - Parameters:
  ///   - content: Points; nil if not known.
  ///   - container: Points; nil if not known.
  ///   - date: From when on, in seconds.
  public mutating func setWidths(content: Double?, container: Double?, at date: Double) {
    if (content, container) == (self.content, self.container) { return }
    let offset = offset(at: date)
    (self.content, self.container) = (content, container)
    anchor = offset
    anchorDate = period > 0 ? date : nil
  }

  /// Stops; pausing twice is pausing once.
  ///
  /// - Parameter date: From when on, in seconds.
  public mutating func pause(at date: Double) {
    guard !isPaused else { return }
    anchor = offset(at: date)
    isPaused = true
  }

  /// Goes on from where it stopped.
  ///
  /// - Parameter date: From when on, in seconds.
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

  /// Where both copies stand.
  ///
  /// - Parameter date: Seconds.
  /// - Returns: Points from the container's left edge.
  public func copies(at date: Double) -> [Double] {
    let offset = offset(at: date)
    return [0 - offset, period - offset]
  }

  /// Offsets at frames, the first of which is the beginning.
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
