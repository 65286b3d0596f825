// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// Collects the entities of one batch: spec, origin and sprite of each.
struct BatchCollector<Spec: Sendable> {
  /// Origins of the entities, as in the layout message.
  private(set) var originX: [Float] = []
  private(set) var originY: [Float] = []

  /// Sprites of the entities: indexes into the layout's sprites.
  private(set) var sprites: [UInt32] = []

  /// Index, plus 1, of each entity's parent view; 0 and missing elements mean no parent.
  private var parents: [UInt32] = []

  private var runs: [Specs<Spec>] = []

  /// Single entities since the last run.
  private var listed: [Spec] = []

  /// The spec of each entity.
  var specs: Specs<Spec> { Specs(joining: runs + [Specs(listed)]) }

  /// Number of entities so far.
  var count: Int { sprites.count }

  /// Adds one entity.
  ///
  /// - Parameters:
  ///   - spec: Its motion.
  ///   - x: Its origin, in points.
  ///   - y: Its origin, in points.
  ///   - sprite: Index into the layout's sprites.
  ///   - parent: Index of the view that it moves with.
  mutating func add(_ spec: Spec, x: Double, y: Double, sprite: Int, parent: Int? = nil) {
    if let parent {
      parents += [UInt32](repeating: 0, count: count - parents.count)
      parents.append(UInt32(parent + 1))
    }
    listed.append(spec)
    originX.append(Float(x))
    originY.append(Float(y))
    sprites.append(UInt32(sprite))
  }

  /// Adds entities whose specs are made on demand.
  ///
  /// - Parameters:
  ///   - specs: Their motions.
  ///   - layout: Returns origin and sprite of one entity, from its index in `specs` and its spec.
  mutating func add(
    _ specs: Specs<Spec>, layout: (Int, Spec) -> (origin: (x: Float, y: Float), sprite: Int)
  ) {
    runs += [Specs(listed), specs]
    listed = []
    originX.reserveCapacity(originX.count + specs.count)
    originY.reserveCapacity(originY.count + specs.count)
    sprites.reserveCapacity(sprites.count + specs.count)
    var runs = specs.runs(of: Self.runLength)
    while let (first, specs) = runs.next() {
      for (index, spec) in specs.enumerated() {
        let (origin, sprite) = layout(first + index, spec)
        originX.append(origin.x)
        originY.append(origin.y)
        sprites.append(UInt32(sprite))
      }
    }
  }

  /// Specs made at a time: few enough to stay in the cache.
  private static var runLength: Int { 512 }

  /// The layout message of this batch; a value that all entities share is written once.
  ///
  /// - Parameters:
  ///   - kind: Name of the batch's kind.
  ///   - firstEntity: Number of the batch's first entity.
  ///   - firstView: Entity number of the scene's first view.
  /// - Returns: The message.
  func message(kind: String, firstEntity: Int, firstView: Int) -> Orrery_Batch {
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
    if !parents.isEmpty {
      let all = parents + [UInt32](repeating: 0, count: count - parents.count)
      let numbers = all.map { $0 == 0 ? 0 : $0 + UInt32(firstView) }
      batch.parents = Set(numbers).count == 1 ? Array(numbers.prefix(1)) : numbers
    }
    return batch
  }
}
