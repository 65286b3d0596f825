// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrrerySubscriber
import OrreryWire
import TestSupport
import Testing

/// Goal: a subscriber follows the run that it is told, and refuses what no run can be.
///
/// Method: arguments that go together, and ones that do not; values at and beyond the ends of their ranges.
@Suite struct RunArgumentsTests {
  private static func parse(_ line: String) throws -> RunArguments {
    try RunArguments.parse(line.split(separator: " ").map(String.init))
  }

  @Test func defaultsAreTheFirstRunThatComes() throws {
    let arguments = try Self.parse("--run demo")
    #expect(arguments.run == "demo")
    #expect(arguments.connect.isEmpty)
    #expect(arguments.rendezvous == nil)
    #expect(arguments.keys == nil)
    #expect(!arguments.lz4)
    #expect(!arguments.follow)
    #expect(arguments.reading == nil)
    #expect(arguments.from == 0)
    #expect(arguments.waiting == nil)
    #expect(arguments.wait == 10)
    #expect(arguments.frameTimes == nil)
    #expect(try Self.parse("--run demo --frame-times a.csv").frameTimes == "a.csv")
    #expect(!arguments.json)
  }

  @Test func wordsAreTheNamesOfTheirCases() throws {
    #expect(try Self.parse("--run demo --reading every").reading == .every)
    #expect(try Self.parse("--run demo --reading newest").reading == .newest)
    for waiting in Waiting.allCases {
      #expect(try Self.parse("--run demo --waiting \(waiting)").waiting == waiting)
    }
    #expect(Reading.allValueStrings == ["every", "newest"])
    #expect(Waiting.allValueStrings == ["spin", "futex", "announcement"])
    #expect(Reading(argument: "oldest") == nil)
    #expect(Waiting(argument: "nap") == nil)
  }

  static let refused = [
    ("", "use --run NAME or --connect tcp://HOST:PORT"),
    ("--run a --connect tcp://127.0.0.1:1", "use --run NAME or --connect"),
    ("--run a --wait -0.1", "--wait -0.1: use 0 to 86400 seconds"),
    ("--run a --wait 86401", "use 0 to 86400 seconds"),
    ("--run a --wait nan", "use 0 to 86400 seconds"), ("--run a --wait inf", "use 0 to 86400"),
    (
      "--run a --from-frame 4611686018427387905",
      "--from-frame 4611686018427387905: no run gets there"
    ),
    ("--connect tcp://127.0.0.1:1 --waiting futex", "--waiting needs --run"),
    ("--run a --keys keys", "--keys needs --connect or --rendezvous"),
    ("--run a --lz4", "--lz4 needs --connect or --rendezvous"),
    ("--connect tcp://127.0.0.1:1 --rendezvous d", "--rendezvous needs --run"),
  ]

  @Test(arguments: refused)
  func whatDoesNotGoTogetherIsRefused(line: String, says: String) {
    #expect {
      try Self.parse(line)
    } throws: { error in RunArguments.message(for: error).contains(says) }
  }

  @Test(arguments: [
    "--run a --wait 0", "--run a --wait 86400", "--run a --from-frame 4611686018427387904",
    "--run a --waiting futex", "--connect tcp://127.0.0.1:1 --lz4 --keys keys --follow",
    "--run a --rendezvous d --keys keys --lz4",
    "--connect tcp://127.0.0.1:1 --connect tcp://127.0.0.1:2 --keys keys",
  ])
  func whatGoesTogetherIsTaken(line: String) throws { _ = try Self.parse(line) }

  @Test func runIsFoundByItsName() throws {
    guard case .run(let name) = try Self.parse("--run demo").location() else {
      Issue.record("a name is no address")
      return
    }
    #expect(name == "demo")
  }

  @Test(arguments: ["", " --lz4"])
  func runIsFoundByItsAddress(option: String) throws {
    let location = try Self.parse("--connect tcp://127.0.0.1:7450" + option).location()
    guard case .remote(.tcp(let endpoint, let keys), let isCompressed) = location else {
      Issue.record("an address is no name")
      return
    }
    #expect(endpoint.text == "tcp://127.0.0.1:7450")
    #expect(keys == nil)
    #expect(isCompressed == !option.isEmpty)
  }

  @Test func severalAddressesAreThoseOfShards() throws {
    let location = try Self.parse("--connect tcp://127.0.0.1:2 --connect tcp://127.0.0.1:1")
      .location()
    guard case .remoteShards(let addresses, false) = location else {
      Issue.record("two addresses are two shards'")
      return
    }
    #expect(addresses.map(\.endpoint) == ["tcp://127.0.0.1:2", "tcp://127.0.0.1:1"])
  }

  @Test func shardsAreFoundWhereTheyMeet() throws {
    let location = try Self.parse("--run demo --rendezvous /runs --lz4").location()
    guard case .rendezvous("demo", directory: "/runs", keys: nil, isCompressed: true) = location
    else {
      Issue.record("\(location) is not where they meet")
      return
    }
  }

  @Test func keysAreThoseOfTheClient() throws {
    let base = try TemporaryBase()
    let folder = base.path + "/keys"
    _ = try CurveKeys.generate(directory: folder, client: "client", overwrites: false)
    let location = try Self.parse("--connect tcp://198.51.100.1:7450 --keys \(folder)").location()
    guard case .remote(.tcp(_, let keys), _) = location else {
      Issue.record("an address is no name")
      return
    }
    #expect(try keys == CurveKeys.client(directory: folder))
  }

  static let unusable: [(String, OrreryBase.ExitStatus, String)] = [
    ("--connect nonsense", .usage, "nonsense"),
    ("--connect tcp://127.0.0.1:1 --keys /nonexistent/keys", .unavailable, "/nonexistent/keys"),
    // Frames of another machine without keys could be anybody's.
    ("--connect tcp://198.51.100.1:7450", .notPermitted, "--keys"),
  ]

  @Test(arguments: unusable)
  func addressThatCannotBeUsedHasItsExitStatus(
    line: String, status: OrreryBase.ExitStatus, says: String
  ) throws {
    let arguments = try Self.parse(line)
    #expect {
      try RunFollower(program: "test", arguments)
    } throws: { error in
      (error as? Failure)?.status == status && "\(error)".contains(says)
    }
  }
}
