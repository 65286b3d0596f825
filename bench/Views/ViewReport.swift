// SPDX-License-Identifier: Apache-2.0

/// All results of a run of `bench views`, as written to JSON.
package struct ViewReport: BenchReport {
  package static let area = "views"

  /// The machine of the run.
  package var machine: BenchMachine
  /// The compiler of the limits.
  package var compiler: String?
  /// Rounds of each row.
  package var roundCount: Int
  /// Limits that could not be built, and why.
  package var missing: [String]
  /// All rows, group after group.
  package var rows: [RowReport] = []
  /// The goals, judged.
  package var goals: [BenchGoal] = []

  /// A report without rows.
  package init(
    machine: BenchMachine = BenchMachine(), compiler: String?, roundCount: Int, missing: [String]
  ) {
    (self.machine, self.compiler) = (machine, compiler)
    (self.roundCount, self.missing) = (roundCount, missing)
  }

  /// Fills `goals` from the measured rows.
  ///
  /// The event queue should be as fast as any peer that orders times.
  package mutating func judge() {
    goals = [QueueTask.Pattern.spread, .steady].flatMap { pattern in
      [10_000, 100_000, 1_000_000].map { count in
        BenchGoal(
          "event queue, \(pattern.rawValue), \(TextTable.grouped(count))", 1,
          rows.first {
            $0.kind == pattern.rawValue && $0.entities == count && $0.subject == .ours
          }?.ratio)
      }
    }
  }
}
