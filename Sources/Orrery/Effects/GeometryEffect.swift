// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An animatable map of how a view is drawn; its layout does not change.
///
///     struct Shake: GeometryEffect {
///       var turns: Double
///
///       var animatableData: Double {
///         get { turns }
///         set { turns = newValue }
///       }
///
///       func effectValue(size: CGSize) -> ProjectionTransform {
///         ProjectionTransform(CGAffineTransform(translationX: 10 * sin(turns * 2 * .pi), y: 0))
///       }
///     }
public protocol GeometryEffect: Animatable, ViewModifier where Body == Never {
  /// The map at the current values.
  ///
  /// - Parameter size: Size of the view, in points.
  /// - Returns: A map of the view's own coordinates, whose origin is its top leading corner.
  func effectValue(size: CGSize) -> ProjectionTransform
}

extension GeometryEffect {
  /// This effect: without a layout there is none that could follow it.
  ///
  /// - Returns: The same effect.
  public func ignoredByLayout() -> Self { self }

  /// The map as it is drawn.
  ///
  /// A map without inverse is ignored: the identity is drawn. If lines run from right to left, x
  /// grows to the left, so the map is mirrored.
  ///
  /// - Parameters:
  ///   - size: Size of the view, in points.
  ///   - isRightToLeft: Whether lines run from right to left.
  /// - Returns: An invertible map of coordinates in which x grows to the right.
  public func drawnTransform(size: CGSize, isRightToLeft: Bool = false) -> ProjectionTransform {
    let effect = effectValue(size: size)
    guard effect.inverse != nil else { return ProjectionTransform() }
    guard isRightToLeft else { return effect }
    let flip = ProjectionTransform(
      CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: size.width, ty: 0))
    return flip.concatenating(effect).concatenating(flip)
  }
}
