// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase

/// A run's overrides of its scene; nil keeps the scene's own value.
package struct ScenePlanOptions: Sendable {
  /// Ticks per second.
  package var rate: TickRate?

  /// Total number of entities; the scene's fields grow or shrink in proportion.
  package var entities: Int?

  /// Copies of the scene's entities, each with its own commands and completions.
  package var copies: Int?

  /// Whether only views have copies.
  package var copiesViewsOnly = false

  /// Seed of all random numbers.
  package var seed: UInt64?

  /// The language of names, as a locale identifier; its direction is that of the layout.
  package var locale: String?

  /// Which part of the scene is planned.
  package var shard = Shard.whole

  /// The scene's images by their names, for a scene without image files; nil: files are read.
  package var images: [String: Data]?

  /// Whether only the plan's checks, name and rate are wanted; then fields have one entity at most.
  package var checksOnly = false

  package init(
    rate: TickRate? = nil, entities: Int? = nil, seed: UInt64? = nil, locale: String? = nil
  ) {
    self.rate = rate
    self.entities = entities
    self.seed = seed
    self.locale = locale
  }
}
