// SPDX-License-Identifier: Apache-2.0

import OrreryBase

extension Shard {
  /// The entities of a batch that this shard runs: whole blocks, so that phases have the same anchors as in
  /// the scene.
  ///
  /// - Parameters:
  ///   - count: Entities in the batch.
  ///   - blocksBefore: Blocks in the scene's batches before it: batches of few blocks begin with different
  ///     shards, so that no shard gets all remainders.
  /// - Returns: Indexes in the batch; the shards' ranges follow each other.
  package func slice(ofBatch count: Int, blocksBefore: Int) -> Range<Int> {
    let blocks = Blocks.count(entities: count)
    func first(_ index: Int) -> Int {
      min((blocks * index + blocksBefore % self.count) / self.count * Blocks.entityCount, count)
    }
    return first(index)..<(index + 1 == self.count ? count : first(index + 1))
  }
}
