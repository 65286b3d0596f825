// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryMessages
import OrrerySceneBuilder

/// The plan of a run: the moving part for the sim, and the static part for subscribers.
///
/// Entity numbers run from 0 through the batches in their order. There is one batch for each kind
/// that the scene has, in the order in which the kinds first occur; a batch holds its entities in
/// the order of the scene's content. A plan without entities has no batches.
///
/// The plan of a shard has a slice of each batch; batches without a slice for it are left out. The sprites,
/// the fixtures and the images are those of the whole scene.
package struct ScenePlan: Sendable {
  /// The scene's name.
  package let name: String

  /// The seed that every random number of the scene comes from.
  package let seed: UInt64

  /// Ticks per second.
  package let rate: TickRate

  /// The moving entities.
  package var batches: [BatchPlan]

  /// Number of each batch's first entity: in a shard, its number in the scene.
  package let firstEntities: [Int]

  /// Which of the scene's shards this is.
  package let shard: Shard

  /// Origins and sprites of the entities.
  ///
  /// The run fills in `run`, `generation`, `layoutHash`, `isa`, `delivery` and each batch's
  /// `fields`.
  package var layout: Orrery_SceneLayout

  /// The names that commands to the running sim can use.
  package var liveNames = LiveNames()

  /// What the file of another tool has and this scene has not.
  package var leftOut = LeftOut()

  /// Entities in all batches.
  package var entityCount: Int { batches.reduce(0) { $0 + $1.count } }

  /// Adds frame columns for view properties, even if nothing in the scene changes them.
  package mutating func show(_ properties: Set<ViewProperty>) {
    for index in batches.indices {
      guard case .views(var plan) = batches[index] else { continue }
      plan.shownProperties.formUnion(properties)
      batches[index] = .views(plan)
    }
    let shown = Set(layout.options.columns).union(properties.map { Orrery_Field($0) })
    layout.options.columns = shown.sorted { $0.rawValue < $1.rawValue }
  }

  /// Makes a plan of batches.
  ///
  /// - Parameters:
  ///   - name: The scene's name.
  ///   - seed: The seed of its random numbers.
  ///   - rate: Ticks per second.
  ///   - batches: The moving entities.
  ///   - layout: Origins and sprites of the entities.
  ///   - firstEntities: Number of each batch's first entity; nil: numbers follow each other from 0.
  ///   - shard: Which of the scene's shards this is.
  package init(
    name: String, seed: UInt64, rate: TickRate, batches: [BatchPlan], layout: Orrery_SceneLayout,
    firstEntities: [Int]? = nil, shard: Shard = .whole
  ) {
    self.name = name
    self.seed = seed
    self.rate = rate
    self.batches = batches
    self.layout = layout
    self.firstEntities =
      firstEntities
      ?? batches.reduce(into: (firsts: [Int](), next: 0)) { numbers, batch in
        numbers.firsts.append(numbers.next)
        numbers.next += batch.count
      }.firsts
    self.shard = shard
  }
}
