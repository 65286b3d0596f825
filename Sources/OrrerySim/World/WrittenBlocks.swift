// SPDX-License-Identifier: Apache-2.0

/// A record of the destinations' content: for each block, the ticks at which its values there are right,
/// and their hash.
///
/// Only the world writes to destinations. 32 bytes for each block and destination.
struct WrittenBlocks: ~Copyable {
  /// The record of one block's values in one destination.
  struct Record {
    /// The first and the last tick at which they are known to be right; no tick if `from` is later.
    var from: UInt64 = 1
    var through: UInt64 = 0

    /// Sum of the hash terms of the block's values; 0 if they were not hashed.
    var hash: UInt64 = 0
    var isHashed = false
  }

  /// Number of destinations.
  let destinationCount: Int

  private let blockCount: Int
  private let records: FixedArray<Record>

  /// Records of unknown content.
  init(destinationCount: Int, blockCount: Int) {
    precondition(destinationCount >= 0, "\(destinationCount) destinations")
    self.destinationCount = destinationCount
    self.blockCount = blockCount
    records = FixedArray(repeating: Record(), count: destinationCount * blockCount)
  }

  /// The records of a destination's blocks.
  subscript(destination: Int) -> UnsafeMutablePointer<Record> {
    precondition(
      destination >= 0 && destination < destinationCount,
      "destination \(destination) of \(destinationCount)")
    return records.elements + destination * blockCount
  }

  /// Forgets some blocks: their values are no longer known to be right in any destination.
  func forget(_ blocks: Range<Int>) {
    for destination in 0..<destinationCount {
      (self[destination] + blocks.lowerBound).update(repeating: Record(), count: blocks.count)
    }
  }
}

extension WrittenBlocks.Record {
  /// Whether the written values are known to be right at a tick.
  func covers(_ tick: UInt64) -> Bool { from <= tick && tick <= through }

  /// Whether the written values are right at a tick; if so, the record notes that.
  ///
  /// - Parameters:
  ///   - tick: The tick.
  ///   - since: The tick since which the block's values have not changed; `UInt64.max` if they differ
  ///     from those of the tick before.
  /// - Returns: False if the block must be written.
  mutating func isRight(at tick: UInt64, unchangedSince since: UInt64) -> Bool {
    if covers(tick) { return true }
    guard since <= through, from <= tick, from <= through else { return false }
    from = min(from, since)
    through = max(through, tick)
    return true
  }
}
