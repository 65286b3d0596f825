// SPDX-License-Identifier: Apache-2.0

/// Draws one entity after another by the fastest way that is right for it.
final class SpritePainter {
  /// The picture.
  let buffer: PixelBuffer

  /// How points lie on pixels.
  let fit: SceneFit

  /// Masks of small discs.
  let masks: DotMaskCache

  private let imagePainter: ImagePainter
  private let blurs: BlurCache
  private let stencils = StencilCache()

  /// Draws what is to be shown through a stencil, or blurred as a whole, and so not yet in the
  /// picture; nil if no sprite needs it.
  private let layer: SpritePainter?

  /// Positions beyond are not in any picture, and their numbers would not fit.
  private static let positionMax = 1e9

  /// Below this period, in pixels, a row is not worth an image of its own.
  private static let rowPeriodLeast = 0.25

  /// - Parameters:
  ///   - buffer: The picture.
  ///   - fit: How points lie on it.
  ///   - needsLayer: Whether there are sprites with masks or clips.
  /// - Throws: `outOfMemory`.
  convenience init(
    _ buffer: PixelBuffer, fit: SceneFit, needsLayer: Bool
  ) throws(RenderError) {
    let (masks, blurs) = (DotMaskCache(), BlurCache())
    var layer: SpritePainter?
    if needsLayer {
      let pixels = try PixelBuffer(width: buffer.width, height: buffer.height)
      layer = try SpritePainter(pixels, fit: fit, masks: masks, blurs: blurs, layer: nil)
    }
    try self.init(buffer, fit: fit, masks: masks, blurs: blurs, layer: layer)
  }

  private init(
    _ buffer: PixelBuffer, fit: SceneFit, masks: DotMaskCache, blurs: BlurCache,
    layer: SpritePainter?
  ) throws(RenderError) {
    self.buffer = buffer
    self.fit = fit
    self.masks = masks
    self.blurs = blurs
    self.layer = layer
    imagePainter = try ImagePainter(buffer)
  }

  /// Draws a sprite with an entity's values; nothing if they are not numbers or not in the picture.
  func draw(_ sprite: Sprite, _ values: EntityValues) {
    guard values.isDrawable, let bounds = sprite.bounds else { return }
    let strength = UInt16((min(values.opacity, 1) * 255).rounded())
    let clip = clip(of: sprite, values)
    let placement = fit.placement.after(values.placement)
    guard strength > 0, !clip.isEmpty, Self.isNear(placement),
      // Larger ones cover the picture or nothing; which, is beyond the numbers that Cairo has.
      bounds.reach * placement.scale <= Sprite.reachMax
    else { return }
    if sprite.mask != nil
      || sprite.clip != nil && (values.stand.yx != 0 || values.inheritedBlur > 0)
    {
      drawThroughStencil(sprite, values, clip: clip, strength: strength)
    } else {
      draw(sprite, values, placement, clip: clip, strength: strength)
    }
  }

  /// Draws a sprite's elements with Cairo, at exactly this place.
  func drawElements(_ sprite: Sprite, x: Double, y: Double) {
    let values = EntityValues(originX: x, originY: y)
    if sprite.mask != nil { return draw(sprite, values) }
    let placement = fit.placement.after(values.placement)
    guard Self.isNear(placement) else { return }
    drawElements(sprite, placement, clip: clip(of: sprite, values), opacity: 1)
  }

  private static func isNear(_ placement: Placement) -> Bool {
    abs(placement.x) < positionMax && abs(placement.y) < positionMax
  }

  /// What is shown of a sprite, if its clip is not turned.
  private func clip(of sprite: Sprite, _ values: EntityValues) -> PixelRectangle {
    guard let clip = sprite.clip, values.stand.yx == 0 else { return fit.area }
    return fit.placement.after(values.stand).bounds(of: clip).rounded.intersection(fit.area)
  }

  /// Draws a sprite without its mask, by the fastest way that is right for it.
  private func draw(
    _ sprite: Sprite, _ values: EntityValues, _ placement: Placement, clip: PixelRectangle,
    strength: UInt16
  ) {
    if let disc = sprite.disc, !(values.blur > 0) {
      return draw(disc, placement, strength: strength, clip: clip)
    }
    var images = sprite.images
    if values.blur * fit.scale >= BlurCache.radiusLeast {
      // A sprite's own scale does not change how much of the picture it is blurred over.
      let radius = values.blur * fit.scale / values.placement.scale
      if radius >= BlurCache.radiusLeast {
        images = blurs.images(sprite, radius: radius, scale: fit.scale)
      }
    }
    if let disc = sprite.disc, images == nil {
      return draw(disc, placement, strength: strength, clip: clip)
    }
    guard let images else { return }
    let isPlain = values.placement.isPlain
    if isPlain, sprite.tiling.repeats || !images.isBlurred {
      if drawPlain(sprite, images, values, placement, clip, strength) { return }
    } else if !sprite.tiling.repeats {
      let isDrawn = TurnedPainter.draw(
        images, placement, pixelsPerPoint: fit.scale, into: buffer, clip: clip,
        strength: UInt32(strength))
      if isDrawn { return }
    } else if images.isBlurred, let layer {
      let radius = min(values.blur * fit.scale, BlurCache.radiusMax)
      let area = clip.expanded(by: GaussianBlur.margin(radius: radius)).intersection(fit.area)
      layer.clear(area)
      layer.drawElements(sprite, placement, clip: area, opacity: 1)
      return lay(
        area, of: layer.buffer, through: nil, radius: radius, clip: clip, strength: strength)
    }
    drawElements(sprite, placement, clip: clip, opacity: Double(strength) / 255)
  }

  private func draw(
    _ disc: Sprite.Disc, _ placement: Placement, strength: UInt16, clip: PixelRectangle
  ) {
    let x = placement.x + placement.xx * disc.x - placement.yx * disc.y
    let y = placement.y + placement.yx * disc.x + placement.xx * disc.y
    let radius = disc.radius * placement.scale
    let box = Bounds(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius)
    guard !box.roundedOut.intersection(clip).isEmpty else { return }
    let pixel =
      strength == 255
      ? disc.pixel : Blending.over(disc.pixel, strength: UInt32(strength), 0)
    guard let masks = masks.masks(radius: radius) else {
      return DiscPainter.draw(
        x: x, y: y, radius: radius, pixel: pixel, into: buffer, clip: clip)
    }
    let sixteenths = Double(DotMasks.phases)
    DotPainter.draw(
      Dot(masks: masks, pixel: pixel), x: Int32(((x - DotMasks.lead) * sixteenths).rounded()),
      y: Int32(((y - DotMasks.lead) * sixteenths).rounded()), buffer.pixels, buffer.width, clip)
  }

  /// - Returns: False if the sprite's images do not fit into memory.
  private func drawPlain(
    _ sprite: Sprite, _ images: SpriteImages, _ values: EntityValues, _ placement: Placement,
    _ clip: PixelRectangle, _ strength: UInt16
  ) -> Bool {
    if !sprite.tiling.repeats {
      return imagePainter.draw(
        images, x: SubPixel(position: placement.x, moves: values.movesX),
        y: SubPixel(position: placement.y, moves: values.movesY), clip: clip, strength: strength)
    }
    let x = ImagePainter.Axis(
      position: placement.x, moves: values.movesX, period: sprite.tiling.x * fit.scale)
    let y = ImagePainter.Axis(
      position: placement.y, moves: values.movesY, period: sprite.tiling.y * fit.scale)
    for period in [x.period, y.period] where period > 0 && period < Self.rowPeriodLeast {
      return false
    }
    return imagePainter.drawTiles(images, x: x, y: y, clip: clip, strength: strength)
  }

  private func drawElements(
    _ sprite: Sprite, _ placement: Placement, clip: PixelRectangle, opacity: Double
  ) {
    guard let bounds = sprite.bounds, !clip.isEmpty,
      sprite.tiling.repeats
        || !placement.bounds(of: bounds).roundedOut.intersection(clip).isEmpty,
      let canvas = try? Canvas(buffer, columns: 0..<buffer.width)
    else { return }
    canvas.clip(clip)
    let part = Bounds(
      left: Double(clip.left), top: Double(clip.top), right: Double(clip.right),
      bottom: Double(clip.bottom))
    canvas.group(opacity: opacity) {
      ElementPainter.draw(
        sprite.elements, bounds: bounds, tiling: sprite.tiling, placement, on: canvas,
        part: part)
    }
  }
}

// MARK: - What is not drawn into the picture at once

extension SpritePainter {
  /// Draws a sprite where its mask, or its turned clip, lets it through, and blurs what is left as
  /// its parents are blurred.
  private func drawThroughStencil(
    _ sprite: Sprite, _ values: EntityValues, clip: PixelRectangle, strength: UInt16
  ) {
    guard let layer else { return }
    var area = clip
    var stencil: Stencil?
    if sprite.mask != nil || values.stand.yx != 0 {
      let stand = fit.placement.after(values.stand)
      let reach = sprite.mask?.glyphs?.bounds.reach ?? 0
      guard Self.isNear(stand), reach * stand.scale <= Sprite.reachMax,
        let found = stencils.stencil(sprite, stand, in: fit.area)
      else { return }
      stencil = found
      area = found.area.intersection(clip)
    }
    if area.isEmpty { return }
    var own = values
    own.blur -= values.inheritedBlur
    layer.clear(area)
    layer.draw(sprite, own, fit.placement.after(values.placement), clip: area, strength: 255)
    lay(
      area, of: layer.buffer, through: stencil, radius: values.inheritedBlur * fit.scale,
      clip: fit.area, strength: strength)
  }

  /// Makes a part of the layer transparent.
  private func clear(_ area: PixelRectangle) {
    for row in area.top..<max(area.top, area.bottom) {
      (buffer.pixels + (row * buffer.width + area.left)).update(repeating: 0, count: area.width)
    }
  }

  /// Lays what a stencil lets through of a part of a buffer as large as the picture over the
  /// picture; blurred, unless it is too large for that.
  private func lay(
    _ area: PixelRectangle, of source: PixelBuffer, through stencil: Stencil?, radius: Double,
    clip: PixelRectangle, strength: UInt16
  ) {
    if radius >= BlurCache.radiusLeast,
      layBlurred(
        area, of: source, through: stencil, radius: min(radius, BlurCache.radiusMax), clip: clip,
        strength: strength)
    {
      return
    }
    let shown = area.intersection(clip)
    if let stencil { return stencil.lay(shown, of: source, over: buffer, strength: strength) }
    for row in shown.top..<max(shown.top, shown.bottom) {
      let first = row * buffer.width + shown.left
      Blending.row(
        source.pixels + first, over: buffer.pixels + first, count: shown.width, strength: strength)
    }
  }

  /// - Returns: False if it is too large, or there is no memory.
  private func layBlurred(
    _ area: PixelRectangle, of source: PixelBuffer, through stencil: Stencil?, radius: Double,
    clip: PixelRectangle, strength: UInt16
  ) -> Bool {
    let around = area.expanded(by: GaussianBlur.margin(radius: radius))
    guard around.width * around.height <= GaussianBlur.pixelMax,
      let soft = try? PixelBuffer(width: around.width, height: around.height)
    else { return false }
    for row in area.top..<max(area.top, area.bottom) {
      let shown = source.pixels + (row * source.width + area.left)
      let target = soft.pixels + ((row - around.top) * soft.width + area.left - around.left)
      if let stencil {
        stencil.coverage(row: row, from: area.left) { coverage in
          Blending.row(shown, mask: coverage, over: target, count: area.width, strength: 255)
        }
      } else {
        target.update(from: shown, count: area.width)
      }
    }
    GaussianBlur.blur(soft, radius: radius)
    let shown = around.intersection(clip)
    for row in shown.top..<max(shown.top, shown.bottom) {
      Blending.row(
        soft.pixels + ((row - around.top) * soft.width + shown.left - around.left),
        over: buffer.pixels + (row * buffer.width + shown.left), count: shown.width,
        strength: strength)
    }
    return true
  }
}
