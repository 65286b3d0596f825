// SPDX-License-Identifier: Apache-2.0

/// Coverage of 4 x 4 pixels by a small disc, for 16 x 16 subpixel positions of its centre.
///
/// A disc of radius up to 1.5 that begins inside pixel 0 ends inside pixel 3. Coverage is counted
/// on 16 x 16 points of each pixel, so a dot's brightness and its centre do not depend on its
/// subpixel position. A disc smaller than a pixel would stay inside one pixel and then jump to the
/// next, so it is spread over more pixels, and drawn weaker.
final class DotMasks {
  /// Pixels; a larger disc does not fit into four columns.
  static let radiusMax = 1.5

  /// Pixels; smaller discs are drawn with this radius, weakened to their own area.
  ///
  /// With a smaller radius, the drawn centre would lag by up to a sixth of a pixel; with this one,
  /// by a fourteenth.
  private static let spreadRadius = 0.9

  /// Distance from the edge of the 4 x 4 pixels to the centre of a dot at phase 0, in pixels.
  static let lead = 1.5

  /// Subpixel positions per pixel, on each axis.
  static let phases = 16

  /// Four rows for each subpixel position; vertical positions vary slowest.
  ///
  /// A row's lanes hold the coverage of its four pixels, 0 to 255, each twice. Valid for the
  /// lifetime of this object; 16 KiB.
  let rows: UnsafeMutablePointer<ChannelPairs>

  /// - Parameter radius: In pixels, from 0 to `radiusMax`.
  init(radius: Double) {
    precondition((0...Self.radiusMax).contains(radius), "dot of radius \(radius)")
    let count = Self.phases * Self.phases * 4
    let drawn = max(radius, Self.spreadRadius)
    let strength = radius * radius / (drawn * drawn)
    rows = .allocate(capacity: count)
    for index in 0..<count {
      let phase = index / 4
      let centerX = Self.lead + Double(phase % Self.phases) / Double(Self.phases)
      let centerY = Self.lead + Double(phase / Self.phases) / Double(Self.phases)
      var lanes = ChannelPairs()
      for column in 0..<4 {
        let coverage = Self.coverage(
          column: column, row: index % 4, centerX: centerX, centerY: centerY, radius: drawn,
          strength: strength)
        lanes[2 * column] = coverage
        lanes[2 * column + 1] = coverage
      }
      (rows + index).initialize(to: lanes)
    }
  }

  deinit { rows.deallocate() }

  private static func coverage(
    column: Int, row: Int, centerX: Double, centerY: Double, radius: Double, strength: Double
  ) -> UInt16 {
    var inside = 0
    for point in 0..<256 {
      let dx = Double(column) + (Double(point % 16) + 0.5) / 16 - centerX
      let dy = Double(row) + (Double(point / 16) + 0.5) / 16 - centerY
      if dx * dx + dy * dy <= radius * radius { inside += 1 }
    }
    return UInt16((Double(inside) / 256 * strength * 255).rounded())
  }
}

/// A small disc in one colour: the product of its masks and a pixel.
final class DotPixels {
  /// Four rows for each subpixel position, as in the masks; valid for the lifetime of this object; 16 KiB.
  let rows: UnsafeMutablePointer<FourPixels>

  /// - Parameters:
  ///   - masks: The disc.
  ///   - pixel: Premultiplied.
  init(masks: DotMasks, pixel: UInt32) {
    let count = DotMasks.phases * DotMasks.phases * 4
    let four = FourPixels(repeating: pixel)
    let (blueRed, greenAlpha) = (Blending.blueRed(four), Blending.greenAlpha(four))
    rows = .allocate(capacity: count)
    for index in 0..<count {
      let coverage = masks.rows[index]
      (rows + index).initialize(
        to: Blending.pixels(
          blueRed: Blending.divide255(blueRed &* coverage),
          greenAlpha: Blending.divide255(greenAlpha &* coverage)))
    }
  }

  deinit { rows.deallocate() }
}
