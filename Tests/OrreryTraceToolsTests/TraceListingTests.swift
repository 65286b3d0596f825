// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryTrace
import OrreryTraceTools
import SwiftProtobuf
import TestSupport
import Testing

/// Ticks by sequence number: nothing of sequence 1 is wanted, 2 is changed, and 0 is needed before the part.
private struct NumberedTicks: TraceTimeline {
  var logTimes: ClosedRange<UInt64> = 0...UInt64.max

  func part(of message: TraceArchiveMessage) -> TraceMessagePart {
    switch message.head.sequence {
    case 1: .none
    case 2: .changed(sequence: 77, bytes: [9, 8])
    default: .whole
    }
  }

  func preamble(of message: TraceArchiveMessage) -> TraceMessagePart {
    message.head.sequence == 0 ? .whole : .none
  }

  func sceneTime(of message: TraceArchiveMessage) -> (tick: UInt64, seconds: Double)? {
    message.head.sequence == 3 ? (30, 0.5) : nil
  }
}

/// Goal: a listing has a line for each message that is wanted, with its content where that can be read.
///
/// Method: messages of every encoding, right and wrong.
@Suite struct TraceListingTests {
  private let base: TemporaryBase
  private var input: String { base.path + "/in.mcap" }
  private var output: String { base.path + "/out.mcap" }

  init() throws { base = try TemporaryBase() }

  /// Writes a message to each topic, a nanosecond apart, on channels of these encodings.
  private func write(
    _ messages: [(topic: String, encoding: String, schema: String?, bytes: [UInt8])]
  ) throws {
    let writer = try TraceWriter(path: input, overwrite: true, clock: { 0 })
    let set =
      try Google_Protobuf_FileDescriptorSet.with {
        $0.file = [
          .with {
            $0.messageType = [
              .with {
                $0.name = "M"
                $0.field = [
                  .with { ($0.name, $0.number, $0.type, $0.label) = ("n", 1, .uint32, .optional) }
                ]
              }
            ]
          }
        ]
      }.serializedBytes() as [UInt8]
    for (number, message) in messages.enumerated() {
      let schema = try message.schema.map {
        try writer.addSchema(TraceSchema(name: "M", encoding: $0, data: set))
      }
      let channel = try writer.addChannel(
        TraceChannel(schema: schema, topic: message.topic, messageEncoding: message.encoding))
      try writer.write(
        TraceMessageHead(
          channel, sequence: UInt64(number), logTimeNs: 5 + UInt64(number), publishTimeNs: 1),
        bytes: message.bytes)
    }
    try writer.finish()
  }

  private func lines(
    _ format: TraceListing.Format = .ndjson, most: Int = .max,
    _ change: (inout TraceFilter) -> Void = { _ in }
  ) throws -> [String] {
    var (filter, lines) = (TraceFilter(), [String]())
    change(&filter)
    let archive = try TraceArchive(paths: [input])
    try TraceListing(archive, filter, format: format, isWhole: false).write {
      lines.append($0)
      return lines.count < most
    }
    return lines
  }

  @Test func contentIsReadByItsEncoding() throws {
    try write([
      ("/json", "json", nil, Array("{\"a\":1}".utf8)), ("/lines", "json", nil, Array("1\n2".utf8)),
      ("/bytes", "json", nil, [0xFF]), ("/right", "protobuf", "protobuf", [8, 7]),
      ("/wrong", "protobuf", "protobuf", [8]), ("/other", "protobuf", "flatbuffer", [8, 7]),
      ("/none", "protobuf", nil, [8, 7]), ("/again", "protobuf", "protobuf", [8, 9]),
      ("/raw", "x", "protobuf", [8, 7]),
    ])
    let contents = try lines().map { line in
      String(line[(line.range(of: "\"message\":")?.upperBound ?? line.endIndex)...].dropLast())
    }
    #expect(
      contents == [
        "{\"a\":1}", "\"MQoy\"", "\"/w==\"", "{\"n\":7}", "\"CA==\"", "\"CAc=\"", "\"CAc=\"",
        "{\"n\":9}", "\"CAc=\"",
      ])
  }

  @Test func sceneTimeStandsWhereAMessageSaysIt() throws {
    try write((0..<4).map { ("/a", "json", nil, Array("\($0)".utf8)) })
    let json = try lines { $0.timeline = NumberedTicks() }
    #expect(json.count == 3)
    #expect(!json[0].contains("tick"))
    #expect(json[2].hasPrefix(#"{"time_s":3e-09,"tick":30,"scene_time_s":0.5,"log_time_ns":8,"#))
    let csv = try lines(.csv) { $0.timeline = NumberedTicks() }
    #expect(
      csv == [
        "time_s,tick,scene_time_s,log_time_ns,publish_time_ns,topic,sequence,schema,message",
        "0.0,,,5,1,/a,0,,0", "2e-09,,,7,1,/a,2,,2", "3e-09,30,0.5,8,1,/a,3,,3",
      ])
  }

  @Test func everyNthOfEachTopicAndNoMoreThanIsWanted() throws {
    try write((0..<9).map { ("/\($0 % 2)", "json", nil, Array("\($0)".utf8)) })
    func sequences(_ lines: [String]) -> [String] {
      lines.compactMap { $0.split(separator: ",").first { $0.hasPrefix("\"sequence\"") } }
        .map { String($0.dropFirst(11)) }
    }
    #expect(try sequences(lines { $0.every = 2 }) == ["0", "1", "4", "5", "8"])
    #expect(try sequences(lines { $0.every = 1 }).count == 9)
    #expect(try sequences(lines(most: 2)) == ["0", "1"])
    #expect(try lines(.csv, most: 1).count == 1)
    #expect(try lines { $0.topics = ["/1"] }.count == 4)
    var late = NumberedTicks()
    late.logTimes = 8...9
    #expect(try sequences(lines { $0.timeline = late }) == ["3", "4"])
  }

  /// Where no part is asked for, the first and the last time that there can be are wanted too.
  @Test func messagesOfAllTimesAreListedAndCopied() throws {
    let writer = try TraceWriter(path: input, clock: { 0 })
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/orrery/events", messageEncoding: "json"))
    for (number, time) in ([0, 1, .max - 1, .max] as [UInt64]).enumerated() {
      try writer.write(
        TraceMessageHead(channel, sequence: UInt64(number), logTimeNs: time, publishTimeNs: 1),
        bytes: Array("\(number)".utf8))
    }
    try writer.finish()
    #expect(try lines().map { $0.suffix(2) } == ["0}", "1}", "2}", "3}"])
    _ = try TraceCopy([input], to: output, TraceFilter(), overwrite: false)
    #expect(try Sample.sequences(output) == [0, 1, 2, 3])
    // What a part needs may be as old.
    var filter = TraceFilter()
    filter.timeline = NumberedTicks(logTimes: 1...UInt64.max)
    _ = try TraceCopy([input], to: output, filter, overwrite: true)
    #expect(try Sample.sequences(output) == [0, 77, 3])
  }

  /// Changes before a part are kept, and a message may be changed on the way.
  @Test func copyHasThePartAndWhatItNeeds() throws {
    try write((0..<5).map { ("/orrery/events", "x", nil, [UInt8($0)]) })
    var filter = TraceFilter()
    var part = NumberedTicks()
    for (first, expected) in [
      (5, [0, 77, 3, 4]), (6, [0, 77, 3, 4]), (7, [0, 77, 3, 4]), (8, [0, 3, 4]),
    ] as [(UInt64, [UInt32])] {
      part.logTimes = first...UInt64.max
      filter.timeline = part
      _ = try TraceCopy([input], to: output, filter, overwrite: true)
      #expect(try Sample.sequences(output) == expected, "from \(first)")
    }
    filter.topics = ["/orrery/log"]
    _ = try TraceCopy([input], to: output, filter, overwrite: true)
    #expect(try Sample.sequences(output) == [])
  }

  @Test func inputIsNotWrittenOverByAnotherName() throws {
    try write([("/a", "x", nil, [1])])
    let link = base.path + "/link.mcap"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: input)
    let error = #expect(throws: Failure.self) {
      try TraceCopy([input], to: link, TraceFilter(), overwrite: true)
    }
    #expect(error?.status == .usage)
    #expect(try Sample.sequences(input) == [0])
  }
}
