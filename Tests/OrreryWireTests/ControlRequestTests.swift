// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryWire
import TestSupport
import Testing

/// Goal: a request is read as it was meant, or refused with a reason, whatever the bytes are.
@Suite struct ControlRequestTests {
  private static func parse(_ text: some StringProtocol) throws(ControlRefusal) -> ControlRequest {
    try parse(Array(text.utf8))
  }

  private static func parse(_ bytes: [UInt8]) throws(ControlRefusal) -> ControlRequest {
    try ControlRequest(json: bytes)
  }

  @Test func requestsRoundTrip() throws {
    for verb in ControlVerb.allCases {
      let request = ControlRequest(verb: verb, id: 7)
      #expect(try Self.parse(request.json) == request)
    }
    let fields: [String: DocumentValue] = [
      "completion": .string("häuser \u{1F600} \"x\""),
      "views": .array([.bool(true), .integer(-3)]),
      "animation": .table(["duration": .number(0.25)]),
    ]
    let request = ControlRequest(verb: .set, id: .max, fields: fields)
    #expect(try Self.parse(request.json) == request)
  }

  @Test func fieldsHaveTheirTypes() throws {
    let request = try Self.parse(
      #"{"do":"seek","id":1,"tick":12,"seconds":1.5}"#)
    #expect(try request.count("tick") == 12)
    #expect(try request.number("tick") == 12)
    #expect(try request.number("seconds") == 1.5)
    #expect(try request.count("absent") == nil)
    #expect(throws: ControlRefusal("'seconds' must be a whole number from 0", id: 1)) {
      try request.count("seconds")
    }
    #expect(throws: ControlRefusal("'tick' must be true or false", id: 1)) {
      try request.bool("tick")
    }
    #expect(throws: ControlRefusal("'tick' must be a text", id: 1)) { try request.string("tick") }
  }

  static let refused: [(text: String, id: Int64?, reason: String)] = [
    ("", nil, "not a JSON object in UTF-8"),
    ("[]", nil, "not a JSON object in UTF-8"),
    ("{", nil, "not a JSON object of"),
    ("{}", nil, "'id' must be a whole number"),
    (#"{"id":1.5,"do":"quit"}"#, nil, "'id' must be a whole number"),
    (#"{"id":1e300,"do":"quit"}"#, nil, "'id' must be a whole number"),
    (#"{"id":"1","do":"quit"}"#, nil, "'id' must be a whole number"),
    (#"{"id":3}"#, 3, "'do' must be a verb"),
    (#"{"id":3,"do":"rm -rf"}"#, 3, "'do' is 'rm -rf'; known are join"),
    (#"{"id":3,"do":"quit","now":true}"#, 3, "'quit' has no field 'now'"),
    (#"{"id":3,"do":"seek","tock":1}"#, 3, "'seek' has no field 'tock'; it knows seconds, tick"),
    (#"{"id":3,"do":"set","value":null}"#, nil, "not a JSON object of"),
    (#"{"id":3,"do":"quit"} {}"#, nil, "not a JSON object of"),
    ("{\"id\":3,\"do\":\"quit\u{0}\"}", nil, "not a JSON object in UTF-8"),
  ]

  @Test(arguments: refused.indices) func whatIsWrongIsSaid(index: Int) {
    let (text, id, reason) = Self.refused[index]
    do {
      Issue.record("\(try Self.parse(text)) was read")
    } catch {
      #expect(error.description.hasPrefix(reason), "\(error)")
      #expect(error.id == id, "\(text)")
    }
  }

  @Test func sizeDepthAndCountAreBounded() {
    let long = #"{"id":1,"do":"set","value":""# + String(repeating: "x", count: 70_000) + "\"}"
    let many = #"{"id":1,"do":"set","value":["# + String(repeating: "1,", count: 2000) + "1]}"
    let deep =
      #"{"id":1,"do":"set","value":"# + String(repeating: "[", count: 900)
      + String(repeating: "]", count: 900) + "}"
    for (text, reason) in [
      (long, "70030 bytes; at most 65536 are read"), (many, "more than 1000 values"),
      (deep, "not a JSON object of"),
    ] {
      do {
        Issue.record("\(try Self.parse(text).verb) was read")
      } catch {
        #expect(error.description.hasPrefix(reason), "\(error)")
      }
    }
  }

  @Test func damagedRequestsAreReadOrRefused() {
    let good = Array(#"{"do":"set","id":7,"criteria":"a","views":[1,2.5,{"x":true}]}"#.utf8)
    var random = SeededRandom(seed: 0x5eed)
    var readCount = 0
    for _ in 0..<2000 * testEffort {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(
          in: .min ... .max, using: &random)
      }
      if Bool.random(using: &random) { bytes.removeLast(.random(in: 1...20, using: &random)) }
      do {
        _ = try Self.parse(bytes)
        readCount += 1
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(readCount > 0)
  }

  @Test func repliesSayWhichRequestTheyAnswer() {
    let done = ControlReply.done(["generation": .word(0xabc)], attachments: [[1]])
    #expect(
      String(decoding: done.json(id: 7), as: UTF8.self)
        == #"{"generation":"0000000000000abc","id":7,"ok":true}"#)
    #expect(
      String(decoding: ControlReply.refused("why").json(id: nil), as: UTF8.self)
        == #"{"ok":false,"reason":"why"}"#)
  }
}
