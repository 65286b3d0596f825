// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: shards that are followed by message are one run: each frame with the parts that came, each loss counted once,
/// whatever a link does.
///
/// Method: shards that the test fills by hand, served at loopback addresses.
@Suite struct RemoteShardTests {
  /// Writes down which parts each frame has, and acts when it has a frame.
  private final class Diary: FrameConsumer {
    /// The hash of each frame, by its number.
    var hashes: [UInt64: UInt64] = [:]
    var missed: [ClosedRange<UInt64>] = []
    /// Values that are neither their entity's number nor, where a part is missing, NaN.
    var wrongCount = 0
    var whenKept: (UInt64) -> Void = { _ in }
    var whenIdle: () -> Void = {}

    func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
      let hash = frame.stamp().stateHash
      hashes[frame.sequence] = hash
      for column in source.layout.columns {
        let first = Int(column.description.firstEntity)
        // Slices of a batch are batches of their own.
        let hasPart = hash >> (8 * UInt64(first / ServedShard.entityCount)) & 0xff == 1
        for (index, value) in frame.values(column).enumerated() {
          if hasPart ? value != Float(first + index) : !value.isNaN { wrongCount += 1 }
        }
      }
      return source.isWhole(frame)
    }
    func keep(sequence: UInt64) throws(Failure) { whenKept(sequence) }
    func miss(_ gap: ClosedRange<UInt64>) throws(Failure) { missed.append(gap) }
    func idle() throws(Failure) { whenIdle() }
    func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] { [] }
  }

  private static func shards(_ count: Int, delivery: Delivery = .live) throws -> [ServedShard] {
    try (0..<count).map { try ServedShard(Shard($0, of: count), delivery: delivery) }
  }

  /// Joins shards, from their first frame on.
  private static func join(
    _ shards: [ServedShard], reading: Reading = .every, isCompressed: Bool = false,
    leadSeconds: Double = 30
  ) throws -> SubscriberLoop {
    try SubscriberLoop(
      program: "diary",
      location: .remoteShards(try shards.map { try $0.address }, isCompressed: isCompressed),
      reading: reading, from: 1, joining: ShardJoining(leadSeconds: leadSeconds), waitSeconds: 20)
  }

  private static func received(_ report: SubscriberReportMessage) -> [UInt64] {
    report.shards?.map(\.received) ?? []
  }

  @Test(arguments: [false, true])
  func shardsAreJoinedWhateverTheOrderOfTheirAddresses(isCompressed: Bool) throws {
    let shards = try Self.shards(3)
    for shard in shards { shard.publish(20) }
    let diary = Diary()
    diary.whenKept = { sequence in
      if sequence == 20 { for shard in shards { shard.end() } }
    }
    let loop = try Self.join([shards[2], shards[0], shards[1]], isCompressed: isCompressed)
    let report = try loop.follow(diary)
    #expect(diary.hashes.values.allSatisfy { $0 == 0x1_01_01 })
    #expect(diary.wrongCount == 0)
    #expect((report.published, report.received, report.missed) == (20, 20, 0))
    #expect(Self.received(report) == [20, 20, 20])
    #expect(report.shards?.map(\.missed) == [0, 0, 0])
    #expect(report.ended == .runEnded)
    #expect(report.waiting == "remote")
  }

  /// A part is waited for, and its frame is given once.
  @Test(arguments: [Delivery.live, .lockstep])
  func lateShardHoldsUpNothingButItsFrames(delivery: Delivery) throws {
    let shards = try Self.shards(2, delivery: delivery)
    shards[0].publish(40)
    let diary = Diary()
    var isLate = true
    diary.whenIdle = {
      guard isLate else { return }
      isLate = false
      #expect(diary.hashes.isEmpty)
      shards[1].publish(40)
    }
    diary.whenKept = { sequence in
      if sequence == 40 { for shard in shards { shard.end() } }
    }
    let report = try Self.join(shards).follow(diary)
    #expect(diary.hashes.values.allSatisfy { $0 == 0x1_01 })
    #expect((report.received, report.missed) == (40, 0))
    #expect(Self.received(report) == [40, 40])
  }

  @Test func partIsMissingAfterTheLead() throws {
    let shards = try Self.shards(2)
    shards[0].publish(5)
    shards[1].publish(3)
    let diary = Diary()
    diary.whenKept = { sequence in
      if sequence == 5 { for shard in shards { shard.end() } }
    }
    let report = try Self.join(shards, leadSeconds: 0.05).follow(diary)
    #expect((1...5).map { diary.hashes[$0] } == [0x1_01, 0x1_01, 0x1_01, 1, 1])
    #expect(diary.wrongCount == 0)
    #expect(report.published == 5)
    #expect(Self.received(report) == [5, 3])
    #expect(report.shards?.map(\.missed) == [0, 2])
  }

  /// It is known that its parts do not come.
  @Test func shardThatHasEndedIsNotWaitedFor() throws {
    let shards = try Self.shards(2)
    shards[0].publish(5)
    shards[1].publish(3)
    let diary = Diary()
    var isThere = true
    diary.whenIdle = {
      if isThere { shards[1].end() }
      isThere = false
    }
    diary.whenKept = { sequence in
      if sequence == 5 { shards[0].end() }
    }
    let report = try Self.join(shards, leadSeconds: 3_600).follow(diary)
    #expect(Self.received(report) == [5, 3])
    #expect((report.received, report.missed) == (5, 0))
    #expect(report.ended == .runEnded)
  }

  /// The ring has no room for the first frames: one shard sends all of its frames, the other only its newest.
  @Test func framesThatWereOverwrittenAreMissingAlone() throws {
    let shards = try Self.shards(2)
    let diary = Diary()
    shards[1].publish(100)
    shards[0].publish(50)
    diary.whenIdle = {
      // Now it has sent what its ring holds.
      if shards[0].writer.sequence == 50 { shards[0].publish(50) }
    }
    diary.whenKept = { sequence in
      if sequence == 100 { for shard in shards { shard.end() } }
    }
    let report = try Self.join(shards).follow(diary)
    let counts = Self.received(report)
    #expect(report.published == 100)
    #expect(report.received + report.missed == 100)
    #expect(counts[0] == 100)
    #expect(counts[1] < 100 && counts[1] >= 40)
    #expect(diary.wrongCount == 0)
  }

  @Test func newestFrameIsTheNewestOfAll() throws {
    let shards = try Self.shards(2)
    for shard in shards { shard.publish(50) }
    let diary = Diary()
    diary.whenKept = { sequence in
      if sequence == 50 { for shard in shards { shard.end() } }
    }
    let report = try Self.join(shards, reading: .newest).follow(diary)
    #expect(report.received + report.missed == 50)
    #expect(diary.hashes[50] == 0x1_01)
    #expect(diary.wrongCount == 0)
  }

  static let wrong: [(indexes: [Int], text: String)] = [
    ([0, 2], "run 'demo' has 3 shards; missing: 1"),
    ([1, 0], "run 'demo' has 3 shards; missing: 2"),
    ([0, 1, 1, 2], "two addresses are of shard 1 of run 'demo'"),
  ]

  @Test(arguments: wrong)
  func addressesOfOtherShardsAreRefused(indexes: [Int], text: String) throws {
    let shards = try Self.shards(3)
    let failure = #expect(throws: Failure.self) { _ = try Self.join(indexes.map { shards[$0] }) }
    #expect(failure?.description == text)
  }

  @Test func runsThatAreNoShardsAreNotJoined() throws {
    let runs = try (0..<2).map { _ in try ServedShard(.whole) }
    let failure = #expect(throws: Failure.self) { _ = try Self.join(runs) }
    #expect(failure?.status == .usage)
    #expect(failure?.description.contains("the run there is no shard") == true)
  }

  @Test func shardsOfOtherScenesAreNotJoined() throws {
    let shards = try [
      ServedShard(Shard(0, of: 2)), ServedShard(Shard(1, of: 2), seed: 2),
    ]
    let failure = #expect(throws: Failure.self) { _ = try Self.join(shards) }
    #expect(failure?.description.contains("do not run the same scene") == true)
  }
}
