// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryWire

/// Changes that all shards of a scene make at the same frame.
extension RunCommands {
  /// How late a shard is that was stopped: others may have changed something without it.
  private static let awayNs: UInt64 = 1_000_000_000

  /// Applies the changes of views that this shard's earlier process made.
  ///
  /// - Throws: `Failure` for a log of changes that cannot be read.
  func applyPastChanges() throws(Failure) {
    for change in course.sharding?.viewChanges ?? [] {
      guard let tick = change.tick,
        case .change(let asked) = try change.command(queue.command)
      else { continue }
      apply(asked, nextTick: tick)
    }
  }

  /// Why a change of views cannot be kept for this shard's next process; nil if it can.
  func reasonNotToKeep(_ request: ControlRequest) -> String? {
    guard let agreement = course.sharding?.agreement else { return Self.notBegun }
    return agreement.hasRoom(for: request.kept) ? nil : Self.logIsFull
  }

  /// Keeps a change of views that was made, and replies once it is kept.
  func keep(_ entry: CommandQueue.Entry, tick: UInt64, _ reply: ControlReply) {
    let answer = entry.answer
    let isTaken = course.sharding?.agreement?.keep(
      entry.request.kept, sequence: course.writer.sequence + 1, tick: tick
    ) { failure in
      guard let failure else { return answer(reply) }
      answer(.refused("it was done, but the shard forgets it if it is started again: \(failure)"))
    }
    precondition(isTaken == true, "the log of changes has no room")
  }

  private static let notBegun = "the shards have not begun yet; try again"
  private static let logIsFull =
    "\(ShardAgreement.changesMax) changes were made; a run of shards keeps no more"

  /// Takes a request that concerns all shards.
  func propose(_ entry: CommandQueue.Entry) {
    guard let sharding = course.sharding, let agreement = sharding.agreement else {
      return entry.answer(.refused(Self.notBegun))
    }
    guard agreement.isFirst else {
      return entry.answer(
        .refused(
          "shard \(course.plan.shard) changes nothing by itself; ask the run or its first shard"))
    }
    guard sharding.requests.count < CommandQueue.capacity else {
      return entry.answer(
        .refused("\(CommandQueue.capacity) requests wait for the shards already; try again"))
    }
    sharding.requests.append(entry)
  }

  /// Takes proposals: those of the first shard, or one of the requests to it.
  ///
  /// - Throws: `Failure` if the others have changed the run without this shard.
  func takeProposals() throws(Failure) {
    guard let sharding = course.sharding, let agreement = sharding.agreement else { return }
    while sharding.next == nil, let change = agreement.take() {
      if course.writer.sequence < change.sequence {
        sharding.next = change
        agreement.acknowledge(change)
      } else if try refusal(of: change) == nil {
        throw Failure(
          .unavailable,
          "shard \(course.plan.shard) was away while the others made change \(change.number) at frame"
            + " \(change.sequence); start it again")
      }
    }
    while sharding.next == nil, agreement.canPropose, !sharding.requests.isEmpty {
      let entry = sharding.requests.removeFirst()
      guard hasRoomToWait(entry.answer) else { continue }
      let (sequence, dueNs) = nextChangePoint(delayNs: agreement.delayNs)
      if let last = course.options.tickCount, sequence > last {
        entry.answer(.refused("the run ends before frame \(sequence), when all shards can do that"))
      } else if !sharding.propose(entry, sequence: sequence, dueNs: dueNs) {
        entry.answer(.refused(Self.logIsFull))
      }
    }
  }

  /// The first frame by which all shards can know a change, and when it is due.
  private func nextChangePoint(delayNs: UInt64) -> (sequence: UInt64, dueNs: UInt64) {
    let next = course.writer.sequence + 1
    let earliestNs = Clock.monotonicNs() + delayNs
    guard course.playback.wantsFrame else { return (next, earliestNs) }
    // A run that is stepping stands still after the last step.
    let last = course.playback.isPaused ? next + course.playback.owedCount : .max
    guard course.options.isPaced else {
      // No clock says where the others are: about here.
      let perDelay = Double(course.writer.sequence) / Double(max(runningNs, 1)) * Double(delayNs)
      return (min(next + 8 + UInt64(2 * perDelay), last), earliestNs)
    }
    let sequence = max(next, course.clock.newestDue(atNs: earliestNs) + 1)
    return sequence < last
      ? (sequence, course.clock.dueNs(sequence)) : (last, max(earliestNs, course.clock.dueNs(last)))
  }

  /// Makes the next change, or drops it, if its frame is next.
  ///
  /// - Returns: Whether the loop must look for further changes before it publishes.
  /// - Throws: `Failure` if the others have changed the run without this shard, or no decision can be read.
  func meetNextChange() throws(Failure) -> Bool {
    guard let sharding = course.sharding, let agreement = sharding.agreement else { return false }
    if course.options.isPaced, course.clock.isBehind(byNs: Self.awayNs) {
      agreement.catchUp()
      try takeProposals()
    }
    guard let next = sharding.next, course.writer.sequence + 1 >= next.sequence else {
      return false
    }
    let (dueNs, nowNs) = (sharding.monotonicNs(wallNs: next.wallNs), Clock.monotonicNs())
    if nowNs < dueNs {
      queue.wait(ns: min(dueNs - nowNs, RunCourse.pausedNs))
      return true
    }
    let refusal = try refusal(of: next)
    guard let (change, request) = sharding.takeNext() else { return true }
    if let refusal {
      request?.answer(.refused(refusal))
    } else if let request {
      make(change, request, dueNs: dueNs)
    } else {
      make(change, try change.entry(queue.command), dueNs: dueNs)
    }
    try takeProposals()
    return true
  }

  /// Time since the first frame.
  private var runningNs: UInt64 {
    course.figures.firstFrameNs.map { Clock.monotonicNs() - $0 } ?? 0
  }

  private func refusal(of change: ShardChange) throws(Failure) -> String? {
    guard let agreement = course.sharding?.agreement else { return CommandQueue.endedReason }
    return try Failure.of {
      try agreement.refusal(
        of: change,
        else: "shard \(course.plan.shard) came to frame \(change.sequence) before all had answered")
    }
  }

  /// Makes a change of time: its frame is the next one, and due now.
  private func make(_ change: ShardChange, _ entry: CommandQueue.Entry, dueNs: UInt64) {
    var speed = course.clock.speed
    if case .speed(let factor) = entry.command { speed = factor }
    course.clock.anchor(change.sequence, dueNs: dueNs, speed: speed)
    course.countingPauses { perform(entry) }
  }
}
