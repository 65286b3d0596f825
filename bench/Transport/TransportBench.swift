// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryPlot

/// Times the delivery of frames to subscribers, beside the machine's limits and peers.
package struct TransportBench: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "transport",
    abstract: "Handing frames over, beside the machine's limits, libzmq and iceoryx.",
    usage: "orrery bench transport [OPTIONS]",
    discussion: """
      Example:
        orrery bench transport --groups spin,wake --plot transport.png
      Limits and peers are compiled at the start with the g++ that is on PATH;
      docs/reference/bench.md tells what each is, and tools/install --bench installs
      what they need. Whatever is missing is named, and the rest is measured. Other
      programs disturb: run it alone.
      """)

  @Option(help: "Groups: \(TransportRow.Group.allCases.map(\.rawValue).joined(separator: ",")).")
  var groups = WordList(TransportRow.Group.allCases)

  @Option(help: "Rounds of each row, \(roundRange).")
  var rounds: Int?

  @Flag(help: "Two short rounds: whether everything works, not how fast.")
  var quick = false

  @OptionGroup var goals: GoalOptions

  @OptionGroup var results: ResultOptions

  @Option(help: "Draws latencies into a file.", completion: .file(extensions: ["png", "svg"]))
  var plot: String?

  package init() {}

  /// Rounds of each row: as asked for, otherwise two short ones or seven.
  package var roundCount: Int { rounds ?? (quick ? 2 : 7) }

  package func validate() throws {
    try roundRange.check("--rounds", roundCount)
    try checkPlot(plot)
  }

  package func run() throws {
    try runArea(writing: [results.out, plot], isChecked: goals.check) {
      // A program that has ended is noticed at the next request.
      signal(SIGPIPE, SIG_IGN)
      let (report, goals) = try TransportRun(
        groups: groups.all, roundCount: roundCount, isShort: quick
      ).measure(results)
      if let plot, let format = PlotFile.Format(path: plot) {
        try TransportPlot.write(report, path: plot, format: format)
      }
      return goals
    }
  }
}
