// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A figure that Orrery should reach, and the figure of this run.
package struct BenchGoal: Codable, Equatable, Sendable {
  /// The name of the goal.
  package let name: String
  /// The figure to reach.
  package let wanted: Double
  /// Whether larger figures are worse.
  package let isLimit: Bool
  /// The measured figure; nil if rows are missing.
  package let measured: Double?

  /// Creates a goal that is reached by its figure and all smaller ones.
  package init(_ name: String, atMost wanted: Double, _ measured: Double?) {
    (self.name, self.wanted, self.measured) = (name, wanted, measured)
    isLimit = true
  }

  /// Creates a goal that is reached by its figure and all larger ones.
  package init(_ name: String, atLeast wanted: Double, _ measured: Double?) {
    (self.name, self.wanted, self.measured) = (name, wanted, measured)
    isLimit = false
  }

  /// Whether it holds, in a word or two.
  package var verdict: String {
    guard let measured else { return "not measured" }
    return (isLimit ? measured <= wanted : measured >= wanted) ? "holds" : "missed"
  }

  /// The sign of the goal's direction.
  package var sign: String { isLimit ? "≤ " : "≥ " }
}

/// How many goals of an area were reached: the last line of its output, and with `--check` its exit code.
package struct GoalCount {
  /// Goals that hold.
  package let reached: Int
  /// Goals that do not.
  package let missed: Int
  /// Goals whose rows are missing in this run; they are neither reached nor missed.
  package let unmeasured: Int

  /// Counts goals.
  package init(_ goals: [BenchGoal]) {
    reached = goals.count { $0.verdict == "holds" }
    missed = goals.count { $0.verdict == "missed" }
    unmeasured = goals.count - reached - missed
  }

  /// A line, as `goals: 5 reached, 2 missed, 1 not measured`.
  package var text: String {
    let rest = unmeasured == 0 ? "" : ", \(unmeasured) not measured"
    return "goals: \(reached) reached, \(missed) missed\(rest)\n"
  }
}

/// The table of an area's goals and their verdicts, at most 80 columns wide.
package enum GoalTable {
  private static let columns = TextTable([.left(53), .right(9), .right(9)])
  /// Measured figures from here on have no decimal places.
  private static let wholeFrom = 999.5

  /// The table, without goals that were not measured.
  package static func text(_ goals: [BenchGoal]) -> String {
    var text = "\n" + columns.line(["goal", "wanted", "measured", "  verdict"])
    for goal in goals {
      guard let measured = goal.measured else { continue }
      text += columns.line([
        "  " + goal.name, goal.sign + decimal(goal.wanted, places: 2),
        decimal(measured, places: measured < wholeFrom ? 2 : 0), "  " + goal.verdict,
      ])
    }
    return text
  }
}
