// SPDX-License-Identifier: Apache-2.0

/// Draws discs that are too large for a dot's mask, at any subpixel position.
///
/// A pixel whose centre is d from the disc's centre has the coverage edge + 1/2 - d, clamped to
/// [0, 1]. Its integral over the plane is pi (edge² + 1/12), so edge = sqrt(radius² - 1/12) keeps
/// the area; on whole pixels it is off by a fiftieth at most for radii above 1.5.
enum DiscPainter {
  /// - Parameters:
  ///   - x: Centre in pixels.
  ///   - y: Centre in pixels.
  ///   - radius: In pixels, above 1.
  ///   - pixel: Premultiplied colour.
  ///   - buffer: The picture.
  ///   - clip: Pixels inside the picture; nothing is drawn outside them.
  static func draw(
    x: Double, y: Double, radius: Double, pixel: UInt32, into buffer: PixelBuffer,
    clip: PixelRectangle
  ) {
    let edgeRadius = max(0, radius * radius - 1.0 / 12).squareRoot()
    let outer = edgeRadius + 0.5
    let area = Bounds(left: x - outer, top: y - outer, right: x + outer, bottom: y + outer)
      .roundedOut.intersection(clip)
    if area.isEmpty { return }
    let inner = max(0, edgeRadius - 0.5)
    for row in area.top..<area.bottom {
      let dy = Double(row) + 0.5 - y
      guard dy * dy < outer * outer else { continue }
      let target = buffer.pixels + row * buffer.width
      let half = (outer * outer - dy * dy).squareRoot()
      let first = max(area.left, Int((x - half).rounded(.down)))
      let last = min(area.right, Int((x + half).rounded(.up)))
      let solidHalf = dy * dy < inner * inner ? (inner * inner - dy * dy).squareRoot() : 0
      // Pixels whose centre is inside the inner circle are covered fully.
      let solidFirst = min(max(first, Int((x - solidHalf - 0.5).rounded(.up))), max(first, last))
      let solidLast =
        solidHalf > 0
        ? min(max(solidFirst, Int((x + solidHalf - 0.5).rounded(.down)) + 1), max(first, last))
        : solidFirst
      edge(first..<max(first, solidFirst), x, dy, outer, pixel, target)
      Blending.fill(solidFirst..<solidLast, pixel, target)
      edge(solidLast..<max(solidLast, last), x, dy, outer, pixel, target)
    }
  }

  private static func edge(
    _ columns: Range<Int>, _ x: Double, _ dy: Double, _ outer: Double, _ pixel: UInt32,
    _ target: UnsafeMutablePointer<UInt32>
  ) {
    for column in columns {
      let dx = Double(column) + 0.5 - x
      let coverage = min(max(outer - (dx * dx + dy * dy).squareRoot(), 0), 1)
      let strength = UInt32(coverage * 255 + 0.5)
      target[column] = Blending.over(pixel, strength: strength, target[column])
    }
  }
}
