// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryArguments
import OrreryBase
import OrreryFrame
import OrreryPublisher
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import OrreryWire
import TestSupport
import Testing

/// Goal: each option of `sim` sets what it is for and nothing else.
///
/// Method: the options of a run without any, and with each; values at and beyond the ends of their ranges.
@Suite struct SimArgumentsTests {
  private static let rate: TickRate = 50

  private static func parse(_ line: String) throws -> SimArguments {
    try SimArguments.parse(
      ["flags", "--run", "a"] + line.split(separator: " ").map(String.init))
  }

  private static func options(_ line: String) throws -> SimOptions {
    try parse(line).options(rate: rate)
  }

  @Test func runWithoutOptionsIsLiveAndPaced() throws {
    let options = try Self.options("")
    #expect(options.run == "a")
    #expect(options.isPaced)
    #expect(options.tickCount == nil)
    #expect(options.delivery == .live)
    #expect(options.slotCount == nil)
    #expect(options.lookAhead == nil)
    #expect(options.output == .float32)
    #expect(options.stores == .auto)
    #expect(options.events == .completions)
    #expect(options.waitFor == 0)
    #expect(options.waitSeconds == 60)
    #expect(options.stallLimitSeconds == 10)
    #expect(options.carrier == .memory)
    #expect(options.listen == nil)
    #expect(options.keys == nil)
    #expect(options.threadCount == Processors.count)
    #expect(options.instructionSet == .best)
    #expect(try !Self.parse("").json)
  }

  @Test func eachOptionReachesTheSim() throws {
    #expect(try !Self.options("--unpaced").isPaced)
    #expect(try Self.options("--ticks 7").tickCount == 7)
    #expect(try Self.options("--duration 2").tickCount == 100)
    #expect(try Self.options("--lockstep").delivery == .lockstep)
    #expect(try Self.options("--slots 9").slotCount == 9)
    #expect(try Self.options("--look-ahead 2").lookAhead == 2)
    #expect(try Self.options("--format fixed16").output == .fixed16)
    #expect(try Self.options("--stores streaming").stores == .streaming)
    #expect(try Self.options("--events all").events == .all)
    #expect(try Self.options("--wait-for 3").waitFor == 3)
    #expect(try Self.options("--wait 2.5").waitSeconds == 2.5)
    #expect(try Self.options("--stall-limit 0.5").stallLimitSeconds == 0.5)
    #expect(try Self.options("--threads 3").threadCount == 3)
    #expect(try Self.options("--isa baseline").instructionSet == .baseline)
    #expect(try Self.options("--shm-name ring").carrier == Carrier(name: "ring"))
    #expect(
      try Self.options("--listen tcp://127.0.0.1:7450").listen?.text == "tcp://127.0.0.1:7450")
    #expect(try Self.parse("--json").json)
    #expect(try Self.parse("--frame-times a.csv").frameTimes == "a.csv")
  }

  @Test func keysAreThoseOfTheServer() throws {
    let base = try TemporaryBase()
    let folder = base.path + "/keys"
    _ = try CurveKeys.generate(directory: folder, client: "client", overwrites: false)
    let options = try Self.options("--listen tcp://*:7450 --keys \(folder)")
    #expect(options.listen?.text == "tcp://0.0.0.0:7450")
    #expect(try options.keys == CurveKeys.server(directory: folder))
  }

  private static func failure(_ line: String) throws -> Failure {
    let arguments = try parse(line)
    do throws(Failure) {
      _ = try arguments.options(rate: rate)
    } catch {
      return error
    }
    throw Failure(.done, "\(line) has options")
  }

  static let unusable: [(String, OrreryBase.ExitStatus, String)] = [
    ("--listen tcp://*:7450", .notPermitted, "--keys is required"),
    ("--listen nonsense", .usage, "nonsense"),
    ("--listen tcp://127.0.0.1:1 --keys /nonexistent/keys", .unavailable, "/nonexistent/keys"),
    ("--shm-name ../up", .usage, "../up"),
  ]

  @Test(arguments: unusable)
  func addressesAndNamesAreCheckedFirst(
    line: String, status: OrreryBase.ExitStatus, says: String
  ) throws {
    let failure = try Self.failure(line)
    #expect(failure.status == status, "\(failure)")
    #expect(failure.description.contains(says), "\(failure)")
  }

  static let wrong = [
    ("--slots 1", "--slots 1: use 2 to 65536"), ("--slots 65537", "use 2 to 65536"),
    ("--stall-limit 0.009", "use 0.01 to 86400 seconds"),
    ("--stall-limit 86401", "use 0.01 to 86400 seconds"),
    ("--stall-limit nan", "use 0.01 to 86400 seconds"),
    ("--wait -0.1", "use 0 to 86400 seconds"), ("--wait 86401", "use 0 to 86400 seconds"),
    ("--wait nan", "use 0 to 86400 seconds"),
    ("--keys keys", "--keys needs --listen"), ("--wait-for 257", "use 0 to 256"),
    ("--columns x,z", "--columns"), ("--columns x,", "--columns"), ("--events some", "--events"),
    ("--frame-times -", "--frame-times -: standard output has the report"),
  ]

  @Test(arguments: wrong)
  func whatIsOutOfRangeIsRefused(line: String, says: String) {
    #expect {
      try Self.parse(line)
    } throws: { error in SimArguments.message(for: error).contains(says) }
  }

  @Test(arguments: [
    "--slots 2", "--slots 65536", "--stall-limit 0.01", "--stall-limit 86400", "--wait-for 256",
    "--wait 0", "--wait 86400",
    "--listen tcp://127.0.0.1:1",
  ])
  func whatIsInRangeIsTaken(line: String) throws { _ = try Self.parse(line) }

  @Test func columnsAreNamedOrAll() {
    #expect(ViewColumns(argument: "all")?.properties == Set(ViewProperty.allCases))
    #expect(ViewColumns(argument: "x")?.properties == [.x])
    #expect(ViewColumns(argument: "blur,x,scale")?.properties == [.x, .scale, .blur])
    #expect(ViewColumns(argument: "")?.properties == nil)
    #expect(ViewColumns(argument: "x,,y")?.properties == nil)
  }

  @Test func columnsThatAreAskedForAreInThePlan() throws {
    let none = try SimArguments.parse(["planets", "--run", "a"]).plan()
    let some = try SimArguments.parse(["planets", "--run", "a", "--columns", "blur"]).plan()
    #expect(!Self.shown(none).contains(.blur))
    #expect(Self.shown(some).contains(.blur))
    #expect(Self.shown(some).subtracting([.blur]) == Self.shown(none))
  }

  private static func shown(_ plan: ScenePlan) -> Set<ViewProperty> {
    plan.batches.reduce(into: []) { shown, batch in
      if case .views(let views) = batch { shown.formUnion(views.shownProperties) }
    }
  }
}
