// SPDX-License-Identifier: Apache-2.0

extension UnitPoint: Animatable {
  /// The pair (x, y), as shares of the rectangle's width and height.
  public var animatableData: AnimatablePair<CGFloat, CGFloat> {
    get { AnimatablePair(x, y) }
    set { self = UnitPoint(x: newValue.first, y: newValue.second) }
  }
}
