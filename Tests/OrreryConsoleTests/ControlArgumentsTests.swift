// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryConsole
import OrreryDocument
import OrreryWire
import TestSupport
import Testing

/// Goal: `orrery control` asks the sim that is named, for what is written, with what the options add.
///
/// Method: lines of arguments that go together, and ones that do not.
@Suite struct ControlArgumentsTests {
  private static func parse(_ line: String) throws -> ControlArguments {
    try ControlArguments.parse(line.split(separator: " ").map(String.init))
  }

  static let requests: [(String, ControlVerb, [String: DocumentValue])] = [
    ("demo pause", .pause, [:]), ("demo step 3", .step, ["ticks": .integer(3)]),
    ("pause --connect tcp://127.0.0.1:7450", .pause, [:]),
    ("demo seek --at 12.5", .seek, ["seconds": .number(12.5)]),
    (
      "demo toggle a --animation linear --completion done --criteria removed", .toggle,
      [
        "names": .array([.string("a")]), "animation": .string("linear"),
        "completion": .string("done"), "criteria": .string("removed"),
      ]
    ),
    (
      "demo set a x=1 --at 9.5 --animation linear --completion done --criteria removed", .set,
      [
        "views": .table(["a": .table(["x": .number(1)])]), "seconds": .number(9.5),
        "animation": .string("linear"),
        "completion": .string("done"), "criteria": .string("removed"),
      ]
    ),
    ("demo snapshot --out a.bin", .snapshot, [:]),
    ("demo snapshot --out a.bin --layout b.bin", .snapshot, [:]),
  ]

  @Test(arguments: requests)
  func lineBecomesARequest(
    line: String, verb: ControlVerb, fields: [String: DocumentValue]
  ) throws {
    let request = try Self.parse(line).request()
    #expect(request.verb == verb)
    #expect(request.fields == fields)
  }

  static let refused = [
    ("pause", "a run's name and a verb"), ("demo pause --keys keys", "--keys needs --connect"),
    ("pause --connect tcp://127.0.0.1:7450 --wait 3", "--wait goes with a run's name"),
    ("demo pause --wait -1", "--wait -1.0: use 0 to 86400 seconds"),
    ("demo pause --wait 86401", "--wait 86401.0: use 0 to 86400 seconds"),
    ("demo pause --out a", "--out and --layout go with snapshot"),
    ("demo pause --layout a", "--out and --layout go with snapshot"),
    ("demo snapshot", "snapshot needs --out FILE"),
    ("demo snapshot --layout a", "snapshot needs --out FILE"),
    ("demo pause --at 1", "--at does not go with pause"),
    ("demo seek --at nan", "--at nan: use 0 to 1000000 seconds"),
    ("demo pause --animation linear", "--animation does not go with pause"),
    ("demo seek 1 --completion a", "--completion does not go with seek"),
    ("demo step --criteria removed", "--criteria does not go with step"),
    ("demo snapshot --out a.bin --layout -", "--layout -: standard output has the report"),
    ("demo seek", "seek needs a tick or --at"),
    ("demo seek 1 --at 1", "seek needs a tick or --at"),
    ("demo pause --timeout 0.09", "--timeout 0.09: use 0.1 to 86400 seconds"),
    ("demo pause --timeout 86401", "use 0.1 to 86400 seconds"),
    ("demo pause --timeout nan", "use 0.1 to 86400 seconds"),
    ("demo pause --timeout -1", "use 0.1 to 86400 seconds"),
  ]

  @Test(arguments: refused)
  func whatDoesNotGoTogetherIsRefused(line: String, says: String) {
    #expect {
      try Self.parse(line)
    } throws: { error in ControlArguments.message(for: error).contains(says) }
  }

  @Test(arguments: [("-", true), ("a.bin", false), ("./-", false)])
  func frameGoesToStandardOutputIfAsked(file: String, goesThere: Bool) throws {
    #expect(try Self.parse("demo snapshot --out \(file)").writesToOutput == goesThere)
  }

  @Test(arguments: ["0.1", "60", "86400"])
  func anyPatienceInRangeWillDo(seconds: String) throws {
    #expect(try Self.parse("demo pause --timeout \(seconds)").timeout == Double(seconds))
  }

  @Test func patienceOfAMinuteIsTheDefault() throws {
    let arguments = try Self.parse("demo pause")
    #expect(arguments.timeout == 60)
    #expect(!arguments.json)
    #expect(try Self.parse("demo pause --json").json)
  }

  @Test func addressIsWhereTheSimListens() throws {
    let addresses = try Self.parse("pause --connect tcp://127.0.0.1:7450").addresses(for: .pause)
    #expect(addresses.map(\.endpoint) == ["tcp://127.0.0.1:7450"])
    #expect {
      try Self.parse("pause --connect udp://x").addresses(for: .pause)
    } throws: { error in "\(error)".contains("udp://x") }
    #expect {
      try Self.parse("pause --connect tcp://127.0.0.1:7450 --keys /nonexistent/keys").addresses(
        for: .pause)
    } throws: { error in "\(error)".contains("/nonexistent/keys") }
  }

  @Test func keysAreThoseOfTheClient() throws {
    let base = try TemporaryBase()
    let folder = base.path + "/keys"
    _ = try CurveKeys.generate(directory: folder, client: "client", overwrites: false)
    let addresses = try Self.parse("pause --connect tcp://198.51.100.1:7450 --keys \(folder)")
      .addresses(for: .pause)
    guard case .tcp(let endpoint, let keys)? = addresses.first else {
      Issue.record("an address is no name")
      return
    }
    #expect(endpoint.text == "tcp://198.51.100.1:7450")
    #expect(try keys == CurveKeys.client(directory: folder))
  }

  @Test func runThatIsNotThereIsNamed() throws {
    let name = "no-run-\(UUID().uuidString.prefix(8))"
    #expect {
      try Self.parse("\(name) pause").addresses(for: .pause)
    } throws: { error in
      "\(error)" == "\(WireError.noRun(name: name, waitedSeconds: 0))"
    }
    #expect {
      try Self.parse("../up pause").addresses(for: .pause)
    } throws: { error in "\(error)".contains("../up") }
  }

  @Test func attachmentsGoToTheirFiles() throws {
    let base = try TemporaryBase()
    let (frame, layout) = (base.path + "/frame.bin", base.path + "/layout.bin")
    let files = FileManager.default
    try Self.parse("demo snapshot --out \(frame)").write([[1, 2], [3]])
    #expect(files.contents(atPath: frame) == Data([1, 2]))
    #expect(try files.contentsOfDirectory(atPath: base.path) == ["frame.bin"])
    try Self.parse("demo snapshot --out \(frame) --layout \(layout)").write([[4], [5, 6]])
    #expect(files.contents(atPath: frame) == Data([4]))
    #expect(files.contents(atPath: layout) == Data([5, 6]))
  }

  @Test func fileThatCannotBeWrittenIsAFailure() throws {
    #expect {
      try Self.parse("demo snapshot --out /nonexistent/a.bin").write([[1]])
    } throws: { error in
      (error as? Failure)?.status == .inputOutput && "\(error)".contains("/nonexistent/a.bin")
    }
  }
}
