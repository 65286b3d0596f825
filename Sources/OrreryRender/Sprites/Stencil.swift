// SPDX-License-Identifier: Apache-2.0

/// How much of each pixel a sprite that stands still in front of its moving elements lets through.
struct Stencil {
  /// Inside the picture; nothing is shown outside.
  let area: PixelRectangle

  /// For each pixel of `area`, row by row: 0 to 255.
  let coverage: [UInt8]

  /// Lays what is let through over a picture.
  ///
  /// - Parameters:
  ///   - part: Inside `area`.
  ///   - source: As large as the picture.
  ///   - picture: What it is laid over.
  ///   - strength: Opacity, 0 to 255.
  func lay(
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

  /// Hands over the coverage of a row of the picture from one of its columns on, inside `area`.
  func coverage(row: Int, from column: Int, _ body: (UnsafePointer<UInt8>) -> Void) {
    coverage.withUnsafeBufferPointer { coverage in
      guard let start = coverage.baseAddress else { return }
      body(start + ((row - area.top) * area.width + column - area.left))
    }
  }
}

/// The stencils of the places at which masks and turned clips stand; each is drawn once.
final class StencilCache {
  /// Pixels of all stencils together; when there are more, all are forgotten.
  private static let pixelMax = 1 << 26

  /// A place to a 64th of a pixel.
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
  ///   - sprite: With a mask or a clip.
  ///   - placement: Where the points of the sprite's clip and mask land, within a billion pixels.
  ///   - picture: Everything else is left out.
  /// - Returns: Nil if nothing is shown or there is no memory.
  func stencil(
    _ sprite: Sprite, _ placement: Placement, in picture: PixelRectangle
  ) -> Stencil? {
    let steps = 64.0
    let key = Key(
      sprite: sprite.index, xx: placement.xx, yx: placement.yx,
      x: Int((placement.x * steps).rounded()), y: Int((placement.y * steps).rounded()))
    if let stencil = stencils[key] { return stencil.area.isEmpty ? nil : stencil }
    let exact = Placement(
      xx: key.xx, yx: key.yx, x: Double(key.x) / steps, y: Double(key.y) / steps)
    guard let stencil = Self.draw(sprite, exact, in: picture) else { return nil }
    // What shows nothing takes memory too.
    let cost = stencil.coverage.count + 64
    if pixelCount + cost > Self.pixelMax { (stencils, pixelCount) = ([:], 0) }
    stencils[key] = stencil
    pixelCount += cost
    return stencil.area.isEmpty ? nil : stencil
  }

  private static func draw(
    _ sprite: Sprite, _ placement: Placement, in picture: PixelRectangle
  ) -> Stencil? {
    var area = picture
    // One pixel more: glyphs may be drawn a little beyond their ink.
    if let mask = sprite.mask {
      let glyphs = mask.glyphs.map { placement.bounds(of: $0.bounds).roundedOut.expanded(by: 1) }
      area = glyphs?.intersection(area) ?? .nothing
    }
    // Cairo's numbers end there.
    let limit = Sprite.reachMax / placement.scale
    let turnedClip = placement.yx == 0 ? nil : sprite.clip?.limited(to: limit)
    if let turnedClip {
      let isSeen = turnedClip.left < turnedClip.right && turnedClip.top < turnedClip.bottom
      let seen = isSeen ? placement.bounds(of: turnedClip).roundedOut : PixelRectangle.nothing
      area = seen.intersection(area)
    }
    if area.isEmpty { return Stencil(area: area, coverage: []) }
    guard let buffer = try? PixelBuffer(width: area.width, height: area.height),
      let canvas = try? Canvas(buffer, columns: 0..<area.width)
    else { return nil }
    var place = placement
    place.x -= Double(area.left)
    place.y -= Double(area.top)
    if let turnedClip { canvas.clip(turnedClip, place) }
    if let glyphs = sprite.mask?.glyphs {
      canvas.place(place)
      canvas.draw(glyphs)
    } else {
      canvas.place(Placement(xx: 1, yx: 0, x: 0, y: 0))
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
