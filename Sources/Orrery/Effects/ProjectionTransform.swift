// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A projective map of the plane: an affine one, and perspective.
///
/// A point is a row that is multiplied from the left, and the result divided by its third number:
///
///                         | m11 m12 m13 |
///     [x' y' w] = [x y 1] | m21 m22 m23 |     image = (x' / w, y' / w)
///                         | m31 m32 m33 |
public struct ProjectionTransform: Hashable, Sendable {
  /// Share of x in x'.
  public var m11: CGFloat = 1
  /// Share of x in y'.
  public var m12: CGFloat = 0
  /// Share of x in w.
  public var m13: CGFloat = 0
  /// Share of y in x'.
  public var m21: CGFloat = 0
  /// Share of y in y'.
  public var m22: CGFloat = 1
  /// Share of y in w.
  public var m23: CGFloat = 0
  /// Added to x'.
  public var m31: CGFloat = 0
  /// Added to y'.
  public var m32: CGFloat = 0
  /// Added to w.
  public var m33: CGFloat = 1

  /// Makes the identity.
  public init() {}

  /// Makes an affine map.
  ///
  /// - Parameter m: The map.
  public init(_ m: CGAffineTransform) {
    (m11, m12) = (m.a, m.b)
    (m21, m22) = (m.c, m.d)
    (m31, m32) = (m.tx, m.ty)
  }

  /// Whether this is the identity.
  public var isIdentity: Bool { self == ProjectionTransform() }

  /// Whether there is no perspective.
  public var isAffine: Bool { m13 == 0 && m23 == 0 && m33 == 1 }

  /// The inverse map, or nil if there is none: if the determinant is 0 or not finite.
  public var inverse: ProjectionTransform? {
    let determinant =
      m11 * (m22 * m33 - m23 * m32) - m12 * (m21 * m33 - m23 * m31)
      + m13 * (m21 * m32 - m22 * m31)
    guard determinant != 0, determinant.isFinite else { return nil }
    var back = ProjectionTransform()
    back.m11 = (m22 * m33 - m23 * m32) / determinant
    back.m12 = (m13 * m32 - m12 * m33) / determinant
    back.m13 = (m12 * m23 - m13 * m22) / determinant
    back.m21 = (m23 * m31 - m21 * m33) / determinant
    back.m22 = (m11 * m33 - m13 * m31) / determinant
    back.m23 = (m13 * m21 - m11 * m23) / determinant
    back.m31 = (m21 * m32 - m22 * m31) / determinant
    back.m32 = (m12 * m31 - m11 * m32) / determinant
    back.m33 = (m11 * m22 - m12 * m21) / determinant
    return back
  }

  /// Replaces this map by its inverse.
  ///
  /// - Returns: False, and nothing is changed, if there is no inverse.
  public mutating func invert() -> Bool {
    guard let inverse else { return false }
    self = inverse
    return true
  }

  /// The inverse map, or this map itself if there is none.
  public func inverted() -> ProjectionTransform { inverse ?? self }

  /// This map, then another.
  ///
  /// - Parameter rhs: The map that is applied second.
  /// - Returns: Both as one.
  public func concatenating(_ rhs: ProjectionTransform) -> ProjectionTransform {
    var both = ProjectionTransform()
    both.m11 = m11 * rhs.m11 + m12 * rhs.m21 + m13 * rhs.m31
    both.m12 = m11 * rhs.m12 + m12 * rhs.m22 + m13 * rhs.m32
    both.m13 = m11 * rhs.m13 + m12 * rhs.m23 + m13 * rhs.m33
    both.m21 = m21 * rhs.m11 + m22 * rhs.m21 + m23 * rhs.m31
    both.m22 = m21 * rhs.m12 + m22 * rhs.m22 + m23 * rhs.m32
    both.m23 = m21 * rhs.m13 + m22 * rhs.m23 + m23 * rhs.m33
    both.m31 = m31 * rhs.m11 + m32 * rhs.m21 + m33 * rhs.m31
    both.m32 = m31 * rhs.m12 + m32 * rhs.m22 + m33 * rhs.m32
    both.m33 = m31 * rhs.m13 + m32 * rhs.m23 + m33 * rhs.m33
    return both
  }
}

extension CGPoint {
  /// The point that this one is mapped to; not finite on the horizon of the map.
  ///
  /// - Parameter m: The map.
  /// - Returns: The image.
  public func applying(_ m: ProjectionTransform) -> CGPoint {
    let w = x * m.m13 + y * m.m23 + m.m33
    return CGPoint(
      x: (x * m.m11 + y * m.m21 + m.m31) / w, y: (x * m.m12 + y * m.m22 + m.m32) / w)
  }
}
