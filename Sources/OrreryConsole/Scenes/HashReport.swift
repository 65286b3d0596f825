// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// What `orrery hash --json` prints: docs/schemas/hash.schema.json.
package struct HashReport: Encodable {
  /// The document's kind and version.
  package static let schema = "orrery.hash.v2"

  /// Ticks since the scene began.
  package let tick: UInt64
  /// Entities of the scene.
  package let entities: Int
  /// The instruction set of the kernels.
  package let isa: String
  /// Values that the hash covers: full or rolling.
  package let hash: String
  /// Sixteen hexadecimal digits.
  package let stateHash: String

  /// The report of a hash that kernels of an instruction set computed.
  package init(tick: UInt64, entities: Int, isa: String, hash: String, stateHash: UInt64) {
    (self.tick, self.entities, self.isa, self.hash) = (tick, entities, isa, hash)
    self.stateHash = hexadecimal(stateHash)
  }
}
