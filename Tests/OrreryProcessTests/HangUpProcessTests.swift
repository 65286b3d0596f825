// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: a terminal that closes, a supervisor that dies and a limit of file sizes end programs in order, with all
/// that they have made so far.
///
/// Method: real programs, in a terminal of their own where one is needed; files are read again by `orrery trace`.
@Suite(.serialized) struct HangUpProcessTests {
  /// Runs words in a new terminal, closes it once a file is there, and prints how the program ended.
  private static let terminal = """
    import os, pty, select, sys, time
    ready, words = sys.argv[1], sys.argv[2:]
    pid, master = pty.fork()
    if pid == 0:
        os.execv(words[0], words)
    while not os.path.exists(ready):
        if select.select([master], [], [], 0.02)[0]:
            os.read(master, 65536)
    os.close(master)
    _, status = os.waitpid(pid, 0)
    print(os.waitstatus_to_exitcode(status))
    """

  private static func runWords(_ more: [String] = []) -> [String] {
    [
      Program.directory + "/orrery", "run", "flags", "--run", "hang", "--size", "64x36", "--out",
      "out",
    ] + more
  }

  /// Without a frame the renderer would make no file.
  private func waitForPictures(of run: Program, in place: Place) {
    run.wait(for: "frames at the renderer") {
      let stats = try? Program.run("orrery", ["control", "hang", "stats", "--json"], in: place)
      return stats?.text.contains(/"name":"renderer"[^}]*"received":[1-9]/) == true
    }
  }

  /// Programs of a run may live longer than who started them.
  private func waitForFiles(of run: Program, in place: Place) {
    run.wait(for: "the end of its run") { place.runs.isEmpty }
    run.wait(for: "the files") { place.has("out/hang.mp4") && place.has("out/hang.png") }
    run.wait(for: "the end of the trace") {
      (try? Program.run("orrery", ["trace", "verify", "out/hang.mcap"], in: place).code) == 0
    }
  }

  /// All files are complete, and no other is there.
  private func checkFiles(in place: Place) throws {
    let left = try FileManager.default.contentsOfDirectory(atPath: place.files + "/out")
    #expect(left.sorted() == ["hang.mcap", "hang.mp4", "hang.png"])
    let verified = try Program.run("orrery", ["trace", "verify", "out/hang.mcap"], in: place)
    #expect(verified.code == 0, "\(verified.text)\(verified.errorText)")
    let size = try FileManager.default.attributesOfItem(atPath: place.files + "/out/hang.mcap")
    #expect((size[.size] as? Int).map { $0 < 4 << 20 } == true)
    #expect(place.runs == [])
  }

  /// A shell may have started the run, and a request may have paused it.
  @Test(
    arguments: [(nil, nil), (nil, "pause"), ("orrery-run; exit $?", nil)] as [(String?, String?)])
  func closedTerminalEndsARunInOrder(shell: String?, steer: String?) throws {
    let place = try Place()
    try Self.terminal.write(
      toFile: place.files + "/terminal.py", atomically: false, encoding: .utf8)
    let words = Self.runWords()
    let started =
      shell.map {
        [
          "/bin/bash", "-c",
          $0.replacingOccurrences(of: "orrery-run", with: words.joined(separator: " ")),
        ]
      } ?? words
    let session = try Program(Program.python, ["terminal.py", "ready"] + started, in: place)
    waitForPictures(of: session, in: place)
    if let steer {
      #expect(try Program.run("orrery", ["control", "hang", steer], in: place).code == 0)
    }
    try place.write("", to: "ready")
    #expect(session.wait() == 0, "\(session.errorText)")
    // A shell may have died of it; the run has not.
    if shell == nil { #expect(session.text == "0\n", "\(session.errorText)") }
    waitForFiles(of: session, in: place)
    try checkFiles(in: place)
  }

  @Test(arguments: ["sim", "logger", "renderer"])
  func programAloneEndsInOrder(name: String) throws {
    let place = try Place()
    let sim = try Program("sim", ["flags", "--run", "h", "--wait-for", "2", "--json"], in: place)
    let logger = try Program("logger", ["--run", "h", "--out", "h.mcap", "--json"], in: place)
    let renderer = try Program(
      "renderer",
      [
        "--run", "h", "--video", "h.mp4", "--png", "h.png", "--size", "64x36", "--json",
        "--progress",
        "json",
      ], in: place)
    sim.waitForProgress()
    renderer.wait(for: "a picture") { renderer.errorText.contains(/"done":[1-9]/) }
    let programs = ["sim": sim, "logger": logger, "renderer": renderer]
    let stopped = try #require(programs[name])
    // The shell and the kernel may both send it.
    for _ in 0..<2 { stopped.signal(SIGHUP) }
    #expect(stopped.wait() == 0, "\(stopped.errorText)")
    if name != "sim" {
      #expect(
        try report("orrery.subscriber.v2", in: stopped.text)["ended"] as? String == "stopped")
      sim.signal(SIGTERM)
    }
    for program in programs.values { #expect(program.wait() == 0, "\(program.errorText)") }
    let files = try FileManager.default.contentsOfDirectory(atPath: place.files)
    #expect(files.sorted() == ["h.mcap", "h.mp4", "h.png"])
    #expect(try Program.run("orrery", ["trace", "verify", "h.mcap"], in: place).code == 0)
  }

  @Test func ignoredEndOfATerminalIsIgnoredByAll() throws {
    let place = try Place()
    let run = try Program(
      "/bin/sh",
      [
        "-c", "trap '' HUP; exec " + Self.runWords(["--progress", "plain"]).joined(separator: " "),
      ],
      in: place)
    waitForPictures(of: run, in: place)
    for _ in 0..<3 { run.signal(SIGHUP) }
    let control = try Program.run("orrery", ["control", "hang", "step"], in: place)
    #expect(!run.hasEnded(within: 0.5), "\(control.text)")
    run.signal(SIGTERM)
    #expect(run.wait() == 0, "\(run.errorText)")
    try checkFiles(in: place)
  }

  /// The kernel tells each child once for each thread that the supervisor had.
  @Test func filesAreCompleteWithoutTheSupervisor() throws {
    let place = try Place()
    let words = Self.runWords(["--progress", "plain"])
    let run = try Program(words[0], Array(words.dropFirst()), in: place)
    waitForPictures(of: run, in: place)
    run.signal(SIGKILL)
    #expect(run.wait() == 128 + SIGKILL)
    waitForFiles(of: run, in: place)
    try checkFiles(in: place)
  }

  /// A limit in blocks of 1 KiB; the code of docs/reference/exit-codes.md, and no file of its own that is left.
  static let limited: [(words: String, blocks: Int, says: String)] = [
    ("sim stress --entities 100000 --run big --ticks 1", 64, "File too large"),
    ("logger --run f --out f.mcap --wait 20", 20, "File too large"),
    ("renderer --run f --frames pictures --size 640x360 --wait 20", 4, "File too large"),
    ("renderer --run f --video f.mp4 --size 640x360 --wait 20", 4, "video encoder"),
    ("orrery trace export csv whole.mcap -o f.csv", 1, "File too large"),
    ("orrery trace filter whole.mcap -o f.mcap", 1, "File too large"),
    ("orrery scene show planets > shown", 1, "File too large"),
  ]

  @Test(arguments: limited.indices)
  func limitOfFileSizesIsAnErrorAndNoSignal(index: Int) throws {
    let place = try Place()
    let (words, blocks, says) = Self.limited[index]
    let isSubscriber = words.hasPrefix("logger") || words.hasPrefix("renderer")
    let sim = try Program(
      "sim",
      ["flags", "--run", "f", "--duration", "1", "--wait-for", isSubscriber ? "2" : "1", "--json"],
      in: place)
    let whole = try Program("logger", ["--run", "f", "--out", "whole.mcap"], in: place)
    if words.hasPrefix("orrery") { #expect(sim.wait() == 0 && whole.wait() == 0) }
    let limited = try Program.run(
      "/bin/bash",
      ["-c", "ulimit -f \(blocks); exec \(Program.directory)/\(words)"], in: place)
    // 153 is SIGXFSZ.
    #expect(limited.code == 74, "\(limited.errorText)")
    #expect(limited.errorText.contains(says), "\(limited.errorText)")
    let files = try FileManager.default.contentsOfDirectory(atPath: place.files)
    #expect(!files.contains { $0.contains("partial") }, "\(files)")
    // A subscriber that failed has seen the sim, which therefore handles signals; any other sim ends on its own.
    if isSubscriber { sim.signal(SIGTERM) }
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }
}
