// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine

/// Times recording, beside the machine's limits and other libraries.
package struct RecordBench: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Recording frames, beside the disk, memory and other libraries.",
    usage: "orrery bench record [OPTIONS]",
    discussion: """
      Example:
        orrery bench record --folder /data --check
      Peers are the Python packages mcap and foxglove-sdk, which 'tools/install
      --bench' puts into .venv-bench; the disk is measured by fio. What is missing
      is named, and the rest is measured. Other programs disturb: run it alone, on a
      disk with 12 GB free.
      """)

  @Option(help: "Where files are written to disk, and removed again.")
  var folder = "."

  @Option(help: "Entities of the whole runs, \(Self.entityRange).")
  var entities = 4_000_000

  @Option(help: "Bytes of the trace that is verified and sought in, as 500M or 2GiB.")
  var traceSize = ByteCount(10_000_000_000, argument: "10G")

  @Option(help: "Seconds of each whole run and of each round of a file, \(Self.durationRange).")
  var duration: Int?

  @Option(help: "Rounds of each row, \(roundRange).")
  var rounds: Int?

  @Flag(help: "Small frames and one short round: whether everything works, not how fast.")
  var quick = false

  @OptionGroup var goals: GoalOptions

  @OptionGroup var results: ResultOptions

  package init() {}

  package func validate() throws {
    try roundRange.check("--rounds", roundCount)
    try Self.entityRange.check("--entities", entities)
    try Self.durationRange.check("--duration", duration)
  }

  private static let entityRange = OptionRange(1...100_000_000)
  private static let durationRange = OptionRange(1...600)

  /// Rounds of each row: as asked for, otherwise one short one or three.
  package var roundCount: Int { rounds ?? (quick ? 1 : 3) }

  package func run() throws {
    try runArea(writing: [results.out, RecordRun.path(in: folder)], isChecked: goals.check) {
      try RecordRun(
        folder: folder, frameEntities: quick ? 10_000 : 1_000_000,
        runEntities: quick ? min(entities, 10_000) : entities,
        deltaEntities: quick ? 10_000 : 10_000_000,
        traceBytes: quick ? 10_000_000 : Int(traceSize.bytes), roundCount: roundCount,
        roundSeconds: quick ? 0.1 : Double(duration ?? 2), runSeconds: duration ?? (quick ? 1 : 5),
        results: results
      ).measure()
    }
  }
}
