// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: a renderer shows its run on a real terminal of any size, is never held up by it, and gives it back.
///
/// Method: tmux, whose screen is read, and whose server is stopped.
@Suite(.serialized) struct TerminalProcessTests {
  private static func lines(_ screen: String) -> [Substring] {
    screen.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func shows(_ screen: String) -> Bool {
    screen.contains("▀▀▀▀▀▀▀▀▀▀") && screen.contains(" alpha  ") && screen.contains("q: end")
  }

  /// A terminal with the renderer of a run, after which the shell says its exit code.
  private static func terminal(
    _ words: String = "", columns: Int = 80, rows: Int = 24, in place: Place
  ) throws -> Terminal {
    try Terminal(
      "sh -c 'echo as before; orrery renderer --run alpha --terminal \(words); echo rc $?; exec sleep 1000'",
      columns: columns, rows: rows, in: place)
  }

  @Test(arguments: [(80, 24), (200, 50)]) func picturesFillTheTerminal(columns: Int, rows: Int)
    throws
  {
    let place = try Place()
    let sim = try Program("sim", ["flags", "--run", "alpha"], in: place)
    let terminal = try Self.terminal(columns: columns, rows: rows, in: place)
    let first = terminal.wait(for: "a picture", until: Self.shows)
    let painted = Self.lines(first).filter { $0.contains("▀") }
    #expect((painted.last?.count ?? 0) > columns / 2 && painted.allSatisfy { $0.count <= columns })
    #expect(Self.lines(first).last { !$0.isEmpty }?.hasPrefix(" alpha  ") == true, "\(first)")
    terminal.wait(for: "another picture") { Self.shows($0) && $0 != first }

    // Another size is painted as a whole, the flags in the middle.
    try terminal.tmux("resize-window", "-x", "\(280 - columns)", "-y", "\(74 - rows)")
    terminal.wait(for: "a picture of the other size") { screen in
      let wide = Self.lines(screen).map(\.count).max() ?? 0
      return Self.shows(screen) && (columns == 80 ? wide > 100 : wide <= 80)
    }
    try terminal.type("q")
    let after = terminal.wait(for: "the screen of before") {
      $0.contains("as before") && $0.contains("rc 0")
    }
    #expect(after.contains("ended by a signal"), "\(after)")
    sim.signal(SIGINT)
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }

  /// In true colours where the terminal says so, else with 256.
  @Test(arguments: [("truecolor", "8;2;"), ("''", "8;5;")])
  func coloursAreThoseOfTheTerminal(variable: String, sequence: String) throws {
    let place = try Place()
    let sim = try Program("sim", ["flags", "--run", "alpha"], in: place)
    let terminal = try Terminal(
      "COLORTERM=\(variable) orrery renderer --run alpha --terminal", in: place)
    terminal.wait(for: "a picture", until: Self.shows)
    #expect(terminal.colors.contains(sequence), "\(terminal.colors)")
    #expect(!terminal.colors.contains(sequence == "8;2;" ? "8;5;" : "8;2;"))
    sim.signal(SIGINT)
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func signalGivesTheTerminalBack(number: Int32) throws
  {
    let place = try Place()
    let sim = try Program("sim", ["flags", "--run", "alpha"], in: place)
    let terminal = try Self.terminal(in: place)
    terminal.wait(for: "a picture", until: Self.shows)
    let shell = try terminal.tmux("display-message", "-p", "#{pane_pid}").text
    let pid = try Program.run(
      "/usr/bin/pgrep", ["-P", shell.trimmingCharacters(in: .whitespacesAndNewlines), "renderer"],
      in: place)
    let renderer = try #require(pid_t(pid.text.trimmingCharacters(in: .whitespacesAndNewlines)))
    kill(renderer, number)
    let after = terminal.wait(for: "the screen of before") {
      $0.hasPrefix("as before") && $0.contains("rc 0")
    }
    #expect(!after.contains("▀"), "\(after)")
    // What is typed is seen again.
    try terminal.type("a", "b", "c")
    terminal.wait(for: "an echo") { $0.contains("abc") }
    sim.signal(SIGINT)
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }

  /// The picture has the terminal to itself; who asks for progress all the same gets it.
  @Test(arguments: [("", false), ("--progress plain 2>errors", true)])
  func progressIsWrittenWhereItIsAskedFor(words: String, isAskedFor: Bool) throws {
    let place = try Place()
    let sim = try Program("sim", ["flags", "--run", "alpha"], in: place)
    let terminal = try Self.terminal(words, in: place)
    terminal.wait(for: "a picture, and progress where it is asked for") { screen in
      let errors = try? String(contentsOfFile: place.files + "/errors", encoding: .utf8)
      return Self.shows(screen) && (!isAskedFor || errors?.contains("renderer: drawing, ") == true)
    }
    try terminal.type("q")
    let after = terminal.wait(for: "the screen of before") {
      $0.contains("as before") && $0.contains("rc 0")
    }
    #expect(!after.contains("renderer: waiting") && !after.contains("renderer: drawing"))
    #expect(place.has("errors") == isAskedFor)
    sim.signal(SIGINT)
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }

  /// A terminal that takes nothing holds up neither reading nor the end of the run.
  @Test func stoppedTerminalHoldsNobodyUp() throws {
    let place = try Place()
    // In lockstep, a subscriber that reads nothing more holds the sim up, until it is dropped.
    let sim = try Program(
      "sim",
      [
        "stress", "--entities", "20000", "--run", "alpha", "--json", "--wait-for", "1",
        "--lockstep",
      ],
      in: place)
    let terminal = try Terminal("orrery renderer --run alpha --terminal", in: place)
    terminal.wait(for: "a picture") { $0.contains(" alpha  ") }
    let server = try #require(
      pid_t(try terminal.tmux("display-message", "-p", "#{pid}").text.split(separator: "\n")[0]))
    kill(server, SIGSTOP)
    defer { kill(server, SIGCONT) }
    // The kernel keeps some pictures for the terminal; these are more.
    sim.wait(forFrames: 300, of: "alpha", in: place)
    #expect(number("subscribers_connected", in: stats(of: "alpha", in: place)) == 1)
    sim.signal(SIGINT)
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }

  @Test func terminalIsRefusedWhereThereIsNone() throws {
    let place = try Place()
    for (words, code, text) in [
      (["--terminal"], 64, "--terminal: standard output is no terminal that shows pictures"),
      (["--terminal", "--png", "a.png"], 64, "--terminal does not go with --png"),
      (["--terminal-graphics", "sixel"], 64, "--terminal-graphics needs --terminal"),
      (["--sheet", "5x4"], 64, "--sheet needs --png"),
      (["--png", "a.png", "--sheet", "51x4"], 64, "--sheet 51x4: use up to 50 columns"),
      (
        ["--png", "a.png", "--sheet", "5x4", "--overlay", "3"], 64,
        "--sheet does not go with --overlay"
      ),
      (["--png", "a.png", "--overlay", "1"], 64, "--overlay 1: use 2 to 50"),
      (["--png", "a.png", "--overlay", "3", "--at", "1"], 64, "--overlay does not go with --at"),
    ] as [([String], Int32, String)] {
      let run = try Program.run("renderer", ["--run", "nosuch"] + words, in: place)
      #expect(run.code == code && run.errorText.contains(text), "\(words): \(run.errorText)")
      #expect(run.errorText.split(separator: "\n").count == 1 && run.text.isEmpty)
    }
    let whole = try Program.run("orrery", ["run", "flags", "--terminal"], in: place)
    #expect(whole.code == 64 && whole.errorText.hasPrefix("orrery run: --terminal: progress has"))
  }
}
