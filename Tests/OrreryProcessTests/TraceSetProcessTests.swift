// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: a recording in several files ends, and every `orrery trace` command finds every frame of it.
///
/// Method: real loggers split one run by size and by time, in every kind of recording; what commands make of the files is
/// compared with what they make of one file of the same run. Then the disk is full, the files are moved, the logger is
/// told to end.
@Suite(.serialized) struct TraceSetProcessTests {
  /// The files of a set, in their order.
  private static func files(_ name: String, in place: Place) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place.files)
      .filter { $0.hasPrefix(name + ".0") && $0.hasSuffix(".mcap") }.sorted()
  }

  @discardableResult
  private static func trace(
    _ words: [String], in place: Place, code: Int32 = 0
  ) throws -> String {
    let run = try Program.run("orrery", ["trace"] + words, in: place)
    #expect(run.code == code, "\(words): \(run.text)\(run.errorText)")
    return run.text
  }

  /// Runs a sim with these loggers, each with its options; they write whole.mcap and 0.NNNN.mcap, 1.NNNN.mcap and so on.
  private static func record(
    _ sim: [String], _ loggers: [[String]], in place: Place
  ) throws -> [[String: Any]] {
    let sim = try Program(
      "sim",
      ["stress", "--entities", "4000", "--run", "set", "--wait-for", "\(loggers.count + 1)"] + sim,
      in: place)
    let programs = try ([[]] + loggers).enumerated().map { index, options in
      try Program(
        "logger",
        ["--run", "set", "--out", index == 0 ? "whole.mcap" : "\(index - 1).mcap", "--json"]
          + options, in: place)
    }
    for program in programs + [sim] { #expect(program.wait() == 0, "\(program.errorText)") }
    return try programs.map { try report("orrery.subscriber.v2", in: $0.text) }
  }

  /// Uses a set with every command.
  private static func use(_ files: [String], frames: Int, in place: Place) throws {
    let info = try report("orrery.trace-info.v1", in: trace(["info", "--json"] + files, in: place))
    let runs = try #require(info["runs"] as? [[String: Any]])
    #expect(runs.count == 1)
    let states = (info["files"] as? [[String: Any]])?.map { $0["state"] as? String }
    #expect(states == files.map { _ in "whole" })
    #expect(try trace(["verify"] + files, in: place).contains("compared      \(frames) frames"))
    #expect(try trace(["prove"] + files, in: place).contains("\(frames)"))
    let listing = try trace(["info"] + files, in: place)
    let topics = ["/orrery/frames", "/orrery/deltas", "/orrery/digests"].filter {
      listing.contains($0)
    }
    let lines = try trace(["cat"] + files + ["--topic"] + topics, in: place).split(separator: "\n")
    let isDigest = lines.first?.contains("/orrery/digests") == true
    #expect(isDigest || lines.count == frames)
    let difference = try report(
      "orrery.trace-diff.v1",
      in: trace(["diff", "--json"] + files + ["--against", "whole.mcap"], in: place))
    #expect(number("ticks", in: difference) == frames)
    #expect(number("only_a", in: difference) == 0 && number("only_b", in: difference) == 0)
    let rows = ["--entity", "0,1999,3999", "--every", "7"]
    #expect(
      try trace(["export", "csv"] + files + rows, in: place)
        == trace(["export", "csv", "whole.mcap"] + rows, in: place))
    try trace(["export", "chrome"] + files + ["-o", "a.json", "--force"], in: place)
    try trace(["plot"] + files + ["--entity", "7", "-o", "a.svg"], in: place)
    for command in ["filter", "merge"] {
      try trace([command] + files + ["-o", "copy.mcap"], in: place)
      try trace(["diff", "copy.mcap", "whole.mcap"], in: place)
      unlink(place.files + "/copy.mcap")
    }
    for file in files {
      try trace(["recover", file, "part-\(file)"], in: place)
    }
    try trace(
      ["diff"] + files.map { "part-\($0)" } + ["--against", "whole.mcap"], in: place)
    let play = try Program(
      "orrery",
      [
        "trace", "play", "--run", "again", "--wait-for", "1", "--unpaced", "--lockstep",
      ] + files, in: place)
    let logger = try Program(
      "logger", ["--run", "again", "--out", "again.mcap", "--force", "--wait", "300"], in: place)
    for program in [play, logger] { #expect(program.wait() == 0, "\(program.errorText)") }
    try trace(["diff", "again.mcap", "whole.mcap"], in: place)
    for file in try FileManager.default.contentsOfDirectory(atPath: place.files)
    where file.hasPrefix("part-") { unlink(place.files + "/" + file) }
  }

  /// Frames of 96 KB: a file has some ten.
  @Test func everyFrameOfASetBySizeIsFound() throws {
    let place = try Place()
    let options = [[], ["--compression", "lz4"], ["--compression", "zstd"], ["--delta"]]
    let reports = try Self.record(
      ["--ticks", "90", "--lockstep", "--unpaced"],
      options.map { $0 + ["--max-size", "1MiB"] }, in: place)
    for index in options.indices {
      let files = try Self.files("\(index)", in: place)
      #expect(files.count > 2, "\(options[index]): \(files)")
      #expect(reports[index + 1]["files"] as? [String] == files)
      #expect(number("received", in: reports[index + 1]) == 90)
      try Self.use(files, frames: 90, in: place)
    }
  }

  /// In real time, with nothing compressed and all of it, whole frames, deltas and hashes.
  @Test func everyFrameOfASetByTimeIsFound() throws {
    let place = try Place()
    let options = [
      [], ["--compression", "lz4", "--delta"], ["--mode", "digest"],
      ["--compression", "zstd", "--max-size", "1MiB"],
    ]
    let reports = try Self.record(
      ["--duration", "2", "--rate", "60", "--ring-memory", "200MiB"],
      options.map { $0 + ["--max-duration", "0.25"] }, in: place)
    // On a busy machine a frame may be missed; then the others are compared by those that were received.
    let isWhole = reports.allSatisfy { number("received", in: $0) == 120 }
    for index in options.indices {
      let files = try Self.files("\(index)", in: place)
      // A digest is a message a second, and a file has one at least.
      #expect(
        files.count > (options[index].contains("digest") ? 1 : 3), "\(options[index]): \(files)")
      #expect(reports[index + 1]["files"] as? [String] == files)
      if isWhole {
        try Self.use(files, frames: 120, in: place)
      } else {
        try Self.trace(["verify"] + files, in: place)
      }
    }
  }

  /// The limits are as small as they may be: nearly every frame begins a file.
  @Test(arguments: [["--max-size", "1MiB"], ["--max-duration", "0.1", "--max-size", "1MiB"]])
  func smallestFilesHaveAFrameEach(limits: [String]) throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "stress", "--entities", "40000", "--run", "tiny", "--ticks", "60", "--lockstep",
        "--unpaced", "--wait-for", "1",
      ], in: place)
    let logger = try Program(
      "logger", ["--run", "tiny", "--out", "tiny.mcap"] + limits, in: place)
    #expect(logger.wait() == 0, "\(logger.errorText)")
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let files = try Self.files("tiny", in: place)
    #expect(files.count > 30)
    #expect(try Self.trace(["verify"] + files, in: place).contains("compared      60 frames"))
  }

  @Test(
    .enabled(if: getuid() == 0, "needs root: mounts a small disk"),
    arguments: [["--compression", "none"], ["--compression", "lz4"], ["--delta"]])
  func fullDiskLeavesAWholeSet(options: [String]) throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "stress", "--entities", "4000", "--rate", "240", "--duration", "3", "--wait-for", "1",
        "--run", "full", "--json",
      ], in: place)
    let disk = place.files + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let words = (options + ["--max-size", "1MiB"]).joined(separator: " ")
    let run = try Program.run(
      "/usr/bin/unshare",
      [
        "-m", "/bin/bash", "-c",
        "mount -t tmpfs -o size=5m tmpfs \(disk) || exit 99; bin=\(Program.directory)\n"
          + """
          $bin/logger --run full --out \(disk)/a.mcap --min-free-space 0 \(words)
          echo "code $?"
          $bin/orrery trace verify \(disk)/a.*.mcap >&2
          echo "code $?"
          echo "next $(cat $(ls \(disk)/a.*.mcap | tail -1) | grep -c orrery.next)"
          for file in \(disk)/a.*.mcap; do
            $bin/orrery trace cat $file --topic /orrery/frames | wc -l
          done
          """,
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let lines = run.text.split(separator: "\n").map(String.init)
    // The last file has no account of the recording; if one was begun after it, it has said so.
    let code = lines.contains("next 0") ? 3 : 0
    #expect(
      lines.filter { $0.hasPrefix("code") } == ["code 74", "code \(code)"],
      "\(run.text)\(run.errorText)")
    let counts = lines.compactMap { Int($0) }
    #expect(counts.count > 2 && !counts.contains(0), "\(run.text)")
    #expect(run.errorText.contains("No space left"), "\(run.errorText)")
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }

  /// Each trace that is asked for is a set.
  @Test func flightRecorderWritesSets() throws {
    let place = try Place()
    let sim = try Program(
      "sim", ["stress", "--entities", "4000", "--run", "kept", "--wait-for", "1"], in: place)
    let logger = try Program(
      "logger",
      [
        "--run", "kept", "--out", "kept.mcap", "--mode", "flight", "--keep", "60s", "--max-size",
        "1MiB", "--json",
      ], in: place)
    sim.wait(for: "some seconds of frames") {
      let stats = try? Program.run(
        "orrery", ["control", "kept", "stats", "--json", "--wait", "20"], in: place)
      let fields = stats.flatMap { try? report("orrery.control.v1", in: $0.text) }
      return fields.flatMap { number("sequence", in: $0) } ?? 0 > 70
    }
    logger.signal(SIGUSR1)
    logger.wait(for: "the first set") { logger.errorText.contains("kept.0002.mcap") }
    #expect(try Program.run("orrery", ["control", "kept", "quit"], in: place).code == 0)
    #expect(logger.wait() == 0, "\(logger.errorText)")
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let files = try Self.files("kept", in: place)
    #expect(files.count > 3)
    let found = try report("orrery.subscriber.v2", in: logger.text)
    #expect(found["files"] as? [String] == files)
    let lines = try Self.trace(["cat"] + files + ["--topic", "/orrery/frames"], in: place)
    #expect(lines.split(separator: "\n").count > 60)
    try Self.trace(["verify"] + files, in: place)
    let refused = try Program.run(
      "logger",
      ["--run", "kept", "--out", "b.mcap", "--mode", "flight", "--max-duration", "1"], in: place)
    #expect(refused.code == 64 && refused.errorText.contains("--max-duration"))
    let earlier = try Program.run(
      "logger", ["--run", "kept", "--out", "kept.mcap", "--mode", "flight", "--max-size", "1MiB"],
      in: place)
    #expect(earlier.code == 74 && earlier.errorText.contains("kept.0001.mcap: File exists"))
  }

  @Test func loggersOfShardsWriteSets() throws {
    let place = try Place()
    let sims = try (0..<2).map {
      try Program(
        "sim",
        [
          "stress", "--entities", "8000", "--run", "demo", "--shard", "\($0)/2", "--ticks", "60",
          "--lockstep", "--unpaced", "--wait-for", "2",
        ], in: place)
    }
    let loggers = try [
      ["--per-shard", "--out", "run.mcap", "--max-size", "1MiB", "--compression", "lz4"],
      ["--out", "joined.mcap", "--max-size", "1MiB"],
    ].map { try Program("logger", ["--run", "demo", "--wait", "300"] + $0, in: place) }
    for program in sims + loggers { #expect(program.wait() == 0, "\(program.errorText)") }
    let parts = try Self.files("run.0of2", in: place) + Self.files("run.1of2", in: place)
    let joined = try Self.files("joined", in: place)
    #expect(parts.count > 4 && joined.count > 4)
    let difference = try report(
      "orrery.trace-diff.v1",
      in: Self.trace(["diff", "--json"] + parts + ["--against"] + joined, in: place))
    #expect(number("ticks", in: difference) == 60)
    #expect(number("only_a", in: difference) == 0 && number("only_b", in: difference) == 0)
    try Self.trace(["verify"] + parts, in: place)
  }

  /// A signal in the middle of a switch of files, and a second one.
  @Test(arguments: [SIGTERM, SIGINT])
  func stoppedSetIsWhole(signal: Int32) throws {
    for attempt in 0..<4 {
      let place = try Place()
      let sim = try Program(
        "sim",
        [
          "stress", "--entities", "20000", "--rate", "120", "--duration", "20", "--run", "stop",
          "--wait-for", "1",
        ], in: place)
      let logger = try Program(
        "logger", ["--run", "stop", "--out", "stop.mcap", "--max-size", "1MiB", "--json"], in: place
      )
      logger.wait(for: "the third file") { place.has("stop.0003.mcap") }
      usleep(UInt32(attempt) * 7_000)
      logger.signal(signal)
      #expect(logger.wait() == 0, "\(logger.errorText)")
      sim.signal(SIGTERM)
      #expect(sim.wait() == 0, "\(sim.errorText)")
      let found = try report("orrery.subscriber.v2", in: logger.text)
      let files = try Self.files("stop", in: place)
      #expect(found["files"] as? [String] == files)
      let lines = try Self.trace(["cat"] + files + ["--topic", "/orrery/frames"], in: place)
      #expect(lines.split(separator: "\n").count == number("received", in: found))
      try Self.trace(["verify"] + files, in: place)
    }
  }
}
