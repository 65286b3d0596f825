// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An entity's values in one frame.
struct EntityValues {
  /// Origin plus translation, in points.
  var x: Double
  var y: Double

  /// Origin alone, in points: where the clip stands.
  var originX: Double
  var originY: Double

  /// Whether x or y change from frame to frame.
  var movesX = false
  var movesY = false

  var opacity = 1.0
  var scale = 1.0

  /// Radians, clockwise.
  var rotation = 0.0

  /// Whether it can be seen at all and every number is one.
  var isDrawable: Bool {
    // A sum is finite only if every part is.
    (x + y + scale + rotation).isFinite && opacity > 0 && scale != 0
  }
}

/// Draws one entity after another by the fastest way that is right for it.
final class SpritePainter {
  /// The picture.
  let buffer: PixelBuffer

  /// How points lie on pixels.
  let fit: SceneFit

  /// Masks of small discs.
  let masks = DotMaskCache()

  private let imagePainter: ImagePainter

  /// Positions beyond are not in any picture, and their numbers would not fit.
  private static let positionLimit = 1e9

  /// Below this period, in pixels, a row is not worth an image of its own.
  private static let rowPeriodLeast = 0.25

  /// - Throws: `outOfMemory`.
  init(_ buffer: PixelBuffer, fit: SceneFit) throws(RenderError) {
    self.buffer = buffer
    self.fit = fit
    imagePainter = try ImagePainter(buffer)
  }

  /// Draws a sprite with an entity's values; nothing if they are not numbers or not in the picture.
  func draw(_ sprite: Sprite, _ values: EntityValues) {
    guard let bounds = sprite.bounds, values.isDrawable else { return }
    let strength = UInt16((min(values.opacity, 1) * 255).rounded())
    let clip = clip(of: sprite, values)
    let x = fit.left + values.x * fit.scale
    let y = fit.top + values.y * fit.scale
    guard strength > 0, !clip.isEmpty, abs(x) < Self.positionLimit, abs(y) < Self.positionLimit
    else { return }
    let zoom = values.scale * fit.scale
    // Larger ones cover the picture or nothing; which, is beyond the numbers that Cairo has.
    guard bounds.reach * abs(zoom) <= Sprite.reachLimit else { return }
    let placement = Placement(
      xx: zoom * (values.rotation == 0 ? 1 : cos(values.rotation)),
      yx: zoom * (values.rotation == 0 ? 0 : sin(values.rotation)), x: x, y: y)
    if let disc = sprite.disc {
      draw(disc, placement, zoom: abs(zoom), strength: strength, clip: clip)
      return
    }
    guard let images = sprite.images else { return }
    let isPlain = values.scale == 1 && values.rotation == 0
    if isPlain && drawPlain(sprite, images, values, x, y, clip, strength) { return }
    if !isPlain && sprite.tilePeriod == 0
      && TurnedPainter.draw(
        images, bounds: bounds, placement, pixelsPerPoint: fit.scale, into: buffer, clip: clip,
        strength: UInt32(strength))
    {
      return
    }
    drawElements(sprite, placement, clip: clip, opacity: Double(strength) / 255)
  }

  /// Draws a sprite's elements with Cairo, at exactly this place.
  func drawElements(_ sprite: Sprite, x: Double, y: Double) {
    let values = EntityValues(x: x, y: y, originX: x, originY: y)
    let placement = Placement(
      xx: fit.scale, yx: 0, x: fit.left + x * fit.scale, y: fit.top + y * fit.scale)
    guard abs(placement.x) < Self.positionLimit, abs(placement.y) < Self.positionLimit else {
      return
    }
    drawElements(sprite, placement, clip: clip(of: sprite, values), opacity: 1)
  }

  private func clip(of sprite: Sprite, _ values: EntityValues) -> PixelRectangle {
    guard let clip = sprite.clip else { return fit.area }
    return clip.moved(x: values.originX, y: values.originY).scaled(by: fit.scale)
      .moved(x: fit.left, y: fit.top).rounded.intersection(fit.area)
  }

  private func draw(
    _ disc: Sprite.Disc, _ placement: Placement, zoom: Double, strength: UInt16,
    clip: PixelRectangle
  ) {
    let x = placement.x + placement.xx * disc.x - placement.yx * disc.y
    let y = placement.y + placement.yx * disc.x + placement.xx * disc.y
    let radius = disc.radius * zoom
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
    _ sprite: Sprite, _ images: SpriteImages, _ values: EntityValues, _ x: Double, _ y: Double,
    _ clip: PixelRectangle, _ strength: UInt16
  ) -> Bool {
    let placeY = SubPixel(position: y, moves: values.movesY)
    let period = sprite.tilePeriod * fit.scale
    if period == 0 {
      let placeX = SubPixel(position: x, moves: values.movesX)
      return imagePainter.draw(images, x: placeX, y: placeY, clip: clip, strength: strength)
    }
    guard period >= Self.rowPeriodLeast else { return false }
    return imagePainter.drawRow(
      images, x: x, moves: values.movesX, period: period, y: placeY, clip: clip,
      strength: strength)
  }

  private func drawElements(
    _ sprite: Sprite, _ placement: Placement, clip: PixelRectangle, opacity: Double
  ) {
    guard let bounds = sprite.bounds, !clip.isEmpty,
      sprite.tilePeriod > 0
        || !placement.bounds(of: bounds).roundedOut.intersection(clip).isEmpty,
      let canvas = try? Canvas(buffer, columns: 0..<buffer.width)
    else { return }
    canvas.clip(clip)
    let part = Bounds(
      left: Double(clip.left), top: Double(clip.top), right: Double(clip.right),
      bottom: Double(clip.bottom))
    canvas.group(opacity: opacity) {
      ElementPainter.draw(
        sprite.elements, bounds: bounds, tilePeriod: sprite.tilePeriod, placement, on: canvas,
        part: part)
    }
  }
}
