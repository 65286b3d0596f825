// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryArguments
import OrreryBase
import OrreryFrame
import OrreryPublisher
import OrrerySceneBuilder
import OrrerySim
import OrrerySupervisor
import OrreryWire
import TestSupport
import Testing

/// Goal: `orrery run` starts the three programs with what it was told, for a run and files that belong together.
///
/// Method: the programs of a run without options, and what each option changes in them.
@Suite struct WholeRunArgumentsTests {
  private static func parse(_ line: String) throws -> WholeRunArguments {
    try WholeRunArguments.parse(line.split(separator: " ").map(String.init))
  }

  private static func programs(_ line: String, run: String = "demo") throws -> [[String]] {
    try parse(line).programs(run: run).map(\.arguments)
  }

  private static func words(_ line: String) -> [String] {
    line.split(separator: " ").map(String.init)
  }

  /// What a sim gets that is told nothing.
  private static let plainSim = "flags --wait-for 2 --run demo --json"

  @Test func threeProgramsHaveOneRunAndOneName() throws {
    let programs = try Self.parse("flags").programs(run: "demo")
    #expect(programs.map(\.name) == ["sim", "renderer", "logger"])
    #expect(programs.allSatisfy { $0.path == nil })
    #expect(
      programs.map(\.arguments) == [
        Self.words(Self.plainSim),
        Self.words(
          "--run demo --json --supervised --video ./demo.mp4 --png ./demo.png --force"),
        Self.words(
          "--run demo --json --supervised --out ./demo.mcap --force"),
      ])
    #expect(programs.map(\.outputs) == [[], ["./demo.mp4", "./demo.png"], ["./demo.mcap"]])
    // A name that another sim takes first must not bring the subscribers to that sim's run.
    #expect(programs.map(\.waitsForSim) == [false, true, true])
  }

  @Test func optionsReachTheirPrograms() throws {
    let plain = try Self.programs("flags")
    #expect(try !Self.parse("flags").json)
    #expect(try Self.parse("flags --json").json)
    #expect(try Self.parse("flags").runName == nil)
    #expect(try Self.parse("flags --run a").runName == "a")
    #expect(
      try Self.programs("flags --lockstep")[0]
        == plain[0] + ["--lockstep", "--unpaced"])
    #expect(try Self.programs("flags --size 64x36")[1] == plain[1] + ["--size", "64x36"])
    #expect(
      try Self.programs("flags --compression zstd")[2]
        == Self.words(
          "--run demo --json --supervised --out ./demo.mcap --compression zstd --force"))
    let other = try Self.programs("stress --out a/b")
    #expect(
      other[1]
        == Self.words(
          "--run demo --json --supervised --video a/b/demo.mp4 --png a/b/demo.png --force"))
    #expect(other[2].contains("a/b/demo.mcap"))
  }

  /// A program that has nothing to make is not started, and the sim does not wait for it.
  @Test(arguments: [
    ("--no-video", [["./demo.png"], ["./demo.mcap"]]),
    ("--only picture,trace", [["./demo.png"], ["./demo.mcap"]]),
    ("--only video", [["./demo.mp4"]]), ("--only trace", [["./demo.mcap"]]),
    ("--only trace --frames f", [[], ["./demo.mcap"]]),
    ("--only picture --at 1 --size 64x36", [["./demo.png"]]),
  ])
  func onlyWhatIsWantedIsMade(line: String, outputs: [[String]]) throws {
    let programs = try Self.parse("flags " + line).programs(run: "demo")
    #expect(programs.dropFirst().map(\.outputs) == outputs)
    let sim = try SimArguments.parse(programs[0].arguments)
    #expect(try sim.options(rate: 60).waitFor == UInt64(outputs.count))
    for (program, files) in zip(programs.dropFirst(), outputs) {
      for file in files { #expect(program.arguments.contains(file)) }
      #expect(files.contains("./demo.mp4") == program.arguments.contains("--video"))
      #expect(files.contains("./demo.png") == program.arguments.contains("--png"))
    }
  }

  @Test(arguments: [
    ("--only", "Missing value"), ("--only films", "--only"), ("--only trace,", "--only"),
    ("--only trace --no-video", "exclude each other"), ("--only trace --at 1", "--at needs"),
    ("--only trace --size 64x36", "--size needs"), ("--only video --delta", "--delta needs"),
    ("--only picture --compression lz4", "--compression needs"),
    ("--only video --record-columns x", "--record-columns needs"),
  ])
  func optionsOfFilesThatAreLeftOutAreRefused(line: String, message: String) {
    let error = #expect(throws: (any Error).self) { try Self.parse("flags " + line) }
    let text = error.map { WholeRunArguments.message(for: $0) } ?? ""
    #expect(text.contains(message), "\(text)")
  }

  static let recording = [
    "--min-free-space 0", "--min-free-space 10MiB", "--chunk-size 1MiB", "--memory 32MiB",
    "--sync second", "--max-size 8MiB", "--max-duration 2.5", "--mode digest", "--every 10",
    "--quantise 16", "--delta", "--points 0", "--views 5", "--record-host",
  ]

  /// What the logger takes it takes by the same name, and nothing else changes.
  @Test(arguments: recording)
  func optionOfTheLoggerReachesIt(line: String) throws {
    let (plain, programs) = (try Self.programs("flags"), try Self.programs("flags " + line))
    #expect(programs[2] == plain[2].dropLast() + Self.words(line) + ["--force"])
    #expect(Array(programs[..<2]) == Array(plain[..<2]))
  }

  /// The sim waits for it, as for the other two.
  @Test func liveIsAnotherSubscriber() throws {
    let (plain, programs) = (try Self.programs("flags"), try Self.programs("flags --live"))
    #expect(programs.count == 4 && Array(programs[1...2]) == Array(plain[1...2]))
    #expect(programs[3] == ["--run", "demo", "--json", "--supervised"])
    let waits = try #require(programs[0].firstIndex(of: "--wait-for"))
    #expect(programs[0][waits + 1] == "3")
  }

  /// A sim's options of these names are about something else.
  @Test func partThatIsRecordedReachesTheLogger() throws {
    let programs = try Self.programs(
      "stress --entities 50 --columns x --record-entity 1 7-9 --record-columns x,y")
    #expect(programs[2].suffix(6) == ["--entity", "1", "7-9", "--columns", "x,y", "--force"])
    #expect(programs[0].contains("50"))
    #expect(!programs[0].contains("7-9"))
  }

  @Test func optionsOfTheRendererReachIt() throws {
    let plain = try Self.programs("flags")
    let programs = try Self.programs("flags --at 2.5 --frames pictures")
    #expect(programs[1] == plain[1] + ["--at", "2.5", "--frames", "pictures"])
    #expect(programs[2] == plain[2])
  }

  @Test func setOfTracesIsNamedByItsFirst() throws {
    let programs = try Self.parse("flags --max-size 8MiB").programs(run: "demo")
    #expect(programs[2].outputs == ["./demo.0001.mcap"])
  }

  /// The three programs have one patience.
  @Test func patienceReachesAllPrograms() throws {
    for arguments in try Self.programs("flags --wait 90") {
      let index = try #require(arguments.firstIndex(of: "--wait"))
      #expect(arguments[index + 1] == "90.0")
    }
  }

  /// Options of a sim: what each sets there when `orrery run` has passed it on.
  private static func simOptions(_ line: String) throws -> SimOptions {
    let sim = try SimArguments.parse(try Self.programs("stress " + line)[0])
    #expect(sim.json)
    return try sim.options(rate: 60)
  }

  @Test func simTakesWhatItIsTold() throws {
    let plain = try Self.simOptions("")
    #expect(plain.run == "demo")
    #expect(plain.waitFor == 2)
    #expect(plain.isPaced)
    #expect(plain.delivery == .live)
    #expect(try Self.simOptions("--wait-for 3").waitFor == 5)
    #expect(try Self.simOptions("--wait 7").waitSeconds == 7)
    #expect(try Self.simOptions("--threads 2").threadCount == 2)
    #expect(try Self.simOptions("--isa baseline").instructionSet == .baseline)
    #expect(try Self.simOptions("--duration 1").tickCount == 60)
    #expect(try Self.simOptions("--ticks 7").tickCount == 7)
    #expect(try Self.simOptions("--slots 9").slotCount == 9)
    #expect(try Self.simOptions("--stall-limit 0.5").stallLimitSeconds == 0.5)
    #expect(try Self.simOptions("--shm-name ring").carrier == Carrier(name: "ring"))
    #expect(try Self.simOptions("--events all").events == .all)
    #expect(try Self.simOptions("--look-ahead 3").lookAhead == 3)
    #expect(try Self.simOptions("--format fixed16").output == .fixed16)
    #expect(try Self.simOptions("--stores cached").stores == .cached)
    let lockstep = try Self.simOptions("--lockstep")
    #expect(!lockstep.isPaced)
    #expect(lockstep.delivery == .lockstep)
  }

  @Test func simListensAndShowsColumnsAsItIsTold() throws {
    let base = try TemporaryBase()
    let folder = base.path + "/keys"
    _ = try CurveKeys.generate(directory: folder, client: "client", overwrites: false)
    let options = try Self.simOptions("--listen tcp://*:7450 --keys \(folder)")
    #expect(options.listen?.text == "tcp://0.0.0.0:7450")
    #expect(try options.keys == CurveKeys.server(directory: folder))
    let sim = try SimArguments.parse(
      try Self.programs("flags --seed 7 --copies 3 --locale de --columns x,blur")[0])
    #expect(sim.publishing.scene.seed == 7)
    #expect(sim.publishing.scene.copies == 3)
    #expect(sim.publishing.scene.locale == "de")
    #expect(sim.publishing.shown.columns?.properties == [.x, .blur])
  }

  /// So two runs of a scene at one time leave files of their own.
  @Test func filesAreNamedByTheRun() throws {
    let second = try Self.programs("flags", run: "flags-2")
    #expect(second[1].contains("./flags-2.mp4") && second[1].contains("./flags-2.png"))
    #expect(second[2].contains("./flags-2.mcap"))
  }

  @Test func progressIsForThePersonWhoWatches() throws {
    #expect(try Self.parse("flags --progress plain").progressStyle == .plain)
    #expect(try Self.parse("flags --progress json --json").progressStyle == .json)
    #expect(try Self.parse("flags --progress none").progressStyle == .none)
    #expect(try Self.parse("flags --json").progressStyle == .none)
  }

  static let wrong = [
    ("--duration 0", "more than 0"), ("--duration -1", "more than 0"),
    ("--duration nan", "more than 0"), ("--duration inf", "more than 0"),
    ("--duration 1000000001", "at most 1000000000 seconds"),
    ("--threads 0", "is invalid for '--threads"),
    ("--threads 1025", "is invalid for '--threads"),
    ("--compression gzip", "gzip"),
    ("--min-free-space much", "--min-free-space"), ("--max-size 1K", "use 1MiB or more"),
    ("--at -1", "use 0 to 4000000000 seconds"), ("--mode flight", "orrery logger has flight"),
    ("--mode digest --record-columns x", "--mode digest and --record-columns exclude each other"),
    ("--mode digest --record-entity 1", "--mode digest and --record-entity exclude each other"),
    ("--mode digest --delta", "--mode digest and --delta exclude each other"),
    ("--points -1", "use 0 to 100000"), ("--frames -", "standard output has the report"),
    ("--size 0x0", "--size"), ("--progress often", "auto, plain, json, none"),
    ("--wait-for 255", "use 0 to 254"), ("--live --wait-for 254", "use 0 to 253 with three"),
    ("--wait -1", "use 0 to 86400 seconds"),
    ("--keys keys", "--keys needs --listen"), ("--isa mmx", "--isa mmx"),
    ("--ticks 1 --duration 1", "exclude each other"),
  ]

  @Test(arguments: wrong)
  func whatIsOutOfRangeIsRefused(line: String, says: String) {
    #expect {
      try Self.parse("flags " + line)
    } throws: { error in WholeRunArguments.message(for: error).contains(says) }
  }

  @Test func placeWithoutANameIsRefused() {
    #expect {
      try WholeRunArguments.parse(["flags", "--out", ""])
    } throws: { error in
      WholeRunArguments.message(for: error).contains("a directory's name is needed")
    }
    #expect {
      try WholeRunArguments.parse(["flags", "--out", "-"])
    } throws: { error in
      WholeRunArguments.message(for: error).contains("--out -: standard output has the report")
    }
  }

  @Test(arguments: [
    "--duration 0.001", "--duration 1000000000", "--threads 1024", "--compression none",
    "--compression lz4", "--wait-for 254", "--wait 0", "--progress auto",
  ])
  func whatIsInRangeIsTaken(line: String) throws { _ = try Self.parse("flags " + line) }

  @Test func directoriesAreMadeWhereTheyAreNeeded() throws {
    let base = try TemporaryBase()
    let arguments = try WholeRunArguments.parse(["flags", "--out", base.path + "/a//b/c"])
    var isDirectory: ObjCBool = false
    for _ in 0..<2 {
      // What an earlier call met is nothing to this one.
      errno = 0
      try arguments.makeDirectory()
      #expect(
        FileManager.default.fileExists(atPath: base.path + "/a/b/c", isDirectory: &isDirectory))
      #expect(isDirectory.boolValue)
      let facts = try FileManager.default.attributesOfItem(atPath: base.path + "/a/b")
      #expect(facts[.posixPermissions] as? Int == 0o777 & ~processMask())
    }
  }

  @Test func directoryThatCannotBeMadeIsNamed() throws {
    let arguments = try WholeRunArguments.parse(["flags", "--out", "/proc/nosuch/a"])
    #expect {
      try arguments.makeDirectory()
    } throws: { error in
      (error as? Failure)?.status == .inputOutput && "\(error)".contains("/proc/nosuch: mkdir")
    }
  }
}
