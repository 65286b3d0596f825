// SPDX-License-Identifier: Apache-2.0

import Foundation

extension View {
  /// The values with which the view is drawn.
  ///
  /// - Parameters:
  ///   - size: Size of the view, in points.
  ///   - layoutDirection: Which side is leading; by default the environment's.
  ///   - environment: The values that views read as `@Environment`.
  ///   - time: Seconds since the view appeared, for timelines and animators in its body.
  /// - Returns: The values of all its modifiers together.
  public func drawnValues(
    size: CGSize, layoutDirection: LayoutDirection? = nil,
    environment: EnvironmentValues = EnvironmentValues(), at time: Double = 0
  ) -> TransitionValues {
    let environment = environment.with(layoutDirection)
    return AnyTransition.values(
      description(ViewMoment(time: time, environment: environment)).effects.map(\.effect),
      size: size, layoutDirection: environment.layoutDirection)
  }
}

extension ViewModifier {
  /// The values with which a modified view is drawn.
  ///
  /// - Parameters:
  ///   - size: Size of the view, in points.
  ///   - layoutDirection: Which side is leading; by default the environment's.
  ///   - environment: The values that the modifier reads as `@Environment`.
  /// - Returns: The values of the modifier; opacity 0 if its body does not show its content.
  public func drawnValues(
    size: CGSize, layoutDirection: LayoutDirection? = nil,
    environment: EnvironmentValues = EnvironmentValues()
  ) -> TransitionValues {
    let environment = environment.with(layoutDirection)
    let content = ViewDescription(leaf: .content(ObjectIdentifier(ViewMoment.self)))
    let view = described(on: content, ViewMoment(time: 0, environment: environment))
    return AnyTransition.values(
      view.effects(onContentOf: ViewMoment.self).map(\.effect), size: size,
      layoutDirection: environment.layoutDirection)
  }
}
