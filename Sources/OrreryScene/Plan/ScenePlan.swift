// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages

/// What a run is made of: the moving part for the sim, and the part that stays for subscribers.
///
/// Entity numbers run from 0 through the batches in their order. There is one batch for each kind
/// that the scene has, in the order in which the kinds first occur; a batch holds its entities in
/// the order of the scene's content. A plan without entities has no batches.
package struct ScenePlan: Sendable {
  /// The scene's name.
  package let name: String

  /// The seed that every random number of the scene comes from.
  package let seed: UInt64

  /// Ticks per second.
  package let rate: TickRate

  /// What moves.
  package var batches: [BatchPlan]

  /// Where entities stand and what they look like.
  ///
  /// The run fills in `run`, `generation`,
  /// `layoutHash`, `isa`, `delivery` and each batch's `fields`.
  package var layout: Orrery_SceneLayout

  /// What commands to the running sim can name.
  package var liveNames = LiveNames()

  /// Entities in all batches.
  package var entityCount: Int { batches.reduce(0) { $0 + $1.count } }

  /// Gives views columns for properties that nothing in the scene changes.
  package mutating func show(_ properties: Set<ViewProperty>) {
    for index in batches.indices {
      guard case .views(var plan) = batches[index] else { continue }
      plan.shownProperties.formUnion(properties)
      batches[index] = .views(plan)
    }
  }

  package init(
    name: String, seed: UInt64, rate: TickRate, batches: [BatchPlan], layout: Orrery_SceneLayout
  ) {
    self.name = name
    self.seed = seed
    self.rate = rate
    self.batches = batches
    self.layout = layout
  }
}
