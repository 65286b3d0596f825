// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Modifiers of how visible a view is, and of its colours.
extension View {
  /// Multiplies the opacity.
  ///
  /// - Parameter opacity: 0 is invisible, 1 changes nothing.
  /// - Returns: The view, more or less visible.
  public func opacity(_ opacity: Double) -> some View {
    effect(.opacity(opacity))
  }

  /// Hides the view.
  ///
  /// - Returns: The view, invisible.
  public func hidden() -> some View { opacity(0) }

  /// Blurs.
  ///
  /// - Parameters:
  ///   - radius: Points; 0 is sharp. Several blurs add up.
  ///   - opaque: Whether edges stay opaque; without pixels it makes no difference.
  /// - Returns: The view, blurred.
  public func blur(radius: CGFloat, opaque: Bool = false) -> some View {
    effect(.blur(radius))
  }

  /// Adds to red, green and blue.
  ///
  /// - Parameter amount: 0 changes nothing, 1 is white.
  /// - Returns: The view, brighter.
  public func brightness(_ amount: Double) -> some View {
    effect(.color(ColorEffect(.brightness, amount)))
  }

  /// Moves red, green and blue away from their middle.
  ///
  /// - Parameter amount: 0 is grey, 1 changes nothing.
  /// - Returns: The view with another contrast.
  public func contrast(_ amount: Double) -> some View {
    effect(.color(ColorEffect(.contrast, amount)))
  }

  /// Moves colours away from grey.
  ///
  /// - Parameter amount: 0 is grey, 1 changes nothing.
  /// - Returns: The view, more or less colourful.
  public func saturation(_ amount: Double) -> some View {
    effect(.color(ColorEffect(.saturation, amount)))
  }

  /// Moves colours toward grey.
  ///
  /// - Parameter amount: 0 changes nothing, 1 is grey.
  /// - Returns: The view, less colourful.
  public func grayscale(_ amount: Double) -> some View {
    effect(.color(ColorEffect(.grayscale, amount)))
  }

  /// Turns the hue of colours.
  ///
  /// - Parameter angle: 0 changes nothing.
  /// - Returns: The view in other colours.
  public func hueRotation(_ angle: Angle) -> some View {
    effect(.color(ColorEffect(.hueRotation, angle.radians)))
  }
}
