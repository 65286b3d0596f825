// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Distances from the four sides of a rectangle inward, in points.
public struct EdgeInsets: Hashable, Sendable {
  /// From the upper side.
  public var top: CGFloat

  /// From the side where lines begin.
  public var leading: CGFloat

  /// From the lower side.
  public var bottom: CGFloat

  /// From the side where lines end.
  public var trailing: CGFloat

  /// Makes insets.
  ///
  /// - Parameters:
  ///   - top: From the upper side.
  ///   - leading: From the side where lines begin.
  ///   - bottom: From the lower side.
  ///   - trailing: From the side where lines end.
  public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
    (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
  }

  /// No insets.
  public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }
}

extension EdgeInsets: Animatable {
  /// The four numbers: top, leading, bottom, trailing.
  public var animatableData:
    AnimatablePair<CGFloat, AnimatablePair<CGFloat, AnimatablePair<CGFloat, CGFloat>>>
  {
    get { AnimatablePair(top, AnimatablePair(leading, AnimatablePair(bottom, trailing))) }
    set {
      top = newValue.first
      leading = newValue.second.first
      bottom = newValue.second.second.first
      trailing = newValue.second.second.second
    }
  }
}
