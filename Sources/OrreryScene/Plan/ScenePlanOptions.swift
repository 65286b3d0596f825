// SPDX-License-Identifier: Apache-2.0

import Orrery

/// What a run may set in place of what its scene says; nil leaves the scene's own.
package struct ScenePlanOptions: Sendable {
  /// Ticks per second.
  package var rate: TickRate?

  /// Entities in all; the scene's fields grow or shrink in proportion.
  package var entities: Int?

  /// Where all random numbers come from.
  package var seed: UInt64?

  /// The language of currency names, as a locale identifier.
  package var locale: String?

  package init(
    rate: TickRate? = nil, entities: Int? = nil, seed: UInt64? = nil, locale: String? = nil
  ) {
    self.rate = rate
    self.entities = entities
    self.seed = seed
    self.locale = locale
  }
}
