// SPDX-License-Identifier: Apache-2.0

/// Modifiers of how a view is drawn that change none of its values.
extension View {
  /// Draws the view as one picture before the effects outside of it: its values stay the same.
  ///
  /// - Returns: The view.
  public func compositingGroup() -> some View { modifier(EmptyModifier.identity) }

  /// Draws the view into one picture off the screen: its values stay the same.
  ///
  /// - Parameters:
  ///   - opaque: Whether the picture is opaque.
  ///   - colorMode: The picture's colour space.
  /// - Returns: The view.
  public func drawingGroup(
    opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear
  ) -> some View {
    modifier(EmptyModifier.identity)
  }
}

/// Colour spaces of pictures off the screen.
public enum ColorRenderingMode: Hashable, Sendable {
  /// sRGB.
  case nonLinear
  /// sRGB without its curve.
  case linear
  /// sRGB without its curve, with colours outside of it.
  case extendedLinear
}
