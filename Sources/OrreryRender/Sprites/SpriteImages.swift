// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A sprite drawn in advance.
struct SpriteImage {
  /// The pixels.
  let buffer: PixelBuffer

  /// Column of the first pixel, counted from the sprite's origin.
  let left: Int

  /// Row of the first pixel, counted from the sprite's origin.
  let top: Int
}

/// Memory for all sprites drawn in advance.
final class ImageBudget {
  private(set) var bytesLeft: Int

  /// Bytes of one image, so that one sprite cannot take the whole budget.
  let imageMax: Int

  /// - Parameters:
  ///   - bytes: Bytes of all images. 1 GiB: twenty times the images of two rows of 13 cells in a
  ///     picture of 3840x2160.
  ///   - imageMax: Bytes of one image.
  init(bytes: Int = 1 << 30, imageMax: Int = 1 << 28) {
    bytesLeft = bytes
    self.imageMax = imageMax
  }

  /// - Returns: Pixels, or nil if they do not fit.
  func makeBuffer(width: Int, height: Int) -> PixelBuffer? {
    let (pixelCount, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixelCount <= min(bytesLeft, imageMax) / 4,
      let buffer = try? PixelBuffer(width: width, height: height)
    else { return nil }
    bytesLeft -= pixelCount * 4
    return buffer
  }
}

/// Images of one sprite, drawn at the subpixel positions and scales that are needed, and kept.
///
/// At the picture's own scale there are up to 16 images, one for each quarter of a pixel to the
/// right and down. All have the same size. Their first column and row are transparent or a
/// repetition, so the image a whole pixel further is the first image, read from one column earlier.
///
/// The image of an endless row is as wide as one period. Each of its pixels shows everything of the row that
/// lies there, also the overhang of the cells before and after. Copies side by side are therefore the row
/// itself, without a seam. The same holds for columns.
///
/// Blurred images are the same images blurred, with a margin for the spread.
final class SpriteImages {
  private let elements: [DrawnElement]

  /// Rectangle around all elements, in points.
  private let bounds: Bounds

  /// How the elements are repeated.
  private let tiling: Tiling

  /// Pixels per point.
  private let scale: Double

  /// Radius of the blur, in points; 0: sharp.
  private let blur: Double

  private let budget: ImageBudget

  /// Images by `phaseY * 4 + phaseX`, in quarters of a pixel.
  private var images: [SpriteImage?]

  /// Images for other scales, by level.
  private var levels: [Int: SpriteImage] = [:]

  /// Images that did not fit into memory; they are not tried again.
  private var failed: Set<Int> = []

  /// Levels for each doubling of the scale.
  ///
  /// An image is then scaled down by a fifth at most. Mixing four of its pixels does that without
  /// loss.
  static let levelsPerOctave = 4.0

  /// The coarsest and the finest level: a 64th of the picture's scale, and 16 times it.
  static let levelRange = -24...16

  /// The scale of a level, relative to the picture's.
  static func scale(ofLevel level: Int) -> Double { exp2(Double(level) / levelsPerOctave) }

  /// Whether the images are blurred.
  var isBlurred: Bool { blur > 0 }

  /// The finest level that makes a visible difference.
  ///
  /// A blurred image has no fine detail and can be scaled up.
  let levelMax: Int

  /// Radius of a blur, in pixels, that keeps its shape when the image is scaled up.
  private static let blurPixels = 6.0

  /// - Parameters:
  ///   - elements: What to draw.
  ///   - bounds: Rectangle around all elements, in points.
  ///   - tiling: How they are repeated.
  ///   - scale: Pixels per point.
  ///   - blur: Radius in points; 0: sharp.
  ///   - budget: Memory for the images.
  init(
    elements: [DrawnElement], bounds: Bounds, tiling: Tiling, scale: Double, blur: Double = 0,
    budget: ImageBudget
  ) {
    self.elements = elements
    self.bounds = bounds
    self.tiling = tiling
    self.scale = scale
    self.blur = blur
    self.budget = budget
    images = Array(repeating: nil, count: 16)
    let finest = (log2(Self.blurPixels / (blur * scale)) * Self.levelsPerOctave).rounded(.down)
    let range = Self.levelRange
    levelMax =
      blur == 0
      ? range.upperBound
      : Int(min(max(finest, Double(range.lowerBound)), Double(range.upperBound)))
  }

  /// The sprite at a subpixel position, in quarters of a pixel.
  ///
  /// - Parameters:
  ///   - phaseX: Quarters to the right, 0 to 3.
  ///   - phaseY: Quarters down, 0 to 3.
  /// - Returns: Nil if it does not fit into memory.
  func image(phaseX: Int, phaseY: Int) -> SpriteImage? {
    let index = phaseY * 4 + phaseX
    if let image = images[index] { return image }
    let margin = GaussianBlur.margin(radius: blur * scale)
    let pixels = bounds.scaled(by: scale).roundedOut
    let period = Bounds(left: 0, top: 0, right: tiling.x * scale, bottom: tiling.y * scale)
      .roundedOut
    var area = PixelRectangle(
      left: pixels.left - margin - 1, top: pixels.top - margin - 1,
      right: pixels.right + margin + 2, bottom: pixels.bottom + margin + 2)
    if tiling.x > 0 { (area.left, area.right) = (-1, period.right + 2) }
    if tiling.y > 0 { (area.top, area.bottom) = (-1, period.bottom + 2) }
    let image = render(
      area, scale: scale, shiftX: Double(phaseX) / 4, shiftY: Double(phaseY) / 4,
      failure: 1000 + index)
    images[index] = image
    return image
  }

  /// Rectangle around the sprite as drawn at a level, in points.
  func bounds(level: Int) -> Bounds {
    if blur == 0 { return bounds }
    let levelScale = scale * Self.scale(ofLevel: level)
    let margin = Double(GaussianBlur.margin(radius: blur * levelScale)) / levelScale
    return Bounds(
      left: bounds.left - margin, top: bounds.top - margin, right: bounds.right + margin,
      bottom: bounds.bottom + margin)
  }

  /// The sprite at a level's scale, with one transparent pixel around it.
  ///
  /// - Returns: Nil if it does not fit into memory.
  func image(level: Int) -> SpriteImage? {
    if let image = levels[level] { return image }
    let levelScale = scale * Self.scale(ofLevel: level)
    var area = bounds(level: level).scaled(by: levelScale).roundedOut
    area = PixelRectangle(
      left: area.left - 1, top: area.top - 1, right: area.right + 1, bottom: area.bottom + 1)
    // `TransformedPainter` rounds down to sixteenths of a pixel; scaled up, that would be visible.
    let shift = blur == 0 ? 0 : -1.0 / 32
    let image = render(area, scale: levelScale, shiftX: shift, shiftY: shift, failure: level)
    levels[level] = image
    return image
  }

  private func render(
    _ area: PixelRectangle, scale: Double, shiftX: Double, shiftY: Double, failure: Int
  ) -> SpriteImage? {
    guard !failed.contains(failure),
      let buffer = budget.makeBuffer(width: area.width, height: area.height),
      draw(area, into: buffer, scale: scale, shiftX: shiftX, shiftY: shiftY)
    else {
      failed.insert(failure)
      return nil
    }
    return SpriteImage(buffer: buffer, left: area.left, top: area.top)
  }

  /// - Returns: False if there is no memory, or the image is too large for Cairo.
  private func draw(
    _ area: PixelRectangle, into buffer: PixelBuffer, scale: Double, shiftX: Double, shiftY: Double
  ) -> Bool {
    if blur == 0 {
      return drawSharp(area, into: buffer, scale: scale, shiftX: shiftX, shiftY: shiftY)
    }
    // The blur spreads the row's parts outside the area into it.
    let margin = GaussianBlur.margin(radius: blur * scale)
    let (marginX, marginY) = (tiling.x > 0 ? margin : 0, tiling.y > 0 ? margin : 0)
    let around = PixelRectangle(
      left: area.left - marginX, top: area.top - marginY, right: area.right + marginX,
      bottom: area.bottom + marginY)
    guard around.width * around.height <= GaussianBlur.pixelMax,
      let wide = try? PixelBuffer(width: around.width, height: around.height),
      drawSharp(around, into: wide, scale: scale, shiftX: shiftX, shiftY: shiftY)
    else { return false }
    GaussianBlur.blur(wide, radius: blur * scale)
    for row in 0..<area.height {
      let source = wide.pixels + ((row + marginY) * wide.width + marginX)
      (buffer.pixels + row * buffer.width).update(from: source, count: area.width)
    }
    return true
  }

  private func drawSharp(
    _ area: PixelRectangle, into buffer: PixelBuffer, scale: Double, shiftX: Double, shiftY: Double
  ) -> Bool {
    guard area.height <= Canvas.sideMax else { return false }
    // A long row in a large picture is wider than Cairo's surfaces can be.
    let segmentWidth = 8192
    for start in stride(from: 0, to: area.width, by: segmentWidth) {
      let columns = start..<min(start + segmentWidth, area.width)
      guard let canvas = try? Canvas(buffer, columns: columns) else { return false }
      let transform = SimilarityTransform(
        xx: scale, yx: 0, x: shiftX - Double(area.left + start), y: shiftY - Double(area.top))
      let part = Bounds(
        left: 0, top: 0, right: Double(columns.count), bottom: Double(area.height))
      ElementPainter.draw(
        elements, bounds: bounds, tiling: tiling, transform, on: canvas, part: part)
      guard canvas.succeeded else { return false }
    }
    return true
  }
}
