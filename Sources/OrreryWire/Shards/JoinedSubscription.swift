// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame

/// A subscriber's side of a run that several shards make together, on this machine or others.
///
/// It is a member of each shard's run, and reads their frames as one. A shard that dies or cannot be heard is missing in
/// the frames that follow; when it is back, it is joined again. One thread follows all shards: it sleeps until the ring
/// of the slowest has a frame, or until any of the others has sent something.
package final class JoinedSubscription: RunSubscription {
  private let joined: JoinedSource
  private let members: [any ShardMembership]
  private var cursor: JoinedCursor
  /// Frames that were missed of each shard before its sim was started again: that sim does not know them.
  private var missedBefore: [UInt64]
  private var schedule: ReportSchedule
  private var foundNs: UInt64 = 0
  private var dropReason: DropReason?
  /// Whether some shard is followed in memory, and whether all are.
  private let (hasRing, hasOnlyRings): (Bool, Bool)
  /// When the shards are looked after next, and whether all had gone or ended the last time.
  private var nextPollNs: UInt64 = 0
  private var isOver = false

  package private(set) var ages: FrameAges

  package var source: any FrameSource { joined }
  package var reading: Reading { cursor.reading }
  package let localWaiting: Waiting?
  package var losses: Losses { cursor.losses }
  package var failure: WireError? { members.lazy.compactMap(\.failure).first }
  package var shards: [ShardAccount] { cursor.shards }

  /// Time between two polls of the shards, and the longest sleep for a ring while no part of a frame is awaited.
  ///
  /// A look is a system call for each shard: 50 a second find a dead shard soon enough.
  private static let pollNs: UInt64 = 20_000_000
  /// Longest sleep while a part is awaited, or both rings and messages are: neither a lead that is over nor a ring wakes
  /// a thread that sleeps for messages, and no message one that sleeps for a ring.
  private static let sleepNs: UInt64 = 5_000_000
  /// Longest sleep for messages otherwise: silence is noticed by the time alone.
  private static let silentSleepNs: UInt64 = 100_000_000

  /// Joins all shards of a run.
  ///
  /// - Parameters:
  ///   - source: The members' frames.
  ///   - members: By the shards' indexes; they are ready for frames.
  ///   - reading: Which frames are wanted.
  ///   - from: The first wanted frame; 0 for the next one.
  /// - Throws: `WireError`.
  init(
    _ source: JoinedSource, _ members: [any ShardMembership], reading: Reading, from: UInt64
  ) throws(WireError) {
    joined = source
    self.members = members
    let wanted = source.delivery == .lockstep ? Reading.every : reading
    for member in members { try member.begin(reading: wanted, from: from) }
    // What one shard published before the last was joined is nobody's loss.
    let joinedAfter = members.map(\.joinedAfter).max() ?? 0
    cursor = JoinedCursor(
      shardCount: members.count, joinedAfter: joinedAfter, reading: wanted)
    ages = FrameAges(wanted, from: from, newest: min(source.published, joinedAfter + 1))
    schedule = ReportSchedule(joinedAfter: joinedAfter)
    missedBefore = members.map { _ in 0 }
    (hasRing, hasOnlyRings) = (
      members.contains { $0 is LocalShard }, members.allSatisfy { $0 is LocalShard }
    )
    localWaiting = hasOnlyRings ? .futex : nil
  }

  deinit { reportToShards(isLast: true) }

  /// See `RunSubscription.find`; between frames it looks after shards that have gone.
  package func find(timeoutNs: UInt64) -> Finding {
    if let dropReason { return .event(.dropped(dropReason)) }
    let deadline = Clock.monotonicNs() + timeoutNs
    while true {
      for member in members { member.receive(after: losses.last) }
      // Read before the frames: what a shard published before it ended is found first.
      let hasEnded = members.map(\.hasEnded)
      let beganNs = Clock.monotonicNs()
      if beganNs >= nextPollNs
        || hasEnded.indices.contains(where: { hasEnded[$0] && joined[$0].isAlive })
      {
        nextPollNs = beganNs + Self.pollNs
        isOver = lookAfterShards(hasEnded, nowNs: beganNs)
      }
      if let dropReason { return .event(.dropped(dropReason)) }
      if let finding = cursor.find(in: joined) {
        foundNs = Clock.monotonicNs()
        return finding
      }
      if isOver {
        flush()
        return .event(hasEnded.contains(true) ? .ended : .simDied)
      }
      if joined.delivery == .lockstep { flush() }
      let nowNs = Clock.monotonicNs()
      guard nowNs < deadline else { return .event(.idle) }
      wait(ns: deadline - nowNs)
    }
  }

  /// Sleeps until the slowest shard may have published, or a message has come.
  private func wait(ns: UInt64) {
    let alive = members.indices.filter { joined[$0].isAlive }
    let slowest = alive.min { joined[$0].frames.published < joined[$1].frames.published }
    guard let slowest else { return poll(ns: min(ns, Self.sleepNs)) }
    let newest = alive.map { joined[$0].frames.published }.max() ?? 0
    let isAwaited = newest > joined[slowest].frames.published
    let ringSleepNs = isAwaited || !hasOnlyRings ? Self.sleepNs : Self.pollNs
    if members[slowest].sleep(ns: min(ns, ringSleepNs)) { return }
    poll(ns: min(ns, isAwaited || hasRing ? Self.sleepNs : Self.silentSleepNs))
  }

  private func poll(ns: UInt64) {
    var items = members.flatMap(\.polled)
    _ = zmq_poll(&items, CInt(items.count), Int(max(ns / 1_000_000, 1)))
  }

  /// Finds out which shards have gone, and which have come back.
  ///
  /// - Returns: Whether all have gone or ended.
  private func lookAfterShards(_ hasEnded: [Bool], nowNs: UInt64) -> Bool {
    var isOver = true
    for (shard, member) in members.enumerated() {
      let state = member.look(
        hasEnded: hasEnded[shard], isNeeded: cursor.needs(member.frames), nowNs: nowNs)
      switch state {
      case .following:
        isOver = false
      case .returned:
        missedBefore[shard] = missed(of: shard)
        isOver = !joined.hasReturned(shard, member.frames, after: member.joinedAfter) && isOver
      case .missing:
        // In lockstep the sim may be waiting, with frames that nobody has read.
        if joined.delivery == .live { joined.hasGone(shard) }
        isOver = false
      case .dropped(let reason):
        dropReason = reason
        joined.hasGone(shard)
      case .gone, .ended:
        joined.hasGone(shard)
      }
    }
    return isOver
  }

  /// See `RunSubscription.record`; a frame counts for each shard whose part it has.
  package func record(_ view: FrameView, isWhole: Bool) -> SubscriptionEvent {
    if isWhole {
      ages.record(
        view.sequence, publishedNs: view.stamp().publishTimeNs,
        beganNs: joined[0].frames.dateNs(monotonicNs: foundNs))
    }
    return cursor.record(view, isWhole: isWhole, missing: joined.missingShards(of: view))
  }

  /// Reports progress to each shard, as to one sim.
  package func report() {
    let slotCount = members.map(\.frames.slotCount).min() ?? 1
    if schedule.isDue(losses.last, joined.delivery, slotCount: slotCount) { flush() }
  }

  private func flush() {
    guard losses.last > schedule.reported else { return }
    schedule.reported = losses.last
    reportToShards(isLast: false)
  }

  private func reportToShards(isLast: Bool) {
    for (shard, member) in members.enumerated() {
      member.report(
        sequence: losses.last, missed: missed(of: shard) - missedBefore[shard], isLast: isLast)
    }
  }

  /// Frames of which the shard's part was not used.
  private func missed(of shard: Int) -> UInt64 { losses.missedCount + cursor.shards[shard].missed }
}
