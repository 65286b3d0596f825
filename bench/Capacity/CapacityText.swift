// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The table of capacities, at most 80 columns wide.
package enum CapacityText {
  private static let columns = TextTable([
    .left(36), .right(6), .right(13), .right(8), .right(7),
  ])

  /// The columns' names.
  package static let heading = columns.line(["", "Hz", "entities", "held", "x 1.1"])

  /// A search: its number, how sure it is, and what limits larger runs.
  package static func line(_ result: CapacityResult) -> String {
    let number = result.entities == 0 ? "none" : TextTable.grouped(result.entities)
    var text = columns.line(
      named: result.scene,
      [
        decimal(result.rateHz, places: 0),
        result.sign + number,
        result.confirmations > 0 ? "\(result.confirmed) of \(result.confirmations)" : "-",
        result.failsAbove.map { $0 ? "fails" : "holds" } ?? "-",
      ])
    if result.isOpen {
      text += TextTable.wrapped("even the largest number, --max, holds: more may fit")
    } else if let undecided = result.undecided {
      let least = result.entities > 0 ? "at least \(number) fit" : "no run held"
      text += TextTable.wrapped("undecided: \(least); \(undecided)")
    } else if let cause = result.firstCause, let evidence = result.evidence {
      text += TextTable.wrapped("limited by \(cause.words): \(evidence)")
    }
    return text
  }
}

extension CapacityResult.Cause {
  /// As text has it.
  var words: String { rawValue.replacing("_", with: " ") }
}

/// The time that searches take: before they begin, and while they run.
package struct CapacityPace {
  /// Searches that are over.
  package var searchesDone = 0
  private let searches: Int
  private let runSeconds: Double
  private var runs = 0
  private var beginNs: UInt64 = 0

  /// Programs start, join and write their files in about this time.
  private static let startSeconds = 1.0

  /// - Parameters:
  ///   - searches: Searches in all.
  ///   - runSeconds: The length of each of their runs.
  package init(searches: Int, runSeconds: Double) {
    (self.searches, self.runSeconds) = (searches, runSeconds)
  }

  /// What to expect, as a line.
  package var expected: String {
    let runs = CapacitySearch.runsExpected
    let times = [runs.lowerBound, runs.upperBound].map {
      Self.length(Double($0 * searches) * (runSeconds + Self.startSeconds))
    }
    return TextTable.wrapped(
      "\(searches == 1 ? "One search" : "\(searches) searches, each") of about \(runs.lowerBound)"
        + " to \(runs.upperBound) runs of \(decimal(runSeconds, places: 0)) s: \(times[0]) to"
        + " \(times[1])")
  }

  /// Which search runs.
  package var search: String { "search \(searchesDone + 1) of \(searches)" }

  /// The seconds that are left when a run begins.
  ///
  /// - Parameters:
  ///   - runsLeft: Runs of this search, this one included.
  ///   - nowNs: The monotonic time.
  /// - Returns: Seconds, as far as runs before tell.
  package mutating func next(runsLeft: Int, nowNs: UInt64) -> Double {
    if runs == 0 { beginNs = nowNs }
    let each =
      runs == 0 ? runSeconds + Self.startSeconds : Double(nowNs - beginNs) / 1e9 / Double(runs)
    runs += 1
    let expected = CapacitySearch.runsExpected
    let later = (searches - searchesDone - 1) * (expected.lowerBound + expected.upperBound) / 2
    return Double(runsLeft + later) * each
  }

  private static func length(_ seconds: Double) -> String {
    seconds < 100
      ? "\(decimal(seconds, places: 0)) s" : "\(decimal(seconds / 60, places: 0)) min"
  }
}
