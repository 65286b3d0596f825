// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// Refuses layouts that cannot be drawn, so that drawing need not look again.
enum LayoutCheck {
  /// Entities of one batch: a quarter of what a batch's numbers could name.
  static let entityLimit = 1 << 30

  /// Points; no scene is as wide.
  static let tilePeriodLimit = 1e9

  /// Checks everything but what depends on the size of the picture.
  static func check(_ layout: Orrery_SceneLayout) throws(RenderError) {
    let sides = 0.001...1e7
    guard sides.contains(layout.width), sides.contains(layout.height) else {
      throw .sceneSize(width: layout.width, height: layout.height)
    }
    for (index, sprite) in layout.sprites.enumerated() { try check(sprite, index) }
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
    guard count <= entityLimit else {
      throw .entityCount(batch: index, count: count, limit: entityLimit)
    }
    if count == 0 { return }
    let parts: [(LayoutPart, Int)] = [
      (.originX, batch.originX.count), (.originY, batch.originY.count),
      (.sprites, batch.sprites.count),
    ]
    for (part, found) in parts where found != 1 && found != count {
      throw .valueCount(batch: index, part: part, found: found, entities: count)
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

  private static func check(_ sprite: Orrery_Sprite, _ index: Int) throws(RenderError) {
    guard sprite.tilePeriod >= 0, sprite.tilePeriod <= tilePeriodLimit else {
      throw .spriteValue(sprite: index, part: .tilePeriod, value: sprite.tilePeriod)
    }
    if sprite.hasClip {
      let clip = sprite.clip
      for (part, value) in [(LayoutPart.clipX, clip.x), (.clipY, clip.y)] where !value.isFinite {
        throw .spriteValue(sprite: index, part: part, value: value)
      }
      let sizes = [(LayoutPart.clipWidth, clip.width), (.clipHeight, clip.height)]
      for (part, value) in sizes where !(value.isFinite && value >= 0) {
        throw .spriteValue(sprite: index, part: part, value: value)
      }
    }
    for (number, element) in sprite.elements.enumerated() { try check(element, index, number) }
  }

  private static func check(
    _ element: Orrery_Element, _ sprite: Int, _ number: Int
  ) throws(RenderError) {
    for (part, value) in [(LayoutPart.positionX, element.x), (.positionY, element.y)]
    where !value.isFinite {
      throw .elementValue(sprite: sprite, element: number, part: part, value: value)
    }
    let sizes: [(LayoutPart, Double)]
    switch element.content {
    case .text(let text): sizes = [(.width, text.width), (.height, text.height)]
    case .disc(let disc): sizes = [(.radius, disc.radius)]
    case .box(let box):
      sizes = [(.width, box.width), (.height, box.height), (.cornerRadius, box.cornerRadius)]
    case nil: throw .elementEmpty(sprite: sprite, element: number)
    }
    for (part, value) in sizes where !(value.isFinite && value >= 0) {
      throw .elementValue(sprite: sprite, element: number, part: part, value: value)
    }
  }
}
