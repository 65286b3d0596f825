// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: `orrery top` shows on a real terminal what runs and subscribers do, also of a sim that is stopped, obeys its
/// keys, and gives the terminal back.
///
/// Method: tmux, which types keys and says what the screen shows; sims, a logger and a renderer of this machine.
@Suite struct TopProcessTests {
  private static func lines(_ screen: String) -> [Substring] {
    screen.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func topShowsRunsAndObeysKeys() throws {
    let place = try Place()
    let first = try Program("sim", ["flags", "--run", "alpha"], in: place)
    let second = try Program(
      "sim", ["stress", "--entities", "1000", "--run", "beta", "--unpaced"], in: place)
    let logger = try Program("logger", ["--run", "alpha", "--out", "a.mcap"], in: place)
    let renderer = try Program("renderer", ["--run", "alpha", "--png", "a.png"], in: place)
    let terminal = try Terminal("sh -c 'echo as before; orrery top; exec sleep 1000'", in: place)
    var screen = terminal.wait(for: "two runs, a logger and a renderer") { screen in
      ["\nalpha", "\nbeta", "\n  logger", "\n  renderer"].allSatisfy { screen.contains($0) }
        && screen.contains("missed")
    }
    #expect(Self.lines(screen).count <= 25 && screen.hasPrefix("orrery top: 2 runs, 2 subscribers"))
    #expect(Self.lines(screen).allSatisfy { $0.count <= 80 })
    #expect(screen.contains("NAME") && !screen.contains("SCENE"))

    // Another size is painted as a whole.
    try terminal.tmux("resize-window", "-x", "200", "-y", "50")
    screen = terminal.wait(for: "more columns") { $0.contains("SCENE") && $0.contains("stress") }
    #expect(Self.lines(screen).last { !$0.isEmpty }?.hasPrefix("arrows pick") == true, "\(screen)")
    try terminal.tmux("resize-window", "-x", "80", "-y", "24")
    terminal.wait(for: "fewer columns") { $0.contains("NAME") && !$0.contains("SCENE") }

    // Pause and go on; open and go back.
    try terminal.type("Space")
    terminal.wait(for: "a pause") { $0.contains("paused at") && $0.contains("alpha: paused") }
    try terminal.type("Space")
    terminal.wait(for: "its end") { !$0.contains("paused at") }
    try terminal.type("Enter")
    terminal.wait(for: "one run") {
      $0.contains("\nrun 'alpha': running") && !$0.contains("\nbeta")
    }
    try terminal.type("Left", "s")
    terminal.wait(for: "both runs by rate") { screen in
      guard let beta = screen.range(of: "\nbeta"), let alpha = screen.range(of: "\nalpha") else {
        return false
      }
      return beta.lowerBound < alpha.lowerBound && screen.contains("sorted by rate")
    }

    // A sim that is stopped answers nothing, and its counters are there.
    second.signal(SIGSTOP)
    terminal.wait(for: "the stopped sim") { screen in
      screen.contains("stopped by a signal or a debugger: no tick for")
    }
    second.signal(SIGCONT)
    terminal.wait(for: "its work") { !$0.contains("stopped by") }
    second.signal(SIGKILL)
    second.wait()
    terminal.wait(for: "one run") { $0.hasPrefix("orrery top: 1 run,") && !$0.contains("\nbeta") }

    try terminal.type("q")
    terminal.wait(for: "the screen of before") { $0.hasPrefix("as before") }
    for program in [first, logger, renderer] { program.signal(SIGINT) }
    for program in [first, logger, renderer] { program.wait() }
    let once = try Program.run("orrery", ["top", "--once", "--interval", "0.1"], in: place)
    #expect(once.code == 0 && once.text == "no runs\n", "\(once.errorText)")
    let other = try Program.run("orrery", ["top", "zzz", "--once", "--interval", "0.1"], in: place)
    #expect(other.code == 69 && other.text.isEmpty, "\(other.text)")
    #expect(other.errorText.hasPrefix("orrery top: no run named 'zzz'"), "\(other.errorText)")
    #expect(place.runs == [])
  }

  /// Between two looks the figures stay as they are, whatever is typed.
  @Test func countersAreLookedAtOnceAnInterval() throws {
    let place = try Place()
    let terminal = try Terminal("orrery top --interval 3600", in: place)
    terminal.wait(for: "the first look") { $0.contains("no runs") }
    let sim = try Program("sim", ["flags", "--run", "alpha"], in: place)
    sim.wait(forFrames: 3, of: "alpha", in: place)
    try terminal.type("x")
    let screen = terminal.wait(for: "an answer to the key") { $0.contains("the keys are") }
    #expect(screen.contains("no runs") && !screen.contains("alpha"), "\(screen)")
    sim.signal(SIGINT)
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }

  @Test func shardsAreShownBelowTheirRun() throws {
    let place = try Place()
    let shards = try (0..<2).map { index in
      try Program(
        "sim", ["stress", "--entities", "10000", "--run", "both", "--shard", "\(index)/2"],
        in: place)
    }
    let logger = try Program("logger", ["--run", "both", "--out", "a.mcap"], in: place)
    let terminal = try Terminal("orrery top", in: place)
    terminal.wait(for: "a run of two shards") { screen in
      ["\nboth", "\n both.0of2", "\n both.1of2", "\n  logger"].allSatisfy { screen.contains($0) }
    }
    try terminal.type("Space")
    terminal.wait(for: "a pause of both") { screen in
      screen.components(separatedBy: "paused at").count == 4
    }
    for program in shards + [logger] { program.signal(SIGINT) }
    for program in shards + [logger] { program.wait() }
  }

  @Test func scriptsGetOneLineOfJSONForEachLook() throws {
    let place = try Place()
    let sim = try Program("sim", ["flags", "--run", "alpha"], in: place)
    sim.wait(forFrames: 3, of: "alpha", in: place)
    let once = try Program.run(
      "orrery", ["top", "--once", "--json", "--interval", "0.3"], in: place)
    #expect(once.code == 0 && once.errorText.isEmpty, "\(once.errorText)")
    #expect(try Repository.schema("top").faults(of: Data(once.text.utf8)) == [], "\(once.text)")
    #expect(once.text.contains("\"name\":\"alpha\""))
    let watch = try Program("orrery", ["ps", "--watch", "--json", "--interval", "0.1"], in: place)
    watch.wait(for: "three lines") { watch.text.split(separator: "\n").count >= 3 }
    let lines = try Program("orrery", ["ps", "alpha", "--watch", "--interval", "0.1"], in: place)
    lines.wait(for: "two tables") { lines.text.components(separatedBy: "\nalpha").count >= 3 }
    // A pipe is no terminal, and gets no control sequences.
    let piped = try Program.run("orrery", ["top", "alpha", "--interval", "0.1"], in: place)
    #expect(piped.code == 0 && piped.text.hasPrefix("NAME") && !piped.text.contains("\u{1b}"))
    for program in [watch, lines, sim] { program.signal(SIGINT) }
    for program in [watch, lines, sim] { #expect(program.wait() == 0, "\(program.errorText)") }
  }

  /// What a killed sim leaves is removed, and said by `orrery clean`.
  @Test func countersOfAKilledSimAreCleaned() throws {
    let place = try Place()
    let sim = try Program("sim", ["flags", "--run", "alpha"], in: place)
    sim.wait(forFrames: 3, of: "alpha", in: place)
    sim.signal(SIGKILL)
    sim.wait()
    let clean = try Program.run("orrery", ["clean"], in: place)
    #expect(clean.text.contains("counters of a dead process: removed "), "\(clean.text)")
    #expect(place.runs == [])
  }
}
