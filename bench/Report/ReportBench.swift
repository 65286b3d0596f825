// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import OrreryBase
import OrreryCommandLine
import OrreryPlot

/// Makes a page of results, to show to others.
struct ReportBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Results as one page of HTML, with plots.",
    usage: "orrery bench report RESULT … [OPTIONS]",
    discussion: """
      Examples:
        orrery bench report study.json -o report.html
        orrery bench report study.json capacity.json --baseline old.json
        orrery bench report study.json --peers parts.json --peers browser.json
        orrery bench report threads -o threads.html
        orrery bench report study.json --summary md
      A folder of a sweep has all its cases: the page shows each figure over them.
      The page needs no network and no other file, is light or dark as the reader
      wants, and prints well.
      """)

  @Argument(help: "Results of study, run or capacity; cases or the folder of a sweep.")
  var results: [String]

  @Option(name: .shortAndLong, help: "The page.", completion: .file(extensions: ["html"]))
  var out = "report.html"

  @Option(
    help: "A result that the first is compared with.", completion: .file(extensions: ["json"]))
  var baseline: String?

  @Flag(help: "Also compare rows of a scene file with those of the same file before it was edited.")
  var edited = false

  @Option(
    help: "Figures of others, of tools/bench-whole-peer or bench-browser; may be repeated.",
    completion: .file(extensions: ["json"]))
  var peers: [String] = []

  @Option(help: "Also writes each plot into this folder, as SVG and PNG.", completion: .directory)
  var plots: String?

  @Option(help: "Prints a small summary instead of a page: md for Markdown.")
  var summary: SummaryFormat?

  func validate() throws {
    guard !results.isEmpty else { throw ValidationError("name at least one result") }
    guard [".html", ".htm"].contains(where: out.lowercased().hasSuffix) else {
      throw ValidationError("--out \(out): the page is HTML, so use a name that ends in .html")
    }
    try CommandLineProgram.checkOutputs(
      [("--out", out)], inputs: results + peers + (baseline.map { [$0] } ?? []))
    if edited, baseline == nil { throw ValidationError("--edited needs --baseline") }
  }

  func run() throws {
    try runArea(writing: summary == nil ? [out] : []) {
      var read: [StudyResult] = []
      for path in try results.flatMap(SweepFolder.cases) {
        read.append(try StudyResult.read(path))
      }
      var others: [PeerResult] = []
      for path in peers { others.append(try PeerResult.read(path)) }
      let page = ReportPage(
        read, baseline: try baseline.map { try StudyResult.read($0) },
        scenes: edited ? .edited : .none, peers: others)
      if summary == .md {
        Standard.output(MarkdownSummary.text(read))
      } else {
        try AtomicFile.write(page.html(), to: out)
      }
      if let plots { try write(page.figures, to: plots) }
      if baseline == nil, results.count == 2, read.count == 2, read[0].sharesRows(with: read[1]) {
        Standard.error(
          "\(results[0]) and \(results[1]) have rows in common; to judge one by the other:"
            + " orrery bench report \(results[1]) --baseline \(results[0])\n")
      }
      return []
    }
  }

  private func write(_ figures: [(name: String, figure: Figure)], to folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(.inputOutput, "\(folder): cannot be made: \(error.localizedDescription)")
    }
    for (name, figure) in figures {
      for format in PlotFile.Format.allCases {
        try ChartFile.write(
          figure, path: "\(folder)/\(name).\(format.rawValue)", format: format, colors: .light)
      }
    }
  }
}

/// The format of a small summary.
package enum SummaryFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case md
}

/// A table of a few rows, for a README.
package enum MarkdownSummary {
  /// The text: a table for each result, and the machine below it.
  package static func text(_ results: [StudyResult]) -> String {
    results.map { result in
      var text = "| | entities | median round | ±% | p50 µs | p99 µs | max µs | over budget"
      text += " | of limit |\n"
      text += "|---|---|---|---|---|---|---|---|---|\n"
      for row in result.rows where !Steadiness.names.contains(row.name) {
        guard let summary = row.summary else { continue }
        let uncertainty = StudyText.uncertainty(row, in: result)
        var cells = [
          row.name, row.entities.map { TextTable.grouped($0) } ?? "",
          result.sign(of: row)
            + "\(ReportPage.figure(row.reading.value(summary.median))) \(row.reading.unit)",
          uncertainty.map { decimal($0, places: 1) } ?? "",
        ]
        cells += StudyText.durationCells(row, missing: "", ReportPage.figure)
        cells.append(row.ofBound.map { "\(StudyText.limitCell($0)) %" } ?? "")
        text += "| " + cells.joined(separator: " | ") + " |\n"
      }
      let context = result.context
      text += "\n\(result.title) on \(context.processor), \(context.processorCount) processors,"
      text += " commit \(context.commit ?? "unknown")\(context.isDirty ? " (changed)" : ""),"
      return text + " \(context.date); again with: `\(result.command)`\n"
    }.joined(separator: "\n")
  }
}
