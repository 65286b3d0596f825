// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Modifiers of where and how large a view is drawn; its layout does not change.
extension View {
  /// Moves.
  ///
  /// - Parameter offset: Points toward the trailing side and downward.
  /// - Returns: The view, moved.
  public func offset(_ offset: CGSize) -> some View {
    self.offset(x: offset.width, y: offset.height)
  }

  /// Moves.
  ///
  /// - Parameters:
  ///   - x: Points toward the trailing side.
  ///   - y: Points downward.
  /// - Returns: The view, moved.
  public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View {
    effect(.offset(TransitionEffect.Offset(x: x, y: y)))
  }

  /// Moves the centre of the view to a point of its own frame.
  ///
  /// - Parameter position: Points from the frame's top leading corner.
  /// - Returns: The view, moved.
  public func position(_ position: CGPoint) -> some View {
    self.position(x: position.x, y: position.y)
  }

  /// Moves the centre of the view to a point of its own frame.
  ///
  /// - Parameters:
  ///   - x: Points from the frame's leading side.
  ///   - y: Points from its top.
  /// - Returns: The view, moved.
  public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View {
    effect(.offset(TransitionEffect.Offset(x: x, y: y, widths: -0.5, heights: -0.5)))
  }

  /// Scales about an anchor.
  ///
  /// - Parameters:
  ///   - scale: Factors; one closer to 0 than ``ScaleEffect/scaleMin`` counts as that, while it moves too.
  ///   - anchor: The point that does not move, as shares of the size.
  /// - Returns: The view, scaled.
  public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> some View {
    effect(.scale(TransitionEffect.Scale(scale, anchor: anchor)))
  }

  /// Scales about an anchor.
  ///
  /// - Parameters:
  ///   - s: Factor of width and height; 0 counts as ``ScaleEffect/scaleMin``.
  ///   - anchor: The point that does not move, as shares of the size.
  /// - Returns: The view, scaled.
  public func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some View {
    scaleEffect(CGSize(width: s, height: s), anchor: anchor)
  }

  /// Scales about an anchor.
  ///
  /// - Parameters:
  ///   - x: Factor of the width; 0 counts as ``ScaleEffect/scaleMin``.
  ///   - y: Factor of the height; likewise.
  ///   - anchor: The point that does not move, as shares of the size.
  /// - Returns: The view, scaled.
  public func scaleEffect(
    x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center
  ) -> some View {
    scaleEffect(CGSize(width: x, height: y), anchor: anchor)
  }

  /// Rotates about an anchor.
  ///
  /// - Parameters:
  ///   - angle: Clockwise.
  ///   - anchor: The point that does not move, as shares of the size.
  /// - Returns: The view, rotated.
  public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View {
    modifier(RotationEffect(angle: angle, anchor: anchor))
  }

  /// Rotates in space, and projects the result onto the view's plane.
  ///
  /// The eye is at the larger side of the view, divided by `perspective`, in front of the anchor.
  ///
  /// - Parameters:
  ///   - angle: About the axis.
  ///   - axis: Of any length; an axis without length does not rotate.
  ///   - anchor: The point that does not move, as shares of the size.
  ///   - anchorZ: Its distance from the view's plane, in points.
  ///   - perspective: 0 for a projection without perspective.
  /// - Returns: The view, rotated.
  public func rotation3DEffect(
    _ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center,
    anchorZ: CGFloat = 0, perspective: CGFloat = 1
  ) -> some View {
    modifier(
      Rotation3DEffect(
        angle: angle, x: axis.x, y: axis.y, z: axis.z, anchor: anchor, anchorZ: anchorZ,
        perspective: perspective))
  }

  /// Maps the view by an affine map, which is not animated: a change jumps.
  ///
  /// - Parameter transform: A map of the view's own coordinates.
  /// - Returns: The view, mapped.
  public func transformEffect(_ transform: CGAffineTransform) -> some View {
    modifier(FixedEffect(transform: ProjectionTransform(transform)))
  }

  /// Maps the view by a projective map, which is not animated: a change jumps.
  ///
  /// - Parameter transform: A map of the view's own coordinates.
  /// - Returns: The view, mapped.
  public func projectionEffect(_ transform: ProjectionTransform) -> some View {
    modifier(FixedEffect(transform: transform))
  }

  /// Adds an effect of the library's own.
  func effect(_ effect: TransitionEffect) -> ModifiedContent<Self, EffectModifier> {
    modifier(EffectModifier(effect: effect))
  }
}
