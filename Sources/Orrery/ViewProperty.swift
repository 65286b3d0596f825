// SPDX-License-Identifier: Apache-2.0

/// What of a view can be animated.
public enum ViewProperty: String, CaseIterable, Hashable, Sendable {
  /// Translation to the right, in points.
  case x
  /// Translation downward, in points.
  case y
  /// 0 is invisible, 1 opaque.
  case opacity
  /// Factor about the view's origin.
  case scale
  /// Radians, clockwise.
  case rotation
  /// Radius of a blur in points; 0 is sharp.
  case blur

  /// What a view has if nothing else is said.
  public var defaultValue: Double {
    switch self {
    case .opacity, .scale: 1
    case .x, .y, .rotation, .blur: 0
    }
  }
}
