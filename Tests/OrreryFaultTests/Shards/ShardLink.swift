// SPDX-License-Identifier: Apache-2.0

/// A joined subscriber's place at one shard, and what it can have from it: told from the processes, not from
/// their rings.
struct ShardLink {
  /// The process whose ring it has.
  private(set) var process: ShardProcess

  /// The first frame that is wanted from it.
  private(set) var first: UInt64 = 1

  /// Whether the subscriber believes that frames may still come.
  var isAlive = true

  /// When the shard is looked for again; nil: it is there, or has ended in order.
  var retryNs: UInt64?

  /// Until when it cannot be reached.
  var lostUntilNs: UInt64 = 0

  /// Rings that it had earlier, whose frames must have been used before it took the next.
  private var past: [(process: ShardProcess, first: UInt64)] = []

  init(_ process: ShardProcess) { self.process = process }

  /// Takes the ring of the shard's next process, or that of the same one again.
  mutating func join(_ process: ShardProcess) {
    past.append((self.process, first))
    (self.process, first) = (process, process.sequence + 1)
    (isAlive, retryNs) = (true, nil)
  }

  /// The process whose ring has the shard's part of a frame; nil: nobody's.
  func holder(of sequence: UInt64) -> ShardProcess? {
    if sequence >= first, process.holds(sequence) { return process }
    return past.first { sequence >= $0.first && $0.process.holds(sequence) }?.process
  }

  /// Every frame up to this one was to be had.
  var newest: UInt64 { past.reduce(process.sequence) { max($0, $1.process.sequence) } }
}

/// What a joined frame has to be made of at a moment.
struct ExpectedParts {
  /// Shards whose part is not there, or shows another tick than the first part.
  private(set) var missing: [Int] = []

  /// The processes of the parts, by the shards' indexes.
  private(set) var holders: [ShardProcess?] = []

  /// The tick of all parts; nil: there is no part.
  private(set) var tick: UInt64?

  /// Whether the part of a living shard may still come, and whether one came more than the lead ago.
  private(set) var isAwaited = false
  private(set) var isOverdue = false

  /// Whether a living shard had the frame and has overwritten it.
  private(set) var isLapped = false

  init(of sequence: UInt64, _ links: [ShardLink], nowNs: UInt64, leadNs: UInt64) {
    holders.reserveCapacity(links.count)
    for (shard, link) in links.enumerated() {
      var holder = link.holder(of: sequence)
      if let holder {
        isOverdue = isOverdue || holder.publishedNs(sequence) + leadNs < nowNs
        tick = tick ?? holder.tick(of: sequence)
      } else if link.isAlive, sequence >= link.first {
        if link.process.sequence < sequence { isAwaited = true } else { isLapped = true }
      }
      if holder?.tick(of: sequence) != tick || holder == nil {
        missing.append(shard)
        holder = nil
      }
      holders.append(holder)
    }
  }

  /// Whether the frame is to be had now.
  var isReady: Bool { tick != nil && (!isAwaited || isOverdue) }
}
