// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import OrreryBase
import OrreryPlot

/// Shows a row over commits.
struct HistoryBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "A row over commits, as a table and a plot.",
    usage: "orrery bench history [ROW] [OPTIONS]",
    discussion: """
      Examples:
        orrery bench history
        orrery bench history 'tick stress' --plot stress.svg
      Without a row it lists the rows. --machine names another machine's folder.
      """)

  @Argument(help: "A row, as a study names it.")
  var row: String?

  @Option(help: "The folder of all machines' results.", completion: .directory)
  var results = "bench/results"

  @Option(help: "A machine's folder in it; default: this machine.")
  var machine: String?

  @Option(help: "Draws the row into a file.", completion: .file(extensions: ["png", "svg"]))
  var plot: String?

  func validate() throws {
    try checkPlot(plot)
    if plot != nil, row == nil { throw ValidationError("--plot needs a row") }
  }

  func run() throws {
    try runArea(writing: [plot]) {
      let path = ResultHistory.path(
        in: results, machine: machine ?? StudyContext.now().machineName)
      guard let data = FileManager.default.contents(atPath: path) else {
        throw Failure(.unavailable, "\(path): no such file; orrery bench save makes it")
      }
      let history = try ResultHistory(String(decoding: data, as: UTF8.self), file: path)
      guard let row else {
        var counts: [String: Int] = [:]
        for entry in history.entries { counts[entry.row, default: 0] += 1 }
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
          Standard.output("\(name)  (\(counted(count, "result")))\n")
        }
        return []
      }
      let entries = history.entries.filter { $0.row == row }
      guard let first = entries.first else {
        let question = NearestName.question(row, among: Array(Set(history.entries.map(\.row))))
        throw Failure(.usage, "\(path): no row '\(row)'\(question)")
      }
      Standard.output(HistoryText.text(entries))
      let reading = RowReading(row, unit: first.unit)
      if let plot, let format = PlotFile.Format(path: plot) {
        let points = entries.enumerated().map {
          PlotPoint(x: Double($0 + 1), y: reading.value($1.median))
        }
        let chart = Chart(
          "\(row) over \(entries.count) results", x: "results, the oldest first", y: reading.unit,
          series: [Chart.Series(row, points)])
        try ChartFile.write(.chart(chart), path: plot, format: format, colors: .light)
      }
      return []
    }
  }
}

/// The table of a row's history.
package enum HistoryText {
  private static let columns = TextTable([.left(22), .left(15), .right(16), .right(9), .right(9)])

  /// A line for each result: its median round, the spread from quartile to quartile, and the ratio to the line before.
  package static func text(_ entries: [ResultHistory.Entry]) -> String {
    let reading = RowReading(entries.first?.row ?? "", unit: entries.first?.unit ?? "")
    var text = columns.line(["date", "commit", "median, \(reading.unit)", "spread%", "ratio"])
    var last: Double?
    for entry in entries {
      text += columns.line([
        entry.date, entry.commit, StudyText.figure(reading.value(entry.median)),
        decimal(entry.spread * 100, places: 1),
        last.map { $0 > 0 ? decimal(entry.median / $0, places: 3) : "-" } ?? "-",
      ])
      last = entry.median
    }
    return text
  }
}
