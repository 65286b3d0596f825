// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: who asks a sim gets the answer to what it asked, or learns why there is none.
///
/// Method: a false sim that answers as a test likes, and notes what it was asked.
@Suite struct ControlClientTests {
  private static func reply(
    _ fields: [String: DocumentValue], _ attachments: [[UInt8]] = []
  ) -> [[UInt8]] {
    [Array("reply".utf8), fields.json] + attachments
  }

  @Test func answerIsTheOneWithTheNumberOfTheRequest() throws {
    let sim = try FalseSim([
      Self.reply(["id": .integer(9), "ok": .bool(false), "reason": .string("not yours")]),
      FalseSim.told("alive", ["sequence": .integer(3)]),
      Self.reply(["ok": .bool(true)]),
      Self.reply(["id": .integer(1), "ok": .bool(true), "tick": .integer(5)], [[1, 2], [], [3]]),
    ])
    defer { sim.stop() }
    let client = try ControlClient(sim.address)
    let answer = try client.ask(.seek, ["tick": .integer(5)], timeoutSeconds: 20)
    #expect(answer.fields == ["id": .integer(1), "ok": .bool(true), "tick": .integer(5)])
    #expect(answer.attachments == [[1, 2], [], [3]])
    // The next one has another number, and no answer in time.
    #expect(throws: WireError.noAnswer(endpoint: sim.address.endpoint, waitedSeconds: 0.05)) {
      try client.ask(.stats, timeoutSeconds: 0.05)
    }
    try waitUntil("the second request") { sim.requests.count == 2 }
    #expect(
      sim.requests == [
        ControlRequest(verb: .seek, id: 1, fields: ["tick": .integer(5)]),
        ControlRequest(verb: .stats, id: 2),
      ])
  }

  /// Sixteen parts are kept; the first tells what was done.
  @Test func attachmentsAreBounded() throws {
    let attachments = (0..<20 as Range<UInt8>).map { [$0] }
    let sim = try FalseSim([Self.reply(["id": .integer(1), "ok": .bool(true)], attachments)])
    defer { sim.stop() }
    let answer = try ControlClient(sim.address).ask(.snapshot, timeoutSeconds: 20)
    #expect(answer.attachments == Array(attachments.prefix(15)))
  }

  static let refused: [(fields: [String: DocumentValue], error: WireError)] = [
    (["ok": .bool(false), "reason": .string("why")], .refused(reason: "why")),
    (["ok": .bool(true), "reason": .string("why")], .badMessage("none")),
    (["ok": .bool(false)], .badMessage("a reply without 'ok'")),
    (["reason": .string("why")], .badMessage("a reply without 'ok'")),
  ]

  @Test(arguments: refused.indices) func refusalIsAnError(index: Int) throws {
    let (fields, expected) = Self.refused[index]
    let sim = try FalseSim([Self.reply(fields.merging(["id": .integer(1)]) { $1 })])
    defer { sim.stop() }
    var error = WireError.badMessage("none")
    do throws(WireError) {
      _ = try ControlClient(sim.address).ask(.stats, timeoutSeconds: 20)
    } catch let thrown {
      error = thrown
    }
    #expect(error == expected)
  }

  /// Long before its time is over.
  @Test func simThatDiesAnswersNobody() throws {
    let sim = try FalseSim([])
    let address = sim.address
    let asking = try TestThread("the word that nobody answers") {
      #expect(throws: WireError.noAnswer(endpoint: address.endpoint, waitedSeconds: 3_600)) {
        try ControlClient(address).ask(.stats, timeoutSeconds: 3_600)
      }
    }
    try waitUntil("the request") { !sim.requests.isEmpty }
    sim.stop()
    try asking.join()
  }

  /// The error names the time, however soon it comes.
  @Test func answerIsWaitedForFiveSecondsUnlessSaidOtherwise() throws {
    let sim = try FalseSim([])
    let address = sim.address
    let asking = try TestThread("the word that nobody answers") {
      #expect(throws: WireError.noAnswer(endpoint: address.endpoint, waitedSeconds: 5)) {
        try ControlClient(address).ask(.stats)
      }
    }
    try waitUntil("the request") { !sim.requests.isEmpty }
    sim.stop()
    try asking.join()
  }
}
