// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryWire
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: a program that follows a run on another machine hands each frame on once, and ends with the status and the
/// words of what ended it.
///
/// Method: a false sim, which ends as a test likes.
@Suite struct RemoteLoopTests {
  /// Writes down what it is told.
  private final class Diary: FrameConsumer {
    var lines: [String] = []
    var account: Losses?
    var idleCount = 0

    func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
      source.isWhole(frame)
    }
    func keep(sequence: UInt64) throws(Failure) { lines.append("keep \(sequence)") }
    func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {
      lines.append("miss \(gap.lowerBound)-\(gap.upperBound)")
    }
    func idle() throws(Failure) { idleCount += 1 }
    func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] {
      self.account = account
      lines.append("finish \(simEnded)")
      return ["file"]
    }
  }

  /// Follows a sim that says this to its end.
  private static func follow(
    _ messages: [[[UInt8]]], _ diary: Diary, _ sim: FalseSim, wantsEvents: Bool = false,
    waitSeconds: Double = 5
  ) throws -> (report: SubscriberReportMessage, events: [[UInt8]]) {
    var preparedCount = 0
    let loop = try SubscriberLoop(
      program: "diary", location: .remote(sim.address, isCompressed: true), reading: .every,
      from: 2, wantsEvents: wantsEvents, waitSeconds: waitSeconds,
      prepare: {
        // Before the sim counts on it.
        #expect(sim.requests.isEmpty)
        preparedCount += 1
      })
    #expect(preparedCount == 1)
    let report = try loop.follow(diary)
    var events: [[UInt8]] = []
    while loop.events?.next(timeoutNs: 0, use: { events.append(Array($0)) }) == true {}
    #expect((loop.events != nil) == wantsEvents)
    return (report, events)
  }

  private static func follow(
    _ messages: [[[UInt8]]], _ diary: Diary, wantsEvents: Bool = false, waitSeconds: Double = 5
  ) throws -> (report: SubscriberReportMessage, events: [[UInt8]], requests: [ControlRequest]) {
    let sim = try FalseSim(messages)
    defer { sim.stop() }
    let (report, events) = try follow(
      messages, diary, sim, wantsEvents: wantsEvents, waitSeconds: waitSeconds)
    return (report, events, sim.requests)
  }

  @Test(arguments: [false, true])
  func runThatEndsIsReported(wantsEvents: Bool) throws {
    let diary = Diary()
    let messages = [
      try FalseSim.welcome(joinedAfter: 1), [try FalseSim.frame(2)], [Array("events".utf8), [1]],
      [try FalseSim.frame(4)], [Array("events".utf8), [2, 3]], [try FalseSim.frame(8)],
      FalseSim.told("end", ["sequence": .integer(8)]),
    ]
    let beganNs = Clock.monotonicNs()
    let (report, events, requests) = try Self.follow(messages, diary, wantsEvents: wantsEvents)
    let readNs = try #require(report.firstReadClockNs)
    let doneNs = try #require(report.firstDoneClockNs)
    #expect(beganNs < readNs)
    // Two frames came after the first one was done.
    #expect(readNs < doneNs)
    #expect(doneNs < Clock.monotonicNs())
    #expect(diary.lines == ["keep 2", "miss 3-3", "keep 4", "miss 5-7", "keep 8", "finish true"])
    #expect(events == (wantsEvents ? [[1], [2, 3]] : []))
    #expect(report.program == "diary")
    #expect(report.run.hasPrefix("tcp://127.0.0.1:"))
    #expect(report.waiting == "remote")
    #expect(report.reading == "every")
    #expect(report.joinedAfter == 1)
    #expect(report.published == 7)
    #expect(report.received == 3)
    #expect(report.missed == 4)
    #expect(report.gaps == ["3", "5-7"])
    #expect(report.ended == .runEnded)
    // The first frame was not waited for.
    #expect((report.working.count, report.waitingTime.count) == (3, 2))
    #expect(report.delivery == "live")
    #expect(report.latency?.count == 3)
    #expect(report.files == ["file"])
    #expect(diary.account?.last == 8)
    // What was asked for.
    let join = try #require(requests.first)
    #expect(join.fields["name"] == .string("diary"))
    #expect(join.fields["compression"] == .string("lz4"))
    #expect(join.fields["events"] == .bool(wantsEvents))
    #expect(join.fields["from"] == .integer(2))
  }

  /// Goes away a while after something has happened.
  private final class Visitor: FrameConsumer {
    private let hasHappened: () -> Bool
    private var idleCount = 0

    init(until hasHappened: @escaping () -> Bool) { self.hasHappened = hasHappened }

    func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool { true }
    func keep(sequence: UInt64) throws(Failure) {}
    func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {}
    func idle() throws(Failure) {
      if hasHappened() { idleCount += 1 }
      if idleCount == 3 { throw Failure(.unavailable, "enough") }
    }
    func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] { [] }
  }

  /// A shard of two that says who it is, and then sends frames: of 8.8 MB, if nothing else is said.
  private static func shard(
    _ index: Int, frames: UInt64, count: UInt32 = 2_200_000, publishedNs: UInt64 = 0,
    ends: Bool = false
  ) throws -> FalseSim {
    let shard = Shard(index, of: 2)
    var batch = Orrery_Batch()
    (batch.firstEntity, batch.entityCount) = (UInt32(index) * count, count)
    (batch.originX, batch.originY, batch.sprites) = ([0], [0], [0])
    var scene = Orrery_SceneLayout()
    (scene.run, scene.batches, scene.entityCount) = (shard.run(of: "demo"), [batch], UInt64(count))
    (scene.shard.index, scene.shard.count) = (UInt32(index), 2)
    (scene.shard.entityCount, scene.shard.batches) = (2 * UInt64(count), [0])
    let layout = try FrameLayout(columns: [
      ColumnDescription(
        batch: 0, field: 1, firstEntity: batch.firstEntity, valueCount: count, format: .float32)
    ])
    // A ring of four: each frame is reported.
    var welcome = try FalseSim.welcome(delivery: .lockstep, slots: 4, layout: layout)
    // The first attachment.
    welcome[2] = try scene.serializedBytes()
    let end = ends ? [FalseSim.told("end", ["sequence": .count(frames)])] : []
    return try FalseSim(
      [welcome]
        + (0..<frames).map {
          [try FalseSim.frame($0 + 1, publishedNs: publishedNs, layout: layout)]
        } + end)
  }

  /// The age of a joined frame is how long ago the last of its parts was published.
  @Test func joinedFrameIsAsOldAsItsNewestPart() throws {
    let nowNs = Clock.wallNs()
    let sims = try ([5, 4] as [UInt64]).enumerated().map { index, seconds in
      try Self.shard(
        index, frames: 2, count: 8, publishedNs: nowNs - seconds * 1_000_000_000, ends: true)
    }
    defer { for sim in sims { sim.stop() } }
    let loop = try SubscriberLoop(
      program: "diary", location: .remoteShards(sims.map(\.address), isCompressed: false),
      reading: .every, from: 1, joining: ShardJoining(leadSeconds: 3_600), waitSeconds: 20)
    let diary = Diary()
    let report = try loop.follow(diary)
    let passedNs = Clock.wallNs() - nowNs
    #expect(diary.lines == ["keep 1", "keep 2", "finish true"])
    #expect(report.queued?.count == 2)
    // The clocks are read one after the other.
    let meanNs = try #require(report.queued?.meanNs)
    #expect((3_900_000_000...4_100_000_000 + passedNs).contains(meanNs), "\(meanNs)")
  }

  /// Eight frames wait for another shard's parts, however large they are; the others stay in the connection.
  @Test func largeFramesOfAShardAreNotTakenWithoutEnd() async {
    // They would take memory beside tests that watch theirs.
    await #expect(processExitsWith: .success) {
      let sims = try [Self.shard(0, frames: 11), Self.shard(1, frames: 0)]
      let loop = try SubscriberLoop(
        program: "visitor", location: .remoteShards(sims.map(\.address), isCompressed: false),
        reading: .every, from: 1, joining: ShardJoining(leadSeconds: 3_600), waitSeconds: 20)
      func taken() -> [UInt64] {
        sims[0].requests.filter { $0.verb == .progress }.compactMap { try? $0.count("sequence") }
      }
      let (_, failure) = loop.followAndAccount(Visitor { (taken().max() ?? 0) >= 8 })
      precondition(failure?.description == "enough", "\(String(describing: failure))")
      precondition(taken() == Array(1...8), "\(taken())")
      for sim in sims { sim.stop() }
    }
  }

  @Test func simThatGoesOnWithoutUsIsAFailureThatSaysWhy() throws {
    let diary = Diary()
    let failure = #expect(throws: Failure.self) {
      _ = try Self.follow(
        [
          try FalseSim.welcome(), [try FalseSim.frame(1)],
          FalseSim.told("end", ["sequence": .integer(3), "reason": .string("too slow")]),
        ], diary)
    }
    #expect(failure?.status == .unavailable)
    let text = failure?.description ?? ""
    #expect(text.hasPrefix("dropped by the sim of tcp://127.0.0.1:"), "\(text)")
    #expect(text.hasSuffix(" after frame 3: too slow"), "\(text)")
    // What was received is in the files all the same.
    #expect(diary.lines == ["keep 1", "miss 2-3", "finish false"])
  }

  @Test func simThatBreaksTheProtocolIsAMismatch() throws {
    let diary = Diary()
    let failure = #expect(throws: Failure.self) {
      _ = try Self.follow(
        [try FalseSim.welcome(), [try FalseSim.frame(1)], [[9, 9]]], diary)
    }
    #expect(failure?.status == .mismatch)
    #expect(
      failure?.description == "the sim broke the protocol: a frame of 2 bytes, not 160")
    #expect(diary.lines == ["keep 1", "finish false"])
  }

  @Test func deathOfTheSimIsInTheReport() throws {
    let diary = Diary()
    let sim = try FalseSim([try FalseSim.welcome(), [try FalseSim.frame(1)]])
    let dying = try TestThread("the death of the sim") {
      try waitUntil("a report of frame 1") { sim.requests.contains { $0.verb == .progress } }
      // Long enough that the loop finds nothing at least once.
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 250_000_000)
      sim.stop()
    }
    let (report, _) = try Self.follow([], diary, sim, waitSeconds: 0.2)
    try dying.join()
    #expect(diary.lines == ["keep 1", "finish false"])
    #expect(diary.idleCount > 0)
    #expect(report.ended == .simDied)
    #expect(report.received == 1)
    #expect(report.missed == 0)
  }

  @Test func failureOfTheConsumerIsHandedOn() throws {
    final class Full: FrameConsumer {
      func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool { true }
      func keep(sequence: UInt64) throws(Failure) { throw Failure(.inputOutput, "disk full") }
      func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {}
      func idle() throws(Failure) {}
      func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] { [] }
    }
    let sim = try FalseSim(FalseSim.messages())
    defer { sim.stop() }
    let loop = try SubscriberLoop(
      program: "full", location: .remote(sim.address, isCompressed: false), reading: .newest,
      waitSeconds: 5)
    let failure = #expect(throws: Failure.self) { _ = try loop.follow(Full()) }
    #expect(failure?.status == .inputOutput)
    #expect(failure?.description == "disk full")
  }

  @Test func simThatIsNotThereIsUnavailable() throws {
    let sim = try FalseSim([])
    sim.stop()
    var prepared = false
    let failure = #expect(throws: Failure.self) {
      _ = try SubscriberLoop(
        program: "diary", location: .remote(sim.address, isCompressed: false), reading: .every,
        waitSeconds: 0.1, prepare: { prepared = true })
    }
    #expect(failure?.status == .unavailable)
    #expect(failure?.description == "\(sim.address.endpoint): no sim answered within 0.1 s")
    #expect(!prepared)
  }
}
