// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: shards agree once when to begin; one that comes back finds the others; nobody else can disturb them.
///
/// Method: several rendezvous of one process in a directory of the test, on threads of their own.
@Suite struct RendezvousTests {
  private typealias Outcome = Result<UInt64, RendezvousError>

  private static func enter(
    _ base: TemporaryBase, _ shard: Shard, scene: UInt64 = 7
  ) throws(RendezvousError) -> Rendezvous {
    try Rendezvous(
      directory: base.path, name: "demo", shard: shard, scene: scene, address: nil)
  }

  /// What each of some shards agrees to.
  private static func agree(_ all: [Rendezvous], waitSeconds: Double = 60) -> [Outcome] {
    let outcomes = Monitor([Int: Outcome]())
    BackgroundThread.concurrently(all.count) { index in
      let outcome = Outcome { () throws(RendezvousError) in
        try all[index].agree(waitSeconds: waitSeconds, delaySeconds: 0.5)
      }
      outcomes.change { $0[index] = outcome }
    }
    return outcomes.read { outcomes in all.indices.compactMap { outcomes[$0] } }
  }

  @Test func allShardsBeginAtTheSameTime() throws {
    let base = try TemporaryBase()
    // An earlier run's start must not begin this one.
    try ShardStart(wallNs: 5, generations: [1, 2, 3, 4]).text
      .write(toFile: base.path + "/demo.start", atomically: true, encoding: .utf8)
    let all = try [2, 0, 3, 1].map { try Self.enter(base, Shard($0, of: 4)) }
    let beforeNs = Clock.wallNs()
    let starts = try Self.agree(all).map { try $0.get() }
    #expect(Set(starts).count == 1)
    #expect(starts[0] >= beforeNs + 500_000_000)
    #expect(all.allSatisfy { $0.runningSinceWallNs == nil })
    let notes = try Rendezvous.notes(in: base.path, of: "demo")
    #expect(notes.map(\.shard.index) == [0, 1, 2, 3])
    #expect(notes.allSatisfy { $0.note.startWallNs == starts[0] })
    withExtendedLifetime(all) {}
  }

  @Test func shardThatComesBackFindsTheStart() throws {
    let base = try TemporaryBase()
    let first = try Self.enter(base, Shard(0, of: 2))
    var second: Rendezvous? = try Self.enter(base, Shard(1, of: 2))
    let starts = try Self.agree([first, second].compactMap { $0 }).map { try $0.get() }
    second = nil
    let again = try Self.enter(base, Shard(1, of: 2))
    #expect(again.runningSinceWallNs == starts[0])
    #expect(try again.agree(waitSeconds: 0, delaySeconds: 0) == starts[0])
    withExtendedLifetime(first) {}
  }

  @Test func lastShardLeavesNothingBehind() throws {
    let base = try TemporaryBase()
    do {
      let all = try (0..<3).map { try Self.enter(base, Shard($0, of: 3)) }
      #expect(Self.agree(all).count == 3)
      // A note and a lock of each, and the start.
      #expect(try FileManager.default.contentsOfDirectory(atPath: base.path).count == 7)
      withExtendedLifetime(all) {}
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: base.path).isEmpty)
  }

  @Test func missingShardsAreNamed() throws {
    let base = try TemporaryBase()
    let all = try [0, 3].map { try Self.enter(base, Shard($0, of: 5)) }
    for outcome in Self.agree(all, waitSeconds: 0.2) {
      #expect(
        outcome.failure
          == .missing(
            name: "demo", missing: [1, 2, 4], count: 5, waitedSeconds: 0.2))
    }
  }

  /// Eight are named, and of more the rest is counted.
  @Test(arguments: [
    (3, "0, 1, 2"), (8, "0, 1, 2, 3, 4, 5, 6, 7"), (9, "0, 1, 2, 3, 4, 5, 6, 7 and 1 more"),
  ])
  func messageNamesTheFirstEightThatAreMissing(count: Int, text: String) {
    let error = RendezvousError.missing(
      name: "demo", missing: Array(0..<count), count: 12, waitedSeconds: 0.5)
    #expect(
      error.description
        == "\(12 - count) of 12 shards of run 'demo' came within 0.5 s; missing: \(text)")
  }

  /// A subscriber that waits for shards does not hear that a sim prepares: there is none yet.
  @Test func subscriberWaitsForShardsThatAreNotThere() throws {
    let base = try TemporaryBase()
    let joiner = RunJoiner(
      program: "diary",
      location: .rendezvous(name: "demo", directory: base.path, keys: nil, isCompressed: false),
      reading: .every, waitSeconds: 0.05)
    var said: [Bool] = []
    #expect(throws: WireError.noRun(name: "demo", waitedSeconds: 0.05)) {
      _ = try joiner.visit(whileWaiting: { said.append($0) })
    }
    #expect(Set(said) == [false])
  }

  @Test func otherScenesAreRefused() throws {
    let base = try TemporaryBase()
    let all = [
      try Self.enter(base, Shard(0, of: 2)), try Self.enter(base, Shard(1, of: 2), scene: 8),
    ]
    let outcomes = Self.agree(all, waitSeconds: 5)
    #expect(outcomes[0].failure == .sceneDiffers(shard: Shard(0, of: 2), other: 1, name: "demo"))
    #expect(outcomes[1].failure == .sceneDiffers(shard: Shard(1, of: 2), other: 0, name: "demo"))
  }

  /// A shard that is refused by those that run leaves no note that others would take for a living one's.
  @Test func refusedShardLeavesNoNote() throws {
    let base = try TemporaryBase()
    let first = try Self.enter(base, Shard(0, of: 2))
    var second: Rendezvous? = try Self.enter(base, Shard(1, of: 2))
    #expect(Self.agree([first, second].compactMap { $0 }).allSatisfy { $0.failure == nil })
    second = nil
    #expect(
      throws: RendezvousError.sceneDiffers(shard: Shard(1, of: 2), other: 0, name: "demo")
    ) { try Self.enter(base, Shard(1, of: 2), scene: 8) }
    #expect(try Rendezvous.notes(in: base.path, of: "demo").map(\.shard.index) == [0])
    withExtendedLifetime(first) {}
  }

  @Test func stopEndsTheWait() throws {
    let base = try TemporaryBase()
    let alone = try Self.enter(base, Shard(0, of: 2))
    #expect(throws: RendezvousError.cancelled) {
      try alone.agree(waitSeconds: 60, delaySeconds: 0, isCancelled: { true })
    }
  }

  /// A shard of another machine that wrote its note just now is alive.
  @Test func livingShardOfAnotherMachineKeepsItsPlace() throws {
    let base = try TemporaryBase()
    let path = base.path + "/demo.0of2.shard"
    let note = ShardNote(generation: 1, scene: 7, host: "elsewhere", processID: 4711, address: nil)
    try note.text.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(
      throws: RendezvousError.taken(
        shard: Shard(0, of: 2), name: "demo", host: "elsewhere", processID: 4711)
    ) { try Self.enter(base, Shard(0, of: 2)) }
    var past = [
      timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0),
    ]
    #expect(utimensat(AT_FDCWD, path, &past, 0) == 0)
    #expect(try Self.enter(base, Shard(0, of: 2)).shard.index == 0)
  }

  // MARK: - Shards that were killed

  /// This kernel, as notes name it.
  private static func kernel() throws -> String {
    let text = try #require(SmallFile.read("/proc/sys/kernel/random/boot_id"))
    return String(text.prefix { !$0.isWhitespace })
  }

  /// Writes what a shard that was killed just now has left: its note, and a lock that nobody has.
  private static func leave(
    _ base: TemporaryBase, _ shard: Shard, name: String = "demo", kernel: String?, host: String,
    startWallNs: UInt64? = nil
  ) throws {
    let note = ShardNote(
      generation: 1, scene: 7, host: host, processID: 4711, address: nil, kernel: kernel,
      startWallNs: startWallNs)
    let path = base.path + "/" + shard.run(of: name)
    try note.text.write(toFile: path + ".shard", atomically: true, encoding: .utf8)
    try "".write(toFile: path + ".lock", atomically: true, encoding: .utf8)
  }

  private static func files(_ base: TemporaryBase) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: base.path).sorted()
  }

  /// All shards of a run are killed and started again at once: their notes are fresh, their start is past.
  @Test func runThatWasKilledAsAWholeIsNotJoined() throws {
    let base = try TemporaryBase()
    for index in 0..<3 {
      try Self.leave(
        base, Shard(index, of: 3), kernel: Self.kernel(), host: "here", startWallNs: 5)
    }
    try "5\n".write(toFile: base.path + "/demo.changes", atomically: true, encoding: .utf8)
    // Another scene's ghosts refuse nobody.
    let all = try [2, 0, 1].map { try Self.enter(base, Shard($0, of: 3), scene: 8) }
    #expect(all.allSatisfy { $0.runningSinceWallNs == nil })
    let beforeNs = Clock.wallNs()
    let starts = try Self.agree(all).map { try $0.get() }
    #expect(Set(starts).count == 1)
    #expect(starts[0] > beforeNs)
  }

  /// The first shard does not begin with dead ones, of this machine or of another.
  @Test(arguments: [true, false]) func deadShardsAreMissing(here: Bool) throws {
    let base = try TemporaryBase()
    try Self.leave(
      base, Shard(1, of: 2), kernel: here ? Self.kernel() : "another", host: "elsewhere")
    let first = try Self.enter(base, Shard(0, of: 2))
    #expect(
      Self.agree([first], waitSeconds: 0.3)[0].failure
        == .missing(name: "demo", missing: [1], count: 2, waitedSeconds: 0.3))
  }

  /// Nobody here knows whether a shard elsewhere is alive, unless it touches its note.
  @Test(arguments: [false, true]) func shardElsewhereRunsOnceItShowsLife(isAlive: Bool) throws {
    let base = try TemporaryBase()
    try Self.leave(base, Shard(1, of: 2), kernel: "another", host: "elsewhere", startWallNs: 5)
    let isOver = Monitor(false)
    let path = base.path + "/demo.1of2.shard"
    let shard = try TestThread("a shard elsewhere") {
      while isAlive, isOver.wait(atMostNs: 300_000_000, { $0 ? true : nil }) == nil {
        #expect(utimensat(AT_FDCWD, path, nil, 0) == 0)
      }
    }
    let first = try within("a shard that comes") { try Self.enter(base, Shard(0, of: 2)) }
    #expect(first.runningSinceWallNs == (isAlive ? 5 : nil))
    isOver.change { $0 = true }
    try shard.join()
  }

  @Test func lastShardRemovesWhatDeadOnesLeft() throws {
    let base = try TemporaryBase()
    do {
      let all = try (0..<2).map { try Self.enter(base, Shard($0, of: 3)) }
      try Self.leave(base, Shard(2, of: 3), kernel: Self.kernel(), host: "here")
      withExtendedLifetime(all) {}
    }
    #expect(try Self.files(base) == [])
    // One elsewhere that was alive within the last seconds may still be.
    do {
      try Self.leave(base, Shard(2, of: 3), kernel: "another", host: "elsewhere")
      let first = try Self.enter(base, Shard(0, of: 3))
      withExtendedLifetime(first) {}
    }
    #expect(try Self.files(base) == ["demo.2of3.lock", "demo.2of3.shard"])
  }

  @Test func subscribersDoNotLookForDeadShards() throws {
    let base = try TemporaryBase()
    try Self.leave(base, Shard(0, of: 2), kernel: Self.kernel(), host: "here")
    try Self.leave(base, Shard(1, of: 2), kernel: "another", host: "elsewhere")
    #expect(try Rendezvous.notes(in: base.path, of: "demo").map(\.shard.index) == [1])
  }

  /// All kinds of files of dead runs go; nothing of a living one, and nothing that is no file of shards.
  @Test func deadRunsAreReclaimed() throws {
    let base = try TemporaryBase()
    let living = try Self.enter(base, Shard(1, of: 2))
    try Self.leave(base, Shard(0, of: 2), kernel: Self.kernel(), host: "here")
    try Self.leave(base, Shard(2, of: 3), name: "dead.x", kernel: Self.kernel(), host: "here")
    let others = [
      "dead.x.start", "dead.x.changes", "dead.x.5.7.decision", "dead.x.5.7.decision.99",
      "dead.x.0of3.77.partial.shard", "dead.x.77.partial.start", "dead.x.1of3.shard.probe",
    ]
    let foreign = ["dead.x", "dead.x.txt", "x.decision", "-.start", "README", "dead.x.9of3.shard"]
    for file in others + foreign + ["demo.start", "alone.start"] {
      try "x".write(toFile: base.path + "/" + file, atomically: true, encoding: .utf8)
    }
    let removed = Rendezvous.reclaim(in: base.path)
    let dead = (others + ["dead.x.2of3.lock", "dead.x.2of3.shard"]).sorted()
    #expect(removed.map(\.name) == ["alone", "dead.x"])
    #expect(
      removed.map(\.removed) == [["alone.start"], dead].map { $0.map { base.path + "/" + $0 } })
    #expect(
      try Self.files(base)
        == (foreign + [
          "demo.0of2.lock", "demo.0of2.shard", "demo.1of2.lock", "demo.1of2.shard", "demo.start",
        ]).sorted())
    #expect(Rendezvous.reclaim(in: base.path) == [])
    #expect(Rendezvous.reclaim(in: base.path + "/nowhere") == [])
    withExtendedLifetime(living) {}
  }

  /// Looks, removals and starts at the same time: every start gets its lock.
  @Test func startsAreNotDisturbedByCleaners() throws {
    let base = try TemporaryBase()
    let isOver = Monitor(false)
    let cleaner = try TestThread("a cleaner") {
      while !isOver.read({ $0 }) { Rendezvous.reclaim(in: base.path) }
    }
    for _ in 0..<50 {
      let all = try (0..<2).map { try Self.enter(base, Shard($0, of: 2)) }
      #expect(Self.agree(all, waitSeconds: 20).allSatisfy { $0.failure == nil })
    }
    isOver.change { $0 = true }
    try cleaner.join()
    #expect(try Self.files(base) == [])
  }

  /// A second process has the shard on this machine, in whatever directory its runs are.
  @Test func shardIsTakenByItsLock() throws {
    let base = try TemporaryBase()
    let first = try Self.enter(base, Shard(0, of: 2))
    let error = #expect(throws: RendezvousError.self) { try Self.enter(base, Shard(0, of: 2)) }
    guard case .taken(Shard(0, of: 2), "demo", _, getpid()) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    withExtendedLifetime(first) {}
  }

  @Test func whatIsNoLockIsRefused() throws {
    let base = try TemporaryBase()
    let path = base.path + "/demo.0of2.lock"
    let refusal = RendezvousError.directory(.notALock(path: path))
    #expect(Failure(refusal).status == .notPermitted)
    for make in [
      { mkfifo($0, 0o600) }, { mkdir($0, 0o700) }, { symlink("/nowhere", $0) },
    ] as [(String) -> CInt] {
      #expect(make(path) == 0)
      try within("a refusal") {
        _ = #expect(throws: refusal) { try Self.enter(base, Shard(0, of: 2)) }
      }
      #expect(remove(path) == 0)
    }
    // Nor is a log of changes waited for that is a pipe.
    let all = try (0..<2).map { try Self.enter(base, Shard($0, of: 2)) }
    #expect(Self.agree(all).allSatisfy { $0.failure == nil })
    #expect(mkfifo(base.path + "/demo.changes", 0o600) == 0)
    let history = try within("a history") { try all[1].history(nowWallNs: Clock.wallNs()) }
    #expect(history.log.isEmpty)
  }

  @Test(
    arguments: [
      (ENOSPC, .inputOutput), (EDQUOT, .inputOutput), (EIO, .inputOutput), (ENOENT, .unavailable),
      (EACCES, .notPermitted), (EMFILE, .resource),
    ] as [(CInt, OrreryBase.ExitStatus)])
  func failureHasItsCode(number: CInt, status: OrreryBase.ExitStatus) {
    let error = SystemCallError(call: "write", path: "/x", errno: number)
    #expect(Failure(RendezvousError.system(error)).status == status)
  }

  @Test func directoryThatOthersCanWriteToIsRefused() throws {
    let base = try TemporaryBase()
    #expect(chmod(base.path, 0o777) == 0)
    let error = #expect(throws: RendezvousError.self) { try Self.enter(base, Shard(0, of: 2)) }
    guard case .unsafe(base.path, _, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// Whatever a file in the directory says, it is a note or it is ignored.
  @Test(arguments: [
    "", "{", "[]", "{}", "null", "{\"generation\":\"1\",\"scene\":\"7\",\"host\":\"h\",\"pid\":1}",
    "{\"generation\":\"0000000000000001\",\"scene\":\"0000000000000007\",\"host\":\"h\",\"pid\":1e99}",
    "{\"generation\":\"0000000000000001\",\"scene\":\"0000000000000007\",\"host\":7,\"pid\":1}",
    "{\"generation\":\"0000000000000001\",\"scene\":\"0000000000000007\",\"host\":\"h\",\"pid\":1,\"start_wall_ns\":-1}",
  ])
  func otherFilesAreIgnored(text: String) throws {
    let base = try TemporaryBase()
    for name in ["demo.1of2.shard", "demo.start", "demo.9of2.shard", "x.shard"] {
      try text.write(toFile: base.path + "/" + name, atomically: true, encoding: .utf8)
    }
    let first = try Self.enter(base, Shard(0, of: 2))
    #expect(first.runningSinceWallNs == nil)
    #expect(throws: RendezvousError.self) { try first.agree(waitSeconds: 0.05, delaySeconds: 0) }
    let second = try Self.enter(base, Shard(1, of: 2))
    #expect(Self.agree([first, second]).allSatisfy { $0.failure == nil })
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
