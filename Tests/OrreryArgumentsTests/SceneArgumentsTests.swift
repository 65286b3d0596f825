// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryArguments
import OrreryBase
import OrreryCommandLine
import OrreryPublisher
import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Goal: what is said of a scene and of its frames reaches the scene, and reaches other programs unchanged.
///
/// Method: options there and back through the arguments that they are passed on as; scenes that cannot be had, with the
/// exit status of each.
@Suite struct SceneArgumentsTests {
  private static func parse(_ line: String) throws -> SceneArguments {
    try SceneArguments.parse(line.split(separator: " ").map(String.init))
  }

  @Test(arguments: [
    "stress", "stress --rate 30000/1001", "stress --entities 500", "stress --seed 7",
    "flags --locale de", "stress --rate 50 --entities 9 --seed 18446744073709551615 --locale ja",
  ])
  func optionsArePassedOnUnchanged(line: String) throws {
    let arguments = try Self.parse(line)
    let again = try SceneArguments.parse(arguments.words)
    #expect(again.scene == arguments.scene)
    #expect(again.rate == arguments.rate)
    #expect(again.entities == arguments.entities)
    #expect(again.seed == arguments.seed)
    #expect(again.locale == arguments.locale)
    #expect(arguments.words == line.split(separator: " ").map(String.init))
  }

  @Test func optionsReachThePlan() throws {
    let plan = try Self.parse("stress --rate 30000/1001 --entities 500 --seed 7").plan()
    #expect(plan.rate == TickRate("30000/1001"))
    #expect(plan.entityCount == 500)
    #expect(plan.seed == 7)
    #expect(try Self.parse("stress --entities 500").plan().layout.source.contains("[[content]]"))
  }

  /// Help and check have the same limits.
  @Test func helpSaysTheRangeOfTheRate() throws {
    #expect(
      SceneArguments.helpMessage(columns: 200).contains("Ticks per second, 0.01 to 1000000: 60"))
    for rate in ["0.01", "1000000"] {
      #expect(try Self.parse("stress --entities 1 --rate \(rate)").plan().rate == TickRate(rate))
    }
    for rate in ["0.009", "1000001", "1000000000"] {
      let failure = try Self.failure("stress --entities 1 --rate \(rate)")
      #expect("\(failure)".contains("is out of range 0.01...1000000"), "\(failure)")
    }
  }

  @Test func languageReachesThePlan() throws {
    let german = try Self.parse("flags --locale de").plan()
    let japanese = try Self.parse("flags --locale ja").plan()
    #expect(german.layout != japanese.layout)
  }

  private static func failure(_ line: String) throws -> Failure {
    let arguments = try parse(line)
    do throws(Failure) {
      _ = try arguments.plan()
    } catch {
      return error
    }
    throw Failure(.done, "\(line) has a plan")
  }

  @Test func eachFailureHasItsExitStatus() throws {
    let base = try TemporaryBase()
    let files = [
      "bad.toml": "size = [1280, 720]\nnonsense = 1\n",
      "huge.toml": String(repeating: "#", count: 16 << 20) + "\n",
    ]
    for (name, text) in files {
      try text.write(toFile: base.path + "/" + name, atomically: false, encoding: .utf8)
    }
    try Data([0x66, 0xff, 0xfe]).write(to: URL(fileURLWithPath: base.path + "/bytes.toml"))
    let expected: [(String, OrreryBase.ExitStatus)] = [
      ("nosuch", .usage), ("stress --entities 0", .usage), ("flags --locale xx_YY", .usage),
      (base.path + "/nosuch.toml", .unavailable), (base.path + "/bad.toml/x.toml", .inputOutput),
      (base.path + "/bad.toml", .badData), (base.path + "/huge.toml", .badData),
      (base.path + "/bytes.toml", .badData),
      // One problem of the scene, beside one of an option.
      (base.path + "/bad.toml --entities 0", .badData),
    ]
    for (line, status) in expected {
      let failure = try Self.failure(line)
      #expect(failure.status == status, "\(line): \(failure)")
    }
  }

  @Test func ratesAreReadAsTheyAreWritten() {
    #expect(TickRate(argument: "59.94") == TickRate("59.94"))
    #expect(TickRate(argument: "0") == nil)
  }
}

/// How values are written into the ring, as it is asked for.
@Suite struct FrameArgumentsTests {
  private static func parse(_ line: String) throws -> FrameArguments {
    try FrameArguments.parse(line.split(separator: " ").map(String.init))
  }

  @Test(arguments: ["", "--look-ahead 0", "--look-ahead 7 --format fixed16 --stores streaming"])
  func optionsArePassedOnUnchanged(line: String) throws {
    let arguments = try Self.parse(line)
    let again = try FrameArguments.parse(arguments.words)
    #expect(again.lookAhead == arguments.lookAhead)
    #expect(again.format == arguments.format)
    #expect(again.stores == arguments.stores)
  }

  @Test func optionsReachTheSim() throws {
    var options = SimOptions(run: "a")
    try Self.parse("--look-ahead 3 --format fixed16 --stores cached").apply(to: &options)
    #expect(options.lookAhead == 3)
    #expect(options.output == .fixed16)
    #expect(options.stores == .cached)
    try Self.parse("").apply(to: &options)
    #expect(options.lookAhead == nil)
    #expect(options.output == .float32)
    #expect(options.stores == .auto)
  }

  @Test func moreTicksAheadThanATileHasAreRefused() {
    #expect {
      try Self.parse("--look-ahead 8")
    } throws: { error in
      FrameArguments.message(for: error).contains("--look-ahead 8: use 0 to 7")
    }
  }
}

/// Where the kernels run, as it is asked for.
@Suite struct KernelArgumentsTests {
  private static func parse(_ line: String) throws -> KernelArguments {
    try KernelArguments.parse(line.split(separator: " ").map(String.init))
  }

  @Test func wordsChooseTheInstructionSet() throws {
    #expect(try Self.parse("").instructionSet() == .best)
    #expect(try Self.parse("").threads == .auto)
    for set in InstructionSet.allCases {
      if set.isSupported {
        #expect(try Self.parse("--isa \(set.rawValue)").instructionSet() == set)
      } else {
        #expect {
          try Self.parse("--isa \(set.rawValue)")
        } throws: { error in
          KernelArguments.message(for: error).contains("this machine has no \(set.rawValue)")
        }
      }
    }
  }

  @Test(arguments: ["1", "1024"])
  func threadsInRangeAreTaken(count: String) throws {
    let arguments = try Self.parse("--threads \(count)")
    #expect(arguments.threads == Int(count).map(ThreadLimit.count))
    #expect(arguments.threads.count == Int(count))
    #expect(arguments.words == ["--threads", count])
  }

  /// Only as many as this process may use: `taskset` takes the others away.
  @Test func autoMeansAThreadForEachProcessor() throws {
    let arguments = try Self.parse("--threads auto")
    #expect(arguments.threads == .auto)
    #expect(arguments.threads.count == min(Processors.count, 1024))
    #expect(arguments.words == [])
  }

  @Test(arguments: ["--threads 0", "--threads 1025", "--threads -1", "--isa sse9", "--isa AVX2"])
  func whatIsOutOfRangeIsRefused(line: String) {
    #expect {
      try Self.parse(line)
    } throws: { error in
      let text = KernelArguments.message(for: error)
      return text.contains("is invalid for '--threads <threads>'")
        || text.contains("use auto, baseline, avx2 or avx512")
    }
  }

  @Test func worldIsMadeAsItIsAskedFor() throws {
    let plan = try SceneArguments.parse(["stress", "--entities", "500"]).plan()
    let world = try Self.parse("--isa baseline --threads 2").world(plan)
    #expect(world.instructionSet == .baseline)
    #expect(world.entityCount == 500)
  }
}
