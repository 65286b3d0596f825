// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The frame of the view.
public struct Rectangle: InsettableShape {
  private let amount: CGFloat

  /// Makes the shape.
  public init() { amount = 0 }

  private init(amount: CGFloat) { self.amount = amount }

  /// Nothing moves.
  public typealias AnimatableData = EmptyAnimatableData

  /// The outline.
  public func path(in rect: CGRect) -> Path { Path(rect.insetBy(dx: amount, dy: amount)) }

  /// A smaller rectangle.
  public func inset(by amount: CGFloat) -> Rectangle { Rectangle(amount: self.amount + amount) }
}

/// The largest circle in the middle of the frame.
public struct Circle: InsettableShape {
  private let amount: CGFloat

  /// Makes the shape.
  public init() { amount = 0 }

  private init(amount: CGFloat) { self.amount = amount }

  /// Nothing moves.
  public typealias AnimatableData = EmptyAnimatableData

  /// The outline.
  public func path(in rect: CGRect) -> Path {
    let side = min(rect.width, rect.height)
    let square = CGRect(
      x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side)
    return Path(ellipseIn: square.insetBy(dx: amount, dy: amount))
  }

  /// A smaller circle.
  public func inset(by amount: CGFloat) -> Circle { Circle(amount: self.amount + amount) }
}

/// The ellipse that touches the sides of the frame.
public struct Ellipse: InsettableShape {
  private let amount: CGFloat

  /// Makes the shape.
  public init() { amount = 0 }

  private init(amount: CGFloat) { self.amount = amount }

  /// Nothing moves.
  public typealias AnimatableData = EmptyAnimatableData

  /// The outline.
  public func path(in rect: CGRect) -> Path {
    Path(ellipseIn: rect.insetBy(dx: amount, dy: amount))
  }

  /// A smaller ellipse.
  public func inset(by amount: CGFloat) -> Ellipse { Ellipse(amount: self.amount + amount) }
}

/// The frame of the view with rounded corners, whose radii are animated.
public struct RoundedRectangle: InsettableShape {
  /// Radii of the corners, in points.
  public var cornerSize: CGSize

  /// How corners are rounded.
  public var style: RoundedCornerStyle

  private var amount: CGFloat = 0

  /// Makes the shape.
  ///
  /// - Parameters:
  ///   - cornerSize: Radii of the corners.
  ///   - style: Both styles are circular here.
  public init(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
    (self.cornerSize, self.style) = (cornerSize, style)
  }

  /// Makes the shape.
  ///
  /// - Parameters:
  ///   - cornerRadius: Radius of the corners.
  ///   - style: Both styles are circular here.
  public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
    self.init(cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
  }

  /// The radii.
  public var animatableData: CGSize.AnimatableData {
    get { cornerSize.animatableData }
    set { cornerSize.animatableData = newValue }
  }

  /// The outline.
  public func path(in rect: CGRect) -> Path {
    Path(
      roundedRect: rect.insetBy(dx: amount, dy: amount),
      cornerSize: CGSize(width: cornerSize.width - amount, height: cornerSize.height - amount),
      style: style)
  }

  /// A smaller rectangle with smaller corners.
  public func inset(by amount: CGFloat) -> RoundedRectangle {
    var shape = self
    shape.amount += amount
    return shape
  }
}

/// The frame of the view with ends that are half circles.
public struct Capsule: InsettableShape {
  /// How corners are rounded.
  public var style: RoundedCornerStyle

  private var amount: CGFloat = 0

  /// Makes the shape.
  ///
  /// - Parameter style: Both styles are circular here.
  public init(style: RoundedCornerStyle = .continuous) { self.style = style }

  /// Nothing moves.
  public typealias AnimatableData = EmptyAnimatableData

  /// The outline.
  public func path(in rect: CGRect) -> Path {
    let rect = rect.insetBy(dx: amount, dy: amount)
    return Path(
      roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2, style: style)
  }

  /// A smaller capsule.
  public func inset(by amount: CGFloat) -> Capsule {
    var shape = self
    shape.amount += amount
    return shape
  }
}

extension Shape {
  /// A part of the shape's outline, by its length; both ends are animated, and the shape's own data.
  ///
  /// - Parameters:
  ///   - startFraction: Share of the length where it begins.
  ///   - endFraction: Share of the length where it ends.
  /// - Returns: The part.
  public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> some Shape {
    TrimmedShape(base: self, start: startFraction, end: endFraction)
  }

  /// The shape's outline, mapped; the map is not animated.
  ///
  /// - Parameter transform: Maps the outline.
  /// - Returns: The mapped shape.
  public func transform(_ transform: CGAffineTransform) -> some Shape {
    MappedShape(base: self, transform: transform)
  }
}

private struct TrimmedShape<Base: Shape>: Shape {
  var base: Base
  var start: CGFloat
  var end: CGFloat

  var animatableData: AnimatablePair<Base.AnimatableData, AnimatablePair<CGFloat, CGFloat>> {
    get { AnimatablePair(base.animatableData, AnimatablePair(start, end)) }
    set {
      base.animatableData = newValue.first
      (start, end) = (newValue.second.first, newValue.second.second)
    }
  }

  func path(in rect: CGRect) -> Path { base.path(in: rect).trimmedPath(from: start, to: end) }
}

private struct MappedShape<Base: Shape>: Shape {
  var base: Base
  let transform: CGAffineTransform

  var animatableData: Base.AnimatableData {
    get { base.animatableData }
    set { base.animatableData = newValue }
  }

  func path(in rect: CGRect) -> Path { base.path(in: rect).applying(transform) }
}
