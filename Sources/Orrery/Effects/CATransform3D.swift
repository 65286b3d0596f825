// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A projective map of space, as in Core Animation.
///
/// A point is a row that is multiplied from the left, and the result divided by its fourth number:
///
///                             | m11 m12 m13 m14 |
///     [x' y' z' w] = [x y z 1]| m21 m22 m23 m24 |     image = (x' / w, y' / w, z' / w)
///                             | m31 m32 m33 m34 |
///                             | m41 m42 m43 m44 |
///
/// Its functions, such as ``CATransform3DRotate(_:_:_:_:_:)``, have Core Animation's names and
/// arguments. `m34` is perspective: -1 divided by the eye's distance in points.
/// As on a Mac it is not `Equatable`: a file may add that.
public struct CATransform3D: Sendable {
  /// Share of x in x'.
  public var m11: CGFloat
  /// Share of x in y'.
  public var m12: CGFloat
  /// Share of x in z'.
  public var m13: CGFloat
  /// Share of x in w.
  public var m14: CGFloat
  /// Share of y in x'.
  public var m21: CGFloat
  /// Share of y in y'.
  public var m22: CGFloat
  /// Share of y in z'.
  public var m23: CGFloat
  /// Share of y in w.
  public var m24: CGFloat
  /// Share of z in x'.
  public var m31: CGFloat
  /// Share of z in y'.
  public var m32: CGFloat
  /// Share of z in z'.
  public var m33: CGFloat
  /// Share of z in w.
  public var m34: CGFloat
  /// Added to x'.
  public var m41: CGFloat
  /// Added to y'.
  public var m42: CGFloat
  /// Added to z'.
  public var m43: CGFloat
  /// Added to w.
  public var m44: CGFloat

  /// Makes a map of zeros, which has no inverse; the identity is `CATransform3DIdentity`.
  public init() {
    self.init(
      m11: 0, m12: 0, m13: 0, m14: 0, m21: 0, m22: 0, m23: 0, m24: 0, m31: 0, m32: 0, m33: 0,
      m34: 0, m41: 0, m42: 0, m43: 0, m44: 0)
  }

  /// Makes a map from its sixteen numbers, row by row.
  public init(
    m11: CGFloat, m12: CGFloat, m13: CGFloat, m14: CGFloat,
    m21: CGFloat, m22: CGFloat, m23: CGFloat, m24: CGFloat,
    m31: CGFloat, m32: CGFloat, m33: CGFloat, m34: CGFloat,
    m41: CGFloat, m42: CGFloat, m43: CGFloat, m44: CGFloat
  ) {
    (self.m11, self.m12, self.m13, self.m14) = (m11, m12, m13, m14)
    (self.m21, self.m22, self.m23, self.m24) = (m21, m22, m23, m24)
    (self.m31, self.m32, self.m33, self.m34) = (m31, m32, m33, m34)
    (self.m41, self.m42, self.m43, self.m44) = (m41, m42, m43, m44)
  }
}

extension CATransform3D {
  /// The four rows.
  var rows: [SIMD4<Double>] {
    [
      SIMD4(Double(m11), Double(m12), Double(m13), Double(m14)),
      SIMD4(Double(m21), Double(m22), Double(m23), Double(m24)),
      SIMD4(Double(m31), Double(m32), Double(m33), Double(m34)),
      SIMD4(Double(m41), Double(m42), Double(m43), Double(m44)),
    ]
  }

  /// - Parameter rows: Four rows.
  init(rows: [SIMD4<Double>]) {
    self.init(
      m11: rows[0].x, m12: rows[0].y, m13: rows[0].z, m14: rows[0].w,
      m21: rows[1].x, m22: rows[1].y, m23: rows[1].z, m24: rows[1].w,
      m31: rows[2].x, m32: rows[2].y, m33: rows[2].z, m34: rows[2].w,
      m41: rows[3].x, m42: rows[3].y, m43: rows[3].z, m44: rows[3].w)
  }

  /// The inverse by elimination with the largest pivots; nil if there is none.
  var inverse: CATransform3D? {
    var left = rows
    var right = CATransform3DIdentity.rows
    for column in 0..<4 {
      let pivot = (column..<4).max { abs(left[$0][column]) < abs(left[$1][column]) } ?? column
      guard left[pivot][column] != 0, left[pivot][column].isFinite else { return nil }
      left.swapAt(column, pivot)
      right.swapAt(column, pivot)
      let divisor = left[column][column]
      left[column] /= divisor
      right[column] /= divisor
      for row in 0..<4 where row != column {
        let factor = left[row][column]
        left[row] -= factor * left[column]
        right[row] -= factor * right[column]
      }
    }
    return CATransform3D(rows: right)
  }
}

extension ProjectionTransform {
  /// Makes the map of the plane z = 0 that a map of space does, as a view is drawn by it: the
  /// image's z is dropped.
  ///
  /// - Parameter m: The map of space.
  public init(_ m: CATransform3D) {
    (m11, m12, m13) = (m.m11, m.m12, m.m14)
    (m21, m22, m23) = (m.m21, m.m22, m.m24)
    (m31, m32, m33) = (m.m41, m.m42, m.m44)
  }
}
