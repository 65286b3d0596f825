// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Arcs, as cubic curves of at most a quarter turn: within 0.03 % of the radius.
extension Path {
  /// Adds an arc, after a line from the current point to its start.
  ///
  /// - Parameters:
  ///   - center: The centre.
  ///   - radius: Points.
  ///   - startAngle: From the right, toward below.
  ///   - endAngle: Likewise; a turn or more away is a whole circle.
  ///   - clockwise: Toward smaller angles: counter-clockwise on a screen, where y grows downward.
  ///   - transform: Maps the arc.
  public mutating func addArc(
    center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool,
    transform: CGAffineTransform = .identity
  ) {
    let turn = 2 * Double.pi
    var delta = (endAngle - startAngle).radians
    if abs(delta) >= turn {
      delta = clockwise ? -turn : turn
    } else if clockwise, delta > 0 {
      delta -= turn
    } else if !clockwise, delta < 0 {
      delta += turn
    }
    addRelativeArc(
      center: center, radius: radius, startAngle: startAngle, delta: .radians(delta),
      transform: transform)
  }

  /// Adds an arc, after a line from the current point to its start.
  ///
  /// - Parameters:
  ///   - center: The centre.
  ///   - radius: Points.
  ///   - startAngle: From the right, toward below.
  ///   - delta: From the start to the end; whole turns beyond the first are left out.
  ///   - transform: Maps the arc.
  public mutating func addRelativeArc(
    center: CGPoint, radius: CGFloat, startAngle: Angle, delta: Angle,
    transform: CGAffineTransform = .identity
  ) {
    let turn = 2 * Double.pi
    var sweep = delta.radians
    if abs(sweep) > 2 * turn {
      sweep = sweep.truncatingRemainder(dividingBy: turn) + (sweep < 0 ? -turn : turn)
    }
    func point(_ angle: Double, _ tangent: Double = 0) -> CGPoint {
      CGPoint(
        x: center.x + radius * (cos(angle) - tangent * sin(angle)),
        y: center.y + radius * (sin(angle) + tangent * cos(angle))
      ).applying(transform)
    }
    let first = point(startAngle.radians)
    if currentPoint == nil {
      move(to: first)
    } else {
      addLine(to: first)
    }
    guard sweep != 0, sweep.isFinite else { return }
    let count = (abs(sweep) / (.pi / 2) - 1e-9).rounded(.up)
    let step = sweep / max(1, count)
    let handle = 4 / 3 * tan(step / 4)
    for index in 0..<Int(max(1, count)) {
      let from = startAngle.radians + Double(index) * step
      addCurve(
        to: point(from + step), control1: point(from, handle),
        control2: point(from + step, -handle))
    }
  }

  /// Adds an arc that touches two lines, after a line to its start: a rounded corner.
  ///
  /// - Parameters:
  ///   - p1: The corner, toward which the first line goes.
  ///   - p2: The end of the second line, which begins at the corner.
  ///   - radius: Points; 0, or lines in one direction, give a line to the corner.
  ///   - transform: Maps the corner and the end.
  public mutating func addArc(
    tangent1End p1: CGPoint, tangent2End p2: CGPoint, radius: CGFloat,
    transform: CGAffineTransform = .identity
  ) {
    guard let current = currentPoint else { return }
    let (corner, end) = (p1.applying(transform), p2.applying(transform))
    let back = CGPoint(x: current.x - corner.x, y: current.y - corner.y)
    let ahead = CGPoint(x: end.x - corner.x, y: end.y - corner.y)
    let (backLength, aheadLength) = (hypot(back.x, back.y), hypot(ahead.x, ahead.y))
    let cross = back.x * ahead.y - back.y * ahead.x
    guard radius > 0, backLength > 0, aheadLength > 0, cross != 0 else {
      addLine(to: corner)
      return
    }
    let cosine = (back.x * ahead.x + back.y * ahead.y) / (backLength * aheadLength)
    let half = acos(min(1, max(-1, Double(cosine)))) / 2
    let distance = radius / tan(half)
    let first = CGPoint(
      x: corner.x + back.x / backLength * distance, y: corner.y + back.y / backLength * distance)
    // Toward the other line, at a right angle to this one.
    let side: CGFloat = cross > 0 ? 1 : -1
    let center = CGPoint(
      x: first.x - side * back.y / backLength * radius,
      y: first.y + side * back.x / backLength * radius)
    addRelativeArc(
      center: center, radius: radius,
      startAngle: .radians(atan2(Double(first.y - center.y), Double(first.x - center.x))),
      delta: .radians(Double(-side) * (.pi - 2 * half)))
  }

  /// Makes a rectangle.
  public init(_ rect: CGRect) { addRect(rect) }

  /// Makes an ellipse.
  ///
  /// - Parameter rect: The rectangle around it.
  public init(ellipseIn rect: CGRect) { addEllipse(in: rect) }

  /// Makes a rectangle with rounded corners.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - cornerSize: Radii of the corners, at most half of the sides.
  ///   - style: Both styles are circular here.
  public init(
    roundedRect rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous
  ) {
    addRoundedRect(in: rect, cornerSize: cornerSize, style: style)
  }

  /// Makes a rectangle with rounded corners.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - cornerRadius: Radius of the corners, at most half of the sides.
  ///   - style: Both styles are circular here.
  public init(
    roundedRect rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous
  ) {
    addRoundedRect(
      in: rect, cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
  }

  /// Adds a rectangle, from its upper left corner to the right.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - transform: Maps it.
  public mutating func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) {
    move(to: CGPoint(x: rect.minX, y: rect.minY).applying(transform))
    addLine(to: CGPoint(x: rect.maxX, y: rect.minY).applying(transform))
    addLine(to: CGPoint(x: rect.maxX, y: rect.maxY).applying(transform))
    addLine(to: CGPoint(x: rect.minX, y: rect.maxY).applying(transform))
    closeSubpath()
  }

  /// Adds rectangles.
  ///
  /// - Parameters:
  ///   - rects: The rectangles.
  ///   - transform: Maps them.
  public mutating func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
    for rect in rects { addRect(rect, transform: transform) }
  }

  /// Adds a subpath of lines.
  ///
  /// - Parameter lines: Its corners, the first one its start.
  public mutating func addLines(_ lines: [CGPoint]) {
    guard let first = lines.first else { return }
    move(to: first)
    for line in lines.dropFirst() { addLine(to: line) }
  }

  /// Adds an ellipse, from its right.
  ///
  /// - Parameters:
  ///   - rect: The rectangle around it.
  ///   - transform: Maps it.
  public mutating func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
    let unit = CGAffineTransform(
      a: rect.width / 2, b: 0, c: 0, d: rect.height / 2, tx: rect.midX, ty: rect.midY)
    var circle = Path()
    circle.addRelativeArc(
      center: .zero, radius: 1, startAngle: .zero, delta: .degrees(360),
      transform: unit.concatenating(transform))
    circle.closeSubpath()
    addPath(circle)
  }

  /// Adds a rectangle with rounded corners.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - cornerSize: Radii of the corners, at most half of the sides.
  ///   - style: Both styles are circular here.
  ///   - transform: Maps it.
  public mutating func addRoundedRect(
    in rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous,
    transform: CGAffineTransform = .identity
  ) {
    let rect = rect.standardized
    let width = min(max(0, cornerSize.width), rect.width / 2)
    let height = min(max(0, cornerSize.height), rect.height / 2)
    guard width > 0, height > 0 else {
      addRect(rect, transform: transform)
      return
    }
    var path = Path()
    let corners = [
      (rect.maxX - width, rect.minY + height, -90.0), (rect.maxX - width, rect.maxY - height, 0),
      (rect.minX + width, rect.maxY - height, 90), (rect.minX + width, rect.minY + height, 180),
    ]
    for (x, y, degrees) in corners {
      let corner = CGAffineTransform(a: width, b: 0, c: 0, d: height, tx: x, ty: y)
      path.addRelativeArc(
        center: .zero, radius: 1, startAngle: .degrees(degrees), delta: .degrees(90),
        transform: corner.concatenating(transform))
    }
    path.closeSubpath()
    addPath(path)
  }
}

/// How corners are rounded.
public enum RoundedCornerStyle: Sendable {
  /// By quarters of a circle.
  case circular
  /// In SwiftUI by curves whose bend grows slowly; here as `circular`.
  case continuous
}
