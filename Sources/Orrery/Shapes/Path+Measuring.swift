// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Path {
  /// The smallest rectangle around all lines and curves; the null rectangle for an empty path.
  public var boundingRect: CGRect {
    var points = segments.flatMap(\.extremes)
    // A subpath that is only a point counts.
    for case .move(let end) in elements { points.append(end) }
    guard let first = points.first else { return .null }
    var (low, high) = (first, first)
    for point in points {
      (low.x, low.y) = (min(low.x, point.x), min(low.y, point.y))
      (high.x, high.y) = (max(high.x, point.x), max(high.y, point.y))
    }
    return CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }

  /// Whether a point is inside; open subpaths count as closed.
  ///
  /// Curves count as 32 lines each.
  ///
  /// - Parameters:
  ///   - p: The point.
  ///   - eoFill: Whether a point is inside if the path goes around it an odd number of times, instead
  ///     of any number but 0.
  /// - Returns: Whether it is inside.
  public func contains(_ p: CGPoint, eoFill: Bool = false) -> Bool {
    var winding = 0
    func cross(_ from: CGPoint, _ to: CGPoint) {
      guard (from.y <= p.y) != (to.y <= p.y) else { return }
      let x = from.x + (p.y - from.y) / (to.y - from.y) * (to.x - from.x)
      if x > p.x { winding += to.y > from.y ? 1 : -1 }
    }
    for subpath in subpaths {
      var corners = [subpath[0].start]
      for segment in subpath { corners += segment.corners }
      for (from, to) in zip(corners, corners.dropFirst() + [corners[0]]) { cross(from, to) }
    }
    return eoFill ? winding % 2 != 0 : winding != 0
  }

  /// A part of the path, by its length.
  ///
  /// - Parameters:
  ///   - from: Share of the length where the part begins; below 0 counts as 0.
  ///   - to: Share of the length where it ends; above 1 counts as 1.
  /// - Returns: The part; empty if it has no length.
  public func trimmedPath(from: CGFloat, to: CGFloat) -> Path {
    let (from, to) = (max(0, from), min(1, to))
    guard from < to else { return Path() }
    if from == 0, to == 1 { return self }
    let segments = segments
    let total = segments.reduce(0) { $0 + $1.length }
    let (first, last) = (Double(from) * total, Double(to) * total)
    var (trimmed, passed, end) = (Path(), 0.0, CGPoint?.none)
    for segment in segments {
      let length = segment.length
      defer { passed += length }
      guard length > 0, passed < last, passed + length > first else { continue }
      let low = passed >= first ? 0 : segment.share(ofLength: first - passed)
      let high = passed + length <= last ? 1 : segment.share(ofLength: last - passed)
      let part = segment.part(from: low, to: high)
      if end != part.start { trimmed.move(to: part.start) }
      part.add(to: &trimmed)
      end = part.end
    }
    return trimmed
  }

  /// Lines and curves with their starts; closing a subpath is a line.
  private var segments: [PathSegment] { subpaths.flatMap { $0 } }

  /// Segments of each subpath that has any.
  private var subpaths: [[PathSegment]] {
    var (subpaths, subpath): ([[PathSegment]], [PathSegment]) = ([], [])
    var (start, current) = (CGPoint.zero, CGPoint.zero)
    func finish() {
      if !subpath.isEmpty { subpaths.append(subpath) }
      subpath = []
    }
    for element in elements {
      switch element {
      case .move(let end):
        finish()
        (start, current) = (end, end)
      case .line(let end):
        subpath.append(PathSegment(start: current, controls: [], end: end))
        current = end
      case .quadCurve(let end, let control):
        subpath.append(PathSegment(start: current, controls: [control], end: end))
        current = end
      case .curve(let end, let control1, let control2):
        subpath.append(PathSegment(start: current, controls: [control1, control2], end: end))
        current = end
      case .closeSubpath:
        subpath.append(PathSegment(start: current, controls: [], end: start))
        finish()
        current = start
      }
    }
    finish()
    return subpaths
  }
}
