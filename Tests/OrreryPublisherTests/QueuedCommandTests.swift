// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryPublisher
import OrreryScene
import OrreryWire
import Testing

/// Goal: each request is read as what it asks for, up to its limits, or refused with the words that a client is shown.
///
/// Method: a table of requests, read without a run; and reasons that are made as long as they may be, and longer.
@Suite struct QueuedCommandTests {
  /// What a request comes to, or why it is refused, in words.
  private static func read(
    _ verb: ControlVerb, _ fields: [String: DocumentValue] = [:], isPaced: Bool = true
  ) -> String {
    let reader = CommandReader(names: LiveNames(), rate: 60, isPaced: isPaced)
    do throws(ControlRefusal) {
      switch try reader.command(ControlRequest(verb: verb, id: 7, fields: fields)) {
      case .pause: return "pause"
      case .resume: return "resume"
      case .step(let count): return "step \(count)"
      case .seek(let tick): return "seek \(tick)"
      case .speed(let factor): return "speed \(factor)"
      case .change(let change): return "change \(change.text)"
      case .keep: return "keep"
      case .stats: return "stats"
      case .quit: return "quit"
      }
    } catch {
      #expect(error.id == 7)
      return error.description
    }
  }

  static let requests: [(verb: ControlVerb, fields: [String: DocumentValue], text: String)] = [
    (.pause, [:], "pause"), (.resume, [:], "resume"), (.stats, [:], "stats"),
    (.keep, [:], "keep"),
    (.quit, [:], "quit"), (.step, [:], "step 1"), (.step, ["ticks": .integer(1)], "step 1"),
    (.step, ["ticks": .integer(1_000_000)], "step 1000000"),
    (.step, ["ticks": .integer(0)], "'ticks' 0: use 1 to 1000000"),
    (.step, ["ticks": .integer(1_000_001)], "'ticks' 1000001: use 1 to 1000000"),
    (.seek, ["tick": .integer(0)], "seek 0"),
    (.seek, ["tick": .integer(60_000_000)], "seek 60000000"),
    (
      .seek, ["tick": .integer(60_000_001)],
      "'tick' 60000001: use 0 to 60000000, 1000000 seconds"
    ),
    (.seek, ["seconds": .integer(0)], "seek 0"), (.seek, ["seconds": .number(0.5)], "seek 30"),
    (.seek, ["seconds": .integer(1_000_000)], "seek 60000000"),
    (.seek, ["seconds": .number(1_000_000.5)], "'seconds' 1000000.5: use 0 to 1000000"),
    (.seek, ["seconds": .number(-0.5)], "'seconds' -0.5: use 0 to 1000000"),
    (.seek, [:], "'seek' needs one of 'tick' and 'seconds'"),
    (
      .seek, ["tick": .integer(1), "seconds": .integer(1)],
      "'seek' needs one of 'tick' and 'seconds'"
    ),
    (.speed, ["factor": .number(0.01)], "speed 0.01"),
    (.speed, ["factor": .integer(100)], "speed 100.0"),
    (.speed, ["factor": .number(0.009)], "'factor' 0.009: use 0.01 to 100"),
    (.speed, ["factor": .number(100.5)], "'factor' 100.5: use 0.01 to 100"),
    (.speed, [:], "'factor' is missing"), (.set, [:], "'views' is missing"),
    (.toggle, [:], "'names' is missing"),
    (
      .toggle, ["names": .string("Mars"), "seconds": .number(-1)],
      "'seconds' -1.0: use 0 to 1000000"
    ),
    (.join, [:], "'join' is not for the sim's loop"),
    (.leave, [:], "'leave' is not for the sim's loop"),
    (.progress, [:], "'progress' is not for the sim's loop"),
    (.snapshot, [:], "'snapshot' is not for the sim's loop"),
  ]

  @Test(arguments: requests.indices)
  func requestIsReadOrRefused(index: Int) {
    let (verb, fields, text) = Self.requests[index]
    #expect(Self.read(verb, fields) == text)
  }

  @Test func speedIsOfPacedRunsOnly() {
    let reason = "the run is not paced (--unpaced): its ticks follow no clock"
    #expect(Self.read(.speed, ["factor": .integer(2)], isPaced: false) == reason)
    // What is wrong with the request itself comes first.
    #expect(Self.read(.speed, [:], isPaced: false) == "'factor' is missing")
    #expect(Self.read(.step, [:], isPaced: false) == "step 1")
  }

  @Test func changeIsToldAsItWasAskedFor() throws {
    let reader = CommandReader(names: try PlaybackTests.plan().liveNames, rate: 60, isPaced: true)
    for (verb, fields, json) in [
      (.toggle, ["names": .string("Mars")], #"{"do":"toggle","names":"Mars"}"#),
      (
        .set, ["views": .table(["Mars.panel": .table(["x": .integer(3)])])],
        #"{"do":"set","views":{"Mars.panel":{"x":3}}}"#
      ),
    ] as [(ControlVerb, [String: DocumentValue], String)] {
      let command = try reader.command(ControlRequest(verb: verb, id: 7, fields: fields))
      guard case .change(let change) = command else {
        Issue.record("\(verb)")
        continue
      }
      #expect(change.text == json && change.seconds == nil)
    }
  }

  /// A change of a later time says so in its record; the first tick that shows it is not before that time.
  @Test(arguments: [
    (0.5, 30), (0.505, 31), (0.51, 31), (0.4999, 30), (1e6, 60_000_000), (1.0 / 3, 20),
  ])
  func changeHasItsTime(seconds: Double, tick: UInt64) throws {
    let reader = CommandReader(names: try PlaybackTests.plan().liveNames, rate: 60, isPaced: true)
    let command = try reader.command(
      ControlRequest(
        verb: .toggle, id: 7, fields: ["names": .string("Mars"), "seconds": .number(seconds)]))
    guard case .change(let change) = command else {
      Issue.record("\(command)")
      return
    }
    #expect(change.text.contains(#""seconds":"#) && change.seconds == seconds)
    #expect(change.seconds(nextTick: 3, 60) == seconds && change.tick(nextTick: 3, 60) == tick)
  }

  /// Names of a length, none of which is known.
  private static func toggle(_ lengths: [Int]) -> String {
    let names = lengths.enumerated().map { index, length in
      let name = "name\(index)"
      return DocumentValue.string(name + String(repeating: "x", count: length - name.count))
    }
    return read(.toggle, ["names": .array(DocumentArray(names))])
  }

  /// Each name stands in the reason once, and whole up to 40 characters.
  @Test func longReasonIsCut() throws {
    let most = 1_000
    var lengths: [Int] = []
    while Self.toggle(lengths + [20]).count <= most { lengths.append(20) }
    var missing = most - Self.toggle(lengths).count
    for index in lengths.indices {
      let added = min(missing, 20)
      lengths[index] += added
      missing -= added
    }
    try #require(missing == 0)
    let whole = Self.toggle(lengths)
    #expect(whole.count == most)
    #expect(!whole.hasSuffix("…"))
    let index = try #require(lengths.firstIndex { $0 < 40 })
    lengths[index] += 1
    let cut = Self.toggle(lengths)
    #expect(cut.count == most + 1)
    #expect(cut.hasSuffix("…"))
    lengths += [40, 40]
    #expect(Self.toggle(lengths).count == most + 1)
  }
}
