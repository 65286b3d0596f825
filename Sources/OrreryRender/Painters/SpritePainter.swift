// SPDX-License-Identifier: Apache-2.0

import CDots

/// Draws entities one by one, each by the fastest method that is right for it.
final class SpritePainter {
  /// The picture.
  let buffer: PixelBuffer

  /// Maps the scene's points to pixels.
  let fit: SceneFit

  /// Masks of small discs.
  let masks: DotMaskCache

  private let imagePainter: ImagePainter
  private let blurs: BlurCache
  private let stencils = StencilCache()

  /// Draws sprites into a picture of its own, to which a stencil or a blur of the whole is then applied; nil
  /// if no sprite needs it.
  private let layer: SpritePainter?

  /// Pixels; positions beyond are outside of every picture, and would overflow.
  private static let positionMax = 1e9

  /// Pixels; a row with a smaller period is drawn without an image of its own.
  private static let rowPeriodMin = 0.25

  /// - Parameters:
  ///   - buffer: The picture.
  ///   - fit: Maps points to its pixels.
  ///   - needsLayer: Whether a sprite may have to be drawn into a picture of its own.
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

  /// Draws a sprite with an entity's values, unless they are not finite or outside the picture.
  func draw(_ sprite: Sprite, _ values: EntityValues) {
    guard values.isDrawable, let bounds = sprite.bounds else { return }
    let strength = UInt16((min(values.opacity, 1) * 255).rounded())
    let clip = clip(of: sprite, values)
    let transform = fit.transform.after(values.transform)
    guard strength > 0, !clip.isEmpty, Self.isNear(transform),
      // A larger sprite covers the whole picture or none of it, but Cairo's numbers overflow.
      bounds.reach * transform.scale <= Sprite.reachMax
    else { return }
    if sprite.mask != nil
      || sprite.clip != nil && (values.restTransform.yx != 0 || values.inheritedBlur > 0)
    {
      drawThroughStencil(sprite, values, clip: clip, strength: strength)
    } else {
      draw(sprite, values, transform, clip: clip, strength: strength)
    }
  }

  /// Draws a sprite's elements with Cairo, at exactly this position.
  func drawElements(_ sprite: Sprite, x: Double, y: Double) {
    let values = EntityValues(originX: x, originY: y)
    if sprite.mask != nil { return draw(sprite, values) }
    let transform = fit.transform.after(values.transform)
    guard Self.isNear(transform) else { return }
    drawElements(sprite, transform, clip: clip(of: sprite, values), opacity: 1)
  }

  private static func isNear(_ transform: SimilarityTransform) -> Bool {
    abs(transform.x) < positionMax && abs(transform.y) < positionMax
  }

  /// The visible area of a sprite, if its clip is not rotated; otherwise the scene's area.
  private func clip(of sprite: Sprite, _ values: EntityValues) -> PixelRectangle {
    guard let clip = sprite.clip, values.restTransform.yx == 0 else { return fit.area }
    return fit.transform.after(values.restTransform).bounds(of: clip).rounded.intersection(fit.area)
  }

  /// Draws a sprite without its mask, by the fastest method that is right for it.
  private func draw(
    _ sprite: Sprite, _ values: EntityValues, _ transform: SimilarityTransform,
    clip: PixelRectangle, strength: UInt16
  ) {
    if let disc = sprite.disc, !(values.blur > 0) {
      return draw(disc, transform, strength: strength, clip: clip)
    }
    var images = sprite.images
    if values.blur * fit.scale >= BlurCache.radiusMin {
      // In the picture, the radius does not depend on the sprite's own scale.
      let radius = values.blur * fit.scale / values.transform.scale
      if radius >= BlurCache.radiusMin {
        images = blurs.images(sprite, radius: radius, scale: fit.scale)
      }
    }
    if let disc = sprite.disc, images == nil {
      return draw(disc, transform, strength: strength, clip: clip)
    }
    guard let images else { return }
    let isTranslation = values.transform.isTranslation
    if let box = sprite.box, !isTranslation, !images.isBlurred {
      return BoxPainter.draw(
        box, transform, pixel: Self.weakened(box.pixel, strength), into: buffer, clip: clip)
    }
    if isTranslation, sprite.tiling.repeats || !images.isBlurred {
      if drawPlain(sprite, images, values, transform, clip, strength) { return }
    } else if !sprite.tiling.repeats {
      let isDrawn = TransformedPainter.draw(
        images, transform, pixelsPerPoint: fit.scale, into: buffer, clip: clip,
        strength: UInt32(strength))
      if isDrawn { return }
    } else if images.isBlurred, let layer {
      let radius = min(values.blur * fit.scale, BlurCache.radiusMax)
      let area = clip.expanded(by: GaussianBlur.margin(radius: radius)).intersection(fit.area)
      layer.clear(area)
      layer.drawElements(sprite, transform, clip: area, opacity: 1)
      return composite(
        area, of: layer.buffer, through: nil, radius: radius, clip: clip, strength: strength)
    }
    drawElements(sprite, transform, clip: clip, opacity: Double(strength) / 255)
  }

  private func draw(
    _ disc: Sprite.Disc, _ transform: SimilarityTransform, strength: UInt16, clip: PixelRectangle
  ) {
    let x = transform.x + transform.xx * disc.x - transform.yx * disc.y
    let y = transform.y + transform.yx * disc.x + transform.xx * disc.y
    let radius = disc.radius * transform.scale
    let box = Bounds(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius)
    guard !box.roundedOut.intersection(clip).isEmpty else { return }
    let pixel = Self.weakened(disc.pixel, strength)
    guard let masks = masks.masks(radius: radius) else {
      return DiscPainter.draw(
        x: x, y: y, radius: radius, pixel: pixel, into: buffer, clip: clip)
    }
    let sixteenths = Double(DotMasks.phases)
    withUnsafePointer(to: masks.dot(pixel)) { dot in
      withUnsafePointer(to: dots_area(buffer, clip)) { area in
        dots_draw_one(
          dot, Int32(((x - DotMasks.lead) * sixteenths).rounded()),
          Int32(((y - DotMasks.lead) * sixteenths).rounded()), area)
      }
    }
  }

  /// A premultiplied pixel, multiplied by `strength` / 255.
  private static func weakened(_ pixel: UInt32, _ strength: UInt16) -> UInt32 {
    strength == 255 ? pixel : Blending.over(pixel, strength: UInt32(strength), 0)
  }

  /// - Returns: False if the sprite's images do not fit into memory.
  private func drawPlain(
    _ sprite: Sprite, _ images: SpriteImages, _ values: EntityValues,
    _ transform: SimilarityTransform, _ clip: PixelRectangle, _ strength: UInt16
  ) -> Bool {
    if !sprite.tiling.repeats {
      return imagePainter.draw(
        images, x: SubPixel(position: transform.x, moves: values.movesX),
        y: SubPixel(position: transform.y, moves: values.movesY), clip: clip, strength: strength)
    }
    let x = ImagePainter.Axis(
      position: transform.x, moves: values.movesX, period: sprite.tiling.x * fit.scale)
    let y = ImagePainter.Axis(
      position: transform.y, moves: values.movesY, period: sprite.tiling.y * fit.scale)
    for period in [x.period, y.period] where period > 0 && period < Self.rowPeriodMin {
      return false
    }
    return imagePainter.drawTiles(images, x: x, y: y, clip: clip, strength: strength)
  }

  private func drawElements(
    _ sprite: Sprite, _ transform: SimilarityTransform, clip: PixelRectangle, opacity: Double
  ) {
    guard let bounds = sprite.bounds, !clip.isEmpty,
      sprite.tiling.repeats
        || !transform.bounds(of: bounds).roundedOut.intersection(clip).isEmpty,
      let canvas = try? Canvas(buffer, columns: 0..<buffer.width)
    else { return }
    canvas.clip(clip)
    let part = Bounds(
      left: Double(clip.left), top: Double(clip.top), right: Double(clip.right),
      bottom: Double(clip.bottom))
    canvas.group(opacity: opacity) {
      ElementPainter.draw(
        sprite.elements, bounds: bounds, tiling: sprite.tiling, transform, on: canvas,
        part: part)
    }
  }
}

// MARK: - Stencils and blurs of the whole

extension SpritePainter {
  /// Draws a sprite through its mask or rotated clip, then blurs the result by its parents' blur.
  private func drawThroughStencil(
    _ sprite: Sprite, _ values: EntityValues, clip: PixelRectangle, strength: UInt16
  ) {
    guard let layer else { return }
    var area = clip
    var stencil: Stencil?
    if sprite.mask != nil || values.restTransform.yx != 0 {
      let rest = fit.transform.after(values.restTransform)
      let reach = sprite.mask?.glyphs?.bounds.reach ?? 0
      guard Self.isNear(rest), reach * rest.scale <= Sprite.reachMax,
        let found = stencils.stencil(sprite, rest, in: fit.area)
      else { return }
      stencil = found
      area = found.area.intersection(clip)
    }
    if area.isEmpty { return }
    var own = values
    own.blur -= values.inheritedBlur
    layer.clear(area)
    layer.draw(sprite, own, fit.transform.after(values.transform), clip: area, strength: 255)
    composite(
      area, of: layer.buffer, through: stencil, radius: values.inheritedBlur * fit.scale,
      clip: fit.area, strength: strength)
  }

  /// Makes a part of the layer transparent.
  private func clear(_ area: PixelRectangle) {
    for row in area.top..<max(area.top, area.bottom) {
      (buffer.pixels + (row * buffer.width + area.left)).update(repeating: 0, count: area.width)
    }
  }

  /// Composites a part of a buffer over the picture, through a stencil; blurred, unless it is too
  /// large for that.
  ///
  /// The buffer has the picture's size.
  private func composite(
    _ area: PixelRectangle, of source: PixelBuffer, through stencil: Stencil?, radius: Double,
    clip: PixelRectangle, strength: UInt16
  ) {
    if radius >= BlurCache.radiusMin,
      compositeBlurred(
        area, of: source, through: stencil, radius: min(radius, BlurCache.radiusMax), clip: clip,
        strength: strength)
    {
      return
    }
    let shown = area.intersection(clip)
    if let stencil { return stencil.composite(shown, of: source, over: buffer, strength: strength) }
    for row in shown.top..<max(shown.top, shown.bottom) {
      let first = row * buffer.width + shown.left
      Blending.row(
        source.pixels + first, over: buffer.pixels + first, count: shown.width, strength: strength)
    }
  }

  /// - Returns: False if the part is too large, or there is no memory.
  private func compositeBlurred(
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
