// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: what `orrery` prints is what was asked for, in the form that was asked for.
///
/// Method: commands that end at once, their exit codes and all that they print.
@Suite struct CommandProcessTests {
  private static func run(_ line: String, in place: Place) throws -> String {
    let words = line.split(separator: " ").map(String.init)
    let run = try Program.run("orrery", words, in: place)
    #expect(run.code == 0, "\(line): \(run.errorText)")
    #expect(run.errorText == "", "\(line)")
    return run.text
  }

  /// What is asked, and what has to be in the answer.
  static let answers: [(String, [String])] = [
    ("--version", ["orrery 0.1.0 (commit "]), ("run --version", ["orrery 0.1.0 (commit "]),
    ("sim --version", ["orrery 0.1.0 (commit "]), ("renderer --version", [", Swift "]),
    ("logger --version", ["orrery 0.1.0 (commit "]), ("bench --version", [", baseline"]),
    ("--help", ["SUBCOMMANDS", "control", "keygen", "orrery NAME … runs the program NAME"]),
    ("help run", ["USAGE: orrery run", "--lockstep", "--compression"]),
    ("help sim", ["USAGE: orrery sim", "--stall-limit"]),
    ("help bench kernels", ["USAGE: orrery bench kernels", "--kinds"]),
    ("bench help views", ["USAGE: orrery bench views", "--check"]),
    ("hash --help", ["USAGE: orrery hash", "--tick"]),
    ("sim --help", ["OVERVIEW: Run a scene and publish", "USAGE: orrery sim ", "--stall-limit"]),
    ("renderer --help", ["OVERVIEW: Draw a run: ", "USAGE: orrery renderer "]),
    ("logger --help", ["OVERVIEW: Record every frame", "USAGE: orrery logger "]),
    ("run --help", ["OVERVIEW: Run a scene in three", "USAGE: orrery run "]),
    ("sample --help", ["OVERVIEW: Print entities' values", "USAGE: orrery sample "]),
    ("eval --help", ["OVERVIEW: Answer requests", "USAGE: orrery eval "]),
    ("curve --help", ["OVERVIEW: Draw a curve, a spring", "USAGE: orrery curve "]),
    ("control --help", ["OVERVIEW: Pause, step, seek", "USAGE: orrery control "]),
    ("keygen --help", ["OVERVIEW: Make keys", "USAGE: orrery keygen "]),
    ("doctor --help", ["OVERVIEW: Find what on this machine", "USAGE: orrery doctor "]),
    ("ps", ["no runs\n"]),
    ("ps --json", ["{\"schema\":\"orrery.ps.v1\",\"runs\":[]}\n"]),
    ("clean", ["nothing to clean\n"]),
    ("curve linear", ["\n"]),
    ("sample flags --at 0", ["time(s)  tick  entity  x(pt)\n", "\n  0.000     0       1 "]),
  ]

  @Test(arguments: answers)
  func commandIsAnswered(line: String, parts: [String]) throws {
    let text = try Self.run(line, in: Place())
    for part in parts { #expect(text.contains(part), "\(text)") }
  }

  /// The text alone stands on standard output, to be copied; its error is said beside it.
  @Test func exportedCurveStandsApartFromItsError() throws {
    let run = try Program.run("orrery", ["curve", "easeIn", "--as", "css"], in: Place())
    #expect(run.code == 0)
    #expect(
      run.text.hasPrefix("transition-timing-function: cubic-bezier(0.42, 0, 1, 1);\n"),
      "\(run.text)")
    #expect(run.errorText.hasPrefix("orrery curve: the same motion in css: "), "\(run.errorText)")
  }

  /// The options that `sim` and `run` share, and their defaults.
  private static let publishing = [
    "--rate", "--entities", "--copies", "--seed", "--locale", "--events", "--columns", "--ticks",
    "--duration",
    "--threads", "--isa", "--look-ahead", "--format", "--stores", "--hash", "--slots",
    "--ring-memory", "--shm-name", "--wait-for", "--wait", "--stall-limit", "--listen", "--keys",
  ]
  private static let publishingDefaults = [
    "completions", "auto", "auto", "float32", "auto", "full", "0", "10.0",
  ]

  /// Those that `logger` and `run` share.
  private static let container = [
    "--compression", "--chunk-size", "--memory", "--sync", "--max-size", "--max-duration",
    "--min-free-space",
  ]
  private static let containerDefaults = ["none", "4MiB", "256MiB", "never"]
  private static let recording = ["--mode", "--every", "--quantise", "--delta"]
  private static let side = ["--points", "--views", "--record-host"]
  private static let sideDefaults = ["10000; 0 with --mode digest", "200; 0 with --mode digest"]

  /// Every option of each program, and every default, in the order of its help.
  static let helps: [(String, [String], [String])] = [
    (
      "sim --help",
      publishing + [
        "--timeline", "--log-format", "--run", "--shard", "--rendezvous", "--start-delay",
        "--unpaced",
        "--lockstep",
        "--frame-times", "--json", "--version", "-h,",
      ],
      publishingDefaults + ["text"]
    ),
    (
      "renderer --help",
      [
        "--run", "--connect", "--rendezvous", "--keys", "--lz4", "--follow", "--reading",
        "--from-frame",
        "--waiting", "--wait", "--lead", "--progress", "--frame-times", "--timeline",
        "--memory-limit", "--log-format", "--json", "--png", "--at",
        "--frames", "--video", "--sheet", "--overlay", "--density", "--terminal",
        "--terminal-graphics", "--size", "--draw-every", "--force", "--version", "-h,",
      ], ["0", "10.0", "200.0", "text", "auto"]
    ),
    (
      "logger --help",
      container + ["--keep", "--after", "--trigger"] + side + recording + [
        "--run", "--connect", "--rendezvous", "--keys", "--lz4", "--follow", "--reading",
        "--from-frame",
        "--waiting", "--wait", "--lead", "--progress", "--frame-times", "--timeline",
        "--memory-limit", "--log-format", "--json", "--out",
        "--per-shard", "--entity", "--columns", "--force", "--version", "-h,",
      ],
      containerDefaults + ["10s", "0s"] + sideDefaults + [
        "full", "1", "0", "10.0", "200.0", "text",
      ]
    ),
    (
      "run --help",
      publishing + ["--out", "--only", "--no-video", "--size", "--at", "--frames"] + container
        + recording + ["--record-entity", "--record-columns"] + side + [
          "--timeline", "--log-format", "--run", "--lockstep", "--progress", "--live", "--json",
          "--version", "-h,",
        ],
      publishingDefaults + ["."] + containerDefaults + ["full", "1"] + sideDefaults
        + ["text"]
    ),
    (
      "control --help",
      [
        "--connect", "--keys", "--at", "--animation", "--completion", "--criteria", "--out",
        "--layout", "--timeout", "--wait", "--json", "--version", "-h,",
      ], ["60.0", "0.0"]
    ),
    (
      "picture diff --help", ["--tolerance", "-o,", "--json", "--version", "-h,"], ["0"]
    ),
    (
      "sample --help",
      [
        "--rate", "--entities", "--copies", "--seed", "--locale", "--threads", "--isa", "--at",
        "--entity",
        "--world", "--json", "--version", "-h,",
      ], ["auto", "auto"]
    ),
    (
      "hash --help",
      [
        "--rate", "--entities", "--copies", "--seed", "--locale", "--threads", "--isa", "--tick",
        "--hash",
        "--shard", "--json", "--version", "-h,",
      ], ["auto", "auto", "full", "0/1"]
    ),
    ("eval --help", ["--path", "--version", "-h,"], ["library"]),
    (
      "curve --help",
      ["--as", "--within", "--rate", "--plot", "--size", "--json", "--version", "-h,"], []
    ),
    ("keygen --help", ["--client", "--force", "--version", "-h,"], ["client"]),
    ("ps --help", ["--json", "--watch", "--interval", "--version", "-h,"], ["0.5"]),
    ("clean --help", ["--version", "-h,"], []),
    ("config show --help", ["--version", "-h,"], []),
  ]

  @Test(arguments: helps)
  func helpHasEveryOptionAndItsDefault(
    line: String, options: [String], defaults: [String]
  ) throws {
    let text = try Self.run(line, in: Place())
    let lines = text.split(separator: "\n").drop { !$0.hasPrefix("USAGE:") }.dropFirst()
    let found = lines.filter { $0.hasPrefix("  -") }.compactMap { $0.split(separator: " ").first }
    #expect(found.map(String.init) == options)
    // A default may stand on a line of its own.
    let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    let parts = words.components(separatedBy: "default: ").dropFirst()
    #expect(parts.map { String($0.prefix { $0 != ")" }) } == defaults)
  }

  @Test func hashIsAWordOrAnObject() throws {
    let place = try Place()
    let word = try Self.run("hash flags --tick 7 --isa baseline", in: place)
    #expect(word.count == 17)
    let hash = word.trimmingCharacters(in: .newlines)
    #expect(
      try Self.run("hash flags --tick 7 --isa baseline --json", in: place)
        == "{\"schema\":\"orrery.hash.v2\",\"entities\":2,\"hash\":\"full\",\"isa\":\"baseline\","
        + "\"state_hash\":\"\(hash)\",\"tick\":7}\n")
    #expect(try Self.run("hash flags --tick 8 --isa baseline", in: place) != word)
    // The last tick that there is.
    #expect(try Self.run("hash flags --tick 4611686018427387904", in: place).count == 17)
  }

  @Test func sampleIsOfTheEntitiesAndTimesThatAreAskedFor() throws {
    let place = try Place()
    func figures(_ line: String) throws -> [[Int]] {
      try Self.run(line + " --json", in: place).split(separator: "\n").map { line in
        let object =
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        return [try #require(object["tick"] as? Int), try #require(object["entity"] as? Int)]
      }
    }
    // To the nearest tick of sixty in a second.
    #expect(
      try figures("sample flags --at 1,0.99,0")
        == [[60, 0], [60, 1], [59, 0], [59, 1], [0, 0], [0, 1]])
    #expect(
      try figures("sample stress --entities 500 --at 2.5 --entity 499 0")
        == [[150, 499], [150, 0]])
    #expect(try figures("sample flags --at 1 --entity 1 --rate 50") == [[50, 1]])
    #expect(
      try figures("sample planets --at 0 --entity 2-3,0 Mars.moon")
        == [[0, 2], [0, 3], [0, 0], [0, 12], [0, 13]])
  }

  @Test func sampledTableHasNamesAndTheColumnsOfItsEntities() throws {
    let place = try Place()
    func heading(_ line: String) throws -> [String] {
      let lines = try Self.run(line, in: place).split(separator: "\n")
      return try #require(lines.first).split(separator: " ").map(String.init)
    }
    #expect(try heading("sample flags --at 0") == ["time(s)", "tick", "entity", "x(pt)"])
    let planets = try heading("sample planets --at 0 --entity Mars.panel")
    #expect(planets.prefix(4) == ["time(s)", "tick", "entity", "name"])
    #expect(planets.contains("opacity") && planets.contains("scale"))
  }

  /// A program beside `orrery` is run as it is, and has no say in what is orrery's own.
  @Test func otherWordsAreProgramsBesideIt() throws {
    let place = try Place()
    let folder = place.files + "/bin"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    // Where it is, and not where it was, is what it looks at.
    let copy = try Program.run("/bin/cp", [Program.directory + "/orrery", folder], in: place)
    #expect(copy.code == 0, "\(copy.errorText)")
    for name in ["sim", "help", "hash", "--version"] {
      try place.write("#!/bin/sh\necho script \"$@\"\n", to: "script")
      let made = try Program.run(
        "/usr/bin/install", ["-m", "755", "script", "-T", "bin/./" + name], in: place)
      #expect(made.code == 0, "\(made.errorText)")
    }
    func answer(_ words: [String]) throws -> String {
      try Program.run(folder + "/orrery", words, in: place).text
    }
    #expect(try answer(["sim", "a b", "--help"]) == "script a b --help\n")
    #expect(try answer(["--version"]).hasPrefix("orrery 0.1.0 ("))
    #expect(try answer(["help"]).contains("SUBCOMMANDS"))
    #expect(try answer(["hash", "flags", "--tick", "1"]).count == 17)
  }

  /// A program whose parent has gone before it could ask to be told stops at once.
  @Test(arguments: ["sim", "logger", "renderer"])
  func programOfAParentThatHasGoneStops(name: String) throws {
    let place = try Place()
    let words = [
      "sim": ["flags", "--run", "p", "--json", "--ticks", "600"],
      "logger": ["--run", "p", "--out", "a.mcap", "--wait", "300"],
      "renderer": ["--run", "p", "--png", "a.png", "--wait", "300"],
    ]
    let run = try Program.run(
      "/usr/bin/env",
      ["ORRERY_PARENT=1", Program.directory + "/" + name] + (words[name] ?? []), in: place)
    #expect(run.code == 0, "\(run.errorText)")
    if name == "sim" {
      #expect(number("frames", in: try report("orrery.sim.v2", in: run.text)) == 0)
    } else {
      #expect(run.errorText.contains("stopped before run 'p' appeared"), "\(run.errorText)")
    }
    #expect(place.runs == [])
  }

  @Test func traceNeedsAName() throws {
    let run = try Program.run("logger", ["--run", "p", "--out", ""], in: Place())
    #expect(run.code == 64)
    #expect(run.errorText.contains("--out: a file's name is needed"), "\(run.errorText)")
  }

  @Test func plotHasTheSizeThatIsAskedFor() throws {
    let place = try Place()
    for (size, expected) in [(["--size", "64x36"], [64, 36]), ([], [960, 600])] {
      _ = try Program.run("orrery", ["curve", "linear", "--plot", "a.png"] + size, in: place)
      let png = [UInt8](try #require(FileManager.default.contents(atPath: place.files + "/a.png")))
      try #require(png.count > 24)
      // Width and height stand in the first chunk.
      #expect([16, 20].map { Int(png[$0 + 2]) << 8 | Int(png[$0 + 3]) } == expected)
    }
  }

  /// One line says what is wrong, on the standard error, under the program's own name.
  @Test(arguments: [
    ("orrery curve linear --plot /proc/nosuch/x.svg", "orrery curve: "),
    ("orrery sample flags --at 0 --entity 2", "orrery sample: "),
    ("orrery hash nosuch --tick 1", "orrery hash: "), ("orrery run nosuch", "orrery run: "),
    ("orrery control nosuch pause", "orrery control: "),
    ("orrery keygen /proc/nosuch/keys", "orrery keygen: "), ("sim nosuch --run a", "orrery sim: "),
    ("renderer --run nosuch --wait 0", "orrery renderer: "),
    ("logger --run nosuch --wait 0 --out a.mcap", "orrery logger: "),
    ("sim flags", "orrery sim: --run <run> is missing: name of the run"),
    ("bench kernals", "orrery bench: no command 'kernals'; did you mean kernels?"),
    ("orrery control a speed -1", "orrery control: -1: no number below 0 is possible here"),
    ("orrery control a seek -5", "orrery control: -5: no number below 0 is possible here"),
    ("bench mine.toml", "orrery bench: no command 'mine.toml'; did you mean run mine.toml?"),
    ("orrery rum flags", "orrery: no command 'rum'; did you mean run?"),
    ("orrery help runn", "orrery: no command 'runn'; did you mean run?"),
    ("orrery export a.mcap", "orrery: no command 'export'; did you mean trace export?"),
    (
      "orrery run flags --record-entity nosuch",
      "orrery run: --record-entity nosuch: the scene has no such entity"
    ),
    ("orrery run flags --dur 5", "orrery run: no option --dur; did you mean --duration?"),
    ("orrery run flags --rate 0", "orrery run: --rate 0 is not possible: ticks per second, 0.01"),
    ("orrery run flags --size 20000x20000", "orrery run: --size 20000x20000 is not possible: size"),
    ("orrery sample flags --at 1e20", "orrery sample: --at 1e20 is not possible: scene times in"),
    ("orrery run flags --out -", "orrery run: --out -: standard output has the report"),
    ("logger --run nosuch --out -", "orrery logger: --out -: standard output has the report"),
    ("renderer --run nosuch --video -", "orrery renderer: --video -: standard output has the"),
  ])
  func failureIsSaidUnderTheProgramsName(line: String, name: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let run = try Program.run(words[0], Array(words.dropFirst()), in: Place())
    #expect(run.code != 0)
    #expect(run.errorText.hasPrefix(name), "\(run.errorText)")
    #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    #expect(run.text == "")
  }

  @Test func keysAreListedOneOnALine() throws {
    let place = try Place()
    let first = try Self.run("keygen keys", in: place)
    let files = ["server.key", "server.pub", "client.key", "clients/client.pub"]
    #expect(Set(first.split(separator: "\n").map(String.init)) == Set(files.map { "keys/" + $0 }))
    // Another client's keys beside them, and the server's are as they were.
    let server = FileManager.default.contents(atPath: place.files + "/keys/server.key")
    let second = try Self.run("keygen keys --client other", in: place)
    #expect(second.contains("other"))
    #expect(!second.contains("server.key"))
    #expect(FileManager.default.contents(atPath: place.files + "/keys/server.key") == server)
    // Unless they are to be replaced.
    _ = try Self.run("keygen keys --force", in: place)
    #expect(FileManager.default.contents(atPath: place.files + "/keys/server.key") != server)
  }

  @Test func inputThatCannotBeReadIsAFailure() throws {
    let place = try Place()
    let run = try Program.run(
      "/bin/bash", ["-c", "\(Program.directory)/orrery eval < /"], in: place)
    #expect(run.code == 74)
    #expect(run.errorText.contains("standard input"), "\(run.errorText)")
  }

  /// Where the signal that would end it is ignored.
  @Test func readerThatHasHadEnoughIsNoFailure() throws {
    let place = try Place()
    let times = (0..<20_000).map { "\($0)" }.joined(separator: ",")
    try place.write(times, to: "times")
    let run = try Program.run(
      "/bin/bash",
      [
        "-c",
        "trap '' PIPE; \(Program.directory)/orrery sample flags --at $(cat times) | head -1;"
          + " exit ${PIPESTATUS[0]}",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.text.split(separator: "\n").count == 1)
    #expect(run.errorText == "")
  }

  @Test func helpIsAsWideAsItIsAsked() throws {
    let place = try Place()
    func width(_ variable: String) throws -> Int {
      let line = "\(variable) \(Program.directory)/orrery run --help"
      let run = try Program.run("/bin/bash", ["-c", line], in: place)
      return try #require(run.text.split(separator: "\n").map(\.count).max())
    }
    #expect(try width("COLUMNS=") <= 80)
    #expect(try (90...120).contains(width("COLUMNS=120")))
    #expect(try width("COLUMNS=-1") <= 80)
  }

  /// What writes tables is in the program itself.
  @Test func tablesAreWrittenByAProgramAlone() throws {
    let place = try Place()
    let line = """
      cp \(Program.directory)/orrery . && export ORRERY_PYTHON=\(Program.python) && \
      ./orrery trace export parquet \(Program.root)/Tests/Fixtures/trace-0.1/full.mcap -o tables
      """
    let run = try Program.run("/bin/bash", ["-c", line], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(place.has("tables/run=full"), "\(run.errorText)")
    let wrong = try Program.run(
      "/bin/bash", ["-c", line.replacing("-o tables", with: "-o tables --every x")], in: place)
    #expect(wrong.code == 64, "\(wrong.errorText)")
  }
}
