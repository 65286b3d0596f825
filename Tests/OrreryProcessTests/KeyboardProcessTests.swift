// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: a run reads the keys of its terminal where it shows a line of progress there, and leaves the terminal alone
/// otherwise.
///
/// Method: Python, which gives a run a terminal of its own, and looks at the terminal's mode while it runs.
@Suite struct KeyboardProcessTests {
  /// Types keys once a tick is shown, and prints whether lines are put together by the terminal: in the run, and after
  /// it.
  private static let script = """
    import os, pty, sys, termios, time
    os.environ["TERM"] = "xterm"
    master, slave = pty.openpty()
    def is_canonical(): return bool(termios.tcgetattr(slave)[3] & termios.ICANON)
    process = os.fork()
    if process == 0:
      os.setsid()
      for number in range(3): os.dup2(slave, number)
      os.close(master)
      # The terminal that controls the new session.
      os.close(os.open(os.ttyname(0), os.O_RDWR))
      os.execv(sys.argv[2], sys.argv[2:])
    os.set_blocking(master, False)
    said, seen, keys = b"", set(), sys.argv[1].encode()
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
      try: said += os.read(master, 65536)
      except BlockingIOError: time.sleep(0.01)
      if b"tick " in said:
        seen.add(is_canonical())
        if keys and not is_canonical():
          os.write(master, keys)
          keys = b""
      ended, status = os.waitpid(process, os.WNOHANG)
      if ended: break
    print(sorted(seen), is_canonical(), os.waitstatus_to_exitcode(status))
    """

  @Test(arguments: [("plain", "[True] True 0\n"), ("auto", "[False] True 0\n")])
  func terminalIsReadWhereALineIsShown(style: String, expected: String) throws {
    let place = try Place()
    let run = try Program.run(
      Program.python,
      [
        "-c", Self.script, "", Program.directory + "/orrery", "run", "flags", "--duration", "2",
        "--size", "64x36", "--out", "out", "--progress", style,
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    // The terminal is given back just before the process ends.
    let words = run.text.split(separator: " ")
    let seen = style == "auto" ? run.text.replacing("[False, True]", with: "[False]") : run.text
    #expect(words.count >= 3 && seen == expected, "\(run.text)\(run.errorText)")
  }

  /// The space bar holds a sim that has its terminal to itself, and lets it go on; the line says so.
  @Test func lineOfASimSaysThatItIsPaused() throws {
    let place = try Place()
    let terminal = try Terminal(
      "sh -c 'sim flags --run alpha; echo rc $?; exec sleep 1000'", in: place)
    terminal.wait(for: "a line of progress") { $0.contains("tick ") }
    try terminal.type("Space")
    terminal.wait(for: "a pause") { $0.contains("  paused  tick ") }
    #expect(stats(of: "alpha", in: place)["paused"] as? Bool == true)
    try terminal.type("Space")
    terminal.wait(for: "its end") { $0.contains("tick ") && !$0.contains("paused") }
    try terminal.type("q")
    terminal.wait(for: "the end of the run") { $0.contains("rc 0") }
  }

  /// A sim, and a trace that is played for ever: the key `q` ends both.
  @Test(arguments: [
    ["sim", "flags", "--run", "a"], ["orrery", "trace", "play", "out/flags.mcap", "--loop"],
  ])
  func whoPublishesByItselfReadsKeys(words: [String]) throws {
    let place = try Place()
    let recorded = try Program.run(
      "orrery", ["run", "flags", "--duration", "1", "--only", "trace", "--out", "out"], in: place)
    #expect(recorded.code == 0, "\(recorded.errorText)")
    let command = [Program.directory + "/" + words[0]] + words.dropFirst()
    let run = try Program.run(Program.python, ["-c", Self.script, "q"] + command, in: place)
    #expect(
      run.text.replacing("[False, True]", with: "[False]") == "[False] True 0\n",
      "\(run.text)\(run.errorText)")
  }
}
