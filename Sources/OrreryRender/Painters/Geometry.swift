// SPDX-License-Identifier: Apache-2.0

/// Whole pixels from `left` and `top` up to but excluding `right` and `bottom`.
struct PixelRectangle: Equatable {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  /// The rectangle without pixels.
  static var nothing: PixelRectangle { PixelRectangle(left: 0, top: 0, right: 0, bottom: 0) }

  var isEmpty: Bool { left >= right || top >= bottom }

  /// Pixels in a row; not negative.
  var width: Int { max(0, right - left) }

  /// Rows; not negative.
  var height: Int { max(0, bottom - top) }

  /// The rectangle with `margin` pixels more on each side.
  func expanded(by margin: Int) -> PixelRectangle {
    PixelRectangle(
      left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
  }

  /// The pixels that lie in both.
  func intersection(_ other: PixelRectangle) -> PixelRectangle {
    PixelRectangle(
      left: max(left, other.left), top: max(top, other.top),
      right: min(right, other.right), bottom: min(bottom, other.bottom))
  }
}

/// A rectangle in points or in fractional pixels.
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

  /// The rectangle with all coordinates multiplied by `scale`.
  func scaled(by scale: Double) -> Bounds {
    Bounds(left: left * scale, top: top * scale, right: right * scale, bottom: bottom * scale)
  }

  /// The rectangle translated by x and y.
  func moved(x: Double, y: Double) -> Bounds {
    Bounds(left: left + x, top: top + y, right: right + x, bottom: bottom + y)
  }

  /// The part within `limit` of the origin on both axes.
  func limited(to limit: Double) -> Bounds {
    Bounds(
      left: max(left, -limit), top: max(top, -limit), right: min(right, limit),
      bottom: min(bottom, limit))
  }

  /// The rectangle with sides rounded to the nearest pixels.
  var rounded: PixelRectangle {
    PixelRectangle(
      left: wholePixel(left.rounded()), top: wholePixel(top.rounded()),
      right: wholePixel(right.rounded()), bottom: wholePixel(bottom.rounded()))
  }

  /// All pixels that the rectangle touches.
  var roundedOut: PixelRectangle {
    PixelRectangle(
      left: wholePixel(left.rounded(.down)), top: wholePixel(top.rounded(.down)),
      right: wholePixel(right.rounded(.up)), bottom: wholePixel(bottom.rounded(.up)))
  }

  /// Distance of the furthest side from the origin; infinite if a side is not a number.
  var reach: Double {
    (left + top + right + bottom).isNaN
      ? .infinity : max(abs(left), abs(top), abs(right), abs(bottom))
  }
}

/// A count of pixels as an integer, clamped to a billion either way.
private func wholePixel(_ value: Double) -> Int {
  value.isNaN ? 0 : Int(min(max(value, -1e9), 1e9))
}

/// Maps the scene's points to the picture's pixels: scaled alike in both directions, centred.
struct SceneFit {
  /// Pixels per point.
  let scale: Double

  /// The pixel position of the scene's left edge.
  let left: Double

  /// The pixel position of the scene's top edge.
  let top: Double

  /// The pixels that the scene covers; nothing is drawn outside.
  let area: PixelRectangle

  /// From the scene's points to pixels.
  var transform: SimilarityTransform { SimilarityTransform(xx: scale, yx: 0, x: left, y: top) }

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

/// A position on one axis: a whole pixel, a quarter of it, and sixteenths to the next quarter.
///
/// Sprites are drawn in advance at the four quarters of a pixel. A moving sprite is mixed from the
/// two nearest: its steps of 1/64 pixel are invisible, and it is not blurred.
struct SubPixel {
  /// The whole pixel.
  let whole: Int

  /// Quarters of a pixel, 0 to 3.
  let phase: Int

  /// Sixteenths of the way to the next quarter, 0 to 15.
  let weight: Int

  /// - Parameters:
  ///   - position: Pixels, clamped to a billion either way.
  ///   - moves: Whether the position changes from frame to frame. If it does not, the nearest
  ///     quarter is good enough, and costs less.
  init(position: Double, moves: Bool) {
    let position = min(max(position, -1e9), 1e9)
    // Round numbers of points lie at ties. The small addend keeps these, and positions that differ
    // from them only by rounding of sums, on one side.
    let sixtyFourths =
      moves
      ? Int((position * 64 + 0.501).rounded(.down))
      : Int((position * 4 + 0.501).rounded(.down)) << 4
    whole = sixtyFourths >> 6
    phase = (sixtyFourths >> 4) & 3
    weight = sixtyFourths & 15
  }
}
