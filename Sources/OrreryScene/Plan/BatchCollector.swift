// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrrerySceneBuilder

/// Collects the entities of one batch: spec, origin and sprite of each.
///
/// Access is not checked at run time, because a field adds millions of entities in one loop.
final class BatchCollector<Spec: Sendable>: AnyBatchCollector {
  /// The property that the batch moves, if scenes may choose it.
  let property: ViewProperty?

  /// Makes the batch's plan from all specs.
  private let makePlan: (Specs<Spec>) -> BatchPlan

  /// Origins of the entities, as in the layout message.
  @exclusivity(unchecked) private var originX: [Float] = []
  @exclusivity(unchecked) private var originY: [Float] = []

  /// Sprites of the entities: indexes into the layout's sprites.
  @exclusivity(unchecked) private var sprites: [UInt32] = []

  /// Index, plus 1, of each entity's parent view; 0 and missing elements mean no parent.
  private var parents: [UInt32] = []

  /// Names of entities, by rising indexes in the batch.
  private var names: [Orrery_EntityName] = []

  private var runs: [Specs<Spec>] = []

  /// Single entities since the last run.
  private var listed: [Spec] = []

  init(_ property: ViewProperty?, makePlan: @escaping (Specs<Spec>) -> BatchPlan) {
    self.property = property
    self.makePlan = makePlan
  }

  /// The plan of the entities so far.
  var plan: BatchPlan { makePlan(Specs(joining: runs + [Specs(listed)])) }

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
  func add(_ spec: Spec, x: Double, y: Double, sprite: Int, parent: Int? = nil) {
    if let parent {
      parents += [UInt32](repeating: 0, count: count - parents.count)
      parents.append(UInt32(parent + 1))
    }
    listed.append(spec)
    originX.append(Float(x))
    originY.append(Float(y))
    sprites.append(UInt32(sprite))
  }

  /// Names the entity that was added last.
  func nameLast(_ name: String) {
    names.append(Self.name(name, first: count - 1, count: 0))
  }

  /// Names the entities that were added last together: the first of them is `name[0]`.
  ///
  /// - Parameters:
  ///   - name: The name that they share.
  ///   - entityCount: Count of the entities; for 0 there is no name.
  func nameLast(_ name: String, entityCount: Int) {
    guard entityCount > 0 else { return }
    names.append(Self.name(name, first: count - entityCount, count: entityCount))
  }

  private static func name(_ name: String, first: Int, count: Int) -> Orrery_EntityName {
    var message = Orrery_EntityName()
    message.name = name
    message.firstEntity = UInt32(first)
    message.entityCount = UInt32(count)
    return message
  }

  /// Adds entities whose specs are made on demand.
  ///
  /// - Parameters:
  ///   - specs: Their motions.
  ///   - layout: Returns origin and sprite of one entity, from its index in `specs` and its spec.
  func add(
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

  /// The names of this batch's entities.
  ///
  /// - Parameter firstEntity: Number of the batch's first entity.
  /// - Returns: The names by rising numbers of entities.
  func names(firstEntity: Int) -> [Orrery_EntityName] {
    names.map { name in
      var name = name
      name.firstEntity += UInt32(firstEntity)
      return name
    }
  }

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
