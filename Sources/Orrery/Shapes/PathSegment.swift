// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A line, or a Bézier curve with one or two control points.
struct PathSegment {
  var start: CGPoint
  var controls: [CGPoint]
  var end: CGPoint

  /// Lines that a curve counts as where it is measured or crossed.
  private static let lineCount = 32

  private var points: [CGPoint] { [start] + controls + [end] }

  /// The two parts at a share of the parameter, by de Casteljau's construction.
  private func split(at share: Double) -> (first: PathSegment, second: PathSegment) {
    var (left, right, row) = ([start], [end], points)
    while row.count > 1 {
      row = zip(row, row.dropFirst()).map { Self.between($0, $1, share) }
      left.append(row[0])
      right.insert(row[row.count - 1], at: 0)
    }
    return (PathSegment(left), PathSegment(right))
  }

  private init(_ points: [CGPoint]) {
    (start, end) = (points[0], points[points.count - 1])
    controls = Array(points[1..<(points.count - 1)])
  }

  init(start: CGPoint, controls: [CGPoint], end: CGPoint) {
    (self.start, self.controls, self.end) = (start, controls, end)
  }

  private static func between(_ from: CGPoint, _ to: CGPoint, _ share: Double) -> CGPoint {
    CGPoint(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)
  }

  private func point(at share: Double) -> CGPoint {
    controls.isEmpty ? Self.between(start, end, share) : split(at: share).first.end
  }

  /// The part between two shares of the parameter.
  func part(from low: Double, to high: Double) -> PathSegment {
    let first = high == 1 ? self : split(at: high).first
    return low == 0 ? first : first.split(at: low / high).second
  }

  /// Adds it to a path whose current point is its start.
  func add(to path: inout Path) {
    switch controls.count {
    case 0: path.addLine(to: end)
    case 1: path.addQuadCurve(to: end, control: controls[0])
    default: path.addCurve(to: end, control1: controls[0], control2: controls[1])
    }
  }

  /// Ends of the lines that it counts as.
  var corners: [CGPoint] {
    if controls.isEmpty { return [end] }
    return (1..<Self.lineCount).map { point(at: Double($0) / Double(Self.lineCount)) } + [end]
  }

  /// Lengths of these lines.
  private var lengths: [Double] {
    let corners = corners
    return zip([start] + corners, corners).map { Double(hypot($1.x - $0.x, $1.y - $0.y)) }
  }

  var length: Double { lengths.reduce(0, +) }

  /// The share of the parameter at a length from the start.
  func share(ofLength length: Double) -> Double {
    let lengths = lengths
    var left = length
    for (index, line) in lengths.enumerated() {
      if left < line { return (Double(index) + left / line) / Double(lengths.count) }
      left -= line
    }
    return 1
  }

  /// Its ends, and the points where x or y is greatest or smallest in between.
  var extremes: [CGPoint] {
    let shares = roots(points.map { Double($0.x) }) + roots(points.map { Double($0.y) })
    return [start, end] + shares.map { point(at: $0) }
  }

  /// Where the derivative of one coordinate is 0, between the ends.
  private func roots(_ values: [Double]) -> [Double] {
    let steps = zip(values, values.dropFirst()).map { $1 - $0 }
    let roots: [Double]
    switch steps.count {
    case 2: roots = [steps[0] / (steps[0] - steps[1])]
    case 3:
      // steps[0] (1 - t)² + 2 steps[1] t (1 - t) + steps[2] t² = 0
      let a = steps[0] - 2 * steps[1] + steps[2]
      let b = steps[1] - steps[0]
      let discriminant = (b * b - a * steps[0]).squareRoot()
      roots = a == 0 ? [-steps[0] / (2 * b)] : [(-b - discriminant) / a, (-b + discriminant) / a]
    default: roots = []
    }
    return roots.filter { $0 > 0 && $0 < 1 }
  }
}
