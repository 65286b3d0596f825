// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryMessages

/// A batch of the layout; arrays have one value for all entities or one for each.
struct DrawnBatch {
  let count: Int
  let originX: [Float]
  let originY: [Float]
  let sprites: [UInt32]

  /// Some entities have parents.
  let hasParents: Bool

  /// Every entity is a small disc at its origin and has no parent.
  let isDots: Bool

  /// The batches of a layout for composing, where nothing is drawn as dots.
  static func composed(_ layout: Orrery_SceneLayout, _ ancestry: Ancestry?) -> [DrawnBatch] {
    layout.batches.enumerated().map { index, batch in
      DrawnBatch(
        count: Int(batch.entityCount), originX: batch.originX, originY: batch.originY,
        sprites: batch.sprites, hasParents: ancestry?.hasParents(batch: index) ?? false,
        isDots: false)
    }
  }

  /// The index of an entity's sprite.
  func sprite(of entity: Int) -> Int { Int(sprites[sprites.count == 1 ? 0 : entity]) }
}

/// The columns of one batch in a frame; nil: the field has its default.
struct Columns {
  /// Entities that have a value in every column.
  let count: Int

  let x: UnsafeBufferPointer<Float>?
  let y: UnsafeBufferPointer<Float>?
  let opacity: UnsafeBufferPointer<Float>?
  let scale: UnsafeBufferPointer<Float>?
  let rotation: UnsafeBufferPointer<Float>?
  let blur: UnsafeBufferPointer<Float>?

  /// - Parameters:
  ///   - count: Count of entities in the batch.
  ///   - column: Returns the values of a field.
  init(count: Int, _ column: (Orrery_Field) -> UnsafeBufferPointer<Float>?) {
    (x, y) = (column(.x), column(.y))
    (opacity, scale, rotation) = (column(.opacity), column(.scale), column(.rotation))
    blur = column(.blur)
    let counts = [x, y, opacity, scale, rotation, blur].compactMap { $0?.count }
    self.count = min(count, counts.min() ?? count)
  }

  /// Whether only positions change.
  var onlyMove: Bool { opacity == nil && blur == nil && !rotatesOrScales }

  /// Whether rotation or scale changes.
  var rotatesOrScales: Bool { scale != nil || rotation != nil }

  /// An entity's own values.
  ///
  /// - Returns: Nil if it is invisible, or if a column has no value for it.
  @inline(__always)
  func values(of entity: Int, in batch: DrawnBatch) -> EntityValues? {
    guard entity < count else { return nil }
    if let opacity, !(opacity[entity] > 0) { return nil }
    return anyValues(of: entity, in: batch)
  }

  /// An entity's own values, visible or not.
  ///
  /// - Precondition: `entity` < `count`.
  @inline(__always)
  func anyValues(of entity: Int, in batch: DrawnBatch) -> EntityValues {
    var values = EntityValues(
      originX: Double(batch.originX[batch.originX.count == 1 ? 0 : entity]),
      originY: Double(batch.originY[batch.originY.count == 1 ? 0 : entity]))
    if let x {
      values.transform.x += Double(x[entity])
      values.movesX = true
    }
    if let y {
      values.transform.y += Double(y[entity])
      values.movesY = true
    }
    if let opacity { values.opacity = Double(opacity[entity]) }
    if let scale { values.transform.xx = Double(scale[entity]) }
    if let rotation, rotation[entity] != 0 {
      let (angle, scale) = (Double(rotation[entity]), values.transform.xx)
      (values.transform.xx, values.transform.yx) = (scale * cos(angle), scale * sin(angle))
    }
    if let blur { values.blur = Double(blur[entity]) }
    return values
  }
}
