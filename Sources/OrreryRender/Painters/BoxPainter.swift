// SPDX-License-Identifier: Apache-2.0

/// Draws a box at any subpixel position, scale and rotation, with sides as sharp as pixels allow.
///
/// An image of the box that is scaled down would be softened twice, once when it is drawn and once when four
/// of its pixels are mixed. Here the coverage of a pixel is the product of two lengths: those of the pixel's
/// sides that lie in the box, along its width and along its height. That is exact for an upright box. In a
/// round corner the coverage is that of a disc: radius + 1/2 - d at the distance d of the pixel's centre from
/// the corner's centre.
struct BoxPainter {
  /// A box of a sprite.
  struct Box {
    /// Its sides, in points from the entity's origin.
    let bounds: Bounds
    /// Points.
    let cornerRadius: Double
    /// Premultiplied colour.
    let pixel: UInt32
  }

  /// The box's centre, in pixels of the picture.
  private let x: Double
  private let y: Double

  /// Half its width and height, in pixels.
  private let halfWidth: Double
  private let halfHeight: Double

  /// Radius of its corners in pixels; one below half a pixel cannot be seen and is 0.
  private let radius: Double

  /// Cosine and sine of its rotation.
  private let cosine: Double
  private let sine: Double

  /// Draws the box.
  ///
  /// - Parameters:
  ///   - box: The box.
  ///   - transform: From the sprite's points to pixels of the picture.
  ///   - pixel: The premultiplied colour, weakened by the opacity.
  ///   - buffer: The picture.
  ///   - clip: Pixels inside the picture; nothing is drawn outside them.
  static func draw(
    _ box: Box, _ transform: SimilarityTransform, pixel: UInt32, into buffer: PixelBuffer,
    clip: PixelRectangle
  ) {
    let outer = transform.bounds(of: box.bounds)
    let area = Bounds(
      left: outer.left - 1, top: outer.top - 1, right: outer.right + 1, bottom: outer.bottom + 1
    ).roundedOut.intersection(clip)
    if area.isEmpty { return }
    let painter = BoxPainter(box, transform)
    for row in area.top..<area.bottom {
      painter.draw(
        row: row, columns: area.left..<area.right, pixel, buffer.pixels + row * buffer.width)
    }
  }

  private init(_ box: Box, _ transform: SimilarityTransform) {
    let bounds = box.bounds
    let (middleX, middleY) = ((bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2)
    x = transform.x + transform.xx * middleX - transform.yx * middleY
    y = transform.y + transform.yx * middleX + transform.xx * middleY
    let scale = transform.scale
    halfWidth = (bounds.right - bounds.left) / 2 * scale
    halfHeight = (bounds.bottom - bounds.top) / 2 * scale
    let radius = min(box.cornerRadius * scale, halfWidth, halfHeight)
    self.radius = radius < 0.5 ? 0 : radius
    (cosine, sine) = (transform.xx / scale, transform.yx / scale)
  }

  private func draw(
    row: Int, columns: Range<Int>, _ pixel: UInt32, _ target: UnsafeMutablePointer<UInt32>
  ) {
    let dy = Double(row) + 0.5 - y
    let touched = self.columns(columns, dy, halfWidth + 0.5, halfHeight + 0.5)
    // Two boxes in which every pixel is covered fully; so is every pixel between them, because the
    // whole is convex.
    let inset = max(radius, 0.5)
    let wide = self.columns(touched, dy, halfWidth - 0.5, halfHeight - inset, isInside: true)
    let high = self.columns(touched, dy, halfWidth - inset, halfHeight - 0.5, isInside: true)
    var solid = wide
    if solid.isEmpty { solid = high }
    if !high.isEmpty {
      solid = min(solid.lowerBound, high.lowerBound)..<max(solid.upperBound, high.upperBound)
    }
    if solid.isEmpty { return edge(touched, dy, pixel, target) }
    edge(touched.lowerBound..<solid.lowerBound, dy, pixel, target)
    Blending.fill(solid, pixel, target)
    edge(solid.upperBound..<touched.upperBound, dy, pixel, target)
  }

  /// The columns of a row whose centres are inside a box around the same centre.
  ///
  /// - Parameters:
  ///   - columns: The columns to choose from.
  ///   - dy: From the centre's row to this one.
  ///   - halfWidth: Half the width of the box; negative: nothing is inside.
  ///   - halfHeight: Half its height.
  ///   - isInside: Whether columns that the side cuts are left out; otherwise they are included.
  /// - Returns: A range inside `columns`; empty if there are none.
  private func columns(
    _ columns: Range<Int>, _ dy: Double, _ halfWidth: Double, _ halfHeight: Double,
    isInside: Bool = false
  ) -> Range<Int> {
    guard halfWidth >= 0, halfHeight >= 0 else { return columns.lowerBound..<columns.lowerBound }
    var (from, to) = (Double(columns.lowerBound), Double(columns.upperBound - 1))
    for (step, start, half) in [
      (cosine, sine * dy, halfWidth), (-sine, cosine * dy, halfHeight),
    ] {
      // |start + step * dx| <= half, and nearly constant: all columns or none.
      if abs(step) < 1e-12 {
        if abs(start) > half { return columns.lowerBound..<columns.lowerBound }
        continue
      }
      let (one, other) = ((-half - start) / step, (half - start) / step)
      from = max(from, min(one, other) + x - 0.5)
      to = min(to, max(one, other) + x - 0.5)
    }
    (from, to) =
      isInside
      ? (from.rounded(.up), to.rounded(.down)) : (from.rounded(.down), to.rounded(.up))
    guard from <= to else { return columns.lowerBound..<columns.lowerBound }
    return (Int(from)..<Int(to) + 1).clamped(to: columns)
  }

  private func edge(
    _ columns: Range<Int>, _ dy: Double, _ pixel: UInt32, _ target: UnsafeMutablePointer<UInt32>
  ) {
    for column in columns {
      let dx = Double(column) + 0.5 - x
      let strength = UInt32(coverage(dx, dy) * 255 + 0.5)
      if strength > 0 {
        target[column] = Blending.over(pixel, strength: strength, target[column])
      }
    }
  }

  /// The part of a pixel that the box covers, 0 to 1.
  private func coverage(_ dx: Double, _ dy: Double) -> Double {
    let along = abs(cosine * dx + sine * dy)
    let across = abs(cosine * dy - sine * dx)
    let covered = Self.overlap(along, halfWidth) * Self.overlap(across, halfHeight)
    let (cornerX, cornerY) = (along - halfWidth + radius, across - halfHeight + radius)
    guard radius > 0, cornerX > 0, cornerY > 0 else { return covered }
    let distance = (cornerX * cornerX + cornerY * cornerY).squareRoot()
    return min(covered, max(0, min(1, radius + 0.5 - distance)))
  }

  /// The part of a pixel's length that lies within a line, given the distance of the pixel's centre from the
  /// line's middle.
  private static func overlap(_ distance: Double, _ half: Double) -> Double {
    max(0, min(distance + 0.5, half) - max(distance - 0.5, -half))
  }
}
