// SPDX-License-Identifier: Apache-2.0

/// What the world knows of memory that keeps what was written there last: for each block, in which
/// ticks its values there are right, and their hash.
///
/// The world alone writes to such memory. 24 bytes for each block and destination.
struct WrittenBlocks: ~Copyable {
  /// What one block's values in one destination are.
  struct Record {
    /// The first and the last tick that they are known to be right for; none while `from` is later.
    var from: UInt64 = 1
    var through: UInt64 = 0

    /// Sum of the hash terms of the block's values.
    var hash: UInt64 = 0
  }

  /// Destinations that may be named.
  let destinationCount: Int

  private let blockCount: Int
  private let records: UnsafeMutablePointer<Record>

  /// Knows nothing of any destination yet.
  init(destinationCount: Int, blockCount: Int) {
    precondition(destinationCount >= 0, "\(destinationCount) destinations")
    self.destinationCount = destinationCount
    self.blockCount = blockCount
    records = .allocate(capacity: max(destinationCount * blockCount, 1))
    records.initialize(repeating: Record(), count: destinationCount * blockCount)
  }

  deinit { records.deallocate() }

  /// The records of a destination's blocks.
  subscript(destination: Int) -> UnsafeMutablePointer<Record> {
    precondition(
      destination >= 0 && destination < destinationCount,
      "destination \(destination) of \(destinationCount)")
    return records + destination * blockCount
  }

  /// Forgets some blocks: none of their values anywhere are known to be right.
  func forget(_ blocks: Range<Int>) {
    for destination in 0..<destinationCount {
      (self[destination] + blocks.lowerBound).update(repeating: Record(), count: blocks.count)
    }
  }
}

extension WrittenBlocks.Record {
  /// Whether the values that were written are known to be right for a tick.
  func covers(_ tick: UInt64) -> Bool { from <= tick && tick <= through }

  /// Whether the values that were written are right for a tick.
  ///
  /// - Parameters:
  ///   - tick: The tick.
  ///   - since: The tick from which on, up to this one, the right values have been the same;
  ///     `UInt64.max` if they differ from those of the tick before.
  /// - Returns: False if they have to be written.
  mutating func isRight(at tick: UInt64, unchangedSince since: UInt64) -> Bool {
    if covers(tick) { return true }
    guard since <= through, from <= tick, from <= through else { return false }
    from = min(from, since)
    through = max(through, tick)
    return true
  }
}
