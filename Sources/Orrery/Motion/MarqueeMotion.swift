// SPDX-License-Identifier: Apache-2.0

/// A row of items that moves sideways in a seamless loop.
///
/// Copies of the row follow each other at a distance of one ``period``, so a picture moved by a
/// period looks the same:
///
///     x of item i in copy k = offset + k·period + widths and spaces before i
///
/// The offset is a function of the time, without drift: -(speed·t mod period) in (-period, 0] for
/// ``Direction/left``, and speed·t mod period in [0, period) for ``Direction/right``. A row without
/// width has no copies, and its offset is 0.
///
/// When labels change, the row keeps either its phase, offset/period, or its points; see
/// ``replaceItems(labels:flag:at:keeping:)``.
public struct MarqueeMotion: Hashable, Sendable {
  /// Direction in which a row moves.
  public enum Direction: Hashable, Sendable {
    /// Toward smaller x.
    case left
    /// Toward larger x.
    case right
  }

  /// The quantity that stays the same when the period changes.
  public enum Keeping: Hashable, Sendable {
    /// The share of the loop that has passed.
    case phase
    /// The offset in points, wrapped if the period is shorter.
    case points
  }

  /// Points per second; >= 0.
  public let speed: Double

  /// Direction in which the row moves.
  public let direction: Direction

  /// Points after each item, the last one too.
  public let spacing: Double

  /// Points of each item, from the left.
  public private(set) var widths: [Double]

  /// Points from one copy to the next: all widths, and a space after every item; 0 if the sum is
  /// not positive and finite.
  public private(set) var period: Double

  /// Points from a copy's left edge to the left edge of each item.
  private var prefixes: [Double]

  /// At this time the row had moved by `anchor` points, in its direction.
  private var anchorTime = 0.0
  private var anchor = 0.0

  /// Makes a row of items.
  ///
  /// - Parameters:
  ///   - widths: Points of each item, from the left.
  ///   - spacing: Points after each item, the last one too.
  ///   - speed: Points per second; below 0 counts as 0.
  ///   - direction: Direction in which it moves.
  public init(
    widths: [Double], spacing: Double = 8, speed: Double, direction: Direction = .left
  ) {
    self.widths = widths
    self.spacing = spacing
    self.speed = speed > 0 && speed.isFinite ? speed : 0
    self.direction = direction
    (prefixes, period) = Self.layout(widths, spacing: spacing)
  }

  /// Makes a row of cells, each a flag and its label.
  ///
  /// - Parameters:
  ///   - labels: Points of each label at its natural width.
  ///   - flag: Points of every flag.
  ///   - spacing: Points after each flag and each label.
  ///   - speed: Points per second; below 0 counts as 0.
  ///   - direction: Direction in which it moves.
  public init(
    labels: [Double], flag: Double = 100, spacing: Double = 8, speed: Double,
    direction: Direction = .left
  ) {
    self.init(
      widths: labels.flatMap { [flag, $0] }, spacing: spacing, speed: speed, direction: direction)
  }

  private static func layout(
    _ widths: [Double], spacing: Double
  ) -> (prefixes: [Double], period: Double) {
    var x = 0.0
    let prefixes = widths.map { width in
      defer { x += width + spacing }
      return x
    }
    return x > 0 && x.isFinite ? (prefixes, x) : (prefixes.map { _ in 0 }, 0)
  }

  /// Position of the first copy.
  ///
  /// - Parameter time: Seconds since the motion began.
  /// - Returns: Points, never outside the loop.
  public func offset(at time: Double) -> Double {
    let moved = Loop.wrap(anchor + speed * (time - anchorTime), period: period)
    return direction == .left ? 0 - moved : moved
  }

  /// Number of copies that cover a viewport at every offset.
  ///
  /// - Parameter viewport: Points.
  /// - Returns: ceil(viewport/period) + 1; 0 if there is no period.
  public func copies(viewport: Double) -> Int {
    guard period > 0, viewport >= 0 else { return 0 }
    return Loop.count((viewport / period).rounded(.up)) + 1
  }

  /// Numbers of the copies that cover a viewport; a row that moves right has one copy before the
  /// first.
  ///
  /// - Parameter viewport: Points.
  /// - Returns: The numbers k.
  public func copyNumbers(viewport: Double) -> Range<Int> {
    let count = copies(viewport: viewport)
    return direction == .left || count == 0 ? 0..<count : -1..<count - 1
  }

  /// Position of an item.
  ///
  /// - Parameters:
  ///   - item: Its index.
  ///   - copy: The number of the copy.
  ///   - time: Seconds since the motion began.
  /// - Returns: Points from the viewport's left edge.
  public func x(item: Int, copy: Int, at time: Double) -> Double {
    offset(at: time) + Double(copy) * period + prefixes[item]
  }

  /// The visible items of a copy, found by bisection.
  ///
  /// Widths and spacing must not be negative.
  ///
  /// - Parameters:
  ///   - copy: The number of the copy.
  ///   - time: Seconds since the motion began.
  ///   - viewport: Points.
  /// - Returns: Their indexes; items that only touch an edge of the viewport are left out.
  /// - Complexity: O(log items).
  public func visibleItems(copy: Int, at time: Double, viewport: Double) -> Range<Int> {
    guard period > 0 else { return 0..<0 }
    let left = offset(at: time) + Double(copy) * period
    let first = firstIndex { left + prefixes[$0] + widths[$0] > 0 }
    let end = firstIndex { left + prefixes[$0] >= viewport }
    return first..<max(first, end)
  }

  /// The first index at which a condition is true; the condition must stay true for later indexes.
  private func firstIndex(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, widths.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Replaces the items during the motion, as when the language changes.
  ///
  /// - Parameters:
  ///   - widths: Points of each item, from the left.
  ///   - time: Seconds since the motion began.
  ///   - keeping: The quantity that stays the same.
  public mutating func replaceItems(
    widths: [Double], at time: Double, keeping: Keeping = .phase
  ) {
    let moved = abs(offset(at: time))
    let oldPeriod = period
    self.widths = widths
    (prefixes, period) = Self.layout(widths, spacing: spacing)
    anchorTime = time
    switch keeping {
    case .phase: anchor = oldPeriod > 0 ? moved / oldPeriod * period : 0
    case .points: anchor = moved
    }
  }

  /// Replaces the labels during the motion, as when the language changes.
  ///
  /// - Parameters:
  ///   - labels: Points of each label.
  ///   - flag: Points of every flag.
  ///   - time: Seconds since the motion began.
  ///   - keeping: The quantity that stays the same.
  public mutating func replaceItems(
    labels: [Double], flag: Double = 100, at time: Double, keeping: Keeping = .phase
  ) {
    replaceItems(widths: labels.flatMap { [flag, $0] }, at: time, keeping: keeping)
  }
}
