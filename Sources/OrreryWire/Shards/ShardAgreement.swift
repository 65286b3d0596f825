// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryBase

/// How the shards of a run agree on its changes while they run.
///
/// The first shard writes a change into the log, for a frame that is due after a file has had time to be seen
/// twice. A shard that has read it, and has not published that frame yet, says so in its note. Once all living
/// shards have, the first shard decides to make the change. A shard that comes to the frame before there is a
/// decision decides against it. A decision is a file that can be linked into its place only once: so all shards
/// make a change at the same frame, or none does.
///
/// A thread reads and writes the files. The loop of the sim takes proposals from here and asks for the decision
/// when it comes to the frame. A shard that is started again reads the log, and is where the others are.
package final class ShardAgreement: @unchecked Sendable {
  private let rendezvous: Rendezvous
  private let wake: @Sendable () -> Void
  private let state: Monitor<State>
  private var thread: BackgroundThread?

  /// Time between two polls for a proposal, and between two polls for what is missing to a decision.
  private let pollNs: UInt64
  private let decisionPollNs: UInt64

  /// From a proposal to its frame, at least.
  package let delayNs: UInt64

  /// Called once, with the reason if a change could not be kept.
  package typealias Kept = @Sendable (_ failure: String?) -> Void

  private struct State {
    /// All changes, by rising numbers: as written, or as read last.
    var log: [ShardChange]
    /// Bytes of their requests.
    var requestBytes: Int
    /// Proposals that the loop has not taken yet.
    var incoming: [ShardChange]
    /// The newest change that the loop has acknowledged.
    var known: UInt64 = 0
    /// The decision made last.
    var newest: (number: UInt64, decision: ShardDecision)?
    /// The first shard's: whether the log has something that is not written, and who waits for that.
    var isUnwritten: Bool
    var waiting: [Kept] = []
    /// Of the log as it was read last.
    var stamp: FileStamp?
    var isEnding = false

    func hasRoom(for request: String) -> Bool {
      log.count < ShardAgreement.changesMax
        && requestBytes + request.utf8.count <= ShardAgreement.requestBytesMax
    }

    /// What was decided, as far as this process knows.
    func decision(of number: UInt64) -> ShardDecision? {
      if let newest, newest.number == number { return newest.decision }
      switch log.last(where: { $0.number == number })?.isMade {
      case true: return ShardDecision(refusal: nil)
      case false: return ShardDecision(refusal: "refused")
      case nil: return nil
      }
    }
  }

  /// Joins in the agreements of a run that has begun.
  ///
  /// - Parameters:
  ///   - rendezvous: Where the shards met.
  ///   - history: The changes so far, from `Rendezvous.history`.
  ///   - delaySeconds: A file takes less than this to be seen by all.
  ///   - wake: Called on a thread of this object when `take` has a proposal.
  /// - Throws: `RendezvousError.system` if no thread can be made.
  package init(
    _ rendezvous: Rendezvous, _ history: ShardHistory, delaySeconds: Double,
    wake: @escaping @Sendable () -> Void
  ) throws(RendezvousError) {
    self.rendezvous = rendezvous
    self.wake = wake
    delayNs = UInt64(2 * delaySeconds * 1e9)
    pollNs = min(max(delayNs / 10, 1_000_000), 1_000_000_000)
    decisionPollNs = min(max(delayNs / 100, 1_000_000), 100_000_000)
    // The first shard writes the log before it has changes: a file that is there is seen sooner than a new one.
    state = Monitor(
      State(
        log: history.log, requestBytes: history.log.reduce(0) { $0 + $1.request.utf8.count },
        incoming: history.later, isUnwritten: rendezvous.shard.index == 0))
    do throws(SystemCallError) {
      thread = try BackgroundThread { self.work() }
    } catch {
      throw .system(error)
    }
  }

  /// Ends the thread, which keeps this object until then; what was to be written is written first.
  package func finish() {
    state.change { $0.isEnding = true }
    thread?.join()
  }

  /// Whether this is the shard that proposes changes.
  package var isFirst: Bool { rendezvous.shard.index == 0 }

  private let logger = Logger(label: "shards")
}

// MARK: - The loop's side

extension ShardAgreement {
  /// Takes the oldest proposal that was not taken yet.
  package func take() -> ShardChange? {
    state.change { $0.incoming.isEmpty ? nil : $0.incoming.removeFirst() }
  }

  /// Says that this shard will come to a change's frame.
  package func acknowledge(_ change: ShardChange) {
    state.change { $0.known = max($0.known, change.number) }
  }

  /// Reads the log now, on the calling thread: for a shard that was stopped for a while.
  package func catchUp() {
    if !isFirst { readLog() }
  }

  /// Finds out whether a change is made, and decides against it if nobody has decided.
  ///
  /// - Parameters:
  ///   - change: Its frame is next, or has passed.
  ///   - refusal: Why it is not made, if this shard decides.
  /// - Returns: Why it is not made; nil if it is.
  /// - Throws: `RendezvousError.system`.
  package func refusal(
    of change: ShardChange, else refusal: @autoclosure () -> String
  ) throws(RendezvousError) -> String? {
    if let decision = state.read({ $0.decision(of: change.number) }) { return decision.refusal }
    // A shard that was away may find the decision in the log only.
    catchUp()
    if let decision = state.read({ $0.decision(of: change.number) }) { return decision.refusal }
    return try rendezvous.decide(change.number, refusal: refusal()).refusal
  }

  /// Whether a change can be proposed: each waits until the one before is decided.
  package var canPropose: Bool { openChange == nil }

  /// Proposes a change to all shards; the first shard does, one at a time.
  ///
  /// - Parameters:
  ///   - request: The request as a client sends it.
  ///   - sequence: The frame that shows it first.
  ///   - wallNs: When that frame is due.
  /// - Returns: The change, which this shard's loop comes to as the others do; nil if the log is full.
  package func propose(_ request: String, sequence: UInt64, wallNs: UInt64) -> ShardChange? {
    append(request, sequence: sequence, wallNs: wallNs, tick: nil, nil)
  }

  /// Keeps a change of views that was made, for this shard's next process.
  ///
  /// - Parameters:
  ///   - request: The request as a client sends it.
  ///   - sequence: The frame that shows it first.
  ///   - tick: From when on it is in force.
  ///   - kept: Called on another thread when it is kept.
  /// - Returns: False if the log is full; then `kept` is not called.
  package func keep(
    _ request: String, sequence: UInt64, tick: UInt64, _ kept: @escaping Kept
  ) -> Bool {
    append(request, sequence: sequence, wallNs: 0, tick: tick, kept) != nil
  }

  /// Whether a request can still be kept.
  package func hasRoom(for request: String) -> Bool {
    state.read { $0.hasRoom(for: request) }
  }

  private func append(
    _ request: String, sequence: UInt64, wallNs: UInt64, tick: UInt64?, _ kept: Kept?
  ) -> ShardChange? {
    precondition(isFirst, "shard \(rendezvous.shard) proposes")
    return state.change { state in
      guard state.hasRoom(for: request) else { return nil }
      let change = ShardChange(
        number: (state.log.last?.number ?? 0) + 1, sequence: sequence, wallNs: wallNs,
        tick: tick, request: request, isMade: tick == nil ? nil : true)
      state.log.append(change)
      state.requestBytes += request.utf8.count
      state.isUnwritten = true
      if let kept { state.waiting.append(kept) }
      return change
    }
  }
}

// MARK: - The thread's side

extension ShardAgreement {
  /// Changes of a run, and bytes of their requests, at most: the log is read whole.
  package static let changesMax = 2000
  fileprivate static let requestBytesMax = 256 << 10

  /// What the thread has to do.
  private struct Work {
    var known: UInt64?
    var log: [ShardChange]?
    var waiting: [Kept] = []
    var isEnding = false
  }

  private func work() {
    var known: UInt64 = 0
    var acknowledged: [Int: ShardNote] = [:]
    while true {
      let waitNs = openChange == nil ? pollNs : decisionPollNs
      let work = state.wait(atMostNs: waitNs) { state -> Work? in
        guard state.isEnding || state.isUnwritten || state.known > known else { return nil }
        defer { (state.isUnwritten, state.waiting) = (false, []) }
        return Work(
          known: state.known > known ? state.known : nil,
          log: state.isUnwritten ? state.log : nil, waiting: state.waiting,
          isEnding: state.isEnding)
      }
      if let work, let log = work.log { write(log, work.waiting) }
      if work?.isEnding == true { return }
      if let number = work?.known {
        known = number
        acknowledge(number)
      }
      let open = openChange
      if isFirst {
        if let open { look(open, &acknowledged) }
      } else {
        if let open { readDecision(open) }
        readLog()
      }
    }
  }

  /// The change that is not decided yet, as far as this process knows.
  private var openChange: ShardChange? {
    state.read { state in
      guard let last = state.log.last(where: { $0.tick == nil }),
        state.decision(of: last.number) == nil
      else { return nil }
      return last
    }
  }

  /// Writes the log, and wakes those who wait for it.
  private func write(_ log: [ShardChange], _ waiting: [Kept]) {
    do throws(RendezvousError) {
      try rendezvous.write(log)
      for kept in waiting { kept(nil) }
    } catch {
      logger.warning("\(error)")
      for kept in waiting { kept(error.description) }
    }
  }

  private func acknowledge(_ number: UInt64) {
    do throws(RendezvousError) {
      try rendezvous.acknowledge(number)
    } catch {
      // The first shard sees that there is no answer.
      logger.warning("\(error)")
    }
  }

  /// Looks whether all shards have acknowledged a proposal, and decides.
  private func look(_ change: ShardChange, _ acknowledged: inout [Int: ShardNote]) {
    do throws(RendezvousError) {
      let missing = try rendezvous.shardsBefore(change.number, acknowledged: &acknowledged)
      // At its frame each shard decides for itself; this one does so a little earlier.
      if !missing.isEmpty, Clock.wallNs() + 2 * decisionPollNs < change.wallNs { return }
      let refusal = missing.isEmpty ? nil : Self.unanswered(missing)
      decided(change, try rendezvous.decide(change.number, refusal: refusal))
    } catch {
      logger.warning("\(error)")
    }
  }

  private static func unanswered(_ shards: [Int]) -> String {
    let first = shards.prefix(8).map(String.init).joined(separator: ", ")
    let more = shards.count > 8 ? " and \(shards.count - 8) more" : ""
    return "shards have not answered in time: \(first)\(more); nothing was changed"
  }

  private func decided(_ change: ShardChange, _ decision: ShardDecision) {
    let before = state.change { state in
      defer { state.newest = (change.number, decision) }
      if let index = state.log.firstIndex(where: { $0.number == change.number }) {
        state.log[index].isMade = decision.refusal == nil
        state.isUnwritten = true
      }
      return state.newest?.number
    }
    // All have acknowledged this change, so none will ask for the one before.
    if decision.refusal == nil, let before { rendezvous.forgetDecision(before) }
    wake()
  }

  private func readDecision(_ change: ShardChange) {
    guard let decision = rendezvous.decision(change.number) else { return }
    state.change { $0.newest = (change.number, decision) }
  }

  /// Reads the log, and passes on what is new in it.
  private func readLog() {
    guard let stamp = rendezvous.changesStamp, stamp != state.read({ $0.stamp }) else { return }
    let log = rendezvous.changes()
    let isNew = state.change { state in
      // The loop may have read it meanwhile.
      guard let last = log.last, last.number >= state.log.last?.number ?? 0 else { return false }
      let seen = state.log.last?.number ?? 0
      let new = log.filter { $0.number > seen && $0.tick == nil && $0.isMade != false }
      state.incoming += new
      (state.log, state.stamp) = (log, stamp)
      return !new.isEmpty
    }
    if isNew { wake() }
  }
}
