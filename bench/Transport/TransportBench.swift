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
    discussion: """
      Limits and peers are compiled at the start with the g++ that is on PATH; docs/bench.md tells what each
      is, and tools/install --bench installs what they need. Whatever is missing is named, and the rest is
      measured. Other programs disturb: run it alone.
      """)

  @Option(help: "Groups: \(TransportRow.Group.allCases.map(\.rawValue).joined(separator: ",")).")
  var groups = GroupList(TransportRow.Group.allCases)

  @Option(help: "Rounds of each row.")
  var rounds: Int?

  @Flag(help: "Two short rounds: whether everything works, not how fast.")
  var short = false

  @Option(help: "Writes everything measured to a file.", completion: .file(extensions: ["json"]))
  var json: String?

  @Option(help: "Draws latencies into a file.", completion: .file(extensions: ["png", "svg"]))
  var plot: String?

  package init() {}

  /// Rounds of each row: as asked for, otherwise two short ones or seven.
  package var roundCount: Int { rounds ?? (short ? 2 : 7) }

  package func validate() throws {
    guard (1...1000).contains(roundCount) else {
      throw ValidationError("--rounds \(roundCount): use 1 to 1000")
    }
    if let plot, PlotFile.Format(path: plot) == nil {
      throw ValidationError("--plot \(plot): use a name that ends in .png or .svg")
    }
  }

  package func run() throws {
    do {
      try refuseDebugBuild()
      // A program that has ended is noticed at the next request.
      signal(SIGPIPE, SIG_IGN)
      // Check this before minutes are spent on a report that could not be written.
      for path in [json, plot].compactMap({ $0 }) { try Tool.checkIsWritable(path) }
      let report = try TransportRun(
        groups: groups.groups, roundCount: roundCount, isShort: short
      ).measure()
      try json.map { path throws(Failure) in try report.write(to: path) }
      if let plot, let format = PlotFile.Format(path: plot) {
        try TransportPlot.write(report, path: plot, format: format)
      }
    } catch let error as Failure {
      error.exit(program: "bench transport")
    } catch let error as PlotError {
      Failure(.inputOutput, error).exit(program: "bench transport")
    }
  }
}

/// Groups separated by commas.
package struct GroupList: ExpressibleByArgument {
  /// The groups in their order.
  package let groups: [TransportRow.Group]

  /// Reads a word of the command line; nil if a part is not a group.
  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    groups = parts.compactMap { TransportRow.Group(rawValue: String($0)) }
    guard !groups.isEmpty, groups.count == parts.count else { return nil }
  }

  /// Creates a list of these groups.
  package init(_ groups: [TransportRow.Group]) { self.groups = groups }

  /// As typed on the command line.
  package var defaultValueDescription: String { groups.map(\.rawValue).joined(separator: ",") }
}
