// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The outline of a shape: lines and curves, which are computed and not drawn.
///
///     let roof = Path { path in
///       path.move(to: CGPoint(x: 0, y: 20))
///       path.addLine(to: CGPoint(x: 10, y: 0))
///       path.addLine(to: CGPoint(x: 20, y: 20))
///     }
///
/// Points are in the coordinates of the view, in points; y grows downward.
public struct Path: Equatable, Sendable {
  /// A part of a path.
  public enum Element: Equatable, Sendable {
    /// Begins a subpath.
    case move(to: CGPoint)
    /// A line from the current point.
    case line(to: CGPoint)
    /// A quadratic Bézier curve from the current point.
    case quadCurve(to: CGPoint, control: CGPoint)
    /// A cubic Bézier curve from the current point.
    case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
    /// A line to the start of the subpath, which ends there.
    case closeSubpath
  }

  /// In their order.
  var elements: [Element] = []

  /// Where the subpath began, to which a closed one returns.
  private(set) var start: CGPoint?

  /// Where the next line or curve begins; nil if the path is empty.
  public private(set) var currentPoint: CGPoint?

  /// Makes an empty path.
  public init() {}

  /// Makes a path by changing an empty one.
  ///
  /// - Parameter callback: Adds to the path.
  public init(_ callback: (inout Path) -> Void) { callback(&self) }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { elements.isEmpty }

  /// Gives each part, in their order.
  ///
  /// - Parameter body: Gets a part.
  public func forEach(_ body: (Element) -> Void) { elements.forEach(body) }

  /// Begins a subpath.
  ///
  /// - Parameter end: Its start.
  public mutating func move(to end: CGPoint) { append(.move(to: end)) }

  /// Adds a line from the current point; without one it does nothing.
  ///
  /// - Parameter end: Its end.
  public mutating func addLine(to end: CGPoint) { append(.line(to: end)) }

  /// Adds a quadratic Bézier curve from the current point; without one it does nothing.
  ///
  /// - Parameters:
  ///   - end: Its end.
  ///   - control: Its control point.
  public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) {
    append(.quadCurve(to: end, control: control))
  }

  /// Adds a cubic Bézier curve from the current point; without one it does nothing.
  ///
  /// - Parameters:
  ///   - end: Its end.
  ///   - control1: The control point near its start.
  ///   - control2: The control point near its end.
  public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
    append(.curve(to: end, control1: control1, control2: control2))
  }

  /// Adds a line to the start of the subpath, and ends it.
  public mutating func closeSubpath() { append(.closeSubpath) }

  /// Adds the parts of another path.
  ///
  /// - Parameters:
  ///   - path: The other path.
  ///   - transform: Maps its points.
  public mutating func addPath(_ path: Path, transform: CGAffineTransform = .identity) {
    for element in path.elements { append(element.applying(transform)) }
  }

  private mutating func append(_ element: Element) {
    switch element {
    case .move(let end):
      (start, currentPoint) = (end, end)
    case .line(let end), .quadCurve(let end, _), .curve(let end, _, _):
      guard currentPoint != nil else { return }
      currentPoint = end
    case .closeSubpath:
      guard currentPoint != nil else { return }
      currentPoint = start
    }
    elements.append(element)
  }

  /// This path, mapped.
  ///
  /// - Parameter transform: Maps its points.
  /// - Returns: The image.
  public func applying(_ transform: CGAffineTransform) -> Path {
    Path { $0.addPath(self, transform: transform) }
  }

  /// This path, moved.
  ///
  /// - Parameters:
  ///   - dx: Points to the right.
  ///   - dy: Points downward.
  /// - Returns: The moved path.
  public func offsetBy(dx: CGFloat, dy: CGFloat) -> Path {
    applying(CGAffineTransform(translationX: dx, y: dy))
  }
}

extension Path.Element {
  func applying(_ t: CGAffineTransform) -> Path.Element {
    switch self {
    case .move(let end): .move(to: end.applying(t))
    case .line(let end): .line(to: end.applying(t))
    case .quadCurve(let end, let control):
      .quadCurve(to: end.applying(t), control: control.applying(t))
    case .curve(let end, let control1, let control2):
      .curve(
        to: end.applying(t), control1: control1.applying(t), control2: control2.applying(t))
    case .closeSubpath: .closeSubpath
    }
  }
}

extension Path: CustomStringConvertible {
  /// The parts as numbers and a letter each: m, l, q, c, h.
  public var description: String {
    func text(_ points: CGPoint...) -> String {
      points.map { "\(Double($0.x).notation) \(Double($0.y).notation)" }.joined(separator: " ")
    }
    return elements.map { element in
      switch element {
      case .move(let end): "\(text(end)) m"
      case .line(let end): "\(text(end)) l"
      case .quadCurve(let end, let control): "\(text(control, end)) q"
      case .curve(let end, let control1, let control2): "\(text(control1, control2, end)) c"
      case .closeSubpath: "h"
      }
    }.joined(separator: " ")
  }
}
