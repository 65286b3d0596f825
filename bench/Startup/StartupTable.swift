// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The table that `bench startup` prints, at most 80 columns wide.
package enum StartupTable {
  private static let columns = TextTable([
    .right(12), .right(12), .right(12), .right(12), .right(12),
  ])

  /// The medians of all rounds, and the goals.
  package static func text(_ report: StartupReport) -> String {
    var text =
      "seconds from 'orrery run stress' to its first frame, medians of \(report.roundCount)\n"
    text += columns.line(["entities", "published", "read", "recorded", "drawn"])
    for row in report.rows {
      let medians = [
        row.publishedSeconds, row.readSeconds, row.recordedSeconds, row.drawnSeconds,
      ].map { decimal(StartupReport.median($0), places: 3) }
      text += columns.line([TextTable.grouped(row.entities)] + medians)
    }
    return text + GoalTable.limits.text(report.goals)
  }
}
