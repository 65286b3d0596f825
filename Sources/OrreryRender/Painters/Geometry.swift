// SPDX-License-Identifier: Apache-2.0

/// Whole pixels from `left` and `top` up to, but without, `right` and `bottom`.
struct PixelRectangle: Equatable {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  /// No pixel.
  static var nothing: PixelRectangle { PixelRectangle(left: 0, top: 0, right: 0, bottom: 0) }

  var isEmpty: Bool { left >= right || top >= bottom }

  /// Pixels in a row; not negative.
  var width: Int { max(0, right - left) }

  /// Rows; not negative.
  var height: Int { max(0, bottom - top) }

  /// The same rectangle with so many pixels more on each side.
  func expanded(by margin: Int) -> PixelRectangle {
    PixelRectangle(
      left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
  }

  /// What lies in both.
  func intersection(_ other: PixelRectangle) -> PixelRectangle {
    PixelRectangle(
      left: max(left, other.left), top: max(top, other.top),
      right: min(right, other.right), bottom: min(bottom, other.bottom))
  }
}

/// A rectangle in points or pixels that need not be whole.
struct Bounds: Equatable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  /// The smallest rectangle around both.
  func union(_ other: Bounds) -> Bounds {
    Bounds(
      left: min(left, other.left), top: min(top, other.top),
      right: max(right, other.right), bottom: max(bottom, other.bottom))
  }

  /// The same rectangle in a picture that is `scale` times as large.
  func scaled(by scale: Double) -> Bounds {
    Bounds(left: left * scale, top: top * scale, right: right * scale, bottom: bottom * scale)
  }

  /// The same rectangle elsewhere.
  func moved(x: Double, y: Double) -> Bounds {
    Bounds(left: left + x, top: top + y, right: right + x, bottom: bottom + y)
  }

  /// What of it is not further than this from the origin on either axis.
  func limited(to limit: Double) -> Bounds {
    Bounds(
      left: max(left, -limit), top: max(top, -limit), right: min(right, limit),
      bottom: min(bottom, limit))
  }

  /// The nearest whole pixels.
  var rounded: PixelRectangle {
    PixelRectangle(
      left: wholePixel(left.rounded()), top: wholePixel(top.rounded()),
      right: wholePixel(right.rounded()), bottom: wholePixel(bottom.rounded()))
  }

  /// All pixels that are touched.
  var roundedOut: PixelRectangle {
    PixelRectangle(
      left: wholePixel(left.rounded(.down)), top: wholePixel(top.rounded(.down)),
      right: wholePixel(right.rounded(.up)), bottom: wholePixel(bottom.rounded(.up)))
  }

  /// How far its furthest side is from the origin; infinite if a side is not a number.
  var reach: Double {
    (left + top + right + bottom).isNaN
      ? .infinity : max(abs(left), abs(top), abs(right), abs(bottom))
  }
}

/// A number of pixels as an integer; everything beyond a billion is as good as a billion.
private func wholePixel(_ value: Double) -> Int {
  value.isNaN ? 0 : Int(min(max(value, -1e9), 1e9))
}

/// How the scene's points lie on the picture's pixels: scaled alike in both directions, centred.
struct SceneFit {
  /// Pixels per point.
  let scale: Double

  /// The pixel position of the scene's left edge.
  let left: Double

  /// The pixel position of the scene's top edge.
  let top: Double

  /// The pixels that the scene covers; nothing is drawn outside.
  let area: PixelRectangle

  /// Where the scene's points land on pixels.
  var placement: Placement { Placement(xx: scale, yx: 0, x: left, y: top) }

  init(sceneWidth: Double, sceneHeight: Double, width: Int, height: Int) {
    scale = min(Double(width) / sceneWidth, Double(height) / sceneHeight)
    left = (Double(width) - sceneWidth * scale) / 2
    top = (Double(height) - sceneHeight * scale) / 2
    let whole = PixelRectangle(left: 0, top: 0, right: width, bottom: height)
    area = Bounds(
      left: left, top: top, right: left + sceneWidth * scale, bottom: top + sceneHeight * scale
    ).roundedOut.intersection(whole)
  }
}

/// A position on one axis: a whole pixel, a quarter of it, and the way to the next quarter.
///
/// Sprites are drawn in advance at the four quarters of a pixel, and what moves is mixed from the
/// two nearest: the steps of 1/64 pixel cannot be seen, and nothing becomes blurred.
struct SubPixel {
  /// The whole pixel.
  let whole: Int

  /// Quarters of a pixel, 0 to 3.
  let phase: Int

  /// Sixteenths of the way to the next quarter, 0 to 15.
  let weight: Int

  /// - Parameters:
  ///   - position: In pixels; everything beyond a billion is as good as a billion.
  ///   - moves: Whether the position changes from frame to frame. If it does not, the nearest
  ///     quarter is near enough, and costs less.
  init(position: Double, moves: Bool) {
    let position = min(max(position, -1e9), 1e9)
    // Round numbers of points lie at ties; the small addend keeps them, and what differs from them
    // only by the rounding of sums, on one side.
    let sixtyFourths =
      moves
      ? Int((position * 64 + 0.501).rounded(.down))
      : Int((position * 4 + 0.501).rounded(.down)) << 4
    whole = sixtyFourths >> 6
    phase = (sixtyFourths >> 4) & 3
    weight = sixtyFourths & 15
  }
}
