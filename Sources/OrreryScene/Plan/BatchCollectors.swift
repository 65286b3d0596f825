// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrrerySceneBuilder

/// The collectors of a scene's batches, in the order of the batches' first entities.
///
/// The case of `BatchPlan` names the batch:
///
///     batches.collector(BatchPlan.marquee).add(spec, x: x, y: y, sprite: sprite)
///     batches.collector(BatchPlan.tween, .opacity).add(spec, x: x, y: y, sprite: sprite)
struct BatchCollectors {
  /// At most one for each type of spec and property.
  private(set) var all: [any AnyBatchCollector] = []

  /// The collector of a batch; a new one if the batch has no entity yet.
  mutating func collector<Spec>(
    _ makePlan: @escaping (Specs<Spec>) -> BatchPlan
  ) -> BatchCollector<Spec> {
    collector(of: nil, makePlan)
  }

  /// The collector of a batch that moves this property; a new one if the batch has no entity yet.
  mutating func collector<Spec>(
    _ makePlan: @escaping (Specs<Spec>, ViewProperty) -> BatchPlan, _ property: ViewProperty
  ) -> BatchCollector<Spec> {
    collector(of: property) { makePlan($0, property) }
  }

  private mutating func collector<Spec>(
    of property: ViewProperty?, _ makePlan: @escaping (Specs<Spec>) -> BatchPlan
  ) -> BatchCollector<Spec> {
    for case let collector as BatchCollector<Spec> in all where collector.property == property {
      return collector
    }
    let collector = BatchCollector(property, makePlan: makePlan)
    all.append(collector)
    return collector
  }
}

/// A collector of any type of spec.
protocol AnyBatchCollector: AnyObject {
  /// Number of entities so far.
  var count: Int { get }

  /// Whether one shard must have the whole batch: its entities have names, or move with views.
  var isIndivisible: Bool { get }

  /// The plan of some of the entities so far.
  ///
  /// - Parameter slice: Their indexes in the batch.
  /// - Returns: The plan.
  func plan(_ slice: Range<Int>) -> BatchPlan

  /// The layout message of the batch; a value that all entities share is written once.
  ///
  /// - Parameters:
  ///   - kind: Name of the batch's kind.
  ///   - slice: The entities' indexes in the batch.
  ///   - firstEntity: Number of the first of them.
  ///   - firstView: Entity number of the scene's first view.
  /// - Returns: The message.
  func message(kind: String, _ slice: Range<Int>, firstEntity: Int, firstView: Int) -> Orrery_Batch

  /// The names of the batch's entities.
  ///
  /// - Parameter firstEntity: Number of the batch's first entity.
  /// - Returns: The names by rising numbers of entities.
  func names(firstEntity: Int) -> [Orrery_EntityName]
}
