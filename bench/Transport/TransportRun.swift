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

  /// Measures all groups; prints each when it is done.
  ///
  /// - Parameter results: Where the result goes.
  /// - Returns: What the plot needs, and the goals.
  /// - Throws: Errors of temporary files, and `Failure` if the file cannot be written.
  func measure(_ results: ResultOptions) throws -> (TransportReport, [BenchGoal]) {
    let tools = try TransportTools()
    let counter = decimal(CounterScale().ownNs, places: 1)
    let area = AreaResult(
      "transport",
      results,
      notes: PeerBuild.notes("limits and peers", tools.compiler, missing: tools.missing)
        + ["reading the clock takes \(counter) ns, taken off every latency"])
    var report = TransportReport()
    // The tools own the built programs and iceoryx's daemon.
    withExtendedLifetime(tools) {
      measure(TransportRows(tools, isShort: isShort), &report, area)
    }
    return (report, try area.finish(TransportGoals.all(report)))
  }

  private func measure(
    _ all: TransportRows, _ report: inout TransportReport, _ area: AreaResult
  ) {
    for group in groups {
      let rows = all.rows(of: group)
      for row in rows { row.start() }
      Turns.take(rows, rounds: roundCount) { $0.measure() }
      for row in rows {
        row.stop()
        report.add(row)
      }
      area.add(report.rows.filter { $0.group == group }.flatMap(\.studyRows))
    }
  }
}
