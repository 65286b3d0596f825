// SPDX-License-Identifier: Apache-2.0

import CDots
import OrreryMessages

/// Draws frames of one scene into a picture that it owns.
///
/// Its initializer does everything slow: it checks the layout, shapes texts, draws sprites at every
/// quarter of a pixel, and keeps the background with its fixtures. Drawing a frame copies that
/// background and draws the entities over it in the order of their batches and numbers. A painter
/// belongs to one thread, which starts others for a picture of many dots.
package final class ScenePainter: FramePainter {
  /// The longest side of a picture, in pixels.
  package static let sideMax = 16_384

  /// Pixels in a row of the picture.
  package let width: Int

  /// Rows of the picture.
  package let height: Int

  /// Bytes from one row to the next: rows follow each other without a gap.
  package var stride: Int { width * 4 }

  /// The picture, premultiplied B, G, R, A; valid for the lifetime of this object, and changed by
  /// the next `draw`.
  package var pixels: UnsafeRawBufferPointer { buffer.bytes }

  /// The picture itself.
  package var picture: PixelBuffer { buffer }

  /// What every frame is drawn on: the background with its fixtures.
  package let background: PixelBuffer

  private let buffer: PixelBuffer
  private let threadCount: Int?
  private let painter: SpritePainter
  private let sprites: [Sprite]
  private let batches: [DrawnBatch]

  /// Nil if no entity has a parent.
  private let ancestry: Ancestry?

  /// Dots by sprite; a sprite that is no dot has a dot that is never used.
  private let dots: [dots_dot]

  /// Checks the layout and draws the background.
  ///
  /// - Parameters:
  ///   - layout: The layout from the publisher; nothing in it is trusted.
  ///   - width: Pixels, 1 to `sideMax`.
  ///   - height: Pixels, 1 to `sideMax`.
  ///   - threadCount: Threads that draw many dots, which does not change the picture; nil: as many as
  ///     are worth it.
  /// - Throws: `RenderError`: `pictureSize`, `outOfMemory`, or a fault of the layout.
  package init(
    layout: Orrery_SceneLayout, width: Int, height: Int, threadCount: Int? = nil
  ) throws(RenderError) {
    guard (1...Self.sideMax).contains(width), (1...Self.sideMax).contains(height) else {
      throw .pictureSize(width: width, height: height, limit: Self.sideMax)
    }
    try LayoutCheck.check(layout)
    self.width = width
    self.height = height
    let fit = SceneFit(
      sceneWidth: layout.width, sceneHeight: layout.height, width: width, height: height)
    let buffer = try PixelBuffer(width: width, height: height)
    let maker = ElementMaker(layout)
    let budget = ImageBudget()
    var sprites: [Sprite] = []
    for (index, sprite) in layout.sprites.enumerated() {
      try sprites.append(
        Sprite(sprite, index: index, maker: maker, scale: fit.scale, budget: budget))
    }
    let ancestry = try Ancestry(layout)
    let changesWhole =
      ancestry != nil || layout.batches.contains { $0.fields.contains(.blur) }
    let painter = try SpritePainter(
      buffer, fit: fit,
      needsLayer: sprites.contains {
        $0.mask != nil || changesWhole && ($0.clip != nil || $0.tiling.repeats)
      })
    let dots = sprites.map { $0.dot(scale: fit.scale, masks: painter.masks) }
    let unused = painter.masks.smallest.dot(0)
    self.buffer = buffer
    self.threadCount = threadCount
    self.painter = painter
    self.sprites = sprites
    self.ancestry = ancestry
    self.dots = dots.map { $0 ?? unused }
    batches = layout.batches.enumerated().map { index, batch in
      let hasParents = ancestry?.hasParents(batch: index) ?? false
      return DrawnBatch(
        count: Int(batch.entityCount), originX: batch.originX, originY: batch.originY,
        sprites: batch.sprites, hasParents: hasParents,
        // The sprites of a batch without entities were not checked.
        isDots: !hasParents && batch.entityCount > 0
          && batch.sprites.allSatisfy { dots[Int($0)] != nil })
    }
    buffer.fill(premultiplied(layout.background))
    for fixture in layout.fixtures {
      painter.drawElements(sprites[Int(fixture.sprite)], x: fixture.x, y: fixture.y)
    }
    background = try PixelBuffer(width: width, height: height)
    background.copy(from: buffer)
    drawImages(layout)
  }

  /// Draws the images that the batches will need, so that frames do not wait for them.
  private func drawImages(_ layout: Orrery_SceneLayout) {
    let parentsMove =
      ancestry?.parents.contains { parent in
        layout.batches[parent.batch].fields.contains { $0 != .opacity && $0 != .blur }
      } ?? false
    for (index, batch) in layout.batches.enumerated() where batch.entityCount > 0 {
      let isMovedByParents = parentsMove && batches[index].hasParents
      for sprite in Set(batch.sprites) {
        sprites[Int(sprite)].drawImages(
          movesX: isMovedByParents || batch.fields.contains(.x),
          movesY: isMovedByParents || batch.fields.contains(.y))
      }
    }
  }

  /// Draws a frame.
  ///
  /// Skips an entity if a column is too short for it, if a value is not a number, or if one of its
  /// ancestors is not drawn.
  ///
  /// - Parameter values: Returns the values of a batch's field in the order of its entities, or nil
  ///   if the field has its default. Called once for each batch and field; the memory must stay
  ///   valid until `draw` returns.
  package func draw(
    values: (_ batch: Int, _ field: Orrery_Field) -> UnsafeBufferPointer<Float>?
  ) {
    buffer.copy(from: background)
    let columns = batches.enumerated().map { index, batch in
      Columns(count: batch.count) { batch.count == 0 ? nil : values(index, $0) }
    }
    ancestry?.evaluate { batch, entity in
      let columns = columns[batch]
      return columns.values(of: entity, in: batches[batch]).map { ($0, columns.rotatesOrScales) }
    }
    for (index, batch) in batches.enumerated() {
      let columns = columns[index]
      if batch.isDots && columns.onlyMove {
        drawDots(batch, columns)
      } else if batch.hasParents, let ancestry {
        drawChildren(index, columns, ancestry)
      } else {
        drawEntities(batch, columns)
      }
    }
  }

  private func drawDots(_ batch: DrawnBatch, _ columns: Columns) {
    let dotPainter = DotPainter(
      buffer: buffer, area: painter.fit.area, scale: Float(painter.fit.scale),
      left: Float(painter.fit.left), top: Float(painter.fit.top))
    batch.originX.withUnsafeBufferPointer { originX in
      batch.originY.withUnsafeBufferPointer { originY in
        batch.sprites.withUnsafeBufferPointer { sprites in
          dots.withUnsafeBufferPointer { dots in
            guard let originXStart = originX.baseAddress, let originYStart = originY.baseAddress,
              let spriteStart = sprites.baseAddress, let dotStart = dots.baseAddress
            else { return }
            let entities = dots_batch(
              origin_x: originXStart, origin_y: originYStart, x: columns.x?.baseAddress,
              y: columns.y?.baseAddress, sprites: spriteStart, dots: dotStart,
              origin_x_is_shared: originX.count == 1, origin_y_is_shared: originY.count == 1,
              sprites_are_shared: sprites.count == 1)
            dotPainter.draw(
              entities, count: columns.count,
              threadCount: threadCount ?? dotPainter.threadCount(dots: columns.count))
          }
        }
      }
    }
  }

  private func drawEntities(_ batch: DrawnBatch, _ columns: Columns) {
    for entity in 0..<columns.count {
      guard let values = columns.values(of: entity, in: batch) else { continue }
      painter.draw(sprites[batch.sprite(of: entity)], values)
    }
  }

  private func drawChildren(_ index: Int, _ columns: Columns, _ ancestry: Ancestry) {
    let batch = batches[index]
    for entity in 0..<columns.count {
      let inherited = ancestry.inherited(batch: index, entity: entity)
      if let inherited, inherited.opacity == 0 { continue }
      guard var values = columns.values(of: entity, in: batch) else { continue }
      if let inherited { values.apply(inherited) }
      painter.draw(sprites[batch.sprite(of: entity)], values)
    }
  }
}
