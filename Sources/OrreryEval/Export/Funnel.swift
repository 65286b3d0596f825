// SPDX-License-Identifier: Apache-2.0

/// The straight lines through a row of vertical gaps, one gap after the other.
///
/// Of all lines that pass every gap so far, the steepest and the flattest one bound the values that a line can have at
/// the next gap. The steepest one touches a lower end before an upper end: the lower ends that it may touch form a hull
/// that is bent downwards, and the touching point only moves forward. (O'Rourke 1981; for the flattest likewise.)
///
/// - Complexity: O(1) a gap, on average.
struct Funnel {
  struct Point {
    let x: Double
    let y: Double
  }

  /// Upper ends that the flattest line may touch, and lower ends that the steepest line may touch.
  private var upperHull: [Point] = []
  private var lowerHull: [Point] = []
  private var upperFirst = 0
  private var lowerFirst = 0

  /// A line by a point and its slope.
  private struct Line {
    var point = Point(x: 0, y: 0)
    var slope = 0.0

    func value(at x: Double) -> Double { point.y + slope * (x - point.x) }
  }

  private var steepest = Line()
  private var flattest = Line()

  /// Whether a second gap has given the two lines.
  private var hasLines = false

  /// Begins with the lines that begin in a gap.
  mutating func begin(x: Double, _ gap: ClosedRange<Double>) {
    upperHull.removeAll(keepingCapacity: true)
    lowerHull.removeAll(keepingCapacity: true)
    (upperFirst, lowerFirst, hasLines) = (0, 0, false)
    upperHull.append(Point(x: x, y: gap.upperBound))
    lowerHull.append(Point(x: x, y: gap.lowerBound))
  }

  /// Passes the next gap.
  ///
  /// - Parameters:
  ///   - x: Larger than before.
  ///   - gap: The values that a line may have there.
  /// - Returns: The values that lines have there; nil if none of them passes.
  mutating func pass(x: Double, _ gap: ClosedRange<Double>) -> ClosedRange<Double>? {
    let (upper, lower) = (Point(x: x, y: gap.upperBound), Point(x: x, y: gap.lowerBound))
    var reach = gap
    if hasLines {
      let (highest, lowest) = (steepest.value(at: x), flattest.value(at: x))
      let (low, high) = (max(lowest, lower.y), min(highest, upper.y))
      guard low <= high else { return nil }
      reach = low...high
      if upper.y < highest {
        let slope = Self.touch(lowerHull, &lowerFirst, upper, isSteepest: true)
        steepest = Line(point: upper, slope: slope)
      }
      if lower.y > lowest {
        let slope = Self.touch(upperHull, &upperFirst, lower, isSteepest: false)
        flattest = Line(point: lower, slope: slope)
      }
    } else {
      steepest = Line(point: upper, slope: Self.slope(lowerHull[0], upper))
      flattest = Line(point: lower, slope: Self.slope(upperHull[0], lower))
      hasLines = true
    }
    Self.push(lower, to: &lowerHull, from: lowerFirst) { $0 >= $1 }
    Self.push(upper, to: &upperHull, from: upperFirst) { $0 <= $1 }
    return reach
  }

  private static func slope(_ a: Point, _ b: Point) -> Double { (b.y - a.y) / (b.x - a.x) }

  /// The slope of the line that ends in a point and touches a hull.
  private static func touch(
    _ hull: [Point], _ first: inout Int, _ end: Point, isSteepest: Bool
  ) -> Double {
    var best = slope(hull[first], end)
    while first + 1 < hull.count {
      let next = slope(hull[first + 1], end)
      guard isSteepest ? next <= best : next >= best else { break }
      best = next
      first += 1
    }
    return best
  }

  /// Adds a point, and removes those before it that are no longer on the hull.
  private static func push(
    _ point: Point, to hull: inout [Point], from first: Int,
    isHidden: (_ newer: Double, _ older: Double) -> Bool
  ) {
    while hull.count - first >= 2,
      isHidden(
        slope(hull[hull.count - 1], point), slope(hull[hull.count - 2], hull[hull.count - 1]))
    {
      hull.removeLast()
    }
    hull.append(point)
  }
}
