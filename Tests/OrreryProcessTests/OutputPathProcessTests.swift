// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Goal: a program whose output was taken away while it wrote it says so, with 74, and names where the file is; a name
/// that is no text is refused; what cannot be completed leaves nothing.
///
/// Method: files are removed and folders moved under real programs; small disks are full; names have bytes that are no
/// UTF-8.
@Suite(.serialized) struct OutputPathProcessTests {
  private static let isRoot = getuid() == 0

  /// A sim that runs until it is told to end, and a program that writes into `out`; `then` is done in the middle.
  private static func run(
    _ program: String, _ options: [String], in place: Place, until file: String,
    then: () throws -> Void
  ) throws -> Program {
    let sim = try Program(
      "sim", ["planets", "--run", "path", "--duration", "30", "--wait-for", "1"], in: place)
    try FileManager.default.createDirectory(
      atPath: place.files + "/out", withIntermediateDirectories: true)
    let subscriber = try Program(program, ["--run", "path"] + options, in: place)
    subscriber.wait(for: file) {
      let names = try? FileManager.default.contentsOfDirectory(atPath: place.files + "/out")
      // A name with an ending is that of a whole file: a picture's is longer until it is complete.
      return names?.contains { $0 == file || !file.contains(".") && $0.hasPrefix(file) } == true
    }
    // The sim waits for the program, so it has joined; the newest of these frames is read in any case.
    sim.wait(forFrames: 30, of: "path", in: place)
    try then()
    #expect(subscriber.wait() == 74, "\(subscriber.errorText)")
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    return subscriber
  }

  @Test(arguments: [[], ["--max-size", "1MiB"], ["--delta", "--compression", "lz4"]])
  func loggerWhoseFileIsRemovedEndsWith74(options: [String]) throws {
    let place = try Place()
    let logger = try Self.run(
      "logger", ["--out", "out/a.mcap"] + options, in: place, until: "a"
    ) {
      for name in ["a.mcap", "a.0001.mcap"] { unlink(place.files + "/out/" + name) }
    }
    #expect(logger.errorText.contains("mcap: was removed or replaced while it was written"))
    #expect(logger.text.contains("received"), "\(logger.text)")
  }

  @Test func loggerWhoseFolderIsMovedNamesItsFile() throws {
    let place = try Place()
    let logger = try Self.run(
      "logger", ["--out", place.files + "/out/a.mcap"], in: place, until: "a"
    ) {
      try FileManager.default.moveItem(
        atPath: place.files + "/out", toPath: place.files + "/moved")
    }
    let moved = place.files + "/moved/a.mcap"
    #expect(logger.errorText.contains("the file is now \(moved)\n"), "\(logger.errorText)")
    let check = try Program.run("orrery", ["trace", "cat", moved], in: place)
    // All its messages are there, and no account: the recorder did not come to its end.
    #expect(check.code == 3 && check.text.contains("/orrery/frames"), "\(check.errorText)")
  }

  @Test func rendererWhoseFolderIsMovedNamesItsFile() throws {
    let place = try Place()
    let renderer = try Self.run(
      "renderer", ["--video", place.files + "/out/a.mp4", "--size", "64x36"], in: place, until: "a"
    ) {
      try FileManager.default.moveItem(
        atPath: place.files + "/out", toPath: place.files + "/moved")
      let quit = try Program.run("orrery", ["control", "path", "quit"], in: place)
      #expect(quit.code == 0)
    }
    let moved = place.files + "/moved/a.\(renderer.processID).partial.mp4"
    #expect(renderer.errorText.contains("the file is now \(moved)\n"), "\(renderer.errorText)")
    let probe = try Program.run("/usr/bin/env", ["ffprobe", "-v", "error", moved], in: place)
    #expect(probe.code == 0, "\(probe.errorText)")
  }

  @Test func pictureThatIsRemovedIsNotListed() throws {
    let place = try Place()
    let renderer = try Self.run(
      "renderer", ["--png", "out/a.png", "--at", "0.1", "--draw-every", "--size", "64x36"],
      in: place, until: "a.png"
    ) {
      unlink(place.files + "/out/a.png")
      let quit = try Program.run("orrery", ["control", "path", "quit"], in: place)
      #expect(quit.code == 0)
    }
    #expect(renderer.errorText.contains("out/a.png: was removed or replaced"))
  }

  @Test func wholeRunDoesNotListWhatIsGone() throws {
    let place = try Place()
    let run = try Program(
      "orrery", ["run", "planets", "--duration", "4", "--out", "a/b/c", "--size", "64x36"],
      in: place)
    run.wait(for: "the trace") { place.has("a/b/c/planets.mcap") }
    // Parents that were missing are named.
    #expect(run.errorText.contains("orrery run: made the directories a, a/b, a/b/c\n"))
    usleep(500_000)
    try FileManager.default.moveItem(atPath: place.files + "/a", toPath: place.files + "/z")
    #expect(run.wait() == 74, "\(run.errorText)")
    #expect(run.errorText.contains(place.files + "/z/b/c/planets.mcap"), "\(run.errorText)")
    #expect(!run.text.contains("a/b/c/planets"), "\(run.text)")
  }

  // MARK: - Names

  /// Runs a command line of a shell, whose words may have any bytes.
  private static func shell(_ line: String, in place: Place) throws -> (
    code: Int32?, text: String, errorText: String
  ) {
    try Program.run(
      "/bin/bash", ["-c", "PATH=\(Program.directory):$PATH; caf=$'caf\\xe9'; " + line], in: place)
  }

  @Test(arguments: [
    "orrery run $caf.toml", "sim $caf.toml --ticks 1 --unpaced", "orrery sample flags --out $caf",
    "logger --run x --out $caf.mcap", "orrery renderer --run x --png $caf.png",
    "orrery trace info $caf.mcap", "orrery trace export csv a.mcap -o $caf.csv",
    "orrery trace recover a.mcap $caf.mcap", "orrery scene check $caf.toml", "orrery $caf",
    "orrery sim planets --ticks 1 --unpaced --frame-times $caf.csv",
    "XDG_RUNTIME_DIR=$PWD/$caf sim planets --ticks 1 --unpaced",
  ])
  func nameThatIsNoTextIsRefused(line: String) throws {
    let place = try Place()
    let run = try Self.shell(line, in: place)
    #expect(run.code == 64, "\(run.errorText)")
    #expect(run.errorText.contains("is not UTF-8") && run.errorText.hasPrefix("orrery"))
    #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.files) == [])
  }

  /// Read once, by the program that checks it; the sim has the same text.
  @Test(arguments: [
    "cat s.toml | orrery run /dev/stdin", "orrery run /dev/stdin <s.toml",
    "orrery run <(cat s.toml)", "mkfifo f.toml; cat s.toml >f.toml & orrery run f.toml",
  ])
  func sceneOfAPipeIsRun(line: String) throws {
    let place = try Place()
    let scene = try Program.run("orrery", ["scene", "show", "planets"], in: place)
    try place.write(scene.text, to: "s.toml")
    let run = try Self.shell(line + " --duration 0.2 --size 64x36 --out o", in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let names = try FileManager.default.contentsOfDirectory(atPath: place.files + "/o")
    let trace = try #require(names.first { $0.hasSuffix(".mcap") })
    let verify = try Program.run("orrery", ["trace", "verify", "o/" + trace], in: place)
    #expect(verify.code == 0, "\(verify.errorText)")
  }

  // MARK: - Full disks

  /// The trace has 120 ticks a second, a GIF shows at most 50.
  @Test func picturesOfAFastGIFAreCounted() throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "planets", "--run", "fast", "--rate", "120", "--ticks", "24", "--lockstep",
        "--unpaced", "--wait-for", "2",
      ], in: place)
    let logger = try Program("logger", ["--run", "fast", "--out", "t.mcap"], in: place)
    let renderer = try Program(
      "renderer", ["--run", "fast", "--video", "r.gif", "--size", "64x36"], in: place)
    for program in [logger, renderer, sim] { #expect(program.wait() == 0, "\(program.errorText)") }
    let notice = "has 11 of 24 pictures; a .gif shows at most 50 a second\n"
    #expect(renderer.errorText.contains("orrery renderer: r.gif: " + notice))
    let export = try Program.run(
      "orrery", ["trace", "export", "video", "t.mcap", "-o", "e.gif", "--size", "64x36"], in: place)
    #expect(export.code == 0)
    #expect(export.errorText == "e.gif: \(notice)e.gif: 11 of 24 frames\n")
  }

  /// A video that is still larger than the smallest disks.
  private static let smallVideo = "export video --size 480x270"

  /// Disks of several sizes, from nothing to less than all: 74, and nothing is left but what was there.
  @Test(
    .enabled(if: isRoot, "needs root: mounts small disks"),
    arguments: [
      ("export csv", "x.csv"), ("export ndjson", "x.ndjson"),
      ("export chrome --split 1000", "x.json"),
      ("export png --size 600x400", "x.png"), (smallVideo, "x.mp4"),
      (smallVideo, "x.mov"), (smallVideo, "x.webm"), (smallVideo, "x.mkv"),
      (smallVideo, "x.gif"), (smallVideo, "x.apng"),
      ("plot --entity Mars.header --size 640x400", "x.svg"),
      ("recover", "x.mcap"),
      ("filter", "x.mcap"), ("merge", "x.mcap"), ("export parquet", "x"), ("export arrow", "x"),
    ])
  func fullDiskLeavesNothing(command: String, output: String) throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "planets", "--run", "disk", "--duration", "1", "--lockstep", "--unpaced", "--wait-for", "1",
      ],
      in: place)
    let logger = try Program("logger", ["--run", "disk", "--out", "t.mcap"], in: place)
    for program in [logger, sim] { #expect(program.wait() == 0, "\(program.errorText)") }
    let out = command == "recover" ? "" : "-o "
    let run = try Self.shell(
      """
      export ORRERY_PYTHON=\(Program.python)
      mkdir d; unshare -m --propagation private bash -c '
      orrery trace \(command) t.mcap \(out)\(output) >/dev/null 2>all.txt; echo $?
      size=$(du -sb \(output) | cut -f1)
      for part in 0 1 3 6 9; do
        bytes=$((size * part / 10 / 4096 * 4096 + 4096))
        [ $bytes -lt $size ] || continue
        mount -t tmpfs -o size=$bytes tmpfs d
        orrery trace \(command) t.mcap \(out)d/\(output) >/dev/null 2>>errors.txt
        echo $? $(ls -A d)
        umount d
      done'
      """, in: place)
    let lines = run.text.split(separator: "\n").map(String.init)
    let errors = (try? String(contentsOfFile: place.files + "/errors.txt", encoding: .utf8)) ?? ""
    #expect(run.code == 0, "\(run.errorText)")
    #expect(lines.first == "0")
    // What a folder takes is counted larger than it is: on the largest disks it may fit.
    let isFolder = !output.contains(".")
    #expect(
      lines.dropFirst().allSatisfy { $0 == "74" || isFolder && $0 == "0 \(output)" },
      "\(lines): \(errors)")
    #expect(lines.dropFirst().first == "74", "\(lines): \(errors)")
    #expect(errors.split(separator: "\n").count >= lines.count - 1)
  }

  /// What was there stays when it cannot be replaced.
  @Test(.enabled(if: isRoot, "needs root: mounts a small disk"), arguments: ["csv", "chrome"])
  func fullDiskLeavesWhatWasThere(format: String) throws {
    let place = try Place()
    let sim = try Program(
      "sim", ["planets", "--run", "old", "--ticks", "60", "--unpaced", "--wait-for", "1"], in: place
    )
    let logger = try Program("logger", ["--run", "old", "--out", "t.mcap"], in: place)
    for program in [logger, sim] { #expect(program.wait() == 0, "\(program.errorText)") }
    let run = try Self.shell(
      """
      mkdir d; unshare -m --propagation private bash -c '
      mount -t tmpfs -o size=12k tmpfs d; echo old >d/x
      orrery trace export \(format) t.mcap -o d/x --force; echo $? $(ls -A d) $(cat d/x)'
      """, in: place)
    #expect(run.text.split(separator: "\n").last == "74 x old", "\(run.text)\(run.errorText)")
  }

  /// Nothing is written over what is read, and no two outputs into one file.
  @Test(arguments: [
    (
      "orrery run mine.toml --duration 0.2 --timeline mine.toml --out o --only trace",
      "--timeline mine.toml: is also an input"
    ),
    (
      "orrery run planets --duration 0.2 --only trace --run k --out . --timeline k.mcap",
      "--timeline k.mcap: is also the file of logger"
    ),
    ("sim mine.toml --run k --ticks 1 --frame-times ./mine.toml", "is also an input"),
    (
      "logger --run k --out a.mcap --frame-times a.mcap",
      "--out a.mcap: is also the file of --frame-times"
    ),
    ("renderer --run k --png a.png --timeline ./a.png", "is also the file of --timeline"),
    ("orrery bench run mine.toml --rounds 1 --out mine.toml", "--out mine.toml: is also an input"),
    ("orrery trace export csv t.mcap -o t.mcap --force", "--out t.mcap: is also an input"),
    ("orrery trace export csv t.mcap -o link.mcap --force", "--out link.mcap: is also an input"),
    ("orrery picture diff a.png b.png -o b.png", "--out b.png: is also an input"),
    ("orrery scene import mine.toml -o mine.toml --force", "--out mine.toml: is also an input"),
  ])
  func outputsThatClashAreRefused(line: String, says: String) throws {
    let place = try Place()
    let scene = "size = [10, 10]\n"
    for name in ["mine.toml", "t.mcap", "b.png"] { try place.write(scene, to: name) }
    symlink("t.mcap", place.files + "/link.mcap")
    let words = line.split(separator: " ").map(String.init)
    let run = try Program.run(words[0], Array(words.dropFirst()), in: place)
    #expect(run.code == 64, "\(run.errorText)")
    #expect(run.errorText.contains(says), "\(run.errorText)")
    for name in ["mine.toml", "t.mcap", "b.png"] {
      #expect(
        try String(contentsOfFile: place.files + "/" + name, encoding: .utf8) == scene, "\(name)")
    }
  }

  /// A run begins its timeline anew, but never another file.
  @Test func runTakesOnlyTimelinesForItsOwn() throws {
    let place = try Place()
    try place.write("my notes\n", to: "notes.txt")
    let words = [
      "run", "flags", "--duration", "0.1", "--only", "trace", "--out", "o", "--timeline",
    ]
    let refused = try Program.run("orrery", words + ["notes.txt"], in: place)
    #expect(refused.code == 74)
    #expect(
      refused.errorText.contains("notes.txt: has something else than a timeline"),
      "\(refused.errorText)")
    #expect(
      try String(contentsOfFile: place.files + "/notes.txt", encoding: .utf8) == "my notes\n")
    for _ in 1...2 {
      let run = try Program.run("orrery", words + ["t.pftrace"], in: place)
      #expect(run.code == 0, "\(run.errorText)")
    }
  }

  /// The scene of a trace is as it was written, with its comments.
  @Test func traceGivesItsSceneBack() throws {
    let place = try Place()
    let scene = try Program.run("orrery", ["scene", "new", "-"], in: place).text
    try place.write(scene, to: "mine.toml")
    let run = try Program.run(
      "orrery", ["run", "mine.toml", "--duration", "0.1", "--only", "trace", "--run", "k"],
      in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let shown = try Program.run("orrery", ["scene", "show", "k.mcap"], in: place)
    #expect(shown.code == 0, "\(shown.errorText)")
    #expect(shown.text == scene)
    let json = try Program.run("orrery", ["scene", "show", "k.mcap", "--json"], in: place)
    let same = try Program.run("orrery", ["scene", "show", "mine.toml", "--json"], in: place)
    #expect(json.text == same.text && !json.text.isEmpty)
  }
}
