// SPDX-License-Identifier: Apache-2.0

/// Coverage of the picture by a sprite's mask or rotated clip; the sprite's elements show only there.
struct Stencil {
  /// Pixels inside the picture; nothing is shown outside them.
  let area: PixelRectangle

  /// Coverage of each pixel of `area`, row by row: 0 to 255.
  let coverage: [UInt8]

  /// Composites a part of `source` over the picture, through this stencil.
  ///
  /// - Parameters:
  ///   - part: Inside `area`.
  ///   - source: As large as the picture.
  ///   - picture: The picture to draw on.
  ///   - strength: Opacity, 0 to 255.
  func composite(
    _ part: PixelRectangle, of source: PixelBuffer, over picture: PixelBuffer, strength: UInt16
  ) {
    for row in part.top..<max(part.top, part.bottom) {
      let first = row * picture.width + part.left
      coverage(row: row, from: part.left) { coverage in
        Blending.row(
          source.pixels + first, mask: coverage, over: picture.pixels + first, count: part.width,
          strength: strength)
      }
    }
  }

  /// Calls `body` with the coverage of a row of the picture, from `column` on, both inside `area`.
  func coverage(row: Int, from column: Int, _ body: (UnsafePointer<UInt8>) -> Void) {
    coverage.withUnsafeBufferPointer { coverage in
      guard let start = coverage.baseAddress else { return }
      body(start + ((row - area.top) * area.width + column - area.left))
    }
  }
}

/// Stencils of masks and rotated clips, by sprite and transform; each is drawn once.
final class StencilCache {
  /// Pixels of all stencils together; beyond that, all are discarded.
  private static let pixelMax = 1 << 26

  /// A sprite and its transform, the translation rounded to a 64th of a pixel.
  private struct Key: Hashable {
    let sprite: Int
    let xx: Double
    let yx: Double
    let x: Int
    let y: Int
  }

  private var stencils: [Key: Stencil] = [:]
  private var pixelCount = 0

  /// - Parameters:
  ///   - sprite: A sprite with a mask or a clip.
  ///   - transform: From points of the sprite's clip and mask to pixels, all below a billion.
  ///   - picture: The area of the picture; the stencil ends there.
  /// - Returns: Nil if nothing is shown or there is no memory.
  func stencil(
    _ sprite: Sprite, _ transform: SimilarityTransform, in picture: PixelRectangle
  ) -> Stencil? {
    let steps = 64.0
    let key = Key(
      sprite: sprite.index, xx: transform.xx, yx: transform.yx,
      x: Int((transform.x * steps).rounded()), y: Int((transform.y * steps).rounded()))
    if let stencil = stencils[key] { return stencil.area.isEmpty ? nil : stencil }
    let exact = SimilarityTransform(
      xx: key.xx, yx: key.yx, x: Double(key.x) / steps, y: Double(key.y) / steps)
    guard let stencil = Self.draw(sprite, exact, in: picture) else { return nil }
    // An empty stencil takes memory too.
    let cost = stencil.coverage.count + 64
    if pixelCount + cost > Self.pixelMax { (stencils, pixelCount) = ([:], 0) }
    stencils[key] = stencil
    pixelCount += cost
    return stencil.area.isEmpty ? nil : stencil
  }

  private static func draw(
    _ sprite: Sprite, _ transform: SimilarityTransform, in picture: PixelRectangle
  ) -> Stencil? {
    var area = picture
    // One pixel more: glyphs may be drawn slightly beyond their ink.
    if let mask = sprite.mask {
      let glyphs = mask.glyphs.map { transform.bounds(of: $0.bounds).roundedOut.expanded(by: 1) }
      area = glyphs?.intersection(area) ?? .nothing
    }
    // Cairo's coordinates overflow beyond that.
    let limit = Sprite.reachMax / transform.scale
    let rotatedClip = transform.yx == 0 ? nil : sprite.clip?.limited(to: limit)
    if let rotatedClip {
      let isSeen = rotatedClip.left < rotatedClip.right && rotatedClip.top < rotatedClip.bottom
      let seen = isSeen ? transform.bounds(of: rotatedClip).roundedOut : PixelRectangle.nothing
      area = seen.intersection(area)
    }
    if area.isEmpty { return Stencil(area: area, coverage: []) }
    guard let buffer = try? PixelBuffer(width: area.width, height: area.height),
      let canvas = try? Canvas(buffer, columns: 0..<area.width)
    else { return nil }
    var local = transform
    local.x -= Double(area.left)
    local.y -= Double(area.top)
    if let rotatedClip { canvas.clip(rotatedClip, local) }
    if let glyphs = sprite.mask?.glyphs {
      canvas.setTransform(local)
      canvas.draw(glyphs)
    } else {
      canvas.setTransform(SimilarityTransform(xx: 1, yx: 0, x: 0, y: 0))
      let whole = Bounds(
        left: 0, top: 0, right: Double(area.width), bottom: Double(area.height))
      canvas.draw(.box(whole, cornerRadius: 0, color: .max))
    }
    guard canvas.succeeded else { return nil }
    let count = area.width * area.height
    return Stencil(
      area: area,
      coverage: [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
        for index in 0..<count { bytes[index] = UInt8(buffer.pixels[index] >> 24) }
        filled = count
      })
  }
}
