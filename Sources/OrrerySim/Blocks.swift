// SPDX-License-Identifier: Apache-2.0

/// How a batch is cut for cache, threads and re-anchoring.
package enum Blocks {
  /// Entities in one lane group.
  package static let laneCount = 16

  /// Entities in one block: with 20 bytes read and written for each, a block of orbits takes 80 KiB, so
  /// that its values are still in the second-level cache when they are hashed.
  package static let entityCount = 4096

  /// Blocks of a batch.
  package static func count(entities: Int) -> Int { (entities + entityCount - 1) / entityCount }

  /// The entities of one block.
  package static func range(_ block: Int, entities: Int) -> Range<Int> {
    let first = block * entityCount
    return first..<min(first + entityCount, entities)
  }
}
