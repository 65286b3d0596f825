// SPDX-License-Identifier: Apache-2.0

/// A transform of points: rotated, scaled alike in both directions, then translated.
///
///     x' = xx * x - yx * y + x0
///     y' = yx * x + xx * y + y0
struct SimilarityTransform: Equatable {
  /// Scale times the cosine of the rotation.
  var xx: Double

  /// Scale times the sine of the rotation; positive is clockwise, because y grows downward.
  var yx: Double

  /// Image of the origin.
  var x: Double

  /// Image of the origin.
  var y: Double

  /// The square of the scale.
  var square: Double { xx * xx + yx * yx }

  /// The factor by which it multiplies lengths.
  var scale: Double { yx == 0 ? abs(xx) : square.squareRoot() }

  /// Neither rotates nor scales.
  var isTranslation: Bool { xx == 1 && yx == 0 }

  /// The transform that applies `first`, then this one.
  ///
  /// Exact if this one only translates: it then multiplies by 1 and 0 only.
  @inline(__always)
  func after(_ first: SimilarityTransform) -> SimilarityTransform {
    SimilarityTransform(
      xx: xx * first.xx - yx * first.yx, yx: yx * first.xx + xx * first.yx,
      x: xx * first.x - yx * first.y + x, y: yx * first.x + xx * first.y + y)
  }

  /// The smallest upright rectangle around the image of `box`.
  func bounds(of box: Bounds) -> Bounds {
    let (left, right) = (xx * box.left, xx * box.right)
    let (top, bottom) = (xx * box.top, xx * box.bottom)
    let (turnedLeft, turnedRight) = (yx * box.left, yx * box.right)
    let (turnedTop, turnedBottom) = (yx * box.top, yx * box.bottom)
    return Bounds(
      left: min(left, right) - max(turnedTop, turnedBottom) + x,
      top: min(turnedLeft, turnedRight) + min(top, bottom) + y,
      right: max(left, right) - min(turnedTop, turnedBottom) + x,
      bottom: max(turnedLeft, turnedRight) + max(top, bottom) + y)
  }
}
