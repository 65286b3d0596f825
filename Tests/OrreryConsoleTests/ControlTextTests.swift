// SPDX-License-Identifier: Apache-2.0

import OrreryConsole
import OrreryDocument
import OrreryWire
import Testing

/// Goal: an answer is printed whole for programs, and in words for people.
///
/// Method: answers as a sim gives them, and what is printed of them.
@Suite struct ControlTextTests {
  private static let position: [String: DocumentValue] = [
    "id": .integer(7), "ok": .bool(true), "tick": .integer(12), "sequence": .integer(15),
    "state_hash": .string("00ff"), "paused": .bool(false), "speed": .number(1),
  ]

  private static func lines(_ verb: ControlVerb, _ more: [String: DocumentValue] = [:]) -> String {
    ControlText(verb, position.merging(more) { $1 }).lines
  }

  @Test func positionIsOneLine() {
    #expect(Self.lines(.pause) == "tick 12, frame 15, running, hash 00ff")
    #expect(
      Self.lines(.pause, ["paused": .bool(true)]) == "tick 12, frame 15, paused, hash 00ff")
    #expect(
      Self.lines(.speed, ["speed": .number(0.25)])
        == "tick 12, frame 15, running at 0.25 times, hash 00ff")
    #expect(
      Self.lines(.speed, ["speed": .number(2)])
        == "tick 12, frame 15, running at 2 times, hash 00ff")
    #expect(
      Self.lines(.set, ["applies_at": .integer(13)])
        == "tick 12, frame 15, running, hash 00ff; changed from tick 13 on")
  }

  @Test func timeStandsBesideTheTick() {
    #expect(
      Self.lines(.step, ["seconds": .number(0.2), "stepped": .integer(1)])
        == "tick 12, 0.200 s, frame 15, running, hash 00ff; ticks stepped: 1")
  }

  @Test func whatIsMissingIsADash() {
    #expect(ControlText(.pause, [:]).lines == "tick -, frame -, running at - times, hash -")
  }

  @Test func endIsSaidWithItsFrame() {
    #expect(Self.lines(.quit) == "the run ends after frame 15")
  }

  @Test func factsStandUnderEachOther() {
    let fields: [String: DocumentValue] = [
      "id": .integer(1), "ok": .bool(true), "run": .string("demo"), "paced": .bool(true),
      "late": .bool(false), "names": .array([.string("a"), .integer(2)]),
      "object": .table(["b": .integer(1), "a": .integer(2)]), "ticks_per_second": .number(59.94),
    ]
    let expected = """
      late              no
      names             a, 2
      object            a, b
      paced             yes
      run               demo
      ticks_per_second  59.94
      """
    #expect(ControlText(.stats, fields).lines == expected)
    #expect(ControlText(.snapshot, fields).lines == expected)
  }

  @Test func wholeNumbersThatAreExactHaveNoPoint() {
    let numbers: [(Double, String)] = [
      (0, "0"), (60, "60"), (-3, "-3"), (0.5, "0.5"), (1e15, "1000000000000000.0"),
      (999_999_999_999_999, "999999999999999"), (-1e15, "-1000000000000000.0"),
      (1.5e15, "1500000000000000.0"),
    ]
    for (number, text) in numbers {
      #expect(ControlText(.stats, ["n": .number(number)]).lines == "n  \(text)")
    }
  }

  @Test func jsonHasEveryFieldAndTheSchema() throws {
    let text = ControlText(.pause, Self.position).json
    let fields = try Array(text.utf8).withUnsafeBytes { try [String: DocumentValue](json: $0) }
    var expected = Self.position
    expected["id"] = nil
    expected["ok"] = nil
    expected["schema"] = .string("orrery.control.v1")
    #expect(fields.keys.sorted() == expected.keys.sorted())
    #expect(fields["schema"] == .string("orrery.control.v1"))
    #expect(fields["tick"] == .integer(12))
    #expect(!text.contains("\n"))
  }
}
