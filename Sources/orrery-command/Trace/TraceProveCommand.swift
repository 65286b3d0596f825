// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryReplay

/// Simulates a trace's run again, and compares every frame.
struct TraceProveCommand: MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "prove",
    abstract: "Simulate a trace's run again, and compare every frame with it.",
    usage: "orrery trace prove FILE ... [OPTIONS]",
    discussion: """
      Example:
        orrery trace prove demo/flags.mcap
      Values are compared bit by bit where the trace has them as they were published,
      and hashes always. Exit code 1: a frame differs, nothing could be compared, or
      the trace lacks what its frames are computed from; 3: it is unfinished.
      """)

  @Argument(help: "A trace, or the files of a split recording or of all shards.")
  var files: [String]

  @Flag(help: "Print a line of JSON, for each shard one.")
  var json = false

  @OptionGroup var memory: MemoryArguments

  func run() throws {
    var differs = false
    let reading = TraceReading("orrery trace prove")
    do throws(Failure) {
      for var check in try ContentCheck.checks(of: reading.frames(files)) {
        let report = try check.run()
        Standard.output(
          (json ? ReportLine.encode(report, schema: ContentCheck.Report.schema) : report.text)
            + "\n")
        differs = differs || !report.isProof
      }
    } catch {
      throw reading.comparing(error)
    }
    if differs { throw ExitCode(ExitStatus.unmet.rawValue) }
    reading.end()
  }
}
