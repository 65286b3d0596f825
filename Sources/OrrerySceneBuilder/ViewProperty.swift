// SPDX-License-Identifier: Apache-2.0

/// A property of a view that can be animated.
public enum ViewProperty: String, CaseIterable, Hashable, Sendable {
  /// Translation to the right, in points.
  case x
  /// Translation downward, in points.
  case y
  /// 0 is invisible, 1 opaque.
  case opacity
  /// Factor about the view's centre.
  case scale
  /// Radians, clockwise.
  case rotation
  /// Radius of a blur in points; 0 is sharp.
  case blur

  /// The value of a view that does not set the property.
  public var defaultValue: Double {
    switch self {
    case .opacity, .scale: 1
    case .x, .y, .rotation, .blur: 0
    }
  }
}
