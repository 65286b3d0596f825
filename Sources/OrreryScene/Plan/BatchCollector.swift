// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// Gathers the entities of one kind: what moves each, where it stands, and what it looks like.
struct BatchCollector<Spec: Sendable> {
  /// Where entities stand, as the layout message has it.
  private(set) var originX: [Float] = []
  private(set) var originY: [Float] = []

  /// What they look like: indexes into the layout's sprites.
  private(set) var sprites: [UInt32] = []

  private var runs: [Specs<Spec>] = []

  /// Single entities since the last run.
  private var listed: [Spec] = []

  /// What moves each entity.
  var specs: Specs<Spec> { Specs(joining: runs + [Specs(listed)]) }

  /// Adds one entity.
  mutating func add(_ spec: Spec, x: Double, y: Double, sprite: Int) {
    listed.append(spec)
    originX.append(Float(x))
    originY.append(Float(y))
    sprites.append(UInt32(sprite))
  }

  /// Adds entities whose specs are made on demand.
  ///
  /// - Parameters:
  ///   - specs: What moves them.
  ///   - place: Gives the origin and the sprite of the entity with this number among them.
  mutating func add(
    _ specs: Specs<Spec>, place: (Int, Spec) -> (origin: (x: Float, y: Float), sprite: Int)
  ) {
    runs += [Specs(listed), specs]
    listed = []
    originX.reserveCapacity(originX.count + specs.count)
    originY.reserveCapacity(originY.count + specs.count)
    sprites.reserveCapacity(sprites.count + specs.count)
    for entity in 0..<specs.count {
      let (origin, sprite) = place(entity, specs[entity])
      originX.append(origin.x)
      originY.append(origin.y)
      sprites.append(UInt32(sprite))
    }
  }

  /// The message about these entities; what they share is written once.
  func message(kind: String, firstEntity: Int) -> Orrery_Batch {
    var batch = Orrery_Batch()
    batch.kind = kind
    batch.firstEntity = UInt32(firstEntity)
    batch.entityCount = UInt32(originX.count)
    let sharesOrigin =
      originX.allSatisfy { $0 == originX.first } && originY.allSatisfy { $0 == originY.first }
    batch.originX = sharesOrigin ? Array(originX.prefix(1)) : originX
    batch.originY = sharesOrigin ? Array(originY.prefix(1)) : originY
    let sharesSprite = sprites.allSatisfy { $0 == sprites.first }
    batch.sprites = sharesSprite ? Array(sprites.prefix(1)) : sprites
    return batch
  }
}
