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
  /// The plan of the entities so far.
  var plan: BatchPlan { get }

  /// The layout message of the batch.
  func message(kind: String, firstEntity: Int, firstView: Int) -> Orrery_Batch

  /// The names of the batch's entities.
  func names(firstEntity: Int) -> [Orrery_EntityName]
}
