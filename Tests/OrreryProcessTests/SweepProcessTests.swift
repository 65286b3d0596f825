// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Goal: cases of a sweep are complete or not there, and other engines run them.
///
/// Method: tiny sweeps, interrupted and resumed; the figures read by DuckDB; the cases run by Ray and by Slurm, where
/// these are installed.
@Suite struct SweepProcessTests {
  private static let plan = """
    name = "small"

    [run]
    rounds = 4
    round-ms = 1

    [grid]
    entities = [10, 20]
    hash = ["full", "off"]
    """

  private static func place(_ text: String = plan) throws -> Place {
    let place = try Place()
    try text.write(toFile: place.files + "/plan.toml", atomically: true, encoding: .utf8)
    return place
  }

  private static func results(_ place: Place) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: place.files + "/out")
    return Dictionary(
      uniqueKeysWithValues: names.filter { $0.hasSuffix(".json") }.map { name in
        (name, FileManager.default.contents(atPath: place.files + "/out/" + name) ?? Data())
      })
  }

  @Test func interruptedSweepGoesOnWhereItEnded() throws {
    let grid = Self.plan + "\nlook-ahead = [0, 7]\nseed = [1, 2, 3]\n"
    let place = try Self.place(grid)
    let words = ["sweep", "plan.toml", "--out", "out"]
    let first = try Program("bench", words, in: place)
    first.wait(forFile: "out/case-000002.json", in: place)
    first.signal(SIGINT)
    #expect(first.wait() == 1)
    #expect(first.text.contains("interrupted; --resume goes on with this case"))
    let before = try Self.results(place)
    #expect((3..<24).contains(before.count), "\(before.count)")
    #expect(!FileManager.default.fileExists(atPath: place.files + "/out/figures.csv"))

    let again = try Program.run("bench", words, in: place)
    #expect(again.code == 64)
    #expect(again.errorText.contains("--resume goes on"), "\(again.errorText)")

    let rest = try Program.run("bench", words + ["--resume"], in: place)
    #expect(rest.code == 0, "\(rest.errorText)")
    #expect(
      rest.text.contains("\n24 of 24 cases are complete in out/; orrery bench report out "),
      "\(rest.text)")
    let after = try Self.results(place)
    #expect(after.count == 24)
    // What was complete is not measured again; of the last one, a part was there.
    for name in before.keys.sorted().dropLast() { #expect(before[name] == after[name], "\(name)") }
  }

  /// Whether a Python has packages.
  private static func python(_ packages: String) -> String? {
    let paths = [Program.python, Program.root + "/.venv-bench/bin/python"]
    return paths.first { path in
      FileManager.default.isExecutableFile(atPath: path)
        && (try? Program.run(path, ["-c", "import \(packages)"], in: Place()).code) == 0
    }
  }

  private static let tables = python("duckdb, pyarrow")

  @Test(.enabled(if: tables != nil, "needs duckdb and pyarrow for Python"))
  func duckdbReadsTheFigures() throws {
    let python = try #require(Self.tables)
    let place = try Self.place()
    let sweep = try Program.run("bench", ["sweep", "plan.toml", "--out", "out"], in: place)
    #expect(sweep.code == 0, "\(sweep.errorText)")
    let gathered = try Program.run(
      python, [Program.root + "/tools/sweep_parquet.py", "out"], in: place)
    #expect(gathered.code == 0, "\(gathered.errorText)")
    let question = """
      import duckdb
      rows = duckdb.sql("SELECT entities, hash, count(*), min(median), max(length(state_hash))"
        " FROM 'out/figures.parquet' WHERE figure = 'tick stress' GROUP BY ALL ORDER BY ALL")
      print([(a, b, c, d > 0, e) for a, b, c, d, e in rows.fetchall()])
      """
    let answer = try Program.run(python, ["-c", question], in: place)
    #expect(
      answer.text
        == "[(10, 'full', 1, True, 16), (10, 'off', 1, True, 0), (20, 'full', 1, True, 16),"
        + " (20, 'off', 1, True, 0)]\n", "\(answer.errorText)")
  }

  private static let ray = python("ray")

  @Test(.enabled(if: ray != nil, "needs ray for Python, which tools/install --bench installs"))
  func rayRunsTheCases() throws {
    let python = try #require(Self.ray)
    let place = try Self.place()
    let words = [
      Program.root + "/tools/sweep_ray.py", "plan.toml", "out", "--cores", "1", "--bench",
      Program.directory + "/bench",
    ]
    let run = try Program.run(python, words, in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(try Self.results(place).count == 4)
    #expect(FileManager.default.fileExists(atPath: place.files + "/out/figures.csv"))
  }

  private static let hasSlurm =
    geteuid() == 0
    && ["/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged", "/usr/bin/sbatch"].allSatisfy
    { FileManager.default.isExecutableFile(atPath: $0) }

  /// Slurm on this machine alone, which the test sets up and takes down.
  @Test(.enabled(if: hasSlurm, "needs root, slurm-wlm and munge"))
  func slurmRunsTheCasesAsAnArray() throws {
    let place = try Self.place()
    let script = try Program.run(
      "bench", ["sweep", "plan.toml", "--out", "out", "--slurm"], in: place)
    try script.text.write(
      toFile: place.files + "/job.sh", atomically: true, encoding: .utf8)
    let run = try Program.run(
      Program.root + "/tools/one-node-slurm",
      [
        place.files + "/slurm", "env", "PATH=" + Program.directory + ":/usr/bin:/bin", "sbatch",
        "--wait", "job.sh",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(try Self.results(place).count == 4)
    let rest = try Program.run(
      "bench", ["sweep", "plan.toml", "--out", "out", "--resume"], in: place)
    #expect(rest.text.hasPrefix("4 of 4 cases are complete in out/; "), "\(rest.text)")
  }
}
