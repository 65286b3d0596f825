// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Draws images of sprites onto the picture, scaled and rotated.
///
/// It uses the next larger level, so an image is only scaled down, by less than a fifth, and each
/// pixel of the picture mixes four of the image. Only blurred images are scaled up.
enum TransformedPainter {
  /// - Parameters:
  ///   - images: The sprite's images.
  ///   - transform: From the sprite's points to pixels of the picture.
  ///   - pixelsPerPoint: The picture's scale without any entity's own scale.
  ///   - buffer: The picture.
  ///   - clip: Pixels inside the picture; nothing is drawn outside them.
  ///   - strength: Opacity, 1 to 255.
  /// - Returns: False if no image of the sprite is fine enough or fits into memory.
  static func draw(
    _ images: SpriteImages, _ transform: SimilarityTransform, pixelsPerPoint: Double,
    into buffer: PixelBuffer, clip: PixelRectangle, strength: UInt32
  ) -> Bool {
    let square = transform.square
    let zoom = square.squareRoot() / pixelsPerPoint
    var wanted = (log2(zoom) * SpriteImages.levelsPerOctave).rounded(.up)
    if images.isBlurred { wanted = min(wanted, Double(images.levelMax)) }
    guard wanted <= Double(SpriteImages.levelRange.upperBound) else { return false }
    let level = max(Int(max(wanted, -100)), SpriteImages.levelRange.lowerBound)
    let box = transform.bounds(of: images.bounds(level: level))
    let area = Bounds(
      left: box.left - 1, top: box.top - 1, right: box.right + 1, bottom: box.bottom + 1
    ).roundedOut.intersection(clip)
    if area.isEmpty { return true }
    guard let image = images.image(level: level) else { return false }
    let imageScale = pixelsPerPoint * SpriteImages.scale(ofLevel: level)
    let inverse = Inverse(
      stepX: transform.xx / square * imageScale, stepY: -transform.yx / square * imageScale)
    for row in area.top..<area.bottom {
      let dx = Double(area.left) + 0.5 - transform.x
      let dy = Double(row) + 0.5 - transform.y
      let u = inverse.stepX * dx - inverse.stepY * dy - Double(image.left) - 0.5
      let v = inverse.stepY * dx + inverse.stepX * dy - Double(image.top) - 0.5
      drawRow(
        image.buffer, u: u, v: v, inverse, count: area.right - area.left, strength: strength,
        into: buffer.pixels + (row * buffer.width + area.left))
    }
    return true
  }

  /// Step in image pixels for one pixel of the picture to the right.
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

  /// The columns in which start + step * column is from 0 to last; at most one more at each end.
  private static func inside(
    _ start: Double, _ step: Double, _ last: Double, _ count: Int
  ) -> Range<Int> {
    // Nearly constant: all columns or none; the caller checks each pixel.
    if abs(step) < 1e-9 { return 0..<count }
    let (first, second) = (-start / step, (last - start) / step)
    let lower = max(0, min(first, second).rounded(.down))
    let upper = min(Double(count), max(first, second).rounded(.up) + 1)
    return lower < upper ? Int(lower)..<Int(upper) : 0..<0
  }
}
