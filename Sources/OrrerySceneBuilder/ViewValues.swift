// SPDX-License-Identifier: Apache-2.0

/// A value for each animatable property of a view.
public struct ViewValues: Hashable, Sendable {
  /// Translation to the right, in points.
  public var x: Double
  /// Translation downward, in points.
  public var y: Double
  /// 0 is invisible, 1 opaque.
  public var opacity: Double
  /// Factor about the view's centre.
  public var scale: Double
  /// Radians, clockwise.
  public var rotation: Double
  /// Radius of a blur in points; 0 is sharp.
  public var blur: Double

  /// Makes values; each has its default unless given.
  public init(
    x: Double = 0, y: Double = 0, opacity: Double = 1, scale: Double = 1, rotation: Double = 0,
    blur: Double = 0
  ) {
    self.x = x
    self.y = y
    self.opacity = opacity
    self.scale = scale
    self.rotation = rotation
    self.blur = blur
  }

  /// The value of one property.
  public subscript(property: ViewProperty) -> Double {
    get {
      switch property {
      case .x: x
      case .y: y
      case .opacity: opacity
      case .scale: scale
      case .rotation: rotation
      case .blur: blur
      }
    }
    set {
      switch property {
      case .x: x = newValue
      case .y: y = newValue
      case .opacity: opacity = newValue
      case .scale: scale = newValue
      case .rotation: rotation = newValue
      case .blur: blur = newValue
      }
    }
  }
}
