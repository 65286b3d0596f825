// SPDX-License-Identifier: Apache-2.0

/// A report for people, in lines of 80 columns: a label, and words beside it.
///
///     published     600 frames in 10.00 s
///                        mean        p50        p90        p99      p99.9        max
///     publish          210 ns     187 ns     250 ns     7.7 µs     8.1 µs     8.3 µs
package struct ReportText {
  /// The finished lines.
  package private(set) var lines: [String] = []

  /// Characters of the labels' column, at least one of them blank.
  private static let labelWidth = 14

  /// Characters of a line.
  package static let width = 80

  /// Characters of a column of durations: six fit beside the label.
  private static let cellWidth = 11

  /// Creates a report without lines.
  package init() {}

  /// The whole report, without a line feed at its end.
  package var text: String { lines.joined(separator: "\n") }

  /// Adds words that wrap between each other; a word wider than a line stands alone.
  package mutating func add(_ label: String, _ text: String) {
    var line = Self.padded(label)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > Self.width {
        lines.append(line)
        (line, isEmpty) = (Self.padded(""), true)
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    lines.append(line)
  }

  /// Adds a text that is not wrapped, such as a path.
  package mutating func addWhole(_ label: String, _ text: String) {
    lines.append(Self.padded(label) + text)
  }

  /// Adds a line without a label.
  package mutating func addLine(_ text: String) { lines.append(text) }

  /// Adds the heading of the rows of durations that follow.
  package mutating func addDurationHeading() { addCells("", DurationReport.columns) }

  /// Adds a row of durations.
  package mutating func addDurations(_ label: String, _ report: DurationReport) {
    addCells(label, report.cells)
  }

  private mutating func addCells(_ label: String, _ cells: [String]) {
    let columns = cells.map { " " + $0.alignedRight(Self.cellWidth - 1) }
    lines.append(Self.padded(label) + columns.joined())
  }

  private static func padded(_ label: String) -> String {
    label.alignedLeft(labelWidth - 1) + " "
  }
}

/// A number of things: the count, and the word with an "s" unless it is one.
package func counted(_ count: some BinaryInteger, _ word: String) -> String {
  "\(count) \(word)\(count == 1 ? "" : "s")"
}
