// SPDX-License-Identifier: Apache-2.0

/// Straight lines between points.
///
/// Arguments are in [0, 1]; NaN in, NaN out.
/// Invariant: there is at least one point, and the inputs never decrease.
struct PiecewiseCurve: Hashable, Sendable {
  struct Point: Hashable, Sendable {
    var input: Double
    var output: Double
  }

  let points: [Point]

  /// Gives every stop an input, in the steps of CSS: first the ends, then the order, then the gaps.
  init(_ stops: [LinearStop]) {
    var inputs = stops.map(\.input)
    if let first = inputs.indices.first { inputs[first] = inputs[first] ?? 0 }
    if let last = inputs.indices.last { inputs[last] = inputs[last] ?? 1 }
    var largest = -Double.infinity
    for index in inputs.indices {
      guard let input = inputs[index] else { continue }
      largest = Swift.max(largest, input)
      inputs[index] = largest
    }
    var points: [Point] = []
    var known = 0
    for (index, stop) in stops.enumerated() {
      guard let end = inputs[index] else { continue }
      let start = points.last?.input ?? end
      let gap = Double(index - known)
      while points.count < index {
        let share = Double(points.count - known) / gap
        points.append(
          Point(input: start + (end - start) * share, output: stops[points.count].output))
      }
      points.append(Point(input: end, output: stop.output))
      known = index
    }
    self.points = points
  }

  private init(points: [Point]) { self.points = points }

  func value(at x: Double) -> Double {
    guard !x.isNaN else { return x }
    guard points.count > 1 else { return points[0].output }
    let end = segmentEnd(at: x)
    let (a, b) = (points[end - 1], points[end])
    // Two first points with one input: before it, the first; from it on, the last.
    if a.input == b.input { return x < a.input ? a.output : b.output }
    if x == b.input { return b.output }
    if x == a.input { return a.output }
    return a.output + (b.output - a.output) * ((x - a.input) / (b.input - a.input))
  }

  /// The slope of the line that begins at x; of the last line at the end.
  ///
  /// 0 on a vertical line.
  func velocity(at x: Double) -> Double {
    guard !x.isNaN else { return x }
    guard points.count > 1 else { return 0 }
    let end = segmentEnd(at: x)
    let (a, b) = (points[end - 1], points[end])
    return a.input == b.input ? 0 : (b.output - a.output) / (b.input - a.input)
  }

  /// Index of the point that ends the line at x: the first with a larger input, but never the first
  /// point, and the last point at the latest.
  ///
  /// - Complexity: O(log n).
  private func segmentEnd(at x: Double) -> Int {
    var (low, high) = (1, points.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].input > x { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Points with input and output exchanged; only points with a larger output than all before.
  var inverse: PiecewiseCurve {
    var inverted: [Point] = []
    var largest = -Double.infinity
    for (index, point) in points.enumerated() where point.output > largest {
      let before = points[Swift.max(0, index - 1)]
      if let last = inverted.last, last.output < before.input {
        // The curve stood still or fell: continue where it rises past its largest output.
        let share = (largest - before.output) / (point.output - before.output)
        let input = before.input + (point.input - before.input) * share
        inverted.append(Point(input: largest, output: input))
      }
      inverted.append(Point(input: point.output, output: point.input))
      largest = point.output
    }
    return PiecewiseCurve(points: inverted.isEmpty ? points : inverted)
  }
}
