// SPDX-License-Identifier: Apache-2.0

/// Draws images of sprites onto the picture, at any subpixel position.
///
/// Bound by arithmetic: each pixel of a moving row mixes two images, then blends with the picture.
final class ImagePainter {
  /// The picture.
  private let buffer: PixelBuffer

  /// Scratch memory for three mixed rows.
  private let mixed: PixelBuffer

  /// - Throws: `outOfMemory`.
  init(_ buffer: PixelBuffer) throws(RenderError) {
    self.buffer = buffer
    mixed = try PixelBuffer(width: buffer.width, height: 3)
  }

  /// Draws a sprite once.
  ///
  /// - Parameters:
  ///   - images: The sprite's images.
  ///   - x: Pixel position of its origin.
  ///   - y: Pixel position of its origin.
  ///   - clip: Pixels inside the picture; nothing is drawn outside them.
  ///   - strength: Opacity, 1 to 255.
  /// - Returns: False if the sprite's images do not fit into memory.
  func draw(
    _ images: SpriteImages, x: SubPixel, y: SubPixel, clip: PixelRectangle, strength: UInt16
  ) -> Bool {
    guard let corners = Corners(images, x: x, y: y) else { return false }
    blend(corners, x: x, y: y, clip: clip, strength: strength)
    return true
  }

  /// Position and period of a repeated sprite on one axis.
  struct Axis {
    /// Pixel position of the origin of one repetition, whichever.
    let position: Double

    /// Whether `position` changes from frame to frame.
    let moves: Bool

    /// Pixels from one repetition to the next, at least a quarter; 0 if there is only one.
    let period: Double

    /// Calls `body` with each repetition that has pixels from `lower` to `upper`, and with the
    /// range of those pixels.
    ///
    /// Returns false as soon as `body` does.
    func eachCopy(
      from lower: Int, to upper: Int, _ body: (SubPixel, _ from: Int, _ to: Int) -> Bool
    ) -> Bool {
      if period == 0 { return body(SubPixel(position: position, moves: moves), lower, upper) }
      var copy = ((Double(lower) - position) / period).rounded(.down)
      var current = SubPixel(position: position + copy * period, moves: moves)
      while current.whole < upper {
        copy += 1
        let next = SubPixel(position: position + copy * period, moves: moves)
        let (from, to) = (max(lower, current.whole), min(upper, next.whole))
        if from < to, !body(current, from, to) { return false }
        current = next
      }
      return true
    }
  }

  /// Draws an endless row, column or pattern.
  ///
  /// - Parameters:
  ///   - images: The sprite's images.
  ///   - x: Position and period to the right.
  ///   - y: Position and period down.
  ///   - clip: Pixels inside the picture; nothing is drawn outside them.
  ///   - strength: Opacity, 1 to 255.
  /// - Returns: False if the sprite's images do not fit into memory.
  func drawTiles(
    _ images: SpriteImages, x: Axis, y: Axis, clip: PixelRectangle, strength: UInt16
  ) -> Bool {
    y.eachCopy(from: clip.top, to: clip.bottom) { copyY, top, bottom in
      x.eachCopy(from: clip.left, to: clip.right) { copyX, left, right in
        let area = PixelRectangle(left: left, top: top, right: right, bottom: bottom)
        guard let corners = Corners(images, x: copyX, y: copyY) else { return false }
        blend(corners, x: copyX, y: copyY, clip: area, strength: strength)
        return true
      }
    }
  }

  /// The images at the four quarter pixels around a position.
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
    // The first column and row exist only for the next phase, which reads one pixel earlier.
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
