// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryFrame
import OrreryWire
import Testing

/// Goal: what goes over the wire is what docs/reference/wire.md says: who asks for LZ4 gets LZ4, who does not gets the
/// ring's bytes, and replies tell what joining needs.
///
/// Method: a client that keeps the bytes that come.
@Suite struct WireBytesTests {
  private static let lz4: [UInt8] = [0x04, 0x22, 0x4d, 0x18]

  @Test(arguments: ["none", "lz4", nil] as [String?])
  func framesArePackedForWhoAsksForIt(compression: String?) throws {
    let run = try ServedRun(values: 4_096)
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    var fields: [String: DocumentValue] = ["name": .string("raw")]
    if let compression { fields["compression"] = .string(compression) }
    #expect(try dealer.ask(.join, fields)["ok"] == .bool(true))
    run.publish()
    let frame = try dealer.receive(nil)[0]
    if compression == "lz4" {
      #expect(Array(frame.prefix(4)) == Self.lz4)
      // All values are the same: little is left of them.
      #expect(frame.count < 1_000)
    } else {
      #expect(UInt64(frame.count) == run.writer.layout.frameBytes)
      // The sequence, as a protobuf field.
      #expect(Array(frame.prefix(9)) == [0x09, 1, 0, 0, 0, 0, 0, 0, 0])
    }
  }

  @Test func welcomeTellsWhatJoiningNeeds() throws {
    let run = try ServedRun(slots: 16)
    run.publish(5)
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    var expected: [String: DocumentValue] = [
      "id": .integer(1), "ok": .bool(true), "run": .string("test"), "generation": .word(77),
      "layout_hash": .word(run.writer.layout.layoutHash),
      "layout_version": .integer(Int64(FrameLayout.version)),
      "frame_bytes": .count(run.writer.layout.frameBytes), "sequence": .integer(5),
      "newest": .integer(5), "slots": .integer(16), "delivery": .string("live"),
      "rate": .array([.integer(60), .integer(1)]),
    ]
    #expect(try dealer.ask(.join, ["name": .string("raw")]) == expected)
    expected["sequence"] = .integer(2)
    #expect(try dealer.ask(.join, ["name": .string("raw"), "from": .integer(3)]) == expected)
  }

  @Test func welcomeCarriesSceneLayoutAndMessages() throws {
    let run = try ServedRun()
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    dealer.send(ControlRequest(verb: .join, id: 1))
    let parts = try dealer.receive("reply")
    try #require(parts.count == 5)
    #expect(parts[2] == [1, 2, 3])
    #expect(parts[3] == run.writer.layout.columnTable)
    #expect(parts[4] == [4, 5])
  }

  @Test(
    arguments: [
      (#"{"do":"join","id":1,"frames":"some"}"#, "'frames' must be every, latest or none"),
      (#"{"do":"join","id":1,"compression":"zip"}"#, "'compression' must be none or lz4"),
      (#"{"do":"join","id":1,"from":0}"#, "'from' is 0; the newest frame is 5"),
      (#"{"do":"join","id":1,"from":7}"#, "'from' is 7; the newest frame is 5"),
      (#"{"do":"join","id":1,"events":1}"#, "'events' must be true or false"),
      (#"{"do":"progress","id":1}"#, "join first"),
    ])
  func requestThatCannotBeDoneIsRefusedAndNobodyJoins(json: String, reason: String) throws {
    let run = try ServedRun()
    run.publish(5)
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    dealer.send(json: json)
    let parts = try dealer.receive("reply")
    try #require(parts.count == 2)
    let fields = try parts[1].withUnsafeBytes { try [String: DocumentValue](json: $0) }
    #expect(
      fields == ["id": .integer(1), "ok": .bool(false), "reason": .string(reason)])
    #expect(!run.server.hasRemoteSubscribers)
    #expect(run.subscribers.joinedCount == 0)
  }

  @Test func requestOfTwoPartsIsRefused() throws {
    let run = try ServedRun()
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    dealer.send([Array(#"{"do":"stats","id":1}"#.utf8), [1]])
    let parts = try dealer.receive("reply")
    #expect(
      parts.last == Array(#"{"ok":false,"reason":"a request is one message part"}"#.utf8))
    // What comes after it is served.
    #expect(try dealer.ask(.stats)["did"] == .string("stats"))
  }

  @Test func eventsAreNotSentToWhoDidNotAsk() throws {
    let run = try ServedRun()
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    #expect(try dealer.ask(.join)["ok"] == .bool(true))
    run.server.send(events: [1])
    run.publish()
    var names: [String] = []
    while names.last != "frame", names.count < 20 {
      let parts = dealer.receive()
      try #require(!parts.isEmpty, "no frame came")
      names.append(parts.count == 1 ? "frame" : String(decoding: parts[0], as: UTF8.self))
    }
    #expect(!names.contains("events"))
    #expect(names.last == "frame")
  }

  @Test func requestsThatAreNotAnsweredAreBounded() throws {
    let run = try ServedRun()
    let dealer = try RawDealer(run.local)
    // The handler of the test keeps these.
    for id in Int64(1)...17 { dealer.send(ControlRequest(verb: .pause, id: id)) }
    let parts = try dealer.receive("reply")
    #expect(
      parts.last
        == Array(#"{"id":17,"ok":false,"reason":"16 requests are not answered yet"}"#.utf8))
    let held = run.handler.held.read { $0 }
    #expect(held.count == 16)
    held[3](.done())
    #expect(try dealer.receive("reply").last == Array(#"{"id":4,"ok":true}"#.utf8))
    // There is room for one again.
    #expect(try dealer.ask(.stats)["did"] == .string("stats"))
  }

  @Test func aliveTellsTheNewestFrame() throws {
    let run = try ServedRun()
    run.publish(3)
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    #expect(try dealer.ask(.join)["ok"] == .bool(true))
    #expect(try dealer.receive("alive")[1] == Array(#"{"sequence":3}"#.utf8))
  }
}
