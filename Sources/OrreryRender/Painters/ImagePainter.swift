// SPDX-License-Identifier: Apache-2.0

/// Lays sprites that were drawn in advance over the picture, at any place between the pixels.
///
/// Bound by arithmetic: a pixel of a moving row is mixed from two images and laid over the picture.
final class ImagePainter {
  /// The picture.
  private let buffer: PixelBuffer

  /// Room for three mixed rows.
  private let mixed: PixelBuffer

  /// - Throws: `outOfMemory`.
  init(_ buffer: PixelBuffer) throws(RenderError) {
    self.buffer = buffer
    mixed = try PixelBuffer(width: buffer.width, height: 3)
  }

  /// Draws a sprite once.
  ///
  /// - Parameters:
  ///   - images: The sprite.
  ///   - x: Where its origin lands.
  ///   - y: Where its origin lands.
  ///   - clip: Inside the picture; nothing is drawn outside.
  ///   - strength: Opacity, 1 to 255.
  /// - Returns: False if the sprite's images do not fit into memory.
  func draw(
    _ images: SpriteImages, x: SubPixel, y: SubPixel, clip: PixelRectangle, strength: UInt16
  ) -> Bool {
    guard let corners = Corners(images, x: x, y: y) else { return false }
    blend(corners, x: x, y: y, clip: clip, strength: strength)
    return true
  }

  /// Where a repeated sprite stands on one axis.
  struct Axis {
    /// Pixel position of the origin of one of its repetitions; any will do.
    let position: Double

    /// Whether `position` changes from frame to frame.
    let moves: Bool

    /// Pixels from one repetition to the next, at least a quarter; 0 if there is only one.
    let period: Double

    /// Hands over each repetition that has its pixels between two of the picture's, and which of
    /// them are its own; ends when `body` says false, and says so.
    func eachCopy(
      from lower: Int, to upper: Int, _ body: (SubPixel, _ from: Int, _ to: Int) -> Bool
    ) -> Bool {
      if period == 0 { return body(SubPixel(position: position, moves: moves), lower, upper) }
      var copy = ((Double(lower) - position) / period).rounded(.down)
      var place = SubPixel(position: position + copy * period, moves: moves)
      while place.whole < upper {
        copy += 1
        let next = SubPixel(position: position + copy * period, moves: moves)
        let (from, to) = (max(lower, place.whole), min(upper, next.whole))
        if from < to, !body(place, from, to) { return false }
        place = next
      }
      return true
    }
  }

  /// Draws an endless row, column or pattern.
  ///
  /// - Parameters:
  ///   - images: Its sprite.
  ///   - x: Where it stands.
  ///   - y: Where it stands.
  ///   - clip: Inside the picture; nothing is drawn outside.
  ///   - strength: Opacity, 1 to 255.
  /// - Returns: False if the sprite's images do not fit into memory.
  func drawTiles(
    _ images: SpriteImages, x: Axis, y: Axis, clip: PixelRectangle, strength: UInt16
  ) -> Bool {
    y.eachCopy(from: clip.top, to: clip.bottom) { placeY, top, bottom in
      x.eachCopy(from: clip.left, to: clip.right) { placeX, left, right in
        let area = PixelRectangle(left: left, top: top, right: right, bottom: bottom)
        guard let corners = Corners(images, x: placeX, y: placeY) else { return false }
        blend(corners, x: placeX, y: placeY, clip: area, strength: strength)
        return true
      }
    }
  }

  /// The images of the four places around a place.
  private struct Corners {
    let here: SpriteImage
    let right: SpriteImage
    let below: SpriteImage
    let belowRight: SpriteImage

    /// Nil if one of them does not fit into memory.
    init?(_ images: SpriteImages, x: SubPixel, y: SubPixel) {
      let nextX = x.weight == 0 ? x.phase : (x.phase + 1) & 3
      let nextY = y.weight == 0 ? y.phase : (y.phase + 1) & 3
      guard let here = images.image(phaseX: x.phase, phaseY: y.phase),
        let right = images.image(phaseX: nextX, phaseY: y.phase),
        let below = images.image(phaseX: x.phase, phaseY: nextY),
        let belowRight = images.image(phaseX: nextX, phaseY: nextY)
      else { return nil }
      (self.here, self.right, self.below, self.belowRight) = (here, right, below, belowRight)
    }
  }

  private func blend(
    _ corners: Corners, x: SubPixel, y: SubPixel, clip: PixelRectangle, strength: UInt16
  ) {
    let (image, source) = (corners.here, corners.here.buffer)
    // The first column and row are only there for the next phase to look back to.
    let area = PixelRectangle(
      left: x.whole + image.left + 1, top: y.whole + image.top + 1,
      right: x.whole + image.left + source.width, bottom: y.whole + image.top + source.height
    ).intersection(clip)
    if area.isEmpty { return }
    let count = area.right - area.left
    let column = area.left - x.whole - image.left
    // The quarter after the last is the first one of the next pixel.
    let nextColumn = column - (x.phase == 3 && x.weight > 0 ? 1 : 0)
    let backRows = y.phase == 3 && y.weight > 0 ? 1 : 0
    let (lineA, lineB) = (mixed.pixels, mixed.pixels + mixed.width)
    let lineC = mixed.pixels + 2 * mixed.width
    for row in area.top..<area.bottom {
      let line = row - y.whole - image.top
      let target = buffer.pixels + (row * buffer.width + area.left)
      let width = source.width
      var shown = UnsafePointer(source.pixels + (line * width + column))
      if x.weight > 0 {
        let next = corners.right.buffer.pixels + (line * width + nextColumn)
        Blending.mix(shown, next, weight: x.weight, count: count, into: lineA)
        shown = UnsafePointer(lineA)
      }
      if y.weight > 0 {
        let lineBelow = line - backRows
        var below = UnsafePointer(corners.below.buffer.pixels + (lineBelow * width + column))
        if x.weight > 0 {
          let next = corners.belowRight.buffer.pixels + (lineBelow * width + nextColumn)
          Blending.mix(below, next, weight: x.weight, count: count, into: lineB)
          below = UnsafePointer(lineB)
        }
        Blending.mix(shown, below, weight: y.weight, count: count, into: lineC)
        shown = UnsafePointer(lineC)
      }
      Blending.row(shown, over: target, count: count, strength: strength)
    }
  }
}
