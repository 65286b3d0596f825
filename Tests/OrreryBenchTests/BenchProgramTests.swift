// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// The program bench says what it finds, and ends as it says.
///
/// Method: this build's own bench, in a folder of its own; shell scripts stand in for builds whose figures are known.
@Suite struct BenchProgramTests {
  /// A bench at work.
  private final class Bench {
    private let base: TemporaryBase
    private let process: ChildProcess

    /// Starts it without any other program on its PATH.
    init(_ line: String, in base: TemporaryBase) throws {
      self.base = base
      for name in ["/output", "/errors"] { try Data().write(to: URL(filePath: base.path + name)) }
      process = try ChildProcess(
        "/usr/bin/env",
        [
          "-C", base.path, "PATH=/nonexistent", "TMPDIR=" + base.path, "ORRERY_CONFIG=none",
          StartedProgram.bench,
        ] + line.split(separator: " ").map(String.init), output: .path(base.path + "/output"),
        errors: .path(base.path + "/errors"))
    }

    deinit { process.kill() }

    var processID: pid_t { process.processID }
    var hasEnded: Bool { process.status != nil }
    var text: String { SmallFile.read(base.path + "/output") ?? "" }
    var errors: String { SmallFile.read(base.path + "/errors") ?? "" }

    /// Kills it.
    func kill() { process.kill() }

    /// Runs one to its end, and returns its exit code and what it printed.
    static func run(
      _ line: String, in base: TemporaryBase
    ) throws -> (code: Int32?, text: String, errors: String) {
      let bench = try Bench(line, in: base)
      try waitUntil("the end of bench " + line) { bench.hasEnded }
      return (bench.process.status?.code, bench.text, bench.errors)
    }
  }

  /// What a build is like that stands in for another.
  enum Build: String, CaseIterable {
    /// It is slower by what is planted.
    case honest = ""
    /// It is never slower.
    case blind = #"*) echo '{"value":100}' ;;"#
    /// The new one is slower in a row where nothing is planted.
    case uneven = #"*'"row":3}') echo "{\"value\":$planets}" ;;"#
  }

  /// Writes a program `bench` that measures four rows in turns with another, without any noise, and one of whole
  /// programs.
  private static func write(_ build: Build, in base: TemporaryBase) throws {
    let rows = [
      StudyRow("tick stress", unit: "ns"), StudyRow("publish", unit: "ns"),
      StudyRow("record", unit: "MB/s", better: .larger), StudyRow("tick planets", unit: "ns"),
    ]
    let folder = base.path + "/build"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let offer =
      #"{"rows":\#(JSONLine.text(rows)),"context":\#(JSONLine.text(StudySamples.context))}"#
    try AtomicFile.write(offer + "\n", to: folder + "/offer")
    let frames = StudyRow("frame found", unit: "µs", samples: [100])
    try StudySamples.result([frames]).write(to: folder + "/result")
    // The old one is started first, and says what it can do before the new one is started.
    try AtomicFile.write(
      #"""
      #!/bin/sh
      folder=${0%/*}
      if [ "$1" = run ]; then
        for file; do :; done
        exec /bin/cat "$folder/result" >"$file"
      fi
      planets=100
      if ! /bin/mkdir "$folder/old" 2>/dev/null; then /bin/rmdir "$folder/old"; planets=130; fi
      /bin/cat "$folder/offer"
      while read -r line; do
        case $line in
          \#(build.rawValue)
          *'"plant":0,'*) echo '{"value":100}' ;;
          *'"row":2}') echo '{"value":90}' ;;
          *) echo '{"value":110}' ;;
        esac
      done
      """#, to: folder + "/bench")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder + "/bench")
  }

  /// The check of comparisons fails where a planted slowdown is not found, and where anything else is.
  @Test(
    arguments: [
      (.honest, 0, 1, "0 in 2 comparisons"), (.blind, 1, 0, "0 in 2 comparisons"),
      (
        .uneven, 1, 1,
        "2 in 2 comparisons: 1: tick planets 1.300, 1: tick planets 1.300"
      ),
    ] as [(Build, Int32, Int, String)])
  func checkOfComparisonsFindsWhatIsPlanted(
    build: Build, code: Int32, found: Int, alarms: String
  ) throws {
    let base = try TemporaryBase()
    try Self.write(build, in: base)
    let run = try Bench.run("check-compare build --count 1 --starts 4 --round-ms 1", in: base)
    #expect(
      run.text == """
        publish, 10 % slower: found in \(found) of 1
        record, 5 % slower: found in \(found) of 1
        tick stress, 5 % slower: found in \(found) of 1
        false alarms: \(alarms)

        """, "\(run.errors)")
    #expect(run.code == code)
  }

  /// Of two builds each row has two rounds a start; how long that takes nobody knows before the first.
  @Test func buildsAreStartedAsOftenAsIsSaid() throws {
    let base = try TemporaryBase()
    try Self.write(.honest, in: base)
    let run = try Bench.run(
      "compare build build --starts 4 --out both --progress plain", in: base)
    #expect(run.code == 0)
    #expect(run.text.contains("\n0 slower, 0 faster, 4 same to 0.0 %, "), "\(run.text)")
    #expect(run.errors.hasPrefix("start 1 of 4\n"), "\(run.errors)")
    for name in ["/both-old.json", "/both-new.json"] {
      let result = try StudyResult.read(base.path + name)
      #expect(
        result.rows.map(\.samples) == Array(repeating: Array(repeating: 100, count: 8), count: 4))
      #expect(!result.isPartial)
    }
  }

  /// Whole programs take seconds: of both builds they run a quarter as often, but four times.
  @Test func wholeProgramsOfBothBuildsRunFourTimes() throws {
    let base = try TemporaryBase()
    try Self.write(.honest, in: base)
    let run = try Bench.run(
      "compare build build --starts 4 --frames --out both --allow-undecided", in: base)
    #expect(run.code == 0, "\(run.errors)")
    for name in ["/both-old.json", "/both-new.json"] {
      let result = try StudyResult.read(base.path + name)
      #expect(result.row("frame found")?.samples == [100, 100, 100, 100])
      #expect(result.row("publish")?.samples.count == 8)
    }
  }

  /// A result is printed in tables, or as JSON and nothing else.
  @Test func resultIsPrintedOnce() throws {
    let base = try TemporaryBase()
    let tables = try Bench.run("run flags --rounds 1 --round-ms 1", in: base)
    #expect(tables.code == 0, "\(tables.errors)")
    #expect(tables.text.contains("\na tick of ") && !tables.text.contains("\"schema\""))
    let json = try Bench.run("run flags --rounds 1 --round-ms 1 --json", in: base)
    #expect(json.code == 0, "\(json.errors)")
    let result = try StudyResult.parse(Array(json.text.utf8), file: "output")
    #expect(result.row("tick flags")?.samples.count == 1)
  }

  /// Each case is a file, which is measured once.
  @Test func sweepMeasuresTheCasesThatAreMissing() throws {
    let base = try TemporaryBase()
    try AtomicFile.write(
      "name = \"s\"\n[run]\nrounds = 1\nround-ms = 1\n[grid]\nentities = [10, 20]\n",
      to: base.path + "/plan.toml")
    let one = try Bench.run("sweep plan.toml --out out --case 1", in: base)
    #expect(one.code == 0, "\(one.errors)")
    let end = "; orrery bench report out makes a page of them\n"
    #expect(one.text == "s, case 1: entities=20\n1 of 2 cases are complete in out/" + end)
    let list = try Bench.run("sweep plan.toml --out out --list", in: base)
    #expect(list.text == "to do     s, case 0: entities=10\ncomplete  s, case 1: entities=20\n")
    let again = try Bench.run("sweep plan.toml --out out", in: base)
    #expect(again.code == 64)
    #expect(again.errors.contains("out: has 1 of 2 cases; --resume goes on"), "\(again.errors)")
    let rest = try Bench.run("sweep plan.toml --out out --resume", in: base)
    #expect(rest.text == "s, case 0: entities=10\n2 of 2 cases are complete in out/" + end)
    for (number, entities) in [(0, 10), (1, 20)] {
      let result = try StudyResult.read(base.path + "/out/case-00000\(number).json")
      #expect(result.varied == ["entities=\(entities)"])
      #expect(result.row("tick stress")?.entities == entities)
      #expect(result.row("tick stress")?.samples.count == 1)
    }
  }

  /// A quick bench of recording has small frames; it is ended before it measures them.
  @Test func quickRecordingHasSmallFrames() throws {
    let base = try TemporaryBase()
    let bench = try Bench("record --quick --folder \(base.path)", in: base)
    try waitUntil("the first lines") { bench.text.contains("\nframes of ") || bench.hasEnded }
    bench.kill()
    for name in ["orrery-frames-\(bench.processID)", "orrery-record-\(bench.processID).mcap"] {
      unlink("/dev/shm/" + name)
    }
    #expect(
      bench.text.contains("\nframes of 10,000 entities, 80,000 bytes\n"), "\(bench.errors)")
  }
}
