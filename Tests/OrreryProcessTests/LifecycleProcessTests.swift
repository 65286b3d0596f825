// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Processes come, go and die in any order, and the others go on.
///
/// Method: real processes, real signals; every wait is bounded.
@Suite(.serialized) struct LifecycleProcessTests {
  private static let simArguments = ["stress", "--run", "life", "--entities", "2000", "--json"]

  private func startSim(_ more: [String], in place: Place) throws -> Program {
    try Program("sim", Self.simArguments + more, in: place)
  }

  private func logger(_ file: String, in place: Place) throws -> Program {
    try Program("logger", ["--run", "life", "--out", file, "--json"], in: place)
  }

  private func renderer(_ file: String, in place: Place) throws -> Program {
    try Program(
      "renderer", ["--run", "life", "--png", file, "--size", "320x180", "--json"], in: place)
  }

  /// published == received + missed, exactly.
  private func checkAccount(_ program: Program) throws -> [String: Any] {
    let found = try report("orrery.subscriber.v2", in: program.text)
    let published = try #require(number("published", in: found))
    let received = try #require(number("received", in: found))
    let missed = try #require(number("missed", in: found))
    #expect(published == received + missed)
    return found
  }

  @Test(arguments: ["renderer", "logger"])
  func killedSubscriberLeavesTheOthersRunning(victim: String) throws {
    let place = try Place()
    let sim = try startSim(["--wait-for", "2"], in: place)
    let programs = [
      "logger": try logger("a.mcap", in: place), "renderer": try renderer("a.png", in: place),
    ]
    let killed = try #require(programs[victim])
    let other = try #require(programs.first { $0.key != victim }?.value)
    sim.wait(forFrames: 30, of: "life", in: place)
    killed.signal(SIGKILL)
    #expect(killed.wait() == 128 + SIGKILL)
    sim.wait(forFrames: 60, of: "life", in: place)
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    #expect(other.wait() == 0, "\(other.errorText)")
    let frames = try #require(number("frames", in: try report("orrery.sim.v2", in: sim.text)))
    #expect(frames >= 90)
    let account = try checkAccount(other)
    #expect(number("published", in: account) == frames)
    #expect(account["ended"] as? String == "run_ended")
  }

  @Test func lateSubscribersJoinARunningSim() throws {
    let place = try Place()
    let sim = try startSim([], in: place)
    sim.wait(forFrames: 20, of: "life", in: place)
    let late = try logger("late.mcap", in: place)
    let viewer = try renderer("late.png", in: place)
    sim.wait(forSubscribers: 2, of: "life", in: place)
    sim.wait(forFrames: 20, of: "life", in: place)
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0)
    let frames = try #require(number("frames", in: try report("orrery.sim.v2", in: sim.text)))
    for program in [late, viewer] {
      #expect(program.wait() == 0, "\(program.errorText)")
      let account = try checkAccount(program)
      let joined = try #require(number("joined_after", in: account))
      #expect(joined >= 20)
      #expect(number("published", in: account) == frames - joined)
    }
    #expect(place.has("late.png"))
  }

  @Test func subscribersMayStartFirst() throws {
    let place = try Place()
    let early = try logger("early.mcap", in: place)
    usleep(300_000)
    let sim = try startSim(["--ticks", "60", "--wait-for", "1"], in: place)
    #expect(sim.wait() == 0)
    #expect(early.wait() == 0, "\(early.errorText)")
    #expect(number("received", in: try checkAccount(early)) == 60)
  }

  @Test(arguments: ["spin", "futex", "announcement"])
  func subscriberWaitsAsItIsTold(waiting: String) throws {
    let place = try Place()
    let sim = try startSim(["--duration", "1", "--wait-for", "2"], in: place)
    let programs = try ["a.mcap", "b.mcap"].map { file in
      try Program(
        "logger", ["--run", "life", "--out", file, "--json", "--waiting", waiting], in: place)
    }
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let known = try #require(
      try report("orrery.sim.v2", in: sim.text)["subscribers"] as? [[String: Any]])
    #expect(known.count == 2)
    for (program, account) in zip(programs, known) {
      #expect(program.wait() == 0, "\(program.errorText)")
      #expect(try checkAccount(program)["waiting"] as? String == waiting)
      #expect(account["waiting"] as? String == waiting)
      // What the sim heard last is what the subscriber says.
      #expect(number("received", in: account) == 60)
      // The sim does not wait for subscribers to go before it does.
      #expect(["left", "stayed to the end"].contains(account["departure"] as? String))
    }
  }

  @Test func subscriberThatStallsALockstepRunIsDropped() throws {
    let place = try Place()
    let sim = try startSim(
      [
        "--duration", "2", "--lockstep", "--wait-for", "2", "--slots", "8",
        "--stall-limit", "3",
      ], in: place)
    let steady = try logger("steady.mcap", in: place)
    let stalled = try logger("stalled.mcap", in: place)
    sim.waitForProgress()
    stalled.signal(SIGSTOP)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    #expect(steady.wait() == 0, "\(steady.errorText)")
    stalled.signal(SIGCONT)
    #expect(stalled.wait() == 69)
    #expect(stalled.errorText.contains("--stall-limit"), "\(stalled.errorText)")
    // Its account comes all the same.
    #expect(try checkAccount(stalled)["ended"] as? String == "dropped")
    let known = try report("orrery.sim.v2", in: sim.text)["subscribers"] as? [[String: Any]]
    let departures = known?.compactMap { $0["departure"] as? String }
    #expect(departures == ["stalled", "left"] || departures == ["stalled", "stayed to the end"])
    #expect(number("received", in: try checkAccount(steady)) == 120)
  }

  @Test func loggerBeginsAtTheFrameThatItAsksFor() throws {
    let place = try Place()
    // Room for a minute of frames: the first is there when the logger comes, however late.
    let sim = try startSim(["--slots", "4096", "--entities", "100"], in: place)
    sim.wait(forFrames: 30, of: "life", in: place)
    let late = try Program(
      "logger", ["--run", "life", "--out", "all.mcap", "--json", "--from-frame", "1"], in: place)
    sim.wait(forSubscribers: 1, of: "life", in: place)
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0)
    let frames = try #require(number("frames", in: try report("orrery.sim.v2", in: sim.text)))
    #expect(late.wait() == 0, "\(late.errorText)")
    let account = try checkAccount(late)
    #expect(number("joined_after", in: account) == 0)
    #expect(number("received", in: account) == frames)
  }

  @Test func killedSimIsNoticedAndItsRunIsTakenOver() throws {
    let place = try Place()
    let sim = try startSim(["--wait-for", "1"], in: place)
    let recorder = try logger("killed.mcap", in: place)
    sim.wait(forFrames: 30, of: "life", in: place)
    sim.signal(SIGKILL)
    #expect(sim.wait() == 128 + SIGKILL)
    #expect(recorder.wait() == 69)
    #expect(recorder.errorText.contains("died after frame"))
    #expect(recorder.errorText.contains("; killed.mcap is complete up to there"))
    #expect(try checkAccount(recorder)["ended"] as? String == "sim_died")
    // What the dead sim left behind is no obstacle, and goes with the next one.
    #expect(place.runs.sorted() == [".counters", "life"])
    let next = try startSim(["--ticks", "10", "--unpaced"], in: place)
    #expect(next.wait() == 0, "\(next.errorText)")
    #expect(place.runs == [])
    let check = try Program.run(
      Program.python, [Program.root + "/tools/mcap-crosscheck.py", "killed.mcap"],
      in: place)
    #expect(check.code == 0, "\(check.text)\(check.errorText)")
  }

  @Test func liveRunIsNeverTakenOver() throws {
    let place = try Place()
    let first = try startSim([], in: place)
    first.waitForProgress()
    for _ in 0..<5 {
      let second = try Program.run("sim", Self.simArguments + ["--ticks", "1"], in: place)
      #expect(second.code == 75)
      #expect(second.errorText.contains("pid \(first.processID)"))
    }
    #expect(first.isRunning)
    first.signal(SIGTERM)
    #expect(first.wait() == 0)
    #expect(place.runs == [])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func stopSignalEndsARunInOrder(signal: Int32) throws {
    let place = try Place()
    let run = try Program(
      "orrery",
      [
        "run", "stress", "--run", "stress", "--entities", "1000", "--size", "320x180", "--out",
        "out",
        "--progress", "plain",
      ],
      in: place)
    run.wait(for: "the first line of progress") { run.errorText.contains("tick 1") }
    run.wait(forFrames: 40, of: "stress", in: place)
    run.wait(for: "the size of the trace") { run.errorText.contains(/trace \d+\.\d MB/) }
    run.signal(signal)
    #expect(run.wait() == 0, "\(run.errorText)")
    let frames = try Self.figure(after: "published ", in: run.text)
    #expect(frames > 30)
    for program in ["logger ", "renderer "] {
      let line = try #require(
        run.text.split(separator: "\n").first { $0.hasPrefix(program) }, "\(run.text)")
      let received = try Self.figure(after: "received ", in: line)
      // Both had joined before the first frame. Where processors are scarce, one picture may take
      // longer than the supervisor waits: it ends the renderer, whose account ends there, too.
      let published = try Self.figure(after: " of ", in: line)
      let isEnded = program == "renderer " && run.text.contains("ended by a signal")
      #expect(isEnded ? published <= frames : published == frames)
      #expect(received > 0)
      // What was missed has a line of its own; nothing has none.
      let missed = published - received
      #expect(missed == 0 || run.text.contains("missed        \(missed) frame"), "\(run.text)")
    }
    for file in ["stress.mp4", "stress.png", "stress.mcap"] { #expect(place.has("out/" + file)) }
    let check = try Program.run(
      Program.python, [Program.root + "/tools/mcap-crosscheck.py", "out/stress.mcap"],
      in: place)
    #expect(check.code == 0, "\(check.text)\(check.errorText)")
    #expect(place.runs == [])
    let left = try FileManager.default.contentsOfDirectory(atPath: place.files + "/out")
    #expect(left.sorted() == ["stress.mcap", "stress.mp4", "stress.png"])
  }

  /// The number that stands after some words.
  private static func figure(after words: String, in text: some StringProtocol) throws -> Int {
    let place = try #require(text.range(of: words), "'\(words)' is not in: \(text)")
    let digits = text[place.upperBound...].drop { $0 == " " }.prefix { $0.isNumber }
    return try #require(Int(digits), "no number follows '\(words)' in: \(text)")
  }

  @Test func runWithoutAWorkingSubscriberEndsAndSaysWhich() throws {
    let place = try Place()
    try FileManager.default.createDirectory(
      atPath: place.files + "/out/flags.mcap", withIntermediateDirectories: true)
    let run = try Program.run(
      "orrery", ["run", "flags", "--out", "out", "--size", "64x36"], in: place)
    #expect(run.code == 74)
    #expect(run.errorText.contains("logger ended with exit code 74"))
    #expect(place.runs == [])
  }

  @Test func childrenEndWithTheirSupervisor() throws {
    let place = try Place()
    let run = try Program(
      "orrery", ["run", "flags", "--out", "out", "--size", "64x36", "--progress", "plain"],
      in: place)
    run.wait(for: "the first line of progress") { run.errorText.contains("tick 1") }
    run.signal(SIGKILL)
    #expect(run.wait() == 128 + SIGKILL)
    run.wait(for: "the end of its run") { place.runs.isEmpty }
  }

  /// Each is planned, run, recorded and drawn.
  @Test(arguments: [
    "completions", "completions-as-written", "dashboard", "feed", "flags", "flags-linear",
    "flags-timer", "flow-text", "flow-text-as-written", "idle", "lottie-like", "planets",
    "planets-as-written", "storm", "stress", "ticker-wall", "timeline", "timeline-as-written",
  ])
  func everyBuiltInSceneRuns(scene: String) throws {
    let place = try Place()
    let run = try Program.run(
      "orrery",
      ["run", scene, "--lockstep", "--duration", "1", "--size", "320x180", "--out", "out"],
      in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let received = run.text.split(separator: "\n").filter { $0.contains("received") }
    #expect(received.count == 2)
    #expect(received.allSatisfy { $0.contains(/received (\d+) of \1 frames/) }, "\(run.text)")
    #expect(!run.text.contains("missed"), "\(run.text)")
    #expect(place.has("out/\(scene).mcap"))
    #expect(place.has("out/\(scene).png"))
  }
}
