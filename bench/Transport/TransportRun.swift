// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// One run of `bench transport`, group by group; the rows of a group take turns.
struct TransportRun {
  private let groups: [TransportRow.Group]
  private let roundCount: Int
  private let isShort: Bool

  init(groups: [TransportRow.Group], roundCount: Int, isShort: Bool) {
    (self.groups, self.roundCount, self.isShort) = (groups, roundCount, isShort)
  }

  /// Measures all groups and prints each when it is done.
  ///
  /// - Throws: Errors of temporary files.
  func measure() throws -> TransportReport {
    let tools = try TransportTools()
    var report = TransportReport(
      compiler: tools.compiler, roundCount: roundCount, missing: tools.missing)
    Standard.output(TransportTable.head(report))
    // The tools own the built programs and iceoryx's daemon.
    withExtendedLifetime(tools) {
      measure(TransportRows(tools, isShort: isShort), &report)
    }
    report.goals = TransportGoals.all(report)
    Standard.output(GoalTable.limits.text(report.goals))
    return report
  }

  private func measure(_ all: TransportRows, _ report: inout TransportReport) {
    for group in groups {
      let rows = all.rows(of: group)
      for row in rows { row.start() }
      Turns.take(rows, rounds: roundCount) { $0.measure() }
      for row in rows {
        row.stop()
        report.add(row)
      }
      Standard.output(TransportTable.group(group, report.rows.filter { $0.group == group }))
    }
  }
}
