// SPDX-License-Identifier: Apache-2.0

/// The division of a batch into blocks, for caches, threads and re-anchoring.
///
/// Public, because other modules do not inline what is `package`: each view of a change would divide by a number that a
/// call returns.
public enum Blocks {
  /// Entities in one lane group.
  @inlinable public static var laneCount: Int { 16 }

  /// Entities in one block.
  ///
  /// 2048: enough that a kernel's call, some 30 ns, is a small part of a tile's time. Few enough that a
  /// block's parameters fit the first-level cache, and that a world of 100,000 entities has work for
  /// two threads at each tick, although a block is computed only at every eighth tick.
  @inlinable public static var entityCount: Int { 2048 }

  /// Number of blocks in a batch.
  @inlinable public static func count(entities: Int) -> Int {
    (entities + entityCount - 1) / entityCount
  }

  /// The entities of one block.
  @inlinable public static func range(_ block: Int, entities: Int) -> Range<Int> {
    let first = block * entityCount
    return first..<min(first + entityCount, entities)
  }
}
