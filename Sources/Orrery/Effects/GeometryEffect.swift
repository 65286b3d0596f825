// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A change of how something is placed, which can be animated and leaves its layout alone.
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
public protocol GeometryEffect: Animatable {
  /// The map at the current values.
  ///
  /// - Parameter size: Size of what is placed, in points.
  /// - Returns: A map of its own coordinates, which begin at its top leading corner.
  func effectValue(size: CGSize) -> ProjectionTransform
}

extension GeometryEffect {
  /// The map as it is drawn.
  ///
  /// A map without inverse is ignored: the identity is drawn. Where lines run from right to left, x
  /// grows to the left: the map is mirrored left to right.
  ///
  /// - Parameters:
  ///   - size: Size of what is placed, in points.
  ///   - isRightToLeft: Whether lines run from right to left.
  /// - Returns: A map of coordinates of which x grows to the right, whose inverse exists.
  public func drawnTransform(size: CGSize, isRightToLeft: Bool = false) -> ProjectionTransform {
    let effect = effectValue(size: size)
    guard effect.inverse != nil else { return ProjectionTransform() }
    guard isRightToLeft else { return effect }
    let flip = ProjectionTransform(
      CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: size.width, ty: 0))
    return flip.concatenating(effect).concatenating(flip)
  }
}
