// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Goal: a trace can be used with every `orrery trace` command, whatever it keeps of frames, and what comes out is read by
/// programs that we did not write.
///
/// Method: one run of 90 ticks, recorded at once in full, as deltas, rounded, and as hashes; each command is run on that.
@Suite(.serialized) struct TraceUseProcessTests {
  /// The run's traces, in a place that lives as long as this process.
  private struct Recording {
    let place: Place
    static let files = ["full", "delta", "rounded", "digest"]

    static let made = Result { try Recording() }

    private init() throws {
      place = try Place()
      let options = [[], ["--delta"], ["--quantise", "16", "--delta"], ["--mode", "digest"]]
      let sim = try Program(
        "sim",
        [
          "planets", "--run", "use", "--duration", "1.5", "--rate", "60", "--lockstep",
          "--wait-for", "4", "--events", "all",
        ], in: place)
      let loggers = try zip(Self.files, options).map { name, options in
        try Program("logger", ["--run", "use", "--out", name + ".mcap"] + options, in: place)
      }
      for program in loggers + [sim] { #expect(program.wait() == 0, "\(program.errorText)") }
    }
  }

  private let place: Place

  init() throws { place = try Recording.made.get().place }

  /// Runs `orrery trace`, and expects an exit code.
  @discardableResult
  private func trace(_ words: [String], code: Int32 = 0) throws -> (text: String, errors: String) {
    let run = try Program.run("orrery", ["trace"] + words, in: place)
    #expect(run.code == code, "\(words): \(run.text)\(run.errorText)")
    return (run.text, run.errorText)
  }

  /// Runs a program in Python, which reads files with packages of others.
  @discardableResult
  private func python(_ program: String, _ words: [String] = []) throws -> String {
    let run = try Program.run(Program.python, ["-c", program] + words, in: place)
    #expect(run.code == 0, "\(run.errorText)")
    return run.text
  }

  private func info(_ files: [String]) throws -> [String: Any] {
    let line = try report("orrery.trace-info.v1", in: trace(["info", "--json"] + files).text)
    return try #require((line["runs"] as? [[String: Any]])?.first)
  }

  @Test func everyModeReplaysToTheSameHashes() throws {
    var ends: [[String?]] = []
    for name in Recording.files {
      let file = name + ".mcap"
      #expect(try trace(["verify", file]).text.contains("compared      90 frames"))
      let found = try info([file])
      ends.append(
        ["first", "last"].map { (found[$0] as? [String: Any])?["state_hash"] as? String })
      let words = name == "rounded" ? ["--tolerance", "0.15"] : []
      try trace(["diff", "full.mcap", file] + words)
    }
    #expect(Set(ends).count == 1 && ends[0][0] != nil && ends[0][0] != ends[0][1])
  }

  @Test(arguments: ["full", "delta", "digest"])
  func whatIsPlayedIsRecordedAgain(name: String) throws {
    let play = try Program(
      "orrery",
      [
        "trace", "play", name + ".mcap", "--run", "again", "--wait-for", "1", "--unpaced",
        "--lockstep", "--from-tick", "11", "--to-tick", "40", "--json",
      ], in: place)
    let logger = try Program(
      "logger", ["--run", "again", "--out", "again.mcap", "--force", "--wait", "300"], in: place)
    #expect(play.wait() == 0, "\(play.errorText)")
    #expect(logger.wait() == 0, "\(logger.errorText)")
    #expect(try report("orrery.work.v1", in: play.text)["phase"] as? String == "waiting")
    let difference = try trace(["diff", "again.mcap", "full.mcap", "--json"]).text
    let found = try report("orrery.trace-diff.v1", in: difference)
    #expect(number("ticks", in: found) == 30 && number("only_a", in: found) == 0)
  }

  /// Ticks 31 to 60 are the half second up to one second.
  @Test(arguments: ["full", "delta", "digest"])
  func partsByTimeAndByTickAreEqualAndPassVerify(name: String) throws {
    let file = name + ".mcap"
    try trace([
      "filter", file, "-o", "a.mcap", "--force", "--from-tick", "31", "--to-tick", "60",
    ])
    try trace(["filter", file, "-o", "b.mcap", "--force", "--from", "0.51667", "--to", "1"])
    try trace(["filter", file, "-o", "c.mcap", "--force", "--from-tick", "61"])
    #expect(
      FileManager.default.contents(atPath: place.files + "/a.mcap")
        == FileManager.default.contents(atPath: place.files + "/b.mcap"))
    let part = try info(["a.mcap"])
    // The keyframes are frames 1 and 61.
    let first = try #require(part["first"] as? [String: Any])
    #expect(number("tick", in: first) == (name == "delta" ? 1 : 31))
    #expect(number("tick", in: try #require(part["last"] as? [String: Any])) == 60)
    try trace(["merge", "a.mcap", "c.mcap", "-o", "m.mcap", "--force"])
    for output in ["a", "c", "m"] { try trace(["verify", output + ".mcap"]) }
    let merged = try report(
      "orrery.trace-diff.v1", in: trace(["diff", "m.mcap", "full.mcap", "--json"]).text)
    #expect(number("ticks", in: merged) == (name == "delta" ? 90 : 60))
  }

  @Test func messagesArePrintedWithTheirSceneTime() throws {
    let text = try trace([
      "cat", "full.mcap", "--topic", "/orrery/frames", "/orrery/points", "--from", "0.5", "--to",
      "0.5",
    ]).text
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains("\"tick\":30,\"scene_time_s\":0.5,") }, "\(text)")
  }

  @Test func foreignReadersOpenWhatIsExported() throws {
    let part = ["--from-tick", "10", "--to-tick", "12", "--entity", "Mars.header"]
    for format in ["csv", "ndjson"] {
      try trace(["export", format, "full.mcap", "-o", "rows." + format, "--force"] + part)
    }
    try trace(["export", "chrome", "full.mcap", "-o", "times.json", "--force"])
    let pictures = ["--size", "64x36", "--force"]
    try trace(["export", "png", "full.mcap", "-o", "a.png", "--from-tick", "20"] + pictures)
    try trace(
      [
        "export", "video", "full.mcap", "-o", "a.mp4", "--from-tick", "20", "--to-tick", "29",
      ] + pictures)
    try python(
      """
      import csv, json, subprocess
      rows = list(csv.DictReader(open("rows.csv")))
      lines = [json.loads(line) for line in open("rows.ndjson")]
      assert [int(row["tick"]) for row in rows] == [10, 11, 12], rows
      for row, line in zip(rows, lines):
          assert row["name"] == line["name"] == "Mars.header"
          assert all(float(row[key]) == line[key] for key in ["time_s", "x", "y"]), (row, line)
      events = json.load(open("times.json"))
      events = events["traceEvents"] if isinstance(events, dict) else events
      computed = [e for e in events if e.get("name") == "compute"]
      assert len(computed) == 90, len(computed)
      def probe(name, entry):
          words = ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0"]
          words += ["-show_entries", "stream=width,height," + entry, "-of", "json", name]
          return json.loads(subprocess.check_output(words))["streams"][0]
      assert probe("a.png", "codec_name") == {"codec_name": "png", "width": 64, "height": 36}
      assert probe("a.mp4", "nb_read_frames")["nb_read_frames"] == "10"
      """)
  }

  /// Whether Python has a package; tools/install installs pyarrow where it can be had, and rerun-sdk never.
  private static func has(_ package: String) -> Bool {
    (try? Program.run(Program.python, ["-c", "import " + package], in: Place()).code) == 0
  }

  /// Counts and coordinates of all points and views.
  @Test(.enabled(if: has("rerun")))
  func rerunDrawsThePointsAndViewsThatAreRecorded() throws {
    let check = try Program.run(
      Program.python, [Program.root + "/tools/check-viewers", "full.mcap", "delta.mcap"], in: place)
    #expect(check.code == 0, "\(check.text)\(check.errorText)")
  }

  @Test(.enabled(if: has("pyarrow")))
  func pyarrowReadsTables() throws {
    for format in ["arrow", "parquet"] {
      try trace([
        "export", format, "full.mcap", "-o", "table." + format, "--force", "--from-tick", "10",
        "--to-tick", "12", "--entity", "Mars.header", "Mars.panel",
      ])
    }
    let text = try python(
      """
      import pyarrow.dataset as ds
      for kind in ["arrow", "parquet"]:
          table = ds.dataset("table." + kind, format=kind, partitioning="hive").to_table()
          rows = sorted((row["tick"], row["name"], row["x"], row["y"]) for row in table.to_pylist())
          print(len(rows), rows[0][0], rows[-1][0], rows[0][1], set(table["run"].to_pylist()))
      """)
    let line = "6 10 12 Mars.header {'full'}"
    #expect(text.split(separator: "\n").map(String.init) == [line, line], "\(text)")
  }

  /// Goal: samples in Parquet become the scene that they become as CSV, and what is wrong is one line with its code.
  @Test(.enabled(if: has("pyarrow"))) func samplesInParquetBecomeAScene() throws {
    let table = "time,entity,x,opacity\\n0,card,0,1\\n0.5,card,,0.5\\n1,card,100,\\n"
    _ = try python(
      """
      import pyarrow.csv as csv, pyarrow.parquet as parquet
      open("samples.csv", "w").write("\(table)")
      parquet.write_table(csv.read_csv("samples.csv"), "samples.parquet")
      parquet.write_table(csv.read_csv("samples.csv").select(["x"]), "untimed.parquet")
      open("cut.parquet", "wb").write(open("samples.parquet", "rb").read()[:200])
      """)
    func made(_ words: [String], code: Int32 = 0) throws -> String {
      let run = try Program.run("orrery", words, in: place)
      #expect(run.code == code, "\(words): \(run.errorText)")
      return code == 0 ? run.text : run.errorText
    }
    #expect(
      try made(["scene", "import", "samples.parquet"])
        == made(["scene", "import", "samples.csv"]))
    for (words, code, reason) in [
      (["scene", "import", "cut.parquet"], 65, "cut.parquet: Parquet magic bytes not found"),
      (["scene", "import", "untimed.parquet"], 65, "untimed.parquet:1:1: "),
      (
        ["hash", "samples.parquet", "--tick", "1"], 65,
        "samples.parquet: a table in Parquet, and no scene"
      ),
    ] as [([String], Int32, String)] {
      let errors = try made(words, code: code)
      #expect(errors.contains(reason), "\(errors)")
      #expect(errors.split(separator: "\n").count == 1, "\(errors)")
    }
  }

  @Test func plotHasTheNamedEntitysValues() throws {
    try trace(["plot", "full.mcap", "--entity", "Mars.header", "-o", "mars.svg"])
    let svg = try String(contentsOfFile: place.files + "/mars.svg", encoding: .utf8)
    #expect(svg.hasPrefix("<?xml") || svg.hasPrefix("<svg"))
    try trace(["plot", "full.mcap", "--entity", "Pluto", "-o", "pluto.svg"], code: 64)
    #expect(!place.has("pluto.svg"))
  }

  @Test func differentRunsDifferAtATickAndAnEntity() throws {
    for seed in ["1", "2"] {
      let sim = try Program(
        "sim",
        [
          "stress", "--entities", "20", "--seed", seed, "--run", "seed" + seed, "--ticks", "20",
          "--unpaced", "--lockstep", "--wait-for", "1",
        ], in: place)
      let logger = try Program(
        "logger", ["--run", "seed" + seed, "--out", "seed" + seed + ".mcap", "--force"], in: place)
      for program in [sim, logger] { #expect(program.wait() == 0, "\(program.errorText)") }
    }
    let text = try trace(["diff", "seed1.mcap", "seed2.mcap"], code: 1).text
    #expect(text.contains("first         tick 1, entity 0"), "\(text)")
  }

  @Test func theTraceOfAKilledLoggerIsRecovered() throws {
    let sim = try KilledLogger.record(forUs: 700_000, in: place)
    sim.signal(SIGTERM)
    let run = try Program.run("orrery", ["trace", "recover", "killed.mcap", "r.mcap"], in: place)
    #expect(run.code == 3, "\(run.text)\(run.errorText)")
    // Everything in it is right, but the recorder did not end.
    let verified = try trace(["verify", "r.mcap"], code: 3)
    #expect(verified.errors.contains("unfinished: the recorder did not end"), "\(verified.errors)")
    let count = try python(
      """
      from mcap.reader import make_reader
      with open("r.mcap", "rb") as stream:
          reader = make_reader(stream, validate_crcs=True)
          print(sum(1 for _, channel, _ in reader.iter_messages() if channel.topic == "/orrery/frames"))
      """)
    #expect((Int(count.trimmingCharacters(in: .newlines)) ?? 0) > 5)
    sim.wait()
  }

  /// The whole run takes half a second: timings are sent once a second, and at its end.
  @Test func aShortRunHasItsTimings() throws {
    let sim = try Program(
      "sim",
      [
        "stress", "--entities", "20", "--run", "short", "--ticks", "30", "--rate", "60",
        "--wait-for", "1",
      ], in: place)
    let logger = try Program("logger", ["--run", "short", "--out", "short.mcap"], in: place)
    for program in [sim, logger] { #expect(program.wait() == 0, "\(program.errorText)") }
    let text = try trace(["cat", "short.mcap", "--topic", "/orrery/timings", "--full"]).text
    #expect(text.split(separator: "\n").count == 1, "\(text)")
    #expect(text.contains("\"tick\":1,"), "\(text)")
  }

  static let wrong: [([String], Int32, String)] = [
    (["info", "none.mcap"], 69, "none.mcap"),
    (["info", "text.mcap"], 65, "text.mcap"),
    (["verify", "none.mcap"], 69, "none.mcap"),
    (["recover", "text.mcap", "x.mcap"], 65, "text.mcap"),
    (["recover", "full.mcap", "full.mcap", "--force"], 64, "is also an input"),
    (["cat", "text.mcap"], 65, "text.mcap"),
    (["cat", "full.mcap", "--from", "-1"], 64, "--from -1.0: use 0 to 4000000000 seconds"),
    (["cat", "full.mcap", "--from", "1", "--from-tick", "1"], 64, "exclude each other"),
    (["filter", "full.mcap", "-o", "x.mcap", "--from-tick", "5", "--to-tick", "4"], 64, "after"),
    (["filter", "full.mcap", "-o", "x.mcap", "--from-tick", "900"], 1, "no frame in that time"),
    (["filter", "delta.mcap", "-o", "x.mcap", "--every", "2"], 65, "deltas"),
    (["merge", "full.mcap", "-o", "full.mcap", "--force"], 64, "is also an input"),
    (["play", "text.mcap"], 65, "text.mcap"),
    (["play", "full.mcap", "--from-tick", "900"], 1, "no frame in that time"),
    (["prove", "none.mcap"], 69, "none.mcap"),
    (["diff", "full.mcap"], 64, "two traces are compared"),
    (["diff", "full.mcap", "text.mcap"], 65, "text.mcap"),
    (["plot", "full.mcap", "--entity", "0", "-o", "x.txt"], 64, "neither in .svg nor in .png"),
    (["export", "csv", "full.mcap", "--entity", "Pluto"], 64, "Pluto"),
    (["export", "chrome", "text.mcap", "-o", "x.json"], 65, "text.mcap"),
    (["export", "png", "full.mcap"], 64, "--out is missing"),
    (["export", "parquet", "text.mcap", "-o", "x"], 65, "text.mcap"),
  ]

  /// No command leaves a file, and each says what is wrong in one line.
  @Test func wrongInputIsOneLineAndAnExitCode() throws {
    try place.write("no trace", to: "text.mcap")
    for (words, code, part) in Self.wrong {
      let run = try Program.run("orrery", ["trace"] + words, in: place)
      #expect(run.code == code, "\(words): \(run.errorText)")
      #expect(run.text.isEmpty && run.errorText.contains(part), "\(words): \(run.errorText)")
      #expect(run.errorText.split(separator: "\n").count == 1, "\(words): \(run.errorText)")
    }
    #expect(!["x.mcap", "x.json", "x.txt", "x"].contains(where: place.has))
  }
}
