// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
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
      #expect(try FileManager.default.contentsOfDirectory(atPath: base.path).count == 4)
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
