// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryWire

/// A subscriber of all shards as one run: the real joined source and the real account.
///
/// Its connections are simulated. It looks after its shards and waits as `JoinedSubscription` does.
final class JoinedSubscriber {
  /// What came about, to see that trouble was made.
  struct Counts {
    var received = 0
    /// Of these, frames without a shard's part, and those that had waited for it.
    var incomplete = 0
    var overdue = 0
    var missed = 0
    var overtaken = 0
    var rejoined = 0
  }

  let name: String
  private(set) var counts = Counts()

  /// Everything was read after all shards had ended.
  private(set) var isFinished = false

  private let plan: ShardPlan
  private let shards: [SimulatedShard]
  private let scheduler: Scheduler
  private let reading: Reading
  private let merges: Bool

  /// Whether it uses frames for long now and then.
  private let isSlow: Bool

  private var source: JoinedSource?
  private var account = JoinedCursor(shardCount: 1, joinedAfter: 0, reading: .every)
  private var links: [ShardLink] = []
  private var lookNs: UInt64 = 0
  private var isOver = false
  private var stoppedUntilNs: UInt64 = 0
  private var check: JoinedCheck

  init(_ number: Int, _ plan: ShardPlan, _ shards: [SimulatedShard], scheduler: Scheduler) {
    name = "subscriber \(number)"
    (self.plan, self.shards, self.scheduler) = (plan, shards, scheduler)
    reading = scheduler.chance(3) ? .newest : .every
    merges = scheduler.chance(2)
    isSlow = scheduler.chance(2)
    check = JoinedCheck(plan, joinedAfter: 0)
  }

  // MARK: - What others do to it

  /// Joins the run if all shards are there.
  func join() {
    guard source == nil, shards.allSatisfy(\.process.isRunning) else { return }
    links = shards.map { ShardLink($0.process) }
    do throws(WireError) {
      source = try JoinedSource(
        name: "dots", links.map(\.process.reader), merges: merges, leadNs: plan.leadNs,
        clock: { [scheduler] in scheduler.nowNs })
    } catch {
      return scheduler.fail("\(name) cannot join: \(error)")
    }
    let joinedAfter = links.reduce(0) { max($0, $1.process.sequence) }
    account = JoinedCursor(
      shardCount: links.count, joinedAfter: joinedAfter, reading: reading)
    check = JoinedCheck(plan, joinedAfter: joinedAfter)
    isOver = false
    scheduler.note(name, "joins after", joinedAfter)
    scheduleStep(0)
  }

  var wantsToJoin: Bool { source == nil && !isFinished }

  func stop(untilNs: UInt64) {
    scheduler.note(name, "is stopped until", untilNs)
    stoppedUntilNs = max(stoppedUntilNs, untilNs)
  }

  func lose(_ shard: Int, untilNs: UInt64) {
    guard source != nil else { return }
    scheduler.note(name, "loses shard", UInt64(shard))
    links[shard].lostUntilNs = max(links[shard].lostUntilNs, untilNs)
  }

  // MARK: - Its loop

  private func scheduleStep(_ delayNs: UInt64) {
    scheduler.after(delayNs) { [self] in step() }
  }

  private func scheduleSoon() {
    scheduleStep(scheduler.chance(2) ? 0 : scheduler.timeNs(0...1_000_000))
  }

  private func interrupt() {
    if scheduler.nowNs < plan.calmNs { scheduler.interrupt() }
  }

  private func step() {
    guard let source else { return }
    if scheduler.nowNs < stoppedUntilNs { return scheduleStep(stoppedUntilNs - scheduler.nowNs) }
    // In this order: what is published before the end was whole when the shard ended.
    let hasEnded = links.map(\.process.reader.hasEnded)
    interrupt()
    if scheduler.nowNs >= lookNs || zip(links, hasEnded).contains(where: { $0.isAlive && $1 }) {
      lookNs = scheduler.nowNs + 5_000_000
      isOver = lookAfterShards(hasEnded, source)
    }
    interrupt()
    switch account.find(in: source) {
    case .frame(let view):
      begin(view, source)
    case .event(let event):
      record(event)
      scheduleSoon()
    case nil where isOver:
      finish()
    case nil:
      if reading == .every, parts(of: account.losses.last + 1).isReady {
        fail("did not find frame \(account.losses.last + 1)")
      }
      scheduleStep(scheduler.timeNs(100_000...plan.tickNs / 3))
    }
  }

  /// As `JoinedSubscription` does.
  private func lookAfterShards(_ hasEnded: [Bool], _ source: JoinedSource) -> Bool {
    var isOver = true
    let nowNs = scheduler.nowNs
    for shard in links.indices {
      if links[shard].isAlive {
        let isLost = links[shard].process.isDead || nowNs < links[shard].lostUntilNs
        guard hasEnded[shard] || isLost else {
          isOver = false
          continue
        }
        links[shard].isAlive = false
        source.hasGone(shard)
        if !hasEnded[shard] { links[shard].retryNs = 0 }
      } else if let retryNs = links[shard].retryNs, nowNs >= retryNs,
        !account.needs(links[shard].process.reader)
      {
        if rejoin(shard, source) {
          isOver = false
        } else {
          links[shard].retryNs = nowNs + 100_000_000
        }
      }
    }
    return isOver
  }

  private func rejoin(_ shard: Int, _ source: JoinedSource) -> Bool {
    let process = shards[shard].process
    guard process.isRunning, scheduler.nowNs >= links[shard].lostUntilNs else { return false }
    links[shard].join(process)
    counts.rejoined += 1
    scheduler.note(name, "joins again shard", UInt64(shard))
    if !source.hasReturned(shard, process.reader, after: process.sequence) {
      fail("could not join shard \(shard) again")
    }
    return true
  }

  private func finish() {
    let hasRunEnded = shards.allSatisfy(\.process.hasEnded)
    scheduler.note(name, hasRunEnded ? "sees the end" : "has no shard", account.losses.last)
    // Of a ring that was joined again nothing may have come.
    let owed = links.filter { $0.process.sequence >= $0.first }.reduce(0) {
      max($0, $1.process.sequence)
    }
    let newest = links.reduce(0) { max($0, $1.newest) }
    if account.losses.last < owed || account.losses.last > newest {
      fail("of \(newest) published, \(owed) of them sure, has \(account.losses)")
    }
    if hasRunEnded, let problem = check.problemAtEnd { fail(problem) }
    source = nil
    isFinished = hasRunEnded
  }

  // MARK: - Frames

  private func parts(of sequence: UInt64) -> ExpectedParts {
    ExpectedParts(of: sequence, links, nowNs: scheduler.nowNs, leadNs: plan.leadNs)
  }

  /// Reads half of a frame now and half when it was used.
  private func begin(_ view: FrameView, _ source: JoinedSource) {
    let parts = parts(of: view.sequence)
    if let problem = check.problem(view, parts, missing: source.missingShards(of: view)) {
      fail(problem)
    }
    if parts.isAwaited { counts.overdue += 1 }
    let half = view.pieces.count / 2
    let bytes = view.pieces[..<half].reduce(into: [UInt8]()) { $0 += $1 }
    let isLong = isSlow && scheduler.nowNs < plan.calmNs && scheduler.chance(4)
    guard isLong else { return end(view, bytes, from: half, source, parts) }
    scheduler.after(scheduler.timeNs(0...4 * plan.tickNs)) { [self] in
      end(view, bytes, from: half, source, parts)
    }
  }

  private func end(
    _ view: FrameView, _ firstHalf: [UInt8], from half: Int, _ source: JoinedSource,
    _ parts: ExpectedParts
  ) {
    let bytes = view.pieces[half...].reduce(into: firstHalf) { $0 += $1 }
    let isWhole = source.isWhole(view)
    if isWhole != parts.holders.allSatisfy({ $0?.holds(view.sequence) ?? true }) {
      fail("takes frame \(view.sequence) for \(isWhole ? "whole" : "overwritten")")
    }
    let missing = source.missingShards(of: view)
    let event = account.record(view, isWhole: isWhole, missing: missing)
    if isWhole {
      let (hash, problem) = bytes.withUnsafeBytes { bytes in
        (
          FrameStamp(frame: bytes).stateHash,
          check.problem(view.sequence, bytes, source.layout, parts)
        )
      }
      scheduler.note(name, "receives hash", hash)
      if let problem { fail(problem) }
      check.receive(view.sequence, parts)
      counts.received += 1
      if !missing.isEmpty { counts.incomplete += 1 }
    } else {
      counts.overtaken += 1
    }
    record(event, wasOvertaken: !isWhole)
    scheduleSoon()
  }

  private func record(_ event: SubscriptionEvent, wasOvertaken: Bool = false) {
    switch event {
    case .frame(let sequence):
      scheduler.note(name, "receives", sequence)
    case .missed(let gap):
      scheduler.note(name, "misses up to", gap.upperBound)
      counts.missed += gap.count
      check.miss(gap)
      if !wasOvertaken { checkGap(gap) }
    default:
      fail("got \(event)")
    }
    if let problem = check.problem(account) { fail(problem) }
  }

  /// A frame is missed only if a living shard has overwritten it or may at the next claim, if nobody has it,
  /// or if it was skipped for a newer one.
  private func checkGap(_ gap: ClosedRange<UInt64>) {
    let isOverwritten = links.contains {
      $0.isAlive && gap.upperBound >= $0.first
        && gap.upperBound + plan.slotCount <= $0.process.sequence + 1
    }
    let parts = parts(of: gap.lowerBound)
    let isNobodys = gap.count == 1 && parts.tick == nil && !parts.isAwaited
    let isSkipped =
      reading == .newest && links.contains { gap.upperBound < $0.process.sequence }
    if !isOverwritten && !isNobodys && !isSkipped { fail("missed frames \(gap)") }
  }

  private func fail(_ problem: String) { scheduler.fail("\(name): \(problem)") }
}
