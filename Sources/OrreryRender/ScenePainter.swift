// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// Draws frames of one scene into a picture that it owns.
///
/// Everything slow happens when it is made: the layout is checked, texts are shaped, sprites drawn
/// at every quarter of a pixel, and the background with its fixtures kept. Drawing a frame copies
/// that background and lays the entities over it in the order of their batches and numbers.
/// A painter belongs to one thread.
package final class ScenePainter {
  /// The longest side of a picture, in pixels.
  package static let sideLimit = 16_384

  /// Pixels in a row of the picture.
  package let width: Int

  /// Rows of the picture.
  package let height: Int

  /// Bytes from one row to the next: rows follow each other without a gap.
  package var stride: Int { width * 4 }

  /// The picture, premultiplied B, G, R, A; valid for the lifetime of this object, and changed by
  /// the next `draw`.
  package var pixels: UnsafeRawBufferPointer { buffer.bytes }

  /// The first byte of the picture.
  var pictureStart: UnsafeRawPointer { UnsafeRawPointer(buffer.pixels) }

  private let buffer: PixelBuffer
  private let background: PixelBuffer
  private let painter: SpritePainter
  private let sprites: [Sprite]
  private let batches: [Batch]

  /// By sprite; one that no dot can show has a dot that is never used.
  private let dots: [Dot]

  /// A batch of the layout; arrays have one value for all or one for each entity.
  private struct Batch {
    let count: Int
    let originX: [Float]
    let originY: [Float]
    let sprites: [UInt32]
    /// Every entity is a small disc at its origin.
    let isDots: Bool
  }

  /// Checks the layout and draws what does not move.
  ///
  /// - Parameters:
  ///   - layout: From the frame's publisher; nothing in it is trusted.
  ///   - width: Pixels, 1 to `sideLimit`.
  ///   - height: Pixels, 1 to `sideLimit`.
  /// - Throws: `RenderError`: `pictureSize`, `outOfMemory`, and whatever is wrong with the layout.
  package init(layout: Orrery_SceneLayout, width: Int, height: Int) throws(RenderError) {
    guard (1...Self.sideLimit).contains(width), (1...Self.sideLimit).contains(height) else {
      throw .pictureSize(width: width, height: height, limit: Self.sideLimit)
    }
    try LayoutCheck.check(layout)
    self.width = width
    self.height = height
    let fit = SceneFit(
      sceneWidth: layout.width, sceneHeight: layout.height, width: width, height: height)
    let buffer = try PixelBuffer(width: width, height: height)
    let painter = try SpritePainter(buffer, fit: fit)
    let maker = ElementMaker(locale: layout.locale)
    let budget = ImageBudget()
    var sprites: [Sprite] = []
    for (index, sprite) in layout.sprites.enumerated() {
      try sprites.append(
        Sprite(sprite, index: index, maker: maker, scale: fit.scale, budget: budget))
    }
    let dots = sprites.map { $0.dot(scale: fit.scale, masks: painter.masks) }
    let unused = Dot(masks: painter.masks.smallest, pixel: 0)
    self.buffer = buffer
    self.painter = painter
    self.sprites = sprites
    self.dots = dots.map { $0 ?? unused }
    batches = layout.batches.map { batch in
      Batch(
        count: Int(batch.entityCount), originX: batch.originX, originY: batch.originY,
        sprites: batch.sprites, isDots: batch.sprites.allSatisfy { dots[Int($0)] != nil })
    }
    for batch in layout.batches where batch.entityCount > 0 {
      let (movesX, movesY) = (batch.fields.contains(.x), batch.fields.contains(.y))
      for index in Set(batch.sprites) {
        sprites[Int(index)].prepare(movesX: movesX, movesY: movesY)
      }
    }
    buffer.fill(premultiplied(layout.background))
    for fixture in layout.fixtures {
      painter.drawElements(sprites[Int(fixture.sprite)], x: fixture.x, y: fixture.y)
    }
    background = try PixelBuffer(width: width, height: height)
    background.copy(from: buffer)
  }

  /// Draws a frame.
  ///
  /// - Parameter values: The values of a batch's field in the order of its entities, or nil if it
  ///   does not move and has its default. Asked for each batch and field once; what it returns must
  ///   stay valid until `draw` returns. Entities without a value in a column that is too short, and
  ///   those whose values are not numbers, are not drawn.
  package func draw(
    values: (_ batch: Int, _ field: Orrery_Field) -> UnsafeBufferPointer<Float>?
  ) {
    buffer.copy(from: background)
    for (index, batch) in batches.enumerated() where batch.count > 0 {
      let columns = Columns(count: batch.count) { values(index, $0) }
      if batch.isDots && columns.onlyMove {
        drawDots(batch, columns)
      } else {
        drawEntities(batch, columns)
      }
    }
  }

  /// The columns of one batch; nil is the default.
  private struct Columns {
    let count: Int
    let x: UnsafeBufferPointer<Float>?
    let y: UnsafeBufferPointer<Float>?
    let opacity: UnsafeBufferPointer<Float>?
    let scale: UnsafeBufferPointer<Float>?
    let rotation: UnsafeBufferPointer<Float>?

    init(count: Int, _ column: (Orrery_Field) -> UnsafeBufferPointer<Float>?) {
      (x, y) = (column(.x), column(.y))
      (opacity, scale, rotation) = (column(.opacity), column(.scale), column(.rotation))
      let counts = [x, y, opacity, scale, rotation].compactMap { $0?.count }
      self.count = min(count, counts.min() ?? count)
    }

    var onlyMove: Bool { opacity == nil && scale == nil && rotation == nil }
  }

  private func drawDots(_ batch: Batch, _ columns: Columns) {
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
            let source = DotPainter.Source(
              count: columns.count, originX: originXStart, originXShared: originX.count == 1,
              originY: originYStart, originYShared: originY.count == 1,
              x: columns.x?.baseAddress, y: columns.y?.baseAddress, sprites: spriteStart,
              spriteShared: sprites.count == 1)
            dotPainter.draw(source, dots: dotStart)
          }
        }
      }
    }
  }

  private func drawEntities(_ batch: Batch, _ columns: Columns) {
    let originXShared = batch.originX.count == 1
    let originYShared = batch.originY.count == 1
    let spriteShared = batch.sprites.count == 1
    for entity in 0..<columns.count {
      let originX = Double(batch.originX[originXShared ? 0 : entity])
      let originY = Double(batch.originY[originYShared ? 0 : entity])
      var values = EntityValues(x: originX, y: originY, originX: originX, originY: originY)
      if let x = columns.x {
        values.x += Double(x[entity])
        values.movesX = true
      }
      if let y = columns.y {
        values.y += Double(y[entity])
        values.movesY = true
      }
      if let opacity = columns.opacity { values.opacity = Double(opacity[entity]) }
      if let scale = columns.scale { values.scale = Double(scale[entity]) }
      if let rotation = columns.rotation { values.rotation = Double(rotation[entity]) }
      painter.draw(sprites[Int(batch.sprites[spriteShared ? 0 : entity])], values)
    }
  }
}
