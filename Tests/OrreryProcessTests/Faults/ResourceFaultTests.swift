// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: too little memory, too few descriptors and failing calls end a program in order, or not at all: rows 9 and 30.
///
/// Method: real processes under limits, in a control group, and under strace, which makes calls fail.
@Suite(.serialized)
struct ResourceFaultTests {
  @Test(arguments: [1_000, 10_000, 100_000, 1_000_000])
  func fault09MemoryIsEstimated(entities: Int) throws {
    try Self.checkEstimate(entities: entities)
  }

  @Test(.enabled(if: testEffort > 1, "takes a gigabyte: ORRERY_TEST_EFFORT=2"))
  func fault09MemoryOfTenMillionEntitiesIsEstimated() throws {
    try Self.checkEstimate(entities: 10_000_000)
  }

  private static func checkEstimate(entities: Int) throws {
    let place = try Place()
    let run = try Program.run(
      "sim",
      [
        "stress", "--entities", "\(entities)", "--run", "m", "--ticks", "3", "--unpaced", "--json",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let memory = try #require(
      try report("orrery.sim.v2", in: run.text)["memory"] as? [String: Any])
    let estimated = Double(try #require(number("estimated_bytes", in: memory)))
    let resident = Double(try #require(number("resident_max_bytes", in: memory)))
    #expect(abs(estimated / resident - 1) < 0.1, "\(estimated) estimated, \(resident) held")
    Faults.figure(
      9,
      "\(entities) entities: estimated \(Int(estimated / 1e6)) MB, held \(Int(resident / 1e6)) MB,"
        + " ratio \((estimated / resident * 1000).rounded() / 1000)")
  }

  /// Every limit is either enough or refused in one line; none ends in a trap.
  @Test func fault09AddressSpaceLimitIsRespected() throws {
    // From where the program can be loaded at all, in KiB.
    let limits = stride(from: 300_000, through: 1_500_000, by: 200_000 / testEffort)
    var codes: [Int32: Int] = [:]
    for limit in limits {
      let place = try Place()
      let run = try Program.run(
        "/bin/sh",
        [
          "-c",
          "ulimit -v \(limit); exec \(Program.directory)/sim stress --entities 1000000"
            + " --run m --ticks 2 --unpaced",
        ], in: place)
      Self.checkRefusal(run.code, run.errorText, "ulimit -v \(limit)")
      codes[run.code ?? -1, default: 0] += 1
    }
    #expect(codes[71] ?? 0 > 0, "\(codes)")
    #expect(codes[0] ?? 0 > 0, "\(codes)")
    Faults.figure(9, "ulimit -v: ends \(codes)")
  }

  private static func checkRefusal(_ code: Int32?, _ errors: String, _ comment: Comment) {
    #expect(code == 0 || code == 71, "\(comment): \(errors)")
    guard code != 0 else { return }
    #expect(errors.split(separator: "\n").count == 1, "\(comment): \(errors)")
    #expect(errors.contains("memory"), "\(comment): \(errors)")
  }

  @Test(.enabled(if: TestGroup.Resource.memory.root != nil, "making control groups needs root"))
  func fault09ControlGroupIsRespected() throws {
    let group = try TestGroup(memoryBytes: 100 << 20)
    for (entities, expected) in [(1_000_000, 71), (10_000, 0)] as [(Int, Int32)] {
      let place = try Place()
      let run = try Program.run(
        "/bin/sh",
        group.arguments(
          "\(Program.directory)/sim stress --entities \(entities) --run m --ticks 2 --unpaced"),
        in: place)
      #expect(run.code == expected, "\(entities): \(run.errorText)")
      Self.checkRefusal(run.code, run.errorText, "\(entities) entities in 100 MiB")
    }
  }

  /// A call that fails once is tried again or ends the program in order, with one line.
  ///
  /// Only calls that the kernel can interrupt, or that can find no descriptor. Not `epoll_create1` and `accept4`,
  /// where ZeroMQ aborts without one: `FileDescriptor.checkRoom` is there for that.
  @Test(
    .enabled(if: Faults.strace != nil, "needs strace"),
    arguments: [
      (
        "EINTR",
        [
          "poll", "ppoll", "clock_nanosleep", "accept4", "recvmsg", "sendmsg", "epoll_wait",
          "flock",
          "fallocate", "pwrite64",
        ]
      ),
      ("EMFILE", ["openat", "socket", "memfd_create", "eventfd2", "dup"]),
    ])
  func fault30FailingCalls(error: String, names: [String]) throws {
    let simWords = Faults.simArguments("e", ticks: 60) + ["--wait-for", "1", "--json"]
    let loggerWords = ["--run", "e", "--out", "e.mcap", "--wait", "300", "--json"]
    var ends: [String: Int] = [:]
    for name in ["sim", "logger"] {
      let calls = try Faults.systemCalls(of: name, sim: simWords, logger: loggerWords)
      for point in calls.points(10 * testEffort, of: names, seed: Faults.seed) {
        let place = try Place()
        let fault = "error=" + error
        let sim =
          name == "sim"
          ? try Faults.start("sim", simWords, fault: fault, at: point, in: place)
          : try Program("sim", simWords, in: place)
        let logger =
          name == "logger"
          ? try Faults.start("logger", loggerWords, fault: fault, at: point, in: place)
          : try Program("logger", loggerWords, in: place)
        let (faulty, other) = name == "sim" ? (sim, logger) : (logger, sim)
        let code = faulty.wait()
        if code != 0 { other.signal(SIGTERM) }
        let otherCode = other.wait()
        let comment: Comment =
          "ORRERY_SEED=\(Faults.seed): \(name), \(error) at \(point): \(faulty.errorText)"
        // The loader ends with 127 before the program has begun, and Swift reads its arguments from a file.
        #expect([0, 64, 65, 69, 71, 74, 127].contains(code ?? -1), comment)
        // The other one may not have begun either when it is told to end.
        let isEnded = [0, 69].contains(otherCode) || code != 0 && otherCode == 128 + SIGTERM
        #expect(isEnded, "the other ended with \(otherCode ?? -1), \(comment): \(other.errorText)")
        if code == 0, otherCode == 0, place.has("e.mcap") {
          let trace = try TraceContents(place.files + "/e.mcap")
          #expect(trace.tornCount == 0, comment)
          #expect(trace.isWithoutHoles, comment)
          #expect(trace.ending == .whole, comment)
        } else if code != 0, code != 64 {
          #expect(faulty.errorText.contains("\(name): "), comment)
        }
        ends["\(name) \(code ?? -1)", default: 0] += 1
      }
    }
    Faults.figure(30, "\(error): ends \(ends)")
  }

  /// Few descriptors are either enough or refused; ZeroMQ, which would abort, is not reached.
  @Test(arguments: ["sim", "logger", "renderer"])
  func fault30DescriptorLimit(name: String) throws {
    let arguments = [
      "sim": Faults.simArguments("d", ticks: 20), "logger": ["--run", "d", "--out", "d.mcap"],
      "renderer": ["--run", "d", "--png", "d.png", "--size", "64x36"],
    ]
    var ends: [Int32: Int] = [:]
    for limit in stride(from: 4, through: 100, by: testEffort > 1 ? 1 : 12) {
      let place = try Place()
      let words = (arguments[name] ?? []).joined(separator: " ")
      let other =
        name == "sim" ? nil : try Program("sim", Faults.simArguments("d", ticks: 200), in: place)
      let run = try Program.run(
        "/bin/sh", ["-c", "ulimit -n \(limit); exec \(Program.directory)/\(name) \(words)"],
        in: place)
      other?.wait()
      // The loader needs some, too.
      #expect([0, 69, 71, 127].contains(run.code ?? -1), "\(name), \(limit): \(run.errorText)")
      ends[run.code ?? -1, default: 0] += 1
    }
    Faults.figure(30, "\(name) with few descriptors: ends \(ends)")
  }
}
