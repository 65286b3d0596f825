// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A sprite drawn in advance.
struct SpriteImage {
  /// The pixels.
  let buffer: PixelBuffer

  /// The column, counted from the sprite's origin, of the first pixel.
  let left: Int

  /// The row, counted from the sprite's origin, of the first pixel.
  let top: Int
}

/// Bytes that all sprites drawn in advance may take together.
final class ImageBudget {
  /// 1 GiB: twenty times what two rows of 13 cells take in a picture of 3840x2160.
  private(set) var bytesLeft = 1 << 30

  /// A quarter of the whole for one picture, so that one sprite cannot take it all.
  private static let imageLimit = 1 << 28

  /// - Returns: Pixels, or nil if they do not fit.
  func makeBuffer(width: Int, height: Int) -> PixelBuffer? {
    let (pixelCount, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixelCount <= min(bytesLeft, Self.imageLimit) / 4,
      let buffer = try? PixelBuffer(width: width, height: height)
    else { return nil }
    bytesLeft -= pixelCount * 4
    return buffer
  }
}

/// One sprite, drawn in advance where and as large as it is needed, and kept.
///
/// At the picture's own scale there are up to 16 images, for a quarter of a pixel to the right and
/// down each. All have the same size, and their first column and row are transparent or a
/// repetition, so that the image of a whole pixel further is the first one, one column earlier.
///
/// A row's image is as wide as one period: each of its pixels shows everything of the endless row
/// that lies there, also what hangs over from the cells before and after. Copies set next to each
/// other, column by column, are therefore the row itself, without a seam.
final class SpriteImages {
  private let elements: [DrawnElement]

  /// Around all elements, in points.
  private let bounds: Bounds

  /// In points; 0 if nothing is repeated.
  private let tilePeriod: Double

  /// Pixels per point.
  private let scale: Double

  private let budget: ImageBudget

  /// By quarters down, then right.
  private var images: [SpriteImage?]

  /// Images for other scales, by level.
  private var levels: [Int: SpriteImage] = [:]

  /// What did not fit into memory is not tried again.
  private var failed: Set<Int> = []

  /// Levels for each doubling of the scale.
  ///
  /// An image is then made smaller by a fifth at most, which
  /// mixing four of its pixels does without loss.
  static let levelsPerOctave = 4.0

  /// The coarsest and the finest level: a 64th and 16 times the picture's scale.
  static let levelRange = -24...16

  /// The scale of a level, as a factor of the picture's.
  static func scale(ofLevel level: Int) -> Double { exp2(Double(level) / levelsPerOctave) }

  init(
    elements: [DrawnElement], bounds: Bounds, tilePeriod: Double, scale: Double,
    budget: ImageBudget
  ) {
    self.elements = elements
    self.bounds = bounds
    self.tilePeriod = tilePeriod
    self.scale = scale
    self.budget = budget
    images = Array(repeating: nil, count: 16)
  }

  /// The sprite at a quarter of a pixel.
  ///
  /// - Parameters:
  ///   - phaseX: Quarters to the right, 0 to 3.
  ///   - phaseY: Quarters down, 0 to 3.
  /// - Returns: Nil if it does not fit into memory.
  func image(phaseX: Int, phaseY: Int) -> SpriteImage? {
    let index = phaseY * 4 + phaseX
    if let image = images[index] { return image }
    let pixels = bounds.scaled(by: scale).roundedOut
    let (top, bottom) = (pixels.top - 1, pixels.bottom + 2)
    var (left, right) = (pixels.left - 1, pixels.right + 2)
    if tilePeriod > 0 {
      left = -1
      right = Bounds(left: 0, top: 0, right: tilePeriod * scale, bottom: 0).roundedOut.right + 2
    }
    let area = PixelRectangle(left: left, top: top, right: right, bottom: bottom)
    let image = render(
      area, scale: scale, shiftX: Double(phaseX) / 4, shiftY: Double(phaseY) / 4,
      failure: 1000 + index)
    images[index] = image
    return image
  }

  /// The sprite at a level's scale, with one transparent pixel around it.
  ///
  /// - Returns: Nil if it does not fit into memory.
  func image(level: Int) -> SpriteImage? {
    if let image = levels[level] { return image }
    let levelScale = scale * Self.scale(ofLevel: level)
    var area = bounds.scaled(by: levelScale).roundedOut
    area = PixelRectangle(
      left: area.left - 1, top: area.top - 1, right: area.right + 1, bottom: area.bottom + 1)
    let image = render(area, scale: levelScale, shiftX: 0, shiftY: 0, failure: level)
    levels[level] = image
    return image
  }

  private func render(
    _ area: PixelRectangle, scale: Double, shiftX: Double, shiftY: Double, failure: Int
  ) -> SpriteImage? {
    let (width, height) = (area.right - area.left, area.bottom - area.top)
    guard !failed.contains(failure), height <= Canvas.sideLimit,
      let buffer = budget.makeBuffer(width: width, height: height)
    else {
      failed.insert(failure)
      return nil
    }
    // Cairo's surfaces are not as wide as a long row in a large picture.
    let segmentWidth = 8192
    for start in stride(from: 0, to: width, by: segmentWidth) {
      let columns = start..<min(start + segmentWidth, width)
      guard let canvas = try? Canvas(buffer, columns: columns) else { return nil }
      let placement = Placement(
        xx: scale, yx: 0, x: shiftX - Double(area.left + start), y: shiftY - Double(area.top))
      let part = Bounds(
        left: 0, top: 0, right: Double(columns.count), bottom: Double(height))
      ElementPainter.draw(
        elements, bounds: bounds, tilePeriod: tilePeriod, placement, on: canvas, part: part)
      guard canvas.succeeded else { return nil }
    }
    return SpriteImage(buffer: buffer, left: area.left, top: area.top)
  }
}

/// Draws a sprite's elements directly, with Cairo: right for every size and turn, but slow.
enum ElementPainter {
  /// Repetitions that one sprite draws at most.
  static let copyLimit = 4096

  /// - Parameters:
  ///   - elements: What to draw.
  ///   - bounds: Around all elements, in points.
  ///   - tilePeriod: In points; 0 draws them once.
  ///   - placement: Where the sprite's points land on the canvas.
  ///   - canvas: Where to draw.
  ///   - part: The pixels that matter; elements outside are left out.
  static func draw(
    _ elements: [DrawnElement], bounds: Bounds, tilePeriod: Double, _ placement: Placement,
    on canvas: Canvas, part: Bounds
  ) {
    let copies = copies(bounds, tilePeriod, placement, part)
    // All copies of one element before the next element: what lies below in one copy must not hide
    // what hangs over from another.
    for element in elements {
      if case .box(let box, cornerRadius: 0, let color) = element, tilePeriod > 0,
        box.right - box.left >= tilePeriod
      {
        // Boxes side by side would show a line where they meet inside a pixel.
        var endless = box
        endless.left += Double(copies.lowerBound) * tilePeriod
        endless.right += Double(copies.upperBound - 1) * tilePeriod
        canvas.place(placement)
        canvas.draw(.box(endless, cornerRadius: 0, color: color))
        continue
      }
      for copy in copies {
        let shift = Double(copy) * tilePeriod
        let place = Placement(
          xx: placement.xx, yx: placement.yx, x: placement.x + placement.xx * shift,
          y: placement.y + placement.yx * shift)
        let box = place.bounds(of: element.bounds)
        // One pixel more: glyphs may be drawn a little beyond their ink.
        guard box.left - 1 < part.right, box.right + 1 > part.left, box.top - 1 < part.bottom,
          box.bottom + 1 > part.top
        else { continue }
        canvas.place(place)
        canvas.draw(element)
      }
    }
  }

  /// The repetitions that reach into `part`.
  private static func copies(
    _ bounds: Bounds, _ tilePeriod: Double, _ placement: Placement, _ part: Bounds
  ) -> Range<Int> {
    if tilePeriod == 0 { return 0..<1 }
    // `part`, turned and scaled back into the sprite's points.
    let square = placement.xx * placement.xx + placement.yx * placement.yx
    let inverse = Placement(
      xx: placement.xx / square, yx: -placement.yx / square,
      x: -(placement.xx * placement.x + placement.yx * placement.y) / square,
      y: (placement.yx * placement.x - placement.xx * placement.y) / square)
    let seen = inverse.bounds(of: part)
    let first = ((seen.left - bounds.right) / tilePeriod).rounded(.down)
    let last = ((seen.right - bounds.left) / tilePeriod).rounded(.up)
    guard abs(first) < 1e15, abs(last) < 1e15, last >= first else { return 0..<0 }
    return Int(first)..<min(Int(last) + 1, Int(first) + copyLimit)
  }
}
