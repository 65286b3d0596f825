// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Lays sprites that were drawn in advance over the picture, scaled and turned.
///
/// The image used is the next larger level, so it is only ever made smaller, by less than a fifth,
/// and four of its pixels are mixed for one of the picture. Only what is blurred is made larger.
enum TurnedPainter {
  /// - Parameters:
  ///   - images: The sprite.
  ///   - placement: Where its points land on the picture.
  ///   - pixelsPerPoint: Of the picture, where nothing is scaled.
  ///   - buffer: The picture.
  ///   - clip: Inside the picture; nothing is drawn outside.
  ///   - strength: Opacity, 1 to 255.
  /// - Returns: False if no image of the sprite is fine enough or fits into memory.
  static func draw(
    _ images: SpriteImages, _ placement: Placement, pixelsPerPoint: Double,
    into buffer: PixelBuffer, clip: PixelRectangle, strength: UInt32
  ) -> Bool {
    let square = placement.square
    let zoom = square.squareRoot() / pixelsPerPoint
    var wanted = (log2(zoom) * SpriteImages.levelsPerOctave).rounded(.up)
    if images.isBlurred { wanted = min(wanted, Double(images.levelMax)) }
    guard wanted <= Double(SpriteImages.levelRange.upperBound) else { return false }
    let level = max(Int(max(wanted, -100)), SpriteImages.levelRange.lowerBound)
    let landed = placement.bounds(of: images.bounds(level: level))
    let area = Bounds(
      left: landed.left - 1, top: landed.top - 1, right: landed.right + 1,
      bottom: landed.bottom + 1
    ).roundedOut.intersection(clip)
    if area.isEmpty { return true }
    guard let image = images.image(level: level) else { return false }
    let imageScale = pixelsPerPoint * SpriteImages.scale(ofLevel: level)
    let inverse = Inverse(
      stepX: placement.xx / square * imageScale, stepY: -placement.yx / square * imageScale)
    for row in area.top..<area.bottom {
      let dx = Double(area.left) + 0.5 - placement.x
      let dy = Double(row) + 0.5 - placement.y
      let u = inverse.stepX * dx - inverse.stepY * dy - Double(image.left) - 0.5
      let v = inverse.stepY * dx + inverse.stepX * dy - Double(image.top) - 0.5
      drawRow(
        image.buffer, u: u, v: v, inverse, count: area.right - area.left, strength: strength,
        into: buffer.pixels + (row * buffer.width + area.left))
    }
    return true
  }

  /// Image pixels for each pixel of the picture to the right.
  private struct Inverse {
    let stepX: Double
    let stepY: Double
  }

  private static func drawRow(
    _ image: PixelBuffer, u: Double, v: Double, _ inverse: Inverse, count: Int, strength: UInt32,
    into target: UnsafeMutablePointer<UInt32>
  ) {
    let (width, height, pixels) = (image.width, image.height, image.pixels)
    let (lastU, lastV) = (Double(width - 1), Double(height - 1))
    let columns = inside(u, inverse.stepX, lastU, count)
      .clamped(to: inside(v, inverse.stepY, lastV, count))
    for column in columns {
      let sourceU = u + inverse.stepX * Double(column)
      let sourceV = v + inverse.stepY * Double(column)
      // The range's ends are rounded outward.
      guard sourceU >= 0, sourceU < lastU, sourceV >= 0, sourceV < lastV else { continue }
      // Sixteenths of a pixel: the four weights are products of two and sum up to 256.
      let fixedU = Int(sourceU * 16)
      let fixedV = Int(sourceV * 16)
      let (weightU, weightV) = (UInt64(fixedU & 15), UInt64(fixedV & 15))
      let corner = pixels + ((fixedV >> 4) * width + (fixedU >> 4))
      let upper =
        Blending.spread(corner[0]) &* (16 &- weightU) &+ Blending.spread(corner[1]) &* weightU
      let lower =
        Blending.spread(corner[width]) &* (16 &- weightU)
        &+ Blending.spread(corner[width + 1]) &* weightU
      let sum =
        upper &* (16 &- weightV) &+ lower &* weightV &+ 0x0080_0080_0080_0080
      let color = Blending.gather((sum >> 8) & 0x00FF_00FF_00FF_00FF)
      if color == 0 { continue }
      target[column] = Blending.over(color, strength: strength, target[column])
    }
  }

  /// The columns in which start + step * column is from 0 to last, and perhaps one more at each
  /// end.
  private static func inside(
    _ start: Double, _ step: Double, _ last: Double, _ count: Int
  ) -> Range<Int> {
    // Nearly parallel: all or none, and the caller looks.
    if abs(step) < 1e-9 { return 0..<count }
    let (first, second) = (-start / step, (last - start) / step)
    let lower = max(0, min(first, second).rounded(.down))
    let upper = min(Double(count), max(first, second).rounded(.up) + 1)
    return lower < upper ? Int(lower)..<Int(upper) : 0..<0
  }
}
