// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryConsole
import OrreryReplay

/// Compares two traces.
struct TraceDiffCommand: MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Find where two runs differ, and by how much.",
    usage: "orrery trace diff A B [OPTIONS], or A ... --against B ...",
    discussion: """
      Examples:
        orrery trace diff before.mcap after.mcap
        orrery trace diff before.mcap after.mcap --tolerance 0.001
        orrery trace diff run.0of2.mcap run.1of2.mcap --against whole.mcap
      Compares the frames of equal ticks: values bit by bit, and a digest by its
      hashes. Frames that only one trace has are counted, but are no difference. Exit
      code 0: equal; 1: they differ, or nothing could be compared; 3: equal, but one
      is unfinished.
      """)

  @Argument(help: "The two traces; with --against, the files of the first.")
  var files: [String]

  @Option(
    parsing: .upToNextOption,
    help: "The files of the second trace: of a split recording, or of all shards of a run.")
  var against: [String] = []

  @Option(
    parsing: .unconditional,
    help: "Values that differ by no more are equal, from 0. Default 0: equal bits.")
  var tolerance: Float = 0

  @Flag(help: "Print a JSON object.")
  var json = false

  @OptionGroup var memory: MemoryArguments

  func validate() throws {
    if against.isEmpty, files.count != 2 {
      throw ValidationError("two traces are compared; with --against, each may have several files")
    }
    guard tolerance.isFinite, tolerance >= 0 else {
      throw ValidationError("--tolerance \(tolerance): use a number from 0")
    }
  }

  func run() throws {
    let differs: Bool
    let reading = TraceReading("orrery trace diff")
    do throws(Failure) {
      let (a, b) = against.isEmpty ? ([files[0]], [files[1]]) : (files, against)
      var difference = try RunDifference(
        reading.frames(a), reading.frames(b), tolerance: tolerance)
      let report = try difference.run()
      Standard.output(
        json
          ? ReportLine.encode(report, schema: RunDifference.Report.schema) + "\n"
          : report.text(a.joined(separator: ", "), b.joined(separator: ", ")))
      differs = !report.isEqual
    } catch {
      throw reading.comparing(error)
    }
    if differs { throw ExitCode(ExitStatus.unmet.rawValue) }
    reading.end()
  }
}
