// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrrerySceneBuilder

/// Where an entity stands at rest, and what it looks like.
struct EntityLook {
  /// Origin, in points.
  let x: Float
  /// Origin, in points.
  let y: Float
  /// Index into the layout's sprites.
  let sprite: UInt32
}

/// Memory for the looks of a batch's entities, in which each thread writes elements of its own.
struct LookColumns: @unchecked Sendable {
  let x: UnsafeMutableBufferPointer<Float>
  let y: UnsafeMutableBufferPointer<Float>
  let sprites: UnsafeMutableBufferPointer<UInt32>

  /// Initialises the elements of an entity.
  func set(_ index: Int, _ look: EntityLook) {
    x.initializeElement(at: index, to: look.x)
    y.initializeElement(at: index, to: look.y)
    sprites.initializeElement(at: index, to: look.sprite)
  }
}

/// Collects the entities of one batch: spec, origin and sprite of each.
///
/// Specs that are made on demand are computed only when a plan or a message is made, and only for its
/// entities: those of one shard, for example.
final class BatchCollector<Spec: Sendable>: AnyBatchCollector {
  /// The property that the batch moves, if scenes may choose it.
  let property: ViewProperty?

  /// Makes the batch's plan from all specs.
  private let makePlan: (Specs<Spec>) -> BatchPlan

  /// Runs of entities, in order.
  private var runs: [Run] = []

  /// Single entities since the last run.
  private var listed: (specs: [Spec], looks: [EntityLook]) = ([], [])

  /// Index, plus 1, of each entity's parent view; 0 and missing elements mean no parent.
  private var parents: [UInt32] = []

  /// Names of entities, by rising indexes in the batch.
  private var names: [Orrery_EntityName] = []

  /// Number of entities so far.
  private(set) var count = 0

  /// Entities that follow each other.
  private struct Run: Sendable {
    let first: Int
    let specs: Specs<Spec>
    /// Writes the looks of a range of entities, given by their indexes in `specs`, into the columns from an
    /// index on.
    let fill: @Sendable (_ entities: Range<Int>, _ columns: LookColumns, _ index: Int) -> Void
  }

  init(_ property: ViewProperty?, makePlan: @escaping (Specs<Spec>) -> BatchPlan) {
    self.property = property
    self.makePlan = makePlan
  }

  var isIndivisible: Bool { !names.isEmpty || !parents.isEmpty }

  func plan(_ slice: Range<Int>) -> BatchPlan {
    makePlan(Specs(joining: allRuns.map(\.specs)).slice(slice))
  }

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
    listed.specs.append(spec)
    listed.looks.append(EntityLook(x: Float(x), y: Float(y), sprite: UInt32(sprite)))
    count += 1
  }

  /// Adds entities whose specs are made on demand.
  ///
  /// Inlined, so that the loop over millions of entities calls neither a closure nor a generic function.
  ///
  /// - Parameters:
  ///   - specs: Their motions.
  ///   - look: Returns origin and sprite of one entity, from its index in `specs` and its spec.
  @inline(__always)
  func add(_ specs: Specs<Spec>, look: @escaping @Sendable (Int, Spec) -> EntityLook) {
    add(specs) { entities, columns, index in
      var runs = specs.slice(entities).runs(of: 512)
      while let (first, specs) = runs.next() {
        for (offset, spec) in specs.enumerated() {
          columns.set(index + first + offset, look(entities.lowerBound + first + offset, spec))
        }
      }
    }
  }

  private func add(
    _ specs: Specs<Spec>,
    fill: @escaping @Sendable (Range<Int>, LookColumns, Int) -> Void
  ) {
    runs = allRuns
    listed = ([], [])
    runs.append(Run(first: count, specs: specs, fill: fill))
    count += specs.count
  }

  /// All entities so far; entities that were added one by one are a run of their own.
  private var allRuns: [Run] {
    if listed.specs.isEmpty { return runs }
    let looks = listed.looks
    let run = Run(first: count - looks.count, specs: Specs(listed.specs)) { range, columns, index in
      for (offset, look) in looks[range].enumerated() { columns.set(index + offset, look) }
    }
    return runs + [run]
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

  func names(firstEntity: Int) -> [Orrery_EntityName] {
    names.map { name in
      var name = name
      name.firstEntity += UInt32(firstEntity)
      return name
    }
  }

  func message(kind: String, _ slice: Range<Int>, firstEntity: Int, firstView: Int) -> Orrery_Batch
  {
    var batch = Orrery_Batch()
    batch.kind = kind
    batch.firstEntity = UInt32(firstEntity)
    batch.entityCount = UInt32(slice.count)
    let (originX, originY, sprites) = looks(of: slice)
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

// MARK: - Looks

extension BatchCollector {
  /// Origins and sprites of entities: each processor computes a part of many.
  private func looks(of slice: Range<Int>) -> (x: [Float], y: [Float], sprites: [UInt32]) {
    let (runs, count) = (allRuns, slice.count)
    let partCount = min(Processors.count, max(count / Self.partMin, 1))
    var (y, sprites) = ([Float](), [UInt32]())
    let x = [Float](unsafeUninitializedCapacity: count) { xs, xCount in
      y = [Float](unsafeUninitializedCapacity: count) { ys, yCount in
        sprites = [UInt32](unsafeUninitializedCapacity: count) { indexes, indexCount in
          let columns = LookColumns(x: xs, y: ys, sprites: indexes)
          BackgroundThread.concurrently(partCount) { part in
            let range = count * part / partCount..<count * (part + 1) / partCount
            for run in runs {
              let first = run.first - slice.lowerBound
              let kept = range.clamped(to: first..<first + run.specs.count)
              guard !kept.isEmpty else { continue }
              run.fill(kept.lowerBound - first..<kept.upperBound - first, columns, kept.lowerBound)
            }
          }
          indexCount = count
        }
        yCount = count
      }
      xCount = count
    }
    return (x, y, sprites)
  }

  /// Entities for which another thread pays; fewer are computed before it has started.
  private static var partMin: Int { 100_000 }
}
