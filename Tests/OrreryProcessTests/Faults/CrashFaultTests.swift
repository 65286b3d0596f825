// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryTrace
import TestSupport
import Testing

/// Goal: whatever process is killed, the others go on or say which of them died; nothing is torn, nothing is lost without
/// being counted, nothing is left behind: rows 1, 2 and 3.
///
/// Method: real processes, killed at each of their system calls and at random moments.
@Suite(.serialized)
struct CrashFaultTests {
  /// What came of killing sims.
  private struct SimKills {
    var points = 0
    var killed = 0
    var torn = 0
    var frames = 0
    var slowestNotice = 0.0
    var slowestRestart = 0.0
  }

  @Test(.enabled(if: Faults.strace != nil, "needs strace"))
  func fault01SimKilledAtEverySystemCall() throws {
    var kills = SimKills()
    let arguments = Faults.simArguments("k", ticks: 100) + ["--wait-for", "1"]
    let calls = try Faults.systemCalls(
      of: "sim", sim: arguments, logger: ["--run", "k", "--out", "k.mcap", "--wait", "300"])
    let seed = Faults.seed
    for point in calls.points(16 * testEffort, seed: seed) {
      let place = try Place()
      let sim = try Faults.start("sim", arguments, fault: "signal=KILL", at: point, in: place)
      try Self.follow(sim, in: place, "ORRERY_SEED=\(seed): \(point)", &kills)
    }
    #expect(kills.killed > 0, "ORRERY_SEED=\(seed)")
    Faults.figure(1, "by system call, ORRERY_SEED=\(seed), of \(calls.pointCount): \(kills)")
  }

  @Test func fault01SimKilledAtAnyMoment() throws {
    var kills = SimKills()
    let seed = Faults.seed
    var random = SeededRandom(seed: seed)
    let rounds = 12 * testEffort
    for round in 0..<rounds {
      let place = try Place()
      let sim = try Program("sim", Faults.simArguments("k", ticks: 1000), in: place)
      let delay = UInt32.random(in: 0..<150_000, using: &random)
      DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(Int(delay))) {
        sim.signal(SIGKILL)
      }
      try Self.follow(
        sim, in: place, "ORRERY_SEED=\(seed), round \(round): after \(delay) µs", &kills)
    }
    // Each would have run for a second.
    #expect(kills.killed > rounds / 2, "ORRERY_SEED=\(seed)")
    Faults.figure(1, "at random, ORRERY_SEED=\(seed): \(kills)")
  }

  /// Follows a sim that is going to be killed with a logger, and starts the same run again.
  private static func follow(
    _ sim: Program, in place: Place, _ comment: Comment, _ kills: inout SimKills
  ) throws {
    let logger = try Program(
      "logger", ["--run", "k", "--out", "k.mcap", "--wait", "300", "--json"], in: place)
    let code = sim.wait()
    #expect(code == 0 || code == 128 + SIGKILL, comment)
    var loggerCode: Int32?
    let notice = Faults.seconds {
      // A sim that was killed early was never there for it, or is no more.
      let isWaiting = !place.has("k.mcap") && !logger.hasEnded(within: 0.4)
      if isWaiting { logger.signal(SIGTERM) }
      loggerCode = logger.wait()
      if isWaiting, loggerCode == 128 + SIGTERM { loggerCode = 69 }
    }
    #expect(loggerCode == 0 || loggerCode == 69, "\(comment): \(logger.errorText)")
    if place.has("k.mcap") {
      let trace = try TraceContents(place.files + "/k.mcap")
      #expect(trace.tornCount == 0, comment)
      #expect(trace.isWithoutHoles, comment)
      #expect(trace.ending == .whole, comment)
      // Where a trace was left, a run was joined; what became of it is said.
      let found = try Faults.checkAccount(logger, comment)
      #expect(number("received", in: found) == trace.frames.count, comment)
      #expect(trace.summary["received"] == "\(trace.frames.count)", comment)
      #expect(trace.summary["missed"] == "\(trace.missedCount)", comment)
      kills.torn += trace.tornCount
      kills.frames += trace.frames.count
      if code != 0 { kills.slowestNotice = max(kills.slowestNotice, notice) }
    }
    var next: (code: Int32?, text: String, errorText: String)?
    let restart = try Faults.seconds {
      next = try Program.run(
        "sim", Faults.simArguments("k", ticks: 1) + ["--unpaced"], in: place)
    }
    #expect(next?.code == 0, "\(comment): \(next?.errorText ?? "")")
    #expect(place.runs == [], comment)
    kills.points += 1
    kills.killed += code == 0 ? 0 : 1
    kills.slowestRestart = max(kills.slowestRestart, restart)
  }

  @Test(.enabled(if: Faults.strace != nil, "needs strace"))
  func fault02LoggerKilledAtEverySystemCall() throws {
    let calls = try Faults.systemCalls(
      of: "logger",
      sim: [
        "stress", "--entities", "300", "--rate", "240", "--run", "l", "--duration", "3",
        "--wait-for", "1",
      ],
      logger: ["--run", "l", "--out", "l.mcap", "--wait", "300"])
    let seed = Faults.seed
    let points = calls.points(12 * testEffort, seed: seed)
    let place = try Place()
    let sim = try Program(
      "sim",
      ["stress", "--entities", "300", "--rate", "240", "--run", "l", "--json"], in: place)
    sim.waitForProgress()
    var (torn, frames, files) = (0, 0, 0)
    for point in points {
      let file = "l\(files).mcap"
      files += 1
      let logger = try Faults.start(
        "logger", ["--run", "l", "--out", file], fault: "signal=KILL", at: point, in: place)
      // Most points come at once; those of the loop come with the frames, which are written once a second.
      _ = logger.hasEnded(within: 2.5)
      // The logger itself: without strace it would go on. strace ends with it.
      for child in logger.children.values { kill(child, SIGKILL) }
      logger.wait()
      guard place.has(file) else { continue }
      let path = place.files + "/" + file
      guard let bytes = FileManager.default.contents(atPath: path), bytes.count >= 8 else {
        continue
      }
      let trace = try TraceContents(path)
      #expect(trace.tornCount == 0, "ORRERY_SEED=\(seed): \(point)")
      #expect(trace.isWithoutHoles, "ORRERY_SEED=\(seed): \(point)")
      // A scan from the start may meet what was being written; that is no damage.
      let verdict = try Program.run("orrery", ["trace", "verify", file], in: place)
      #expect(verdict.code == 3, "ORRERY_SEED=\(seed): \(point): \(verdict)")
      torn += trace.tornCount
      frames += trace.frames.count
      let recovery = try Program.run(
        "orrery", ["trace", "recover", file, "whole.mcap", "--force"], in: place)
      guard !trace.frames.isEmpty else { continue }
      // What a scan does not reach may be there too.
      let whole = try TraceContents(place.files + "/whole.mcap")
      #expect(recovery.code == 3, "ORRERY_SEED=\(seed): \(point): \(recovery)")
      #expect(whole.ending?.word == "unfinished", "ORRERY_SEED=\(seed): \(point)")
      #expect(whole.frames.starts(with: trace.frames), "ORRERY_SEED=\(seed): \(point)")
      #expect(whole.tornCount == 0, "ORRERY_SEED=\(seed): \(point)")
    }
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let report = try report("orrery.sim.v2", in: sim.text)
    Faults.figure(
      2,
      "ORRERY_SEED=\(seed): \(points.count) of \(calls.pointCount) points: \(torn) torn of \(frames) frames; late ticks of the sim:"
        + " \(number("late_ticks", in: pace(of: report)) ?? -1)"
        + " of \(number("frames", in: report) ?? -1)")
  }

  @Test func fault03SubscribersDieInTheMidstOfReading() throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      ["stress", "--entities", "20000", "--rate", "240", "--run", "c", "--slots", "4", "--json"],
      in: place)
    sim.waitForProgress()
    let witness = try Program(
      "logger", ["--run", "c", "--out", "witness.mcap", "--json"], in: place)
    sim.wait(forSubscribers: 1, of: "c", in: place)
    usleep(500_000)
    let before = try ProcessFigures(sim.processID)
    let atOnce = min(8 * testEffort, 64)
    let rounds = 3 * testEffort
    let seed = Faults.seed
    var random = SeededRandom(seed: seed)
    var joined = 0
    for round in 0..<rounds {
      let victims = try (0..<atOnce).map { index in
        try Program(
          "logger", ["--run", "c", "--out", "v\(index).mcap", "--force"], in: place)
      }
      usleep(UInt32.random(in: 50_000...400_000, using: &random))
      for (index, victim) in victims.enumerated() {
        victim.signal(index % 2 == round % 2 ? SIGKILL : SIGSEGV)
      }
      for victim in victims { #expect((victim.wait() ?? 0) > 128) }
      joined += victims.count
    }
    let after = try Self.figures(of: sim, after: before)
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    #expect(witness.wait() == 0, "\(witness.errorText)")
    try Faults.checkAccount(witness)
    let trace = try TraceContents(place.files + "/witness.mcap")
    #expect(trace.tornCount == 0)
    #expect(trace.isWithoutHoles)
    #expect(trace.ending == .whole)
    let drift = after.residentBytes - before.residentBytes
    #expect(after.descriptorCount <= before.descriptorCount)
    #expect(drift < 8 << 20)
    let report = try report("orrery.sim.v2", in: sim.text)
    Faults.figure(
      3,
      "ORRERY_SEED=\(seed): \(joined) subscribers killed, \(atOnce) at once; RSS \(drift / 1024) KiB more,"
        + " descriptors \(before.descriptorCount) and \(after.descriptorCount),"
        + " frames \(report["frames"] ?? ""), late"
        + " \(number("late_ticks", in: pace(of: report)) ?? -1)")
  }

  /// The figures of a sim once it has noticed everyone who is gone.
  private static func figures(
    of sim: Program, after before: ProcessFigures
  ) throws -> ProcessFigures {
    sim.wait(for: "what is gone to be closed") {
      let now = try? ProcessFigures(sim.processID)
      return now.map { $0.descriptorCount <= before.descriptorCount } == true || !sim.isRunning
    }
    return try ProcessFigures(sim.processID)
  }

  /// Without an event ZeroMQ is asked nothing, and took no notice of who had gone.
  @Test func fault03SubscribersOfEventsLeaveNothingBehind() throws {
    let place = try Place()
    let sim = try Program(
      "sim", ["stress", "--entities", "100", "--run", "e", "--json"], in: place)
    sim.waitForProgress()
    let script = """
      import sys, time, zmq
      context = zmq.Context()
      for _ in range(int(sys.argv[2])):
        sockets = [context.socket(zmq.SUB) for _ in range(50)]
        for socket in sockets:
          socket.subscribe(b"")
          socket.connect(sys.argv[1])
        time.sleep(0.1)
        for socket in sockets: socket.close(0)
      """
    let endpoint = "ipc://" + place.runtime + "/orrery/e/events"
    func comeAndGo(_ rounds: Int) throws {
      let outcome = try Program.run(
        Program.python, ["-c", script, endpoint, "\(rounds)"], in: place)
      #expect(outcome.code == 0, "\(outcome.errorText)")
      usleep(500_000)
    }
    // What fifty at once take is kept for the next fifty.
    try comeAndGo(4)
    let before = try ProcessFigures(sim.processID)
    let rounds = 24 * testEffort
    try comeAndGo(rounds)
    let after = try Self.figures(of: sim, after: before)
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let drift = after.residentBytes - before.residentBytes
    #expect(after.descriptorCount <= before.descriptorCount)
    #expect(drift < 8 << 20)
    Faults.figure(
      3, "\(50 * rounds) subscribers of events came and went: RSS \(drift / 1024) KiB more")
  }
}
