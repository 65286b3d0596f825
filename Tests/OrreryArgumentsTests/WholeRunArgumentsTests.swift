// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryArguments
import OrreryBase
import OrrerySupervisor
import TestSupport
import Testing

/// Goal: `orrery run` starts the three programs with what it was told, for a run and files that belong together.
///
/// Method: the programs of a run without options, and what each option changes in them.
@Suite struct WholeRunArgumentsTests {
  private static func parse(_ line: String) throws -> WholeRunArguments {
    try WholeRunArguments.parse(line.split(separator: " ").map(String.init))
  }

  private static func programs(_ line: String, scene: String = "flags") throws -> [[String]] {
    try parse(line).programs(scene: scene, processID: 42).map(\.arguments)
  }

  private static func words(_ line: String) -> [String] {
    line.split(separator: " ").map(String.init)
  }

  @Test func threeProgramsHaveOneRunAndOneName() throws {
    let programs = try Self.parse("flags").programs(scene: "flags", processID: 42)
    #expect(programs.map(\.name) == ["sim", "renderer", "logger"])
    #expect(programs.allSatisfy { $0.path == nil })
    #expect(
      programs.map(\.arguments) == [
        Self.words(
          "flags --run flags-42 --wait-for 2 --threads 1 --json --output float32 --stores auto"),
        Self.words("--run flags-42 --video ./flags.mp4 --png ./flags.png --json"),
        Self.words("--run flags-42 --out ./flags.mcap --compression none --force --json"),
      ])
  }

  @Test func optionsReachTheirPrograms() throws {
    let plain = try Self.programs("flags")
    #expect(try !Self.parse("flags").json)
    #expect(try Self.parse("flags --json").json)
    #expect(
      try Self.programs("flags --duration 2.5")[0]
        == Self.words(
          "flags --run flags-42 --wait-for 2 --threads 1 --json --duration 2.5 --output float32"
            + " --stores auto"))
    #expect(
      try Self.programs("flags --lockstep")[0]
        == plain[0] + ["--delivery", "lockstep", "--unpaced"])
    #expect(try Self.programs("flags --threads 3")[0].contains("3"))
    #expect(try Self.programs("flags --size 64x36")[1] == plain[1] + ["--size", "64x36"])
    #expect(
      try Self.programs("flags --compression zstd")[2]
        == Self.words("--run flags-42 --out ./flags.mcap --compression zstd --force --json"))
    let other = try Self.programs(
      "stress --seed 7 --look-ahead 3 --output fixed16 --stores cached --out a/b", scene: "stress")
    #expect(
      other[0]
        == Self.words(
          "stress --seed 7 --run stress-42 --wait-for 2 --threads 1 --json --output fixed16"
            + " --stores cached --look-ahead 3"))
    #expect(
      other[1] == Self.words("--run stress-42 --video a/b/stress.mp4 --png a/b/stress.png --json"))
    #expect(other[2][3] == "a/b/stress.mcap")
  }

  /// Neither a run nor a file can be called anything.
  @Test func sceneMayHaveAnyName() throws {
    let odd = try Self.programs("flags", scene: "a/ü b.1-Z_")
    #expect(odd[0][2] == "ab1Z-42")
    #expect(odd[1][3] == "./a-ü b.1-Z_.mp4")
    #expect(odd[2][3] == "./a-ü b.1-Z_.mcap")
    let long = try Self.programs("flags", scene: String(repeating: "x", count: 41))
    #expect(long[0][2] == String(repeating: "x", count: 40) + "-42")
    let own = try Self.parse("flags").programs(scene: "s").map(\.arguments)
    #expect(own[0][2] == "s-\(getpid())")
  }

  @Test func simTakesWhatItIsTold() throws {
    let line = "stress --seed 7 --entities 9 --duration 1 --lockstep --threads 2 --output fixed16"
    let sim = try SimArguments.parse(try Self.programs(line)[0])
    let options = try sim.options(rate: 60)
    #expect(options.run == "flags-42")
    #expect(options.waitFor == 2)
    #expect(options.threadCount == 2)
    #expect(options.tickCount == 60)
    #expect(options.delivery == .lockstep)
    #expect(options.output == .fixed16)
    #expect(!options.isPaced)
    #expect(sim.scene.seed == 7)
    #expect(sim.scene.entities == 9)
    #expect(sim.json)
  }

  static let wrong = [
    ("--duration 0", "more than 0"), ("--duration -1", "more than 0"),
    ("--duration nan", "more than 0"), ("--duration inf", "more than 0"),
    ("--duration 1000000001", "at most 1000000000 seconds"), ("--threads 0", "use 1 to 1024"),
    ("--threads 1025", "use 1 to 1024"), ("--compression gzip", "use none, lz4 or zstd"),
    ("--size 0x0", "--size"),
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
  }

  @Test(arguments: [
    "--duration 0.001", "--duration 1000000000", "--threads 1024", "--compression none",
    "--compression lz4",
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
