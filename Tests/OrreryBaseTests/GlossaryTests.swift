// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import TestSupport
import Testing

/// Goal: whoever reads a report finds each of its words in docs/reference/report-words.md, and can read it in 80
/// columns.
///
/// Method: reports in which everything happened; their labels, and the words between their numbers,
/// against the first column of the page's tables.
@Suite struct GlossaryTests {
  /// Reports with every line that there is.
  private static var texts: [String] {
    var unpaced = SampleReports.troubledSim()
    (unpaced.pace.askedHz, unpaced.delivery) = (nil, "lockstep")
    var reports = [SampleReports.sim().text, SampleReports.troubledSim().text, unpaced.text]
    for delivery in ["live", "lockstep"] {
      for end in [SubscriberReportMessage.End.runEnded, .simDied, .stopped, .dropped, .failed] {
        reports.append(
          SampleReports.subscriber(delivery: delivery, missed: 2, gaps: ["9-10"], ended: end).text)
      }
    }
    return reports
  }

  private static let page = "docs/reference/report-words.md"

  /// Words of the first column of the page's tables.
  private static func glossary() throws -> [String] {
    let rows = try Repository.text(page).split(separator: "\n")
    return rows.filter { $0.hasPrefix("|") }.flatMap { row in
      let cell = row.dropFirst().prefix { $0 != "|" }
      return cell.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
    }
  }

  @Test func everyLabelHasARow() throws {
    let words = try Self.glossary()
    #expect(words.count > 20)
    // The programs' own names begin their reports.
    let programs = ["logger"]
    for line in Self.texts.flatMap({ $0.split(separator: "\n") }) {
      let label = line.prefix(14).split(separator: " ").joined(separator: " ")
      guard !label.isEmpty, !programs.contains(label) else { continue }
      #expect(words.contains(label), "'\(label)' in '\(line)'")
    }
  }

  @Test(arguments: [
    DurationReport.columns,
    ["live delivery", "lockstep delivery", "slots", "stores", "ticks ahead", "reached", "asked"],
    ["as fast as possible", "on time", "late", "took longer than a tick", "moved"],
    ["for subscribers", "pid", "received", "reading", "no last account", "read to the run's end"],
    ["ended because the sim died", "ended by a signal", "more gaps", "from frame"],
    ["dropped by the sim", "could not go on"],
  ])
  func everyWordOfALineHasARow(group: [String]) throws {
    let words = try Self.glossary()
    // Lines wrap, and columns are padded.
    let text = Self.texts.joined(separator: "\n").split(whereSeparator: { " \n".contains($0) })
      .joined(separator: " ")
    for word in group {
      let isPrinted = text.contains(word) || word == "more gaps"
      #expect(isPrinted, "no report has '\(word)'")
      #expect(words.contains(word), "'\(word)'")
    }
  }

  @Test func everyLineFitsATerminal() {
    for line in Self.texts.flatMap({ $0.split(separator: "\n") }) {
      #expect(line.count <= ReportText.width, "\(line)")
    }
  }

  @Test func exampleOfThePageHasTheLabelsOfAReport() throws {
    let text = try Repository.text(Self.page)
    let start = try #require(text.range(of: "and prints a report:\n\n"))
    let lines = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
    #expect(lines.count > 10)
    let words = try Self.glossary() + ["logger", "renderer", "files"]
    for line in lines {
      #expect(line.count <= ReportText.width, "\(line)")
      let label = line.prefix(14).split(separator: " ").joined(separator: " ")
      #expect(label.isEmpty || words.contains(label), "'\(label)' in '\(line)'")
    }
  }
}
