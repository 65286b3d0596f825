// SPDX-License-Identifier: Apache-2.0

/// Where points land: turned, scaled, then moved.
///
///     x' = xx * x - yx * y + x0
///     y' = yx * x + xx * y + y0
struct Placement: Equatable {
  /// Scale times the cosine of the rotation.
  var xx: Double

  /// Scale times the sine of the rotation; positive is clockwise, because y grows downward.
  var yx: Double

  /// Where the origin lands.
  var x: Double

  /// Where the origin lands.
  var y: Double

  /// The square of the scale.
  var square: Double { xx * xx + yx * yx }

  /// The factor by which lengths grow.
  var scale: Double { yx == 0 ? abs(xx) : square.squareRoot() }

  /// Neither turned nor scaled.
  var isPlain: Bool { xx == 1 && yx == 0 }

  /// Where points land that `first` has placed already.
  ///
  /// Exact if this one only moves: nothing is
  /// multiplied by anything but 1 and 0.
  @inline(__always)
  func after(_ first: Placement) -> Placement {
    Placement(
      xx: xx * first.xx - yx * first.yx, yx: yx * first.xx + xx * first.yx,
      x: xx * first.x - yx * first.y + x, y: yx * first.x + xx * first.y + y)
  }

  /// A rectangle around where a rectangle lands.
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
