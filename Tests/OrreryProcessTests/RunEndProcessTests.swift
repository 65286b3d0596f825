// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import Testing

/// Goal: a run that ends before all have joined ends in order, and what it does not make it leaves as it was.
///
/// Method: programs of which one starts late, so that the run is over before it joins.
@Suite(.serialized) struct RunEndProcessTests {
  /// A directory with all programs, of which one begins when run `early` has come and gone, or after ten seconds.
  ///
  /// A shell writes it: a program that this process had open for writing could not be started by another thread.
  private func directory(late name: String, in place: Place) throws -> String {
    let path = place.files + "/bin"
    let control = place.runtime + "/orrery/early/control"
    let made = try Program.run(
      "/bin/sh",
      [
        "-c",
        """
        set -e; mkdir \(path); cd \(Program.directory)
        for p in orrery sim renderer logger; do ln $p \(path)/$p 2>/dev/null || cp $p \(path)/$p; done
        cd \(path); mv \(name) late-\(name)
        cat > \(name) <<'END'
        #!/bin/sh
        n=0
        until [ -e \(control) ] || [ $n = 100 ]; do sleep 0.05; n=$((n + 1)); done
        while [ -e \(control) ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n + 1)); done
        exec \(path)/late-\(name) "$@"
        END
        chmod 755 \(name)
        """,
      ], in: place)
    #expect(made.code == 0, "\(made.errorText)")
    return path
  }

  @Test(arguments: ["renderer", "logger"], ["quit", "TERM", "INT"])
  func runThatEndsBeforeOneHasJoinedIsInOrder(late: String, end: String) throws {
    let place = try Place()
    let bin = try directory(late: late, in: place)
    // Of an earlier run: this one makes none in its place.
    try FileManager.default.createDirectory(
      atPath: place.files + "/out", withIntermediateDirectories: true)
    for file in ["early.mp4", "early.png", "early.mcap"] {
      try place.write("earlier", to: "out/" + file)
    }
    let run = try Program(
      bin + "/orrery", ["run", "flags", "--run", "early", "--size", "64x36", "--out", "out"],
      in: place)
    run.wait(for: "the run") {
      FileManager.default.fileExists(atPath: place.runtime + "/orrery/early/control")
    }
    if end == "quit" {
      #expect(try Program.run("orrery", ["control", "early", "quit"], in: place).code == 0)
    } else {
      run.signal(end == "TERM" ? SIGTERM : SIGINT)
    }
    #expect(run.wait() == 0, "\(run.errorText)")
    let outputs = late == "renderer" ? "out/early.mp4, out/early.png" : "out/early.mcap"
    #expect(
      run.errorText.contains("\(late): no frame, the run ended first; not made: \(outputs)\n"),
      "\(run.errorText)")
    #expect(!run.errorText.contains("orrery \(late):"), "\(run.errorText)")
    #expect(!run.errorText.contains("sign of life"), "\(run.errorText)")
    for file in late == "renderer" ? ["early.mp4", "early.png"] : ["early.mcap"] {
      #expect(
        try String(contentsOfFile: place.files + "/out/" + file, encoding: .utf8) == "earlier")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: place.files + "/out")
    #expect(left.sorted() == ["early.mcap", "early.mp4", "early.png"])
  }

  @Test func spaceThatIsKeptIsNamedAndTheEarlierTraceStays() throws {
    let place = try Place()
    try FileManager.default.createDirectory(
      atPath: place.files + "/out", withIntermediateDirectories: true)
    for file in ["flags.mp4", "flags.png", "flags.mcap"] {
      try place.write("earlier", to: "out/" + file)
    }
    let words = ["run", "flags", "--size", "64x36", "--duration", "0.5", "--out", "out"]
    let run = try Program.run("orrery", words + ["--min-free-space", "4096TiB"], in: place)
    #expect(run.code == 74)
    #expect(
      run.errorText.contains(
        /out\/flags\.mcap: keep 4194304\.0 GiB free \(--min-free-space\) where \d+\.\d [GMK]iB are/),
      "\(run.errorText)")
    for file in ["flags.mp4", "flags.png", "flags.mcap"] {
      #expect(
        try String(contentsOfFile: place.files + "/out/" + file, encoding: .utf8) == "earlier")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.files + "/out").count == 3)
    // With room for it, each is replaced.
    let again = try Program.run("orrery", words + ["--min-free-space", "0"], in: place)
    #expect(again.code == 0, "\(again.errorText)")
    #expect(try Program.run("orrery", ["trace", "verify", "out/flags.mcap"], in: place).code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.files + "/out").count == 3)
  }

  /// A subscriber that the sim dropped says what it had received until then.
  @Test func droppedSubscriberHasAnAccount() throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "flags", "--run", "d", "--lockstep", "--wait-for", "1", "--slots", "8",
        "--stall-limit", "3", "--json",
      ], in: place)
    let logger = try Program("logger", ["--run", "d", "--out", "d.mcap", "--json"], in: place)
    // With eight slots, so many frames mean that it has read one.
    sim.wait(forFrames: 20, of: "d", in: place)
    logger.signal(SIGSTOP)
    sim.wait(for: "the run to go on") {
      (try? Program.run("orrery", ["ps", "d", "--json"], in: place))?.text.contains(
        "\"subscribers_connected\":0") == true
    }
    logger.signal(SIGCONT)
    #expect(logger.wait() == 69)
    let account = try report("orrery.subscriber.v2", in: logger.text)
    #expect(account["ended"] as? String == "dropped")
    let received = try #require(number("received", in: account))
    #expect(received > 0)
    #expect(
      number("published", in: account) == received + (number("missed", in: account) ?? -1))
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0)
  }
}

/// Goal: a machine that lacks what programs need is named as the cause, once, with what helps.
///
/// Method: environments and mounts without fonts, a directory of runs, or /proc.
@Suite struct MissingPartProcessTests {
  private static let isRoot = geteuid() == 0

  private func run(
    _ settings: [String], _ words: [String], in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    try Program.run(
      "/usr/bin/env", settings + [Program.directory + "/" + words[0]] + words.dropFirst(),
      in: place)
  }

  @Test(arguments: [
    "orrery run flags --duration 0.1 --out out", "sim flags --run x --ticks 1",
    "orrery scene check flags", "orrery sample flags --at 1", "orrery hash flags --tick 1",
  ])
  func machineWithoutFontsIsTheCause(line: String) throws {
    let place = try Place()
    try place.write("<fontconfig></fontconfig>", to: "fonts.conf")
    let found = try run(
      ["FONTCONFIG_FILE=\(place.files)/fonts.conf"], line.split(separator: " ").map(String.init),
      in: place)
    #expect(found.code == 69, "\(found.text)\(found.errorText)")
    #expect(
      (found.text + found.errorText).contains("font family \"Noto Sans\" is not installed"))
  }

  @Test func fontconfigComplainsOnce() throws {
    let place = try Place()
    try place.write(
      "<fontconfig><dir>/usr/share/fonts</dir><cachedir>/proc/none</cachedir></fontconfig>",
      to: "fonts.conf")
    let found = try run(
      ["FONTCONFIG_FILE=\(place.files)/fonts.conf"],
      [
        "orrery", "run", "flags", "--duration", "0.1", "--size", "64x36", "--out", "out",
        // Without a cache all fonts are read, which is long on a busy machine.
        "--wait", "300",
      ], in: place)
    #expect(found.code == 0, "\(found.errorText)")
    let complaints = found.errorText.split(separator: "\n").filter { $0.hasPrefix("Fontconfig") }
    #expect(complaints == ["Fontconfig error: No writable cache directories"])
  }

  @Test(arguments: ["XDG_RUNTIME_DIR=/nowhere/at/all", "XDG_RUNTIME_DIR= TMPDIR=/nowhere"])
  func directoryOfRunsThatCannotBeMadeHasARemedy(settings: String) throws {
    let place = try Place()
    let found = try run(
      settings.split(separator: " ").map(String.init),
      ["sim", "flags", "--run", "x", "--ticks", "1"],
      in: place)
    #expect(found.code == 69)
    #expect(found.errorText.contains("mkdir: No such file or directory; let XDG_RUNTIME_DIR, or"))
    #expect(found.errorText.contains("TMPDIR"))
  }

  @Test(
    .enabled(if: isRoot, "needs root: mounts something else on /proc"),
    arguments: [
      "orrery", "orrery run flags", "orrery --version", "sim --help", "renderer", "logger",
      "bench tick",
    ])
  func machineWithoutProcIsRefused(line: String) throws {
    let place = try Place()
    let found = try Program.run(
      "/usr/bin/unshare",
      ["-m", "/bin/sh", "-c", "mount -t tmpfs none /proc; exec \(Program.directory)/\(line)"],
      in: place)
    #expect(found.code == 69, "\(found.text)")
    #expect(found.text == "")
    #expect(found.errorText.contains("/proc is not mounted"), "\(found.errorText)")
  }
}
