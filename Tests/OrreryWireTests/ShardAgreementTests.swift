// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import OrreryWire
import TestSupport
import Testing

/// Goal: whatever shards do or leave undone, all of them come to the same decision on a change.
///
/// Method: several shards of this process in a directory of the test; the test does what their loops do.
@Suite struct ShardAgreementTests {
  /// A shard that has begun.
  private final class Running: Sendable {
    let rendezvous: Rendezvous
    let agreement: ShardAgreement
    /// How often it was woken.
    let wakes: Monitor<Int>

    init(_ rendezvous: Rendezvous, delaySeconds: Double = 0.1) throws {
      self.rendezvous = rendezvous
      let wakes = Monitor(0)
      self.wakes = wakes
      agreement = try ShardAgreement(
        rendezvous, rendezvous.history(nowWallNs: Clock.wallNs()), delaySeconds: delaySeconds
      ) { wakes.change { $0 += 1 } }
    }

    deinit { finish() }

    private let isFinished = Monitor(false)

    /// Ends the agreement's thread.
    func finish() {
      let wasFinished = isFinished.change { isFinished in
        defer { isFinished = true }
        return isFinished
      }
      if !wasFinished { agreement.finish() }
    }

    /// Takes the next proposal.
    func take() throws -> ShardChange {
      var change: ShardChange?
      try waitUntil("a proposal") {
        change = agreement.take()
        return change != nil
      }
      return try #require(change)
    }

    /// Takes the next proposal, or nil at a time: where it is decided before it is seen, none comes.
    func take(beforeWallNs limit: UInt64) -> ShardChange? {
      while Clock.wallNs() < limit {
        if let change = agreement.take() { return change }
        usleep(500)
      }
      return agreement.take()
    }
  }

  private static func rendezvous(
    _ base: TemporaryBase, _ index: Int, of count: Int
  ) throws(RendezvousError) -> Rendezvous {
    try Rendezvous(
      directory: base.path, name: "demo", shard: Shard(index, of: count), scene: 7, address: nil)
  }

  private static func start(
    _ count: Int, in base: TemporaryBase, delaySeconds: Double = 0.1
  ) throws -> [Running] {
    let all = try (0..<count).map { try rendezvous(base, $0, of: count) }
    BackgroundThread.concurrently(count) { index in
      _ = try? all[index].agree(waitSeconds: patienceSeconds, delaySeconds: 0)
    }
    return try all.map { try Running($0, delaySeconds: delaySeconds) }
  }

  /// Proposes a change for a moment after the delay.
  private static func propose(_ first: Running, sequence: UInt64 = 100) throws -> ShardChange {
    try #require(
      first.agreement.propose(
        #"{"do":"pause","id":0}"#, sequence: sequence,
        wallNs: Clock.wallNs() + first.agreement.delayNs))
  }

  /// What each shard decides when it comes to the frame.
  private static func refusals(_ shards: [Running], _ change: ShardChange) throws -> [String?] {
    try shards.map { try $0.agreement.refusal(of: change, else: "came first") }
  }

  private static func sleep(untilWallNs wallNs: UInt64) {
    let nowNs = Clock.wallNs()
    guard wallNs > nowNs else { return }
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + wallNs - nowNs)
  }

  @Test func changeThatAllKnowIsMade() throws {
    let base = try TemporaryBase()
    // Long enough for a machine that is busy.
    let shards = try Self.start(4, in: base, delaySeconds: 5)
    for round in UInt64(1)...3 {
      let change = try Self.propose(shards[0], sequence: 100 * round)
      #expect(!shards[0].agreement.canPropose)
      for shard in shards.dropFirst() {
        #expect(try shard.take() == change)
        shard.agreement.acknowledge(change)
      }
      // The decision does not wait for the frame.
      try waitUntil("a decision") { shards[0].agreement.canPropose }
      #expect(Clock.wallNs() < change.wallNs)
      #expect(try Self.refusals(shards, change) == [nil, nil, nil, nil])
    }
    // The first shard can propose again a moment before it is woken.
    try waitUntil("a wake for each change") { shards.allSatisfy { $0.wakes.read { $0 } >= 3 } }
    let decisions = try FileManager.default.contentsOfDirectory(atPath: base.path)
      .filter { $0.hasSuffix(".decision") }
    #expect(decisions.count == 1, "\(decisions)")
    withExtendedLifetime(shards) {}
  }

  @Test func changeThatOneDoesNotKnowIsMadeByNobody() throws {
    let base = try TemporaryBase()
    let shards = try Self.start(3, in: base)
    let change = try Self.propose(shards[0])
    shards[1].agreement.acknowledge(try shards[1].take())
    Self.sleep(untilWallNs: change.wallNs)
    let refusals = try Self.refusals(shards, change)
    let late = "shards have not answered in time: 2; nothing was changed"
    #expect(!refusals.contains(nil), "\(refusals)")
    // Who finds the decision in the log only does not find its reason there.
    #expect(Set(refusals).subtracting(["refused"]).count == 1, "\(refusals)")
    #expect(refusals[0] == late || refusals[0] == "came first", "\(refusals)")
    try waitUntil("the decision's end") { shards[0].agreement.canPropose }
  }

  /// A decision can be had by all, though nobody was in time.
  @Test func oneOfManyShardsDecides() throws {
    let base = try TemporaryBase()
    let shards = try Self.start(6, in: base)
    for round in 1...20 * testEffort {
      let change = ShardChange(
        number: UInt64(round + 1_000), sequence: 5, wallNs: 0, request: "")
      let refusals = Monitor<[Result<String?, RendezvousError>]>([])
      BackgroundThread.concurrently(6) { index in
        let refusal = Result { () throws(RendezvousError) in
          try shards[index].agreement.refusal(of: change, else: "shard \(index)")
        }
        refusals.change { $0.append(refusal) }
      }
      let all = try refusals.read { $0 }.map { try $0.get() }
      #expect(all.count == 6)
      #expect(all[0]?.hasPrefix("shard ") == true)
      #expect(Set(all).count == 1, "\(all)")
    }
  }

  /// Shards acknowledge, are late or say nothing, in every mixture: all do the same.
  @Test func allDoTheSame() throws {
    let base = try TemporaryBase()
    let shards = try Self.start(3, in: base, delaySeconds: 0.02)
    var random = SeededRandom(seed: 3)
    for round in 1...30 * testEffort {
      try waitUntil("the decision before") { shards[0].agreement.canPropose }
      let change = try Self.propose(shards[0], sequence: UInt64(round))
      let waits = (0..<3).map { _ in UInt32.random(in: 0...50_000, using: &random) }
      let refusals = Monitor<[Result<String?, RendezvousError>]>([])
      BackgroundThread.concurrently(3) { index in
        if index > 0, let taken = shards[index].take(beforeWallNs: change.wallNs) {
          usleep(waits[index])
          shards[index].agreement.acknowledge(taken)
        }
        // A loop whose clock is ahead, or behind.
        Self.sleep(untilWallNs: change.wallNs &- 10_000_000 &+ UInt64(waits[index]) * 400)
        let refusal = Result { () throws(RendezvousError) in
          try shards[index].agreement.refusal(of: change, else: "came first")
        }
        refusals.change { $0.append(refusal) }
      }
      let all = try refusals.read { $0 }.map { try $0.get() }
      #expect(all.count == 3)
      #expect(Set(all.map { $0 == nil }).count == 1, "\(all)")
    }
  }

  @Test func newcomerFindsWhatWasMade() throws {
    let base = try TemporaryBase()
    var shards = try Self.start(2, in: base, delaySeconds: 2)
    let kept = Monitor<[String?]>([])
    #expect(
      shards[0].agreement.keep(#"{"do":"toggle","id":0}"#, sequence: 9, tick: 8) { failure in
        kept.change { $0.append(failure) }
      })
    try waitUntil("the log") { kept.read { $0 } == [nil] }
    let made = try Self.propose(shards[0])
    shards[1].agreement.acknowledge(try shards[1].take())
    try waitUntil("a decision") { shards[0].agreement.canPropose }
    let open = try Self.propose(shards[0], sequence: 200)
    try waitUntil("the proposal") { (try? shards[1].take()) != nil }
    // Alone, the first shard would decide at once.
    shards[0].finish()
    shards.removeLast()
    let again = try Self.rendezvous(base, 1, of: 2)
    // As after the first frame: the second proposal has yet to come to its own.
    let later = try again.history(nowWallNs: made.wallNs)
    #expect(later.past.map(\.number) == [1, 2])
    #expect(later.past.map(\.tick) == [8, nil])
    #expect(later.later == [open])
    // After both: nobody has decided, so the newcomer does.
    let past = try again.history(nowWallNs: open.wallNs + 1)
    #expect(past.past.map(\.number) == [1, 2])
    #expect(past.later.isEmpty)
    #expect(past.log.last?.isMade == false)
    #expect(
      try shards[0].agreement.refusal(of: open, else: "came first")
        == "shard 1/2 was started again")
  }

  @Test func logThatIsFullTakesNoMore() throws {
    let base = try TemporaryBase()
    let first = try Self.start(1, in: base)[0]
    let long = String(repeating: "x", count: 60_000)
    var count = 0
    while count < 100, first.agreement.keep(long, sequence: 1, tick: 1, { _ in }) { count += 1 }
    #expect(count == 4)
    #expect(!first.agreement.hasRoom(for: long))
    #expect(first.agreement.hasRoom(for: "short"))
  }

  /// Whatever the log says, it is a log or it is ignored.
  @Test(arguments: [
    "", "\n", "x", "{}", "1\n{}",
    #"{"number":1,"sequence":1,"wall_ns":-1,"request":""}"#,
    #"{"number":1,"sequence":1e30,"wall_ns":1,"request":""}"#,
    #"{"number":1,"sequence":1,"wall_ns":1,"request":7}"#,
  ])
  func otherLogsAreIgnored(line: String) throws {
    let base = try TemporaryBase()
    let shards = try Self.start(2, in: base)
    let start = try #require(
      try Rendezvous.notes(in: base.path, of: "demo").first?.note.startWallNs)
    let path = base.path + "/demo.changes"
    try waitUntil("the log") { FileManager.default.fileExists(atPath: path) }
    for text in [line, "\(start)\n\(line)", "\(start + 1)\n" + ShardChange.valid.text] {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try shards[1].rendezvous.history(nowWallNs: 0) == ShardHistory())
    }
    try "\(start)\n\(ShardChange.valid.text)".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try shards[1].rendezvous.history(nowWallNs: 0).later == [ShardChange.valid])
  }
}

extension ShardChange {
  fileprivate static var valid: ShardChange {
    ShardChange(number: 1, sequence: 2, wallNs: 3, request: "{}", isMade: true)
  }
}
