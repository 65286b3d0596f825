// SPDX-License-Identifier: Apache-2.0

import CDots
import OrreryMessages

/// A sprite of the layout, ready to be drawn.
///
/// A class, so that passing it for each entity copies nothing.
final class Sprite {
  /// The content of a sprite that is a single disc.
  struct Disc {
    /// Centre, in points from the entity's origin.
    let x: Double
    /// Centre, in points from the entity's origin.
    let y: Double
    /// Points.
    let radius: Double
    /// Premultiplied colour.
    let pixel: UInt32
  }

  /// Pixels that an element may reach from its origin: beyond, Cairo's coordinates overflow.
  static let reachMax = 4_194_304.0

  /// Index in the layout.
  let index: Int

  /// The parts of the sprite, the lowest first.
  let elements: [DrawnElement]

  /// Rectangle around all elements, in points; nil if there are none.
  let bounds: Bounds?

  /// How the elements are repeated.
  let tiling: Tiling

  /// Points from the entity's origin; nil: not clipped.
  let clip: Bounds?

  /// Set if the sprite is shown only through glyphs.
  let mask: Mask?

  /// Set if the whole sprite is one disc.
  let disc: Disc?

  /// Set if the whole sprite is one box.
  let box: BoxPainter.Box?

  /// Set if there are elements other than a single disc.
  let images: SpriteImages?

  /// - Parameters:
  ///   - sprite: As checked by `LayoutCheck`.
  ///   - index: Its index, for errors.
  ///   - maker: Shapes the sprite's texts.
  ///   - scale: Pixels per point.
  ///   - budget: Memory for the sprite's images.
  /// - Throws: `text`, `maskText`, `image`, `elementTooFar`, `maskTooFar`, `tileOverlap`.
  init(
    _ sprite: Orrery_Sprite, index: Int, maker: ElementMaker, scale: Double, budget: ImageBudget
  ) throws(RenderError) {
    var elements: [DrawnElement] = []
    var bounds: Bounds?
    for (number, element) in sprite.elements.enumerated() {
      guard let drawn = try maker.make(element, sprite: index, number: number) else { continue }
      let reach = drawn.bounds.scaled(by: scale).reach
      guard reach <= Self.reachMax else {
        throw .elementTooFar(
          sprite: index, element: number, pixels: reach, limit: Self.reachMax)
      }
      elements.append(drawn)
      bounds = bounds?.union(drawn.bounds) ?? drawn.bounds
    }
    self.index = index
    self.elements = elements
    self.bounds = bounds
    let tiling = Tiling(x: sprite.tilePeriod, y: sprite.tilePeriodY)
    self.tiling = tiling
    mask =
      sprite.hasMask
      ? try Mask(sprite.mask, sprite: index, maker: maker, scale: scale) : nil
    let area = sprite.clip
    clip =
      sprite.hasClip
      ? Bounds(
        left: area.x, top: area.y, right: area.x + area.width, bottom: area.y + area.height) : nil
    guard let bounds else {
      (disc, box, images) = (nil, nil, nil)
      return
    }
    var copies = 1.0
    if tiling.x > 0 { copies *= ((bounds.right - bounds.left) / tiling.x).rounded(.up) + 1 }
    if tiling.y > 0 { copies *= ((bounds.bottom - bounds.top) / tiling.y).rounded(.up) + 1 }
    guard copies <= Double(ElementPainter.copyMax) else {
      throw .tileOverlap(sprite: index, copies: copies, limit: ElementPainter.copyMax)
    }
    if !tiling.repeats, elements.count == 1,
      case .disc(let x, let y, let radius, let color) = elements[0]
    {
      disc = Disc(x: x, y: y, radius: radius, pixel: premultiplied(color))
      (box, images) = (nil, nil)
    } else {
      disc = nil
      if !tiling.repeats, elements.count == 1,
        case .box(let bounds, let cornerRadius, let color) = elements[0]
      {
        box = BoxPainter.Box(
          bounds: bounds, cornerRadius: cornerRadius, pixel: premultiplied(color))
      } else {
        box = nil
      }
      images = SpriteImages(
        elements: elements, bounds: bounds, tiling: tiling, scale: scale, budget: budget)
    }
  }

  /// The disc as a dot; nil if it is too large, off the entity's origin, clipped or masked.
  func dot(scale: Double, masks: DotMaskCache) -> dots_dot? {
    guard let disc, clip == nil, mask == nil, disc.x == 0, disc.y == 0 else { return nil }
    return masks.masks(radius: disc.radius * scale)?.dot(disc.pixel)
  }

  /// Draws the images that a batch will need, so that frames do not wait for them.
  func drawImages(movesX: Bool, movesY: Bool) {
    guard let images, movesX else { return }
    for phaseY in 0..<(movesY ? 4 : 1) {
      for phaseX in 0..<4 { _ = images.image(phaseX: phaseX, phaseY: phaseY) }
    }
  }
}

/// The glyphs of a sprite's mask.
final class Mask {
  /// Nil if there are none: nothing is shown then.
  let glyphs: DrawnElement?

  /// - Parameters:
  ///   - mask: As checked by `LayoutCheck`.
  ///   - sprite: Its sprite's index, for errors.
  ///   - maker: Shapes the mask's text.
  ///   - scale: Pixels per point.
  /// - Throws: `maskText`, `maskTooFar`.
  init(
    _ mask: Orrery_Mask, sprite: Int, maker: ElementMaker, scale: Double
  ) throws(RenderError) {
    var text = mask.text
    text.color = .max
    do {
      glyphs = try maker.make(text, x: mask.x, y: mask.y)
    } catch {
      throw .maskText(sprite: sprite, error)
    }
    let reach = glyphs?.bounds.scaled(by: scale).reach ?? 0
    guard reach <= Sprite.reachMax else {
      throw .maskTooFar(sprite: sprite, pixels: reach, limit: Sprite.reachMax)
    }
  }
}

/// Masks for all sizes of dots, made at first use.
final class DotMaskCache {
  /// Steps of the radius per pixel: an error of a 64th is invisible.
  private static let steps = 32.0

  private var cache: [DotMasks?] = Array(
    repeating: nil, count: Int(DotMasks.radiusMax * steps) + 1)

  /// Masks that cover nothing.
  let smallest = DotMasks(radius: 0)

  /// - Parameter radius: In pixels, not negative.
  /// - Returns: Nil if the radius is too large for a dot.
  func masks(radius: Double) -> DotMasks? {
    guard radius <= DotMasks.radiusMax else { return nil }
    let index = Int((radius * Self.steps).rounded())
    if let masks = cache[index] { return masks }
    let masks = DotMasks(radius: Double(index) / Self.steps)
    cache[index] = masks
    return masks
  }
}
