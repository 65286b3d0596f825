// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A running sim does what `orrery control` asks, and says why not.
///
/// Method: real processes; every wait is bounded. Hashes are compared with those that another process
/// computes directly.
@Suite(.serialized) struct ControlProcessTests {
  private func startSim(_ more: [String] = [], in place: Place) throws -> Program {
    let sim = try Program("sim", ["planets", "--run", "life", "--json"] + more, in: place)
    sim.waitForProgress()
    return sim
  }

  private func control(
    _ words: [String], in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    try Program.run("orrery", ["control", "life"] + words, in: place)
  }

  /// The fields of an answer.
  private func answer(_ words: [String], in place: Place) throws -> [String: Any] {
    let found = try control(words + ["--json"], in: place)
    #expect(found.code == 0, "\(words): \(found.errorText)")
    return try report("orrery.control.v1", in: found.text)
  }

  private func directHash(_ tick: Int, in place: Place) throws -> String {
    let found = try Program.run("orrery", ["hash", "planets", "--tick", "\(tick)"], in: place)
    return found.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func everyVerbIsAnswered() throws {
    let place = try Place()
    let sim = try startSim(in: place)
    #expect(try answer(["pause"], in: place)["paused"] as? Bool == true)
    let before = try #require(number("sequence", in: answer(["stats"], in: place)))
    let stepped = try answer(["step", "10"], in: place)
    #expect(number("sequence", in: stepped) == before + 10)
    #expect(number("tick", in: stepped) == before + 10)
    let sought = try answer(["seek", "--at", "12.5"], in: place)
    #expect(number("tick", in: sought) == 750)
    #expect(sought["state_hash"] as? String == (try directHash(750, in: place)))
    let back = try answer(["seek", "3"], in: place)
    #expect(back["state_hash"] as? String == (try directHash(3, in: place)))
    #expect(try answer(["speed", "0.25"], in: place)["speed"] as? Double == 0.25)
    let changed = try answer(
      ["set", "Mars.header", "y=12", "opacity=0.5", "--animation", "spring()"], in: place)
    #expect(number("applies_at", in: changed) == 4)
    #expect(number("changes", in: try answer(["toggle", "Mars"], in: place)) == nil)
    #expect(number("changes", in: try answer(["stats"], in: place)) == 2)
    let snapshot = try answer(
      ["snapshot", "--out", "frame.bin", "--layout", "scene.bin"], in: place)
    let frame = try #require(FileManager.default.contents(atPath: place.files + "/frame.bin"))
    #expect(frame.count == number("frame_bytes", in: snapshot))
    #expect(place.has("scene.bin"))
    let orrery = Program.directory + "/orrery"
    let streamed = try Program.run(
      "/bin/bash", ["-c", "\(orrery) control life snapshot --out - --json > raw.bin"], in: place)
    #expect(streamed.code == 0)
    #expect(streamed.errorText.contains("\"frame_bytes\""), "\(streamed.errorText)")
    let raw = FileManager.default.contents(atPath: place.files + "/raw.bin")
    #expect(raw?.count == frame.count)
    #expect(number("tick", in: snapshot) == 3)
    #expect(try answer(["resume"], in: place)["paused"] as? Bool == false)
    #expect(try control(["quit"], in: place).code == 0)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let gone = try control(["stats"], in: place)
    #expect(gone.code == 69)
    #expect(gone.errorText.contains("no run named 'life'"))
    #expect(place.runs == [])
  }

  /// What is asked, the exit code and a part of what is said.
  static let bad: [([String], Int32, String)] = [
    ([], 64, "verb"), (["paus"], 64, "did you mean pause"), (["step", "x"], 64, "one number"),
    (["seek"], 64, "seek needs"), (["seek", "1", "--at", "1"], 64, "seek needs"),
    (["pause", "now"], 64, "takes no"), (["set", "Mars.header"], 64, "set needs"),
    (["set", "x=1"], 64, "view's name"), (["set", "Mars.header", "x=a"], 64, "number"),
    (["stats", "--out", "f"], 64, "snapshot"), (["snapshot"], 64, "--out"),
    (["resume", "--at", "1"], 64, "does not go with"),
    (["seek", "--at", "-1"], 64, "--at -1.0: use 0 to 1000000 seconds"),
    (["toggle", "Mars", "--at", "0"], 65, "0.0 s is over: the next tick is "),
    (["step", "0"], 65, "use 1 to"), (["speed", "1000"], 65, "use 0.01 to 100"),
    (["set", "Mars.haeder", "y=1"], 65, "did you mean Mars.header"),
    (["set", "Mars.header", "y=1", "--animation", "sprng()"], 65, "spring"),
    (["toggle", "Pluto"], 65, "not a known view"),
    (
      ["set", "Mars.header", "y=1", "blur=1", "rotation=1"], 65,
      "no column for rotation and blur, since nothing in the scene changes it; run the sim with"
        + " --columns rotation,blur"
    ),
  ]

  @Test func badRequestsAreRefusedInOneLine() throws {
    let place = try Place()
    let sim = try startSim(in: place)
    for (words, code, part) in Self.bad {
      let found = try control(words, in: place)
      #expect(found.code == code, "\(words): \(found.errorText)")
      #expect(found.errorText.contains(part), "\(words): \(found.errorText)")
      #expect(found.text == "")
    }
    #expect(try control(["quit"], in: place).code == 0)
    #expect(sim.wait() == 0)
  }

  /// A snapshot is taken from the ring by a reader of its own, wherever the ring lives.
  @Test func snapshotOfANamedRingIsWhole() throws {
    let place = try Place()
    let sim = try startSim(["--shm-name", "orrery-test-\(getpid())"], in: place)
    let snapshot = try answer(["snapshot", "--out", "frame.bin"], in: place)
    let frame = try #require(FileManager.default.contents(atPath: place.files + "/frame.bin"))
    #expect(frame.count == number("frame_bytes", in: snapshot))
    #expect(try control(["quit"], in: place).code == 0)
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }

  /// A sim that is stopped, goes on, and is killed.
  @Test func stoppedAndDeadRunsAreSaidSo() throws {
    let place = try Place()
    let name = "orrery-test-\(getpid())-dead"
    let sim = try startSim(["--shm-name", name], in: place)
    let list = try Program.run("orrery", ["ps"], in: place)
    #expect(list.code == 0)
    // Columns stand closer together where a time is long.
    #expect(list.text.contains(#/\nlife +planets /#), "\(list.text)")
    #expect(list.text.contains(" \(sim.processID)\n"), "\(list.text)")
    let full = try Program.run("orrery", ["ps", "life"], in: place)
    #expect(full.text.hasPrefix("run 'life': running, pid \(sim.processID), "), "\(full.text)")

    sim.signal(SIGSTOP)
    sim.wait(for: "the sim to be stopped") {
      (try? control(["stats"], in: place))?.errorText.contains("is stopped") == true
    }
    #expect(try control(["stats"], in: place).code == 69)
    let stopped = try Program.run("orrery", ["ps"], in: place)
    #expect(stopped.code == 0)
    #expect(stopped.text.contains("stopped: by a signal or a debugger; kill"), "\(stopped.text)")
    sim.signal(SIGCONT)
    #expect(try control(["pause"], in: place).code == 0)

    sim.signal(SIGKILL)
    sim.wait()
    #expect(place.runs.sorted() == [".counters", "life"])
    let dead = try control(["stats"], in: place)
    #expect(dead.code == 69)
    #expect(dead.errorText.contains("run 'life' died: its sim (pid \(sim.processID), "))
    // What it left is gone by now.
    #expect(place.runs == [])
    #expect(!FileManager.default.fileExists(atPath: "/dev/shm/" + name))
    #expect(try Program.run("orrery", ["ps"], in: place).text == "no runs\n")
  }

  @Test func stopSignalEndsAPausedSim() throws {
    let place = try Place()
    let sim = try startSim(["--ticks", "100000"], in: place)
    _ = try answer(["pause"], in: place)
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }

  @Test func pausedSimInLockstepTakesNewSubscribersAndGoesOn() throws {
    let place = try Place()
    let sim = try startSim(["--lockstep", "--ticks", "300"], in: place)
    let paused = try answer(["pause"], in: place)
    let sequence = try #require(number("sequence", in: paused))
    let logger = try Program("logger", ["--run", "life", "--out", "a.mcap", "--json"], in: place)
    logger.wait(for: "the sim to know of it") {
      (try? answer(["stats"], in: place)).map { number("subscribers", in: $0) == 1 } ?? false
    }
    #expect(number("sequence", in: try answer(["stats"], in: place)) == sequence)
    _ = try answer(["seek", "1000"], in: place)
    _ = try answer(["seek", "7"], in: place)
    _ = try answer(["resume"], in: place)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    #expect(logger.wait() == 0, "\(logger.errorText)")
    let found = try report("orrery.subscriber.v2", in: logger.text)
    #expect(number("received", in: found) == 300 - sequence)
    #expect(number("missed", in: found) == 0)
    // Frames that a seek brought are in the trace like others, and a strict reader has nothing against them.
    let check = try Program.run(
      Program.python, [Program.root + "/tools/mcap-crosscheck.py", "a.mcap", "--json"],
      in: place)
    #expect(check.code == 0, "\(check.text)\(check.errorText)")
  }

  /// A paused run publishes nothing: who wants the newest frame gets the one that it shows.
  @Test(arguments: [["--lockstep"], []])
  func rendererThatComesToAPausedRunDrawsIt(delivery: [String]) throws {
    let place = try Place()
    let sim = try startSim(delivery + ["--ticks", "100000"], in: place)
    let sequence = try #require(number("sequence", in: answer(["pause"], in: place)))
    let renderer = try Program(
      "renderer", ["--run", "life", "--png", "a.png", "--json"], in: place)
    renderer.wait(for: "its frame") {
      let stats = try? control(["stats", "--json"], in: place).text
      return stats?.contains(#""received":1"#) ?? false
    }
    #expect(try control(["quit"], in: place).code == 0)
    #expect(sim.wait() == 0 && renderer.wait() == 0, "\(sim.errorText)\(renderer.errorText)")
    let found = try report("orrery.subscriber.v2", in: renderer.text)
    #expect(number("joined_after", in: found) == sequence - 1)
    #expect(number("received", in: found) == 1 && number("missed", in: found) == 0)
    let age = found[delivery.isEmpty ? "latency" : "queued"] as? [String: Any] ?? [:]
    #expect(number("count", in: age) == 0)
    #expect(place.has("a.png"))
  }

  @Test func changesAndCompletionsAreInTheTrace() throws {
    let place = try Place()
    let sim = try Program(
      "sim", ["planets", "--run", "life", "--json", "--wait-for", "1", "--events", "all"], in: place
    )
    let logger = try Program("logger", ["--run", "life", "--out", "e.mcap", "--json"], in: place)
    sim.waitForProgress()
    _ = try answer(["pause"], in: place)
    _ = try answer(["seek", "100"], in: place)
    _ = try answer(
      ["set", "Mars.header", "y=12", "--animation", "linear(duration: 0.1)", "--completion", "x"],
      in: place)
    _ = try answer(["step", "20"], in: place)
    let stats = try answer(["stats"], in: place)
    #expect(try control(["quit"], in: place).code == 0)
    #expect(sim.wait() == 0, "\(sim.errorText)\(logger.errorText)")
    #expect(logger.wait() == 0, "\(sim.errorText)\(logger.errorText)")
    let check = try Program.run(
      Program.python, [Program.root + "/tools/mcap-crosscheck.py", "e.mcap", "--json"],
      in: place)
    #expect(check.code == 0, "\(check.text)\(check.errorText)")
    let figures =
      try JSONSerialization.jsonObject(with: Data(check.text.utf8)) as? [String: Any] ?? [:]
    #expect(number("events", in: figures) == number("events_total", in: stats))
    #expect(number("events_missed", in: figures) == 0)
    #expect(number("commands", in: figures) == 1)
    #expect((figures["completions"] as? [String])?.contains("x") == true)
  }
}
