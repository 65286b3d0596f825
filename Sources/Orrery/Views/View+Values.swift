// SPDX-License-Identifier: Apache-2.0

import Foundation

extension View {
  /// The values with which the view is drawn.
  ///
  /// - Parameters:
  ///   - size: Size of the view, in points.
  ///   - layoutDirection: Which side is leading.
  ///   - time: Seconds since the view appeared, for timelines and animators in its body.
  /// - Returns: The values of all its modifiers together.
  public func drawnValues(
    size: CGSize, layoutDirection: LayoutDirection = .leftToRight, at time: Double = 0
  ) -> TransitionValues {
    AnyTransition.values(
      description(ViewMoment(time: time)).effects.map(\.effect), size: size,
      layoutDirection: layoutDirection)
  }
}

extension ViewModifier {
  /// The values with which a modified view is drawn.
  ///
  /// - Parameters:
  ///   - size: Size of the view, in points.
  ///   - layoutDirection: Which side is leading.
  /// - Returns: The values of the modifier; opacity 0 if its body does not show its content.
  public func drawnValues(
    size: CGSize, layoutDirection: LayoutDirection = .leftToRight
  ) -> TransitionValues {
    let content = ViewDescription(leaf: .content(ObjectIdentifier(ViewMoment.self)))
    let view = described(on: content, ViewMoment(time: 0))
    return AnyTransition.values(
      view.effects(onContentOf: ViewMoment.self).map(\.effect), size: size,
      layoutDirection: layoutDirection)
  }
}
