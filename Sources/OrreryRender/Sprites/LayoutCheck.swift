// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// Refuses layouts that cannot be drawn, so that drawing needs no checks.
enum LayoutCheck {
  /// Entities of one batch: a quarter of what 32-bit entity numbers could count.
  static let entityMax = 1 << 30

  /// Colours of a gradient; more make no visible difference in most pictures.
  static let colorMax = 256

  /// Points; wider than any scene.
  static let tilePeriodMax = 1e9

  /// Checks everything that does not depend on the size of the picture.
  static func check(_ layout: Orrery_SceneLayout) throws(RenderError) {
    let sides = 0.001...1e7
    guard sides.contains(layout.width), sides.contains(layout.height) else {
      throw .sceneSize(width: layout.width, height: layout.height)
    }
    for (index, sprite) in layout.sprites.enumerated() {
      try check(sprite, index, imageCount: layout.images.count)
    }
    let spriteCount = layout.sprites.count
    for (index, batch) in layout.batches.enumerated() {
      try check(batch, index, spriteCount: spriteCount)
    }
    for (index, fixture) in layout.fixtures.enumerated() {
      guard fixture.sprite < spriteCount else {
        throw .fixtureSprite(fixture: index, sprite: Int(fixture.sprite), count: spriteCount)
      }
      for (part, value) in [(LayoutPart.positionX, fixture.x), (.positionY, fixture.y)]
      where !value.isFinite {
        throw .fixtureNotFinite(fixture: index, part: part, value: value)
      }
    }
  }

  private static func check(
    _ batch: Orrery_Batch, _ index: Int, spriteCount: Int
  ) throws(RenderError) {
    let count = Int(batch.entityCount)
    guard count <= entityMax else {
      throw .entityCount(batch: index, count: count, limit: entityMax)
    }
    if count == 0 { return }
    let parts: [(LayoutPart, Int)] = [
      (.originX, batch.originX.count), (.originY, batch.originY.count),
      (.sprites, batch.sprites.count),
    ]
    for (part, found) in parts where found != 1 && found != count {
      throw .valueCount(batch: index, part: part, found: found, entities: count)
    }
    let parentCount = batch.parents.count
    guard parentCount <= 1 || parentCount == count else {
      throw .valueCount(batch: index, part: .parents, found: parentCount, entities: count)
    }
    for (part, values) in [(LayoutPart.originX, batch.originX), (.originY, batch.originY)] {
      if let entity = values.firstIndex(where: { !$0.isFinite }) {
        throw .originNotFinite(batch: index, entity: entity, part: part, value: values[entity])
      }
    }
    if let entity = batch.sprites.firstIndex(where: { $0 >= spriteCount }) {
      throw .entitySprite(
        batch: index, entity: entity, sprite: Int(batch.sprites[entity]), count: spriteCount)
    }
  }

  private static func check(
    _ sprite: Orrery_Sprite, _ index: Int, imageCount: Int
  ) throws(RenderError) {
    for (part, period) in [
      (LayoutPart.tilePeriod, sprite.tilePeriod), (.tilePeriodY, sprite.tilePeriodY),
    ] where !(period >= 0 && period <= tilePeriodMax) {
      throw .spriteValue(sprite: index, part: part, value: period)
    }
    var positions: [(LayoutPart, Double)] = []
    var sizes: [(LayoutPart, Double)] = []
    if sprite.hasClip {
      positions += [(.clipX, sprite.clip.x), (.clipY, sprite.clip.y)]
      sizes += [(.clipWidth, sprite.clip.width), (.clipHeight, sprite.clip.height)]
    }
    if sprite.hasMask {
      positions += [(.maskX, sprite.mask.x), (.maskY, sprite.mask.y)]
      sizes += [(.maskWidth, sprite.mask.text.width), (.maskHeight, sprite.mask.text.height)]
    }
    for (part, value) in positions where !value.isFinite {
      throw .spriteValue(sprite: index, part: part, value: value)
    }
    for (part, value) in sizes where !(value.isFinite && value >= 0) {
      throw .spriteValue(sprite: index, part: part, value: value)
    }
    for (number, element) in sprite.elements.enumerated() {
      try check(element, index, number, imageCount: imageCount)
    }
  }

  private static func check(
    _ element: Orrery_Element, _ sprite: Int, _ number: Int, imageCount: Int
  ) throws(RenderError) {
    var positions = [(LayoutPart.positionX, element.x), (.positionY, element.y)]
    let sizes: [(LayoutPart, Double)]
    switch element.content {
    case .text(let text): sizes = [(.width, text.width), (.height, text.height)]
    case .disc(let disc): sizes = [(.radius, disc.radius)]
    case .box(let box):
      sizes = [(.width, box.width), (.height, box.height), (.cornerRadius, box.cornerRadius)]
    case .image(let image):
      guard image.image < imageCount else {
        throw .elementImage(
          sprite: sprite, element: number, image: Int(image.image), count: imageCount)
      }
      sizes = [(.width, image.width), (.height, image.height)]
    case .gradient(let gradient):
      guard (1...colorMax).contains(gradient.colors.count) else {
        throw .colorCount(
          sprite: sprite, element: number, count: gradient.colors.count, limit: colorMax)
      }
      positions.append((.angle, gradient.angle))
      sizes = [(.width, gradient.width), (.height, gradient.height)]
    case nil: throw .elementEmpty(sprite: sprite, element: number)
    }
    for (part, value) in positions where !value.isFinite {
      throw .elementValue(sprite: sprite, element: number, part: part, value: value)
    }
    for (part, value) in sizes where !(value.isFinite && value >= 0) {
      throw .elementValue(sprite: sprite, element: number, part: part, value: value)
    }
  }
}
