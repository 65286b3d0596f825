// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryWire

/// What a joined subscriber has to have, counted apart from its account.
struct JoinedCheck {
  private let plan: ShardPlan
  private let joinedAfter: UInt64

  /// The frames received and missed, in order, and how many of each.
  private var last: UInt64
  private var receivedCount: UInt64 = 0
  private var missedCount: UInt64 = 0

  /// For each shard, frames with its part.
  private var partCounts: [UInt64]

  /// The last frame received, and whether it had every part.
  private var lastReceived: (sequence: UInt64, isComplete: Bool) = (0, false)

  init(_ plan: ShardPlan, joinedAfter: UInt64) {
    (self.plan, self.joinedAfter) = (plan, joinedAfter)
    last = joinedAfter
    partCounts = [UInt64](repeating: 0, count: plan.shardCount)
  }

  // MARK: - Counting

  mutating func receive(_ sequence: UInt64, _ parts: ExpectedParts) {
    lastReceived = (sequence, parts.missing.isEmpty)
    last = sequence
    receivedCount += 1
    for (shard, holder) in parts.holders.enumerated() where holder != nil {
      partCounts[shard] += 1
    }
  }

  mutating func miss(_ gap: ClosedRange<UInt64>) {
    last = gap.upperBound
    missedCount += UInt64(gap.count)
  }

  // MARK: - Problems; nil if there is none

  /// Of a frame that was found just now.
  func problem(_ view: FrameView, _ parts: ExpectedParts, missing: [Int]) -> String? {
    let sequence = view.sequence
    if sequence <= last { return "found frame \(sequence) after \(last)" }
    if parts.isLapped { return "found frame \(sequence), which a shard has overwritten" }
    if parts.isAwaited, !parts.isOverdue { return "did not wait for parts of frame \(sequence)" }
    if view.stamp().tick != parts.tick { return "frame \(sequence) shows \(view.stamp().tick)" }
    if missing != parts.missing {
      return "frame \(sequence) is without \(missing), not without \(parts.missing)"
    }
    if plan.dueNs(sequence) >= plan.wholeNs, !missing.isEmpty {
      return "frame \(sequence) is without \(missing) though all is well again"
    }
    return nil
  }

  /// Of the bytes of a frame that was whole.
  func problem(
    _ sequence: UInt64, _ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout,
    _ parts: ExpectedParts
  ) -> String? {
    let stamp = FrameStamp(frame: bytes)
    guard let start = bytes.baseAddress, FrameField.sequence.load(from: start) == sequence,
      let tick = parts.tick, stamp.tick == tick
    else { return "frame \(sequence) says that it is another, of tick \(stamp.tick)" }
    var (hash, dateNs): (UInt64, UInt64) = (0, 0)
    for (shard, holder) in parts.holders.enumerated() {
      // Merged, all values are one column.
      let isMerged = layout.columns.count == 1
      let column = layout.columns[isMerged ? 0 : shard]
      let value = bytes.loadUnaligned(
        fromByteOffset: Int(column.valuesOffset) + (isMerged ? 4 * shard : 0), as: Float.self)
      guard let holder else {
        if value.isNaN { continue }
        return "frame \(sequence) has a value of shard \(shard), which is missing"
      }
      if value != plan.value(shard, tick: tick) {
        return "frame \(sequence) has another value of shard \(shard)"
      }
      hash &+= plan.hash(shard, tick: tick)
      dateNs = max(dateNs, holder.dateNs(holder.publishedNs(sequence)))
    }
    if stamp.stateHash != hash { return "the hash of frame \(sequence) is not that of its parts" }
    return stamp.publishTimeNs == dateNs ? nil : "frame \(sequence) has another date"
  }

  /// Of the account: published = received + missed, of the run and of each shard.
  func problem(_ account: JoinedCursor) -> String? {
    let losses = account.losses
    if losses.last != last || losses.receivedCount != receivedCount
      || losses.missedCount != missedCount || receivedCount + missedCount != last - joinedAfter
    {
      return "\(receivedCount) received, \(missedCount) missed up to \(last): \(losses)"
    }
    for (shard, counts) in account.shards.enumerated()
    where counts.received != partCounts[shard]
      || counts.missed != receivedCount - partCounts[shard]
    {
      return "\(partCounts[shard]) parts of \(receivedCount): \(counts)"
    }
    return nil
  }

  /// After the end of all shards.
  var problemAtEnd: String? {
    lastReceived == (plan.tickCount, true)
      ? nil : "the last frame is \(lastReceived.sequence) of \(plan.tickCount), or not whole"
  }
}
