// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// The result of an area of the benchmark while it grows: each table is printed when it is done.
package final class AreaResult {
  /// What was measured so far.
  package private(set) var result: StudyResult
  private let clock = ProcessorClock.now()
  private let steadiness = Steadiness()

  /// Prints the machine and what is special in this run.
  ///
  /// - Parameters:
  ///   - area: The area's name, as on the command line.
  ///   - notes: What built the peers, what is missing and why.
  package init(_ area: String, notes: [String] = []) {
    result = StudyResult(title: area, command: StudyOutput.command, context: .now())
    result.notes = notes
    Standard.output(StudyText.machine(result) + notes.map { TextTable.wrapped($0) }.joined())
  }

  /// Adds rows, and prints their tables.
  package func add(_ rows: [StudyRow]) {
    steadiness.measure()
    result.rows += rows.filter { !$0.samples.isEmpty }
    for row in rows where row.samples.isEmpty {
      result.notes.append("\(row.name): \(row.doubts.first ?? "not measured")")
    }
    Standard.output(FigureTable.text(rows))
  }

  /// Adds the goals and the machine's state, prints them, and writes the file.
  ///
  /// - Parameters:
  ///   - goals: The area's goals, judged.
  ///   - path: The file; nil: none is written.
  /// - Returns: The goals.
  /// - Throws: `Failure` if the file cannot be written.
  package func finish(_ goals: [BenchGoal] = [], writing path: String?) throws(Failure)
    -> [BenchGoal]
  {
    if !goals.isEmpty {
      result.goals = goals
      if goals.contains(where: { $0.measured != nil }) { Standard.output(GoalTable.text(goals)) }
    }
    result.context.loadAfter = StudyContext.load()
    if let clock { result.context.stolen = ProcessorClock.now()?.stolen(since: clock) ?? 0 }
    let noise = Steadiness.notes(result.context, steadiness.rows)
    result.notes += noise
    result.rows += steadiness.rows.filter { !$0.samples.isEmpty }
    Standard.output(
      "\n" + StudyText.load(result) + noise.map { TextTable.wrapped("noisy: " + $0) }.joined())
    if let path { try result.write(to: path) }
    return goals
  }
}
