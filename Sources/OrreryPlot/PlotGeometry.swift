// SPDX-License-Identifier: Apache-2.0

/// A position in a picture, y downward.
package struct PlotPoint: Equatable {
  /// To the right.
  package var x: Double

  /// Downward.
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// A simplified line: without the points that lie almost on a straight part of it.
  ///
  /// - Parameters:
  ///   - points: The line.
  ///   - tolerance: Largest vertical distance of a removed point from the simplified line.
  /// - Returns: The kept points, in their order.
  package static func straightened(_ points: [PlotPoint], tolerance: Double) -> [PlotPoint] {
    guard points.count > 2 else { return points }
    var kept = [points[0]]
    var start = 0
    for index in 2..<points.count {
      // 64 bounds the cost of a long straight line, all of which is checked for each new point.
      let isBent =
        index - start > 64
        || (start + 1..<index).contains {
          points[$0].distance(points[start], points[index]) > tolerance
        }
      if isBent {
        start = index - 1
        kept.append(points[start])
      }
    }
    return kept + [points[points.count - 1]]
  }

  /// Vertical distance from the line through two points; infinite if that line is vertical.
  private func distance(_ a: PlotPoint, _ b: PlotPoint) -> Double {
    guard b.x != a.x else { return .infinity }
    return abs(a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x) - y)
  }
}

/// A rectangle of a picture.
package struct PlotArea: Equatable {
  /// The left side.
  package var left: Double
  /// The upper side; y is downward.
  package var top: Double
  /// The right side.
  package var right: Double
  /// The lower side.
  package var bottom: Double

  package init(left: Double, top: Double, right: Double, bottom: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  /// From left to right.
  package var width: Double { right - left }

  /// From top to bottom.
  package var height: Double { bottom - top }

  /// Its corners, clockwise from the upper left.
  package var corners: [PlotPoint] {
    [
      PlotPoint(x: left, y: top), PlotPoint(x: right, y: top), PlotPoint(x: right, y: bottom),
      PlotPoint(x: left, y: bottom),
    ]
  }

  /// The rectangle, larger by a margin on each side.
  package func outset(_ margin: Double) -> PlotArea {
    PlotArea(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
  }

  /// Whether it has a point in common with the inside of another.
  package func overlaps(_ other: PlotArea) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  /// Whether a line through points passes through it.
  package func isCrossed(by points: [PlotPoint]) -> Bool {
    zip(points, points.dropFirst()).contains { isCrossed(from: $0, to: $1) }
  }

  /// Cuts the part of the straight line off that is outside, side by side (Liang and Barsky).
  private func isCrossed(from start: PlotPoint, to end: PlotPoint) -> Bool {
    var (first, last) = (0.0, 1.0)
    for (origin, step, low, high) in [
      (start.x, end.x - start.x, left, right), (start.y, end.y - start.y, top, bottom),
    ] {
      if step == 0 {
        if origin <= low || origin >= high { return false }
        continue
      }
      let (one, other) = ((low - origin) / step, (high - origin) / step)
      first = max(first, min(one, other))
      last = min(last, max(one, other))
    }
    return first < last
  }
}
