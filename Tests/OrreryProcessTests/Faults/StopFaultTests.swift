// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: processes that are stopped, late, or see a clock jump cost the others nothing that is not counted: rows 4, 5, 18
/// and 27.
///
/// Method: real processes, stopped and continued, under faketime, and started in every order.
@Suite(.serialized)
struct StopFaultTests {
  /// How long a process is stopped: 2 s by default, the catalogue's time from effort 10 on.
  private static func stopSeconds(_ most: Int) -> Int { min(2 + 6 * (testEffort - 1), most) }

  /// Starts a sim, and the two that follow its first frame.
  private func startRun(
    in place: Place
  ) throws -> (sim: Program, logger: Program, renderer: Program) {
    let sim = try Program(
      "sim", ["stress", "--entities", "2000", "--run", "s", "--json", "--wait-for", "2"],
      in: place)
    let logger = try Program("logger", ["--run", "s", "--out", "s.mcap", "--json"], in: place)
    let renderer = try Program(
      "renderer", ["--run", "s", "--png", "s.png", "--size", "64x36", "--json"], in: place)
    sim.wait(forFrames: 60, of: "s", in: place)
    return (sim, logger, renderer)
  }

  /// A sim keeps its time as well as one beside it that has no subscribers.
  @Test func fault04StoppedSubscribersCostTheSimNothing() throws {
    let place = try Place()
    let (sim, logger, renderer) = try startRun(in: place)
    let beside = try Program(
      "sim", ["stress", "--entities", "2000", "--run", "beside", "--json"], in: place)
    beside.waitForProgress()
    let before = try ProcessFigures(sim.processID)
    let progressBefore = try [sim, beside].map(Self.progress)
    let stopped = Self.stopSeconds(60)
    for program in [logger, renderer] { program.signal(SIGSTOP) }
    sim.wait(forFrames: stopped * 60, of: "s", in: place)
    let during = try ProcessFigures(sim.processID)
    let progressAfter = try [sim, beside].map(Self.progress)
    for program in [logger, renderer] { program.signal(SIGCONT) }
    sim.wait(forFrames: 60, of: "s", in: place)
    for program in [sim, beside] {
      program.signal(SIGTERM)
      #expect(program.wait() == 0, "\(program.errorText)")
    }
    for program in [logger, renderer] {
      #expect(program.wait() == 0, "\(program.errorText)")
      #expect(number("missed", in: try Faults.checkAccount(program)) ?? 0 > 0)
    }
    let trace = try TraceContents(place.files + "/s.mcap")
    #expect(trace.tornCount == 0)
    #expect(trace.isWithoutHoles)
    #expect(trace.ending == .whole)
    #expect(trace.summary["missed"] == "\(trace.missedCount)")
    let grown = during.residentBytes - before.residentBytes
    #expect(grown < 8 << 20)
    let ticks = zip(progressBefore, progressAfter).map { $1.tick - $0.tick }
    let late = zip(progressBefore, progressAfter).map { $1.late - $0.late }
    // Each says how far it is a quarter of a second at a time; what a machine does to one it need not do to the other
    // in the same quarter. A sim that waited for the two would stand still.
    let half = stopped * 60 / 2
    #expect(ticks[0] > ticks[1] - half, "\(ticks) ticks, with stopped subscribers and without")
    #expect(late[0] < late[1] + half, "\(late) late ticks, with stopped subscribers and without")
    Faults.figure(
      4,
      "two subscribers stopped for \(stopped) s: \(late[0]) late of \(ticks[0]) ticks, of a sim beside it"
        + " \(late[1]) of \(ticks[1]); RSS \(grown / 1024) KiB more; the logger missed"
        + " \(trace.missedCount) frames, as it says")
  }

  /// From a sim's last line of progress.
  private static func progress(_ sim: Program) throws -> (tick: Int, late: Int) {
    let line = sim.text.split(separator: "\n").last { $0.contains("orrery.progress.v2") }
    let found = try report("orrery.progress.v2", in: String(try #require(line)))
    return (
      try #require(number("tick", in: found)), try #require(number("late_ticks", in: found))
    )
  }

  @Test func fault05StoppedSimMakesNobodySpin() throws {
    let place = try Place()
    let (sim, logger, renderer) = try startRun(in: place)
    let stopped = Self.stopSeconds(10)
    sim.signal(SIGSTOP)
    // They have noticed, and whatever they still had to do is done.
    for (name, program) in [("logger", logger), ("renderer", renderer)] {
      program.wait(for: "its notice") {
        program.errorText.contains("\(name): notice: no frame for ")
      }
    }
    let before = try [logger, renderer].map { try ProcessFigures($0.processID) }
    sleep(UInt32(stopped))
    let after = try [logger, renderer].map { try ProcessFigures($0.processID) }
    sim.signal(SIGCONT)
    for program in [logger, renderer] {
      program.wait(for: "frames") { program.errorText.contains("frames come again") }
    }
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    for program in [logger, renderer] {
      #expect(program.wait() == 0, "\(program.errorText)")
      try Faults.checkAccount(program)
    }
    let shares = zip(before, after).map {
      ($1.processorSeconds - $0.processorSeconds) / Double(stopped)
    }
    // One clock tick of the kernel is a hundredth of a second.
    for share in shares { #expect(share < 0.05) }
    let trace = try TraceContents(place.files + "/s.mcap")
    let burst = Self.burst(after: trace.publishTimesNs, tickNs: 16_666_667)
    // A busy machine makes it late by some ticks again; of those of the stop it makes none.
    #expect(burst < stopped * 60 / 2)
    Faults.figure(
      5,
      "sim stopped for \(stopped) s: processor of logger and renderer \(shares);"
        + " \(burst) ticks in a burst after it")
  }

  /// Frames that followed the longest pause within half a tick of each other.
  private static func burst(after times: [UInt64], tickNs: UInt64) -> Int {
    let gaps = zip(times, times.dropFirst()).map { $1 > $0 ? $1 - $0 : 0 }
    guard let longest = gaps.max(), let at = gaps.firstIndex(of: longest) else { return 0 }
    return gaps[(at + 1)...].prefix { $0 < tickNs / 2 }.count
  }

  /// Runs a program with another wall clock.
  private static let fakeTime: String? = ["/usr/bin/faketime"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(.enabled(if: fakeTime != nil, "needs faketime"), arguments: ["-3d", "+3d", "-1h"])
  func fault18WallClockJumps(jump: String) throws {
    let place = try Place()
    let fakeTime = try #require(Self.fakeTime)
    try place.write("+0", to: "offset")
    let faked = [
      "-f", "+0", "env", "-u", "FAKETIME", "FAKETIME_TIMESTAMP_FILE=" + place.files + "/offset",
      "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1",
    ]
    let sim = try Program(
      fakeTime,
      faked + [
        Program.directory + "/sim", "stress", "--entities", "300", "--run", "j", "--duration", "2",
        "--wait-for", "1", "--json",
      ], in: place)
    let logger = try Program(
      fakeTime, faked + [Program.directory + "/logger", "--run", "j", "--out", "j.mcap", "--json"],
      in: place)
    sim.waitForProgress()
    usleep(600_000)
    try place.write(jump, to: "offset")
    #expect(sim.wait() == 0, "\(sim.errorText)")
    #expect(logger.wait() == 0, "\(logger.errorText)")
    #expect(number("frames", in: try report("orrery.sim.v2", in: sim.text)) == 120)
    try Faults.checkAccount(logger)
    let trace = try TraceContents(place.files + "/j.mcap")
    #expect(trace.frames.count + trace.missed.reduce(0) { $0 + $1.count } == 120)
    for times in [trace.publishTimesNs, trace.logTimesNs] {
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(jump)")
    }
    // What the jump itself looks like is no pause of the sim's.
    let burst = Self.burst(after: trace.publishTimesNs, tickNs: 16_666_667)
    #expect(burst < 40)
    Faults.figure(18, "wall clock \(jump): stamps rise, \(burst) ticks in a burst")
  }

  @Test(arguments: [
    ["sim", "logger", "renderer"], ["sim", "renderer", "logger"], ["logger", "sim", "renderer"],
    ["logger", "renderer", "sim"], ["renderer", "sim", "logger"], ["renderer", "logger", "sim"],
  ])
  func fault27AnyOrderOfStarting(order: [String]) throws {
    let delays: [UInt32] =
      testEffort > 1 ? [0, 5_000, 50_000, 300_000, 1_000_000] : [0, 200_000]
    let arguments = [
      "sim": ["stress", "--entities", "300", "--run", "o", "--json"],
      "logger": ["--run", "o", "--out", "o.mcap", "--json"],
      "renderer": ["--run", "o", "--png", "o.png", "--size", "64x36", "--json"],
    ]
    for delay in delays {
      let place = try Place()
      var programs: [String: Program] = [:]
      for name in order {
        programs[name] = try Program(name, arguments[name] ?? [], in: place)
        usleep(delay)
      }
      let sim = try #require(programs["sim"])
      sim.wait(forSubscribers: 2, of: "o", in: place)
      sim.wait(forFrames: 30, of: "o", in: place)
      sim.signal(SIGTERM)
      for name in order {
        #expect(
          programs[name]?.wait() == 0, "\(order) \(delay): \(programs[name]?.errorText ?? "")")
      }
      for name in ["logger", "renderer"] {
        let found = try Faults.checkAccount(try #require(programs[name]))
        let joined = try #require(number("joined_after", in: found))
        let gaps = found["gaps"] as? [String] ?? []
        // A gap that begins with the first frame ends before the first one that was had.
        let ends = gaps.first.map { $0.split(separator: "-").compactMap { Int($0) } } ?? []
        let first = ends.first == joined + 1 ? (ends.last ?? joined) + 1 : joined + 1
        #expect(number("received", in: found) ?? 0 > 0)
        #expect(place.has(name == "logger" ? "o.mcap" : "o.png"))
        Faults.figure(
          27,
          "\(order), \(delay) µs apart: \(name)'s first frame is \(first - joined) after it joined")
      }
    }
  }
}
