// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryRecording
import OrreryTrace
import OrreryWire
import SwiftProtobuf
import Synchronization
import TestSupport
import Testing

/// Goal: a trace holds what was published, when it was recorded, and an account that is right however the logger came
/// and went.
///
/// Method: a recorder on a real ring and a real file, with a clock that the test moves; then the file is read.
@Suite struct RecorderTests {
  /// The clock of log times: nothing else in these tests is near it.
  private final class WallClock: Sendable {
    private let ns = Atomic<UInt64>(9_000)

    var now: UInt64 {
      get { ns.load(ordering: .relaxed) }
      set { ns.store(newValue, ordering: .relaxed) }
    }
  }

  /// One message as it was written.
  private struct Message: Equatable {
    let topic: String
    let sequence: UInt32
    let logTimeNs: UInt64
    let publishTimeNs: UInt64
    let bytes: [UInt8]
  }

  /// A recorder, and what it records to.
  private final class Desk {
    let base: TemporaryBase
    let ring: Ring
    let clock = WallClock()
    let inbox = Inbox()
    let path: String
    let writer: TraceWriter
    let recorder: Recorder

    init(hasEvents: Bool = true, writerClock: @escaping () -> UInt64 = { 0 }) throws {
      base = try TemporaryBase()
      ring = try Ring()
      path = base.path + "/a.mcap"
      writer = try TraceWriter(path: path, clock: writerClock)
      let clock = clock
      recorder = try Recorder(
        writer, path: path, source: ring.reader, events: hasEvents ? inbox : nil,
        clock: { clock.now })
    }

    /// Publishes a frame and records it.
    func record() throws {
      ring.publish()
      let view = try #require(ring.frame(ring.writer.sequence))
      #expect(try recorder.use(view, source: ring.reader))
      try recorder.keep(sequence: view.sequence)
    }

    /// Everything in the finished file.
    func read() throws -> (messages: [Message], reader: TraceReader) {
      let reader = try TraceReader(path: path)
      var messages: [Message] = []
      while let message = try reader.nextMessage() {
        messages.append(
          Message(
            topic: message.topic, sequence: message.head.sequence,
            logTimeNs: message.head.logTimeNs,
            publishTimeNs: message.head.publishTimeNs, bytes: Array(message.bytes)))
      }
      #expect(reader.ending == .whole)
      return (messages, reader)
    }

    /// The account in the finished file.
    func summary() throws -> [String: String] {
      let (_, reader) = try read()
      #expect(reader.metadata.map(\.name) == ["orrery.summary"])
      return reader.metadata.first?.values ?? [:]
    }
  }

  private static func losses(joinedAfter: UInt64, received: ClosedRange<UInt64>? = nil) -> Losses {
    var losses = Losses(joinedAfter: joinedAfter)
    guard let received else { return losses }
    if received.lowerBound > joinedAfter + 1 { losses.miss(through: received.lowerBound - 1) }
    for sequence in received { losses.receive(sequence) }
    return losses
  }

  @Test func traceThatCannotBeMadeIsNamed() {
    #expect {
      try Recorder.open(path: "/nonexistent/a.mcap", options: TraceOptions(), overwrite: false)
    } throws: { error in
      // Once: what failed says it already.
      (error as? Failure)?.status == .inputOutput
        && "\(error)".components(separatedBy: "/nonexistent/a.mcap").count == 2
    }
  }

  @Test func fileThatIsThereIsReplacedOnlyWhereThatWasAsked() throws {
    let base = try TemporaryBase()
    let path = base.path + "/a.mcap"
    try "precious".write(toFile: path, atomically: false, encoding: .utf8)
    #expect {
      try Recorder.open(path: path, options: TraceOptions(), overwrite: false)
    } throws: { error in
      (error as? Failure)?.status == .inputOutput && "\(error)".contains(path)
    }
    #expect(FileManager.default.contents(atPath: path) == Data("precious".utf8))
    try Recorder.open(path: path, options: TraceOptions(), overwrite: true).finish()
    #expect(FileManager.default.contents(atPath: path)?.starts(with: [0x89, 0x4d]) == true)
  }

  @Test func compressionIsTheOneThatIsAskedFor() throws {
    let base = try TemporaryBase()
    let sizes = try ([.none, .zstd] as [TraceCompression]).map { compression in
      let path = base.path + "/\(compression.rawValue)"
      var options = TraceOptions()
      options.compression = compression
      let writer = try Recorder.open(path: path, options: options, overwrite: false)
      let ring = try Ring(staticPart: Self.longScene())
      let recorder = try Recorder(writer, path: path, source: ring.reader, events: nil)
      _ = try recorder.finish(Losses(joinedAfter: 0), simEnded: true)
      return FileManager.default.contents(atPath: path)?.count ?? 0
    }
    #expect(sizes[1] < sizes[0] - 50_000, "\(sizes)")
  }

  private static func longScene() throws -> [UInt8] {
    var layout = Orrery_SceneLayout()
    layout.source = String(repeating: "# nothing\n", count: 10_000)
    return try layout.serializedBytes()
  }

  @Test func traceBeginsWithTheScene() throws {
    let desk = try Desk()
    _ = try desk.recorder.finish(Losses(joinedAfter: 0), simEnded: true)
    let (messages, reader) = try desk.read()
    #expect(
      messages == [
        Message(
          topic: "/orrery/scene", sequence: 0, logTimeNs: 9_000, publishTimeNs: 9_000,
          bytes: try desk.ring.layout.serializedBytes())
      ])
    let attachment = try #require(reader.attachments.first)
    #expect(reader.attachments.count == 1)
    #expect(attachment.head.name == "flags.toml")
    #expect(attachment.head.mediaType == "application/toml")
    #expect(attachment.head.logTimeNs == 9_000)
    #expect(attachment.head.createTimeNs == 0)
    #expect(try reader.data(of: attachment) == Array("size = [1, 1]\n".utf8))
  }

  @Test(arguments: [false, true])
  func everyTopicSaysHowItIsWritten(hasEvents: Bool) throws {
    let desk = try Desk(hasEvents: hasEvents)
    _ = try desk.recorder.finish(Losses(joinedAfter: 0), simEnded: true)
    let (_, reader) = try desk.read()
    var messages: [String: String] = [:]
    for channel in reader.channels.values {
      let schema = try #require(channel.schema.flatMap { reader.schemas[$0] })
      messages[channel.topic] = schema.name
      #expect(channel.messageEncoding == "protobuf")
      #expect(schema.encoding == "protobuf")
      #expect(schema.data == MessageSchema.descriptorSet)
    }
    var expected = [
      "/orrery/scene": "orrery.SceneLayout", "/orrery/frames": "orrery.Frame",
      "/orrery/loss": "orrery.Loss",
    ]
    if hasEvents { expected["/orrery/events"] = "orrery.Events" }
    #expect(messages == expected)
  }

  /// When something was recorded and when it was published are two times.
  @Test func framesAreDatedByTheirLogTimeAndTheirPublishTime() throws {
    let desk = try Desk()
    var expected: [Message] = []
    for sequence in 1...3 as ClosedRange<UInt64> {
      desk.clock.now = 10_000 + sequence * 50
      try desk.record()
      expected.append(
        Message(
          topic: "/orrery/frames", sequence: UInt32(sequence), logTimeNs: desk.clock.now,
          publishTimeNs: sequence + 300,
          bytes: Array(try #require(desk.ring.frame(sequence)).bytes)))
    }
    _ = try desk.recorder.finish(Self.losses(joinedAfter: 0, received: 1...3), simEnded: true)
    #expect(Array(try desk.read().messages.dropFirst()) == expected)
  }

  @Test func gapsAreDatedToo() throws {
    let desk = try Desk()
    desk.clock.now = 12_345
    try desk.recorder.miss(4...9)
    try desk.recorder.miss(11...11)
    _ = try desk.recorder.finish(Losses(joinedAfter: 0), simEnded: true)
    let messages = try desk.read().messages.dropFirst()
    let expected = try ([(4, 9), (11, 11)] as [(UInt64, UInt64)]).map { first, last in
      var loss = Orrery_Loss()
      loss.firstSequence = first
      loss.lastSequence = last
      return Message(
        topic: "/orrery/loss", sequence: 0, logTimeNs: 12_345, publishTimeNs: 12_345,
        bytes: try loss.serializedBytes())
    }
    #expect(Array(messages) == expected)
  }

  @Test func tornFrameIsTakenBack() throws {
    let desk = try Desk()
    try desk.record()
    desk.ring.publish()
    let view = try #require(desk.ring.frame(2))
    // All four slots are taken anew.
    for _ in 0..<4 { desk.ring.publish() }
    #expect(try !desk.recorder.use(view, source: desk.ring.reader))
    try desk.recorder.miss(2...6)
    _ = try desk.recorder.finish(Self.losses(joinedAfter: 0, received: 1...1), simEnded: true)
    #expect(
      try desk.read().messages.map(\.topic)
        == ["/orrery/scene", "/orrery/frames", "/orrery/loss"])
    // The last frame is the last that was whole.
    #expect(try desk.summary()["last_tick"] == "101")
    #expect(try desk.summary()["state_hash"] == "000000000000ff01")
  }

  @Test func accountIsInTheSummary() throws {
    let desk = try Desk(hasEvents: false)
    for _ in 0..<3 { try desk.record() }
    #expect(
      try desk.recorder.finish(Self.losses(joinedAfter: 0, received: 3...5), simEnded: true)
        == [desk.path])
    #expect(
      try desk.summary() == [
        "published": "5", "received": "3", "missed": "2", "joined_after": "0", "sim_ended": "true",
        "last_tick": "103", "state_hash": "000000000000ff03",
      ])
  }

  /// What was published before a logger came is not missed, and not its affair.
  @Test func lateJoinCountsFromWhereItJoined() throws {
    let desk = try Desk(hasEvents: false)
    _ = try desk.recorder.finish(Self.losses(joinedAfter: 40, received: 43...50), simEnded: false)
    #expect(
      try desk.summary() == [
        "published": "10", "received": "8", "missed": "2", "joined_after": "40",
        "sim_ended": "false", "last_tick": "0", "state_hash": "0000000000000000",
      ])
  }

  @Test func eventsAreRecordedAsTheyCome() throws {
    let desk = try Desk()
    let first = try Inbox.message(first: 1, count: 3)
    desk.inbox.put(first)
    desk.clock.now = 20_000
    try desk.record()
    let second = try Inbox.message(first: 4, count: 1)
    desk.inbox.put(second)
    desk.clock.now = 30_000
    try desk.recorder.idle()
    desk.clock.now = 40_000
    _ = try desk.recorder.finish(Self.losses(joinedAfter: 0, received: 1...1), simEnded: true)
    let messages = try desk.read().messages.filter { $0.topic == "/orrery/events" }
    #expect(
      messages == [
        Message(
          topic: "/orrery/events", sequence: 1, logTimeNs: 20_000, publishTimeNs: 20_000,
          bytes: first),
        Message(
          topic: "/orrery/events", sequence: 4, logTimeNs: 30_000, publishTimeNs: 30_000,
          bytes: second),
      ])
  }

  /// A flood of events must not hold the next frame up.
  @Test func eventsAreTakenInPortions() throws {
    let desk = try Desk()
    for number in 1...100 as ClosedRange<UInt64> {
      desk.inbox.put(try Inbox.message(first: number, count: 1))
    }
    try desk.record()
    #expect(desk.inbox.count == 36)
    #expect(desk.inbox.timeoutsNs.allSatisfy { $0 == 0 })
    try desk.recorder.idle()
    #expect(desk.inbox.count == 0)
  }

  @Test func eventsOfAnotherRunAreNoneOfOurs() throws {
    let desk = try Desk()
    desk.inbox.put(try Inbox.message(first: 1, count: 2, generation: 78))
    desk.inbox.put([0xff])
    desk.inbox.put(try Inbox.message(first: 1, count: 1))
    _ = try desk.recorder.finish(Losses(joinedAfter: 0), simEnded: true)
    #expect(try desk.read().messages.count { $0.topic == "/orrery/events" } == 1)
    #expect(try desk.summary()["events_received"] == "1")
  }

  @Test func lastWordsAreWaitedForUntilTheyCome() throws {
    let desk = try Desk()
    desk.inbox.put(try Inbox.message(first: 1, count: 2))
    desk.inbox.put(try Inbox.message(first: 4, count: 1))
    // The run's last message has no events.
    desk.inbox.put(try Inbox.message(first: 6, count: 0))
    desk.inbox.put(try Inbox.message(first: 6, count: 1))
    _ = try desk.recorder.finish(Losses(joinedAfter: 0), simEnded: true)
    #expect(desk.inbox.count == 1, "nothing comes after the last message")
    let summary = try desk.summary()
    #expect(summary["events_received"] == "3")
    #expect(summary["events_missed"] == "2")
    #expect(summary["events_to_the_end"] == "true")
    // A message without events is not worth a message in the trace.
    #expect(try desk.read().messages.count { $0.topic == "/orrery/events" } == 2)
  }

  @Test func lastWordsAreWaitedForOnlyOfARunThatEnded() throws {
    for simEnded in [true, false] {
      let desk = try Desk()
      _ = try desk.recorder.finish(Losses(joinedAfter: 0), simEnded: simEnded)
      let waited = try #require(desk.inbox.timeoutsNs.last)
      #expect(desk.inbox.timeoutsNs.count == 1)
      if simEnded {
        #expect((1_000_000_000...1_500_000_000).contains(waited), "\(waited) ns")
      } else {
        #expect(waited == 0)
      }
      #expect(try desk.summary()["events_to_the_end"] == "false")
    }
  }

  @Test(arguments: [(0, "7"), (1, "1")])
  func eventsBeforeALateJoinAreNotMissed(joinedAfter: UInt64, missed: String) throws {
    let desk = try Desk()
    desk.inbox.put(try Inbox.message(first: 7, count: 1))
    desk.inbox.put(try Inbox.message(first: 9, count: 0))
    _ = try desk.recorder.finish(Losses(joinedAfter: joinedAfter), simEnded: true)
    #expect(try desk.summary()["events_missed"] == missed)
  }

  @Test func openChunkIsWrittenWhenItIsOld() throws {
    let age = WallClock()
    age.now = 0
    let desk = try Desk(writerClock: { age.now })
    try desk.record()
    let before = desk.writer.byteCount
    age.now = TraceWriter.chunkAgeNsMax - 1
    try desk.recorder.idle()
    #expect(desk.writer.byteCount == before)
    age.now = TraceWriter.chunkAgeNsMax
    try desk.recorder.idle()
    #expect(desk.writer.byteCount > before)
    _ = try desk.recorder.finish(Self.losses(joinedAfter: 0, received: 1...1), simEnded: true)
  }

  @Test func sceneThatCannotBeReadIsAFailure() throws {
    let base = try TemporaryBase()
    let ring = try Ring(staticPart: [0xff, 0xff])
    let path = base.path + "/a.mcap"
    let writer = try Recorder.open(path: path, options: TraceOptions(), overwrite: false)
    #expect {
      try Recorder(writer, path: path, source: ring.reader, events: nil)
    } throws: { error in
      (error as? Failure)?.status == .mismatch
        && "\(error)".contains("the scene's static part cannot be read")
    }
  }

  /// A disk that fails from some write on ends every operation with the file's name and the exit status.
  @Test func failingDiskIsNamed() throws {
    let base = try TemporaryBase()
    let path = base.path + "/a.mcap"
    let isFull = Flag()
    var calls = TraceSystemCalls.live
    let write = calls.write
    calls.write = { descriptor, bytes, offset in
      guard isFull.isSet else { return write(descriptor, bytes, offset) }
      errno = EIO
      return -1
    }
    let ring = try Ring()
    let writer = try TraceWriter(path: path, chunkBytes: 1, clock: { 0 }, calls: calls)
    let inbox = Inbox()
    let recorder = try Recorder(writer, path: path, source: ring.reader, events: inbox)
    ring.publish()
    let view = try #require(ring.frame(1))
    isFull.set()
    _ = try? recorder.use(view, source: ring.reader)
    // What the writer's thread met is known once it has come to rest.
    _ = writer.byteCount
    func check(_ what: String, _ body: () throws -> Void) {
      #expect(
        performing: { try body() },
        throws: { error in
          (error as? Failure)?.status == .inputOutput
            && "\(error)".components(separatedBy: path).count == 2
        })
    }
    check("use") { _ = try recorder.use(view, source: ring.reader) }
    check("miss") { try recorder.miss(1...1) }
    for _ in 0..<2 { inbox.put(try Inbox.message(first: 1, count: 1)) }
    check("keep") { try recorder.keep(sequence: 1) }
    check("idle") { try recorder.idle() }
    check("finish") { _ = try recorder.finish(Losses(joinedAfter: 0), simEnded: true) }
  }
}
