// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrreryTrace
import OrreryTraceTools
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: a copy of a part of a trace has what its frames need, and nothing else that was not asked for.
///
/// Method: small traces with topics of Orrery's whose messages are numbers, and events where they are read.
@Suite struct TraceCopyTests {
  private let base: TemporaryBase
  private var input: String { base.path + "/in.mcap" }
  private var output: String { base.path + "/out.mcap" }

  init() throws { base = try TemporaryBase() }

  /// Writes a trace: a message for each topic, 10 ms apart from one second on, with numbers from 0.
  private func write(
    _ topics: [String], to path: String? = nil, compression: TraceCompression = .none,
    chunkBytes: Int = 1 << 16, bytes: (Int) throws -> [UInt8] = { [UInt8($0)] }
  ) throws {
    let writer = try TraceWriter(
      path: path ?? input, compression: compression, chunkBytes: chunkBytes,
      overwrite: true, clock: { 0 })
    var channels: [String: TraceChannelID] = [:]
    for (number, topic) in topics.enumerated() {
      let channel =
        try channels[topic]
        ?? writer.addChannel(TraceChannel(schema: nil, topic: topic, messageEncoding: "x"))
      channels[topic] = channel
      let time = UInt64(1_000_000_000 + number * 10_000_000)
      try writer.write(
        TraceMessageHead(channel, sequence: UInt64(number), logTimeNs: time, publishTimeNs: time),
        bytes: bytes(number))
    }
    try writer.finish()
  }

  private func copy(
    _ topics: Set<String>? = nil, every: Int = 1, from inputs: [String]? = nil
  ) throws -> [UInt32] {
    var filter = TraceFilter()
    (filter.topics, filter.every) = (topics, every)
    _ = try TraceCopy(inputs ?? [input], to: output, filter, overwrite: true)
    return try Sample.sequences(output)
  }

  private static let deltas = [
    "/orrery/scene", "/orrery/deltas", "/orrery/frames", "/orrery/deltas", "/raw",
    "/orrery/frames", "/orrery/deltas",
  ]

  /// A delta is nothing without the keyframe before it.
  @Test func deltasComeWithTheirKeyframes() throws {
    try write(Self.deltas)
    #expect(try copy(["/orrery/deltas"]) == [0, 2, 3, 5, 6])
    #expect(try copy() == [0, 2, 3, 4, 5, 6])
    #expect(try copy(["/orrery/frames"]) == [0, 2, 5])
    #expect(try copy(["/raw"]) == [4])
    #expect(try copy(["/orrery/frames", "/raw"], every: 2) == [0, 2, 4])
  }

  @Test func framesOfATraceWithoutDeltasAreNotAddedToOthers() throws {
    try write(["/orrery/scene", "/orrery/frames", "/orrery/events", "/orrery/frames"])
    #expect(try copy(["/orrery/deltas", "/orrery/events"]) == [0, 2])
    #expect(try copy(["/orrery/deltas"]) == [0])
  }

  @Test(
    arguments: [nil, ["/orrery/deltas"], ["/orrery/frames", "/orrery/deltas"]] as [Set<String>?])
  func deltasAreNotThinned(topics: Set<String>?) throws {
    try write(Self.deltas)
    let error = #expect(throws: Failure.self) { try copy(topics, every: 2) }
    #expect(error?.status == .badData)
    #expect(error?.description.contains("--every would break the chain") == true)
    #expect(try copy(topics, every: 1).count > 4)
  }

  /// Of values one in N is enough; of what happened none may be left out.
  @Test func valuesAreThinnedAndEventsAreNot() throws {
    let topics = [
      "/orrery/frames", "/orrery/points", "/orrery/views", "/mine", "/orrery/events",
      "/orrery/loss", "/orrery/log", "/orrery/statistics", "/orrery/timings",
    ]
    try write((0..<4).flatMap { _ in topics })
    let kept = try copy(every: 2).map { (round: Int($0) / topics.count, Int($0) % topics.count) }
    for index in topics.indices {
      #expect(
        kept.filter { $0.1 == index }.map(\.round) == (index < 4 ? [0, 2] : [0, 1, 2, 3]),
        "\(topics[index])")
    }
  }

  @Test func sceneComesFirstWithWhateverIsOrrerys() throws {
    try write(["/mine", "/orrery/log", "/orrery/scene", "/orrery/scene", "/orrery/log"])
    #expect(try copy(["/mine"]) == [0])
    let reader = { () throws -> [String] in
      let reader = try TraceReader(path: output)
      var topics: [String] = []
      while let message = try reader.nextMessage() { topics.append(message.topic) }
      return topics
    }
    #expect(try copy(["/orrery/log"]).count == 3)
    #expect(try reader() == ["/orrery/scene", "/orrery/log", "/orrery/log"])
    #expect(try copy(["/orrery/scene"]) == [2])
  }

  /// Files of one recording share their channels; those of another run keep theirs apart.
  @Test func filesOfOtherScenesKeepChannelsOfTheirOwn() throws {
    let second = base.path + "/second.mcap"
    let topics = ["/orrery/scene", "/orrery/frames"]
    try write(topics)
    for (isSame, count) in [(true, 2), (false, 4)] {
      try write(topics, to: second) { number in
        [UInt8(number), isSame ? 0 : 1].dropLast(isSame ? 1 : 0)
      }
      #expect(try copy(from: [input, second]).count == (isSame ? 3 : 4))
      let archive = try TraceArchive(paths: [output])
      #expect(archive.files[0].channels.count == count)
      let files = archive.files[0].channels.values.compactMap { $0.metadata["file"] }.sorted()
      #expect(files == (isSame ? [] : ["0", "0", "1", "1"]))
    }
  }

  /// The form of most chunks is kept, and of two with as many the last by name.
  @Test func compressionIsThatOfMostChunks() throws {
    let others = (0..<3).map { base.path + "/\($0).mcap" }
    let topics = (0..<40).map { _ in "/a" }
    func form(_ path: String) throws -> TraceCompression? {
      try TraceArchiveFile(path: path).totals.first { $0.value.chunkCount > 0 }?.key
    }
    try write(topics, compression: .zstd)
    try write(topics, to: others[0], compression: .lz4, chunkBytes: 200)
    _ = try copy(from: [input])
    #expect(try form(output) == .zstd)
    _ = try copy(from: [input, others[0]])
    #expect(try form(output) == .lz4)
    try write(topics, to: others[1], compression: .lz4)
    _ = try copy(from: [input, others[1]])
    #expect(try form(output) == .zstd)
    var filter = TraceFilter()
    filter.topics = ["/a"]
    _ = try TraceCopy(
      [input], to: output, filter, compression: TraceCompression.none, overwrite: true)
    #expect(try form(output) == TraceCompression.none)
  }

  private static func event(
    _ view: String, _ kind: Orrery_Event.Kind = .completed
  ) -> Orrery_Event {
    .with { ($0.view, $0.kind) = (view, kind) }
  }

  /// Events that follow each other stay together; each message has the number of its first.
  @Test func eventsOfAViewKeepTheirNumbers() throws {
    let views = ["Mars", "Venus", "Mars.panel", "Mars[2]", "Marsh", "", "Mars"]
    try write(["/orrery/events"]) { _ in
      try Orrery_Events.with {
        $0.firstNumber = 100
        $0.tick = 9
        $0.events = views.map { Self.event($0, $0.isEmpty ? .command : .completed) }
      }.serializedBytes()
    }
    var filter = TraceFilter()
    filter.view = "Mars"
    _ = try TraceCopy([input], to: output, filter, overwrite: true)
    let reader = try TraceReader(path: output)
    var found: [[String]] = []
    var numbers: [UInt64] = []
    while let message = try reader.nextMessage() {
      let events = try Orrery_Events(serializedBytes: Array(message.bytes))
      #expect(events.tick == 9 && message.head.sequence == UInt32(events.firstNumber))
      found.append(events.events.map(\.view))
      numbers.append(events.firstNumber)
    }
    #expect(found == [["Mars"], ["Mars.panel", "Mars[2]"], ["", "Mars"]])
    #expect(numbers == [100, 102, 105])
  }
}
