// SPDX-License-Identifier: Apache-2.0

/// How a batch is cut for cache, threads and re-anchoring.
package enum Blocks {
  /// Entities in one lane group.
  package static let laneCount = 16

  /// Entities in one block.
  ///
  /// Enough that a kernel's call, some 30 ns, is a small part of a tile's time, and few enough that the
  /// parameters of a block lie in the first-level cache, and that a world of 100,000 has work for two
  /// threads at each tick, of which only every eighth begins a block's tile.
  package static let entityCount = 2048

  /// Blocks of a batch.
  package static func count(entities: Int) -> Int { (entities + entityCount - 1) / entityCount }

  /// The entities of one block.
  package static func range(_ block: Int, entities: Int) -> Range<Int> {
    let first = block * entityCount
    return first..<min(first + entityCount, entities)
  }
}
