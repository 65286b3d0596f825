// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// The result of an area of the benchmark while it grows: each table is printed when it is done.
package final class AreaResult {
  /// What was measured so far.
  package private(set) var result: StudyResult
  private let clock = ProcessorClock.now()
  private let steadiness = Steadiness()
  private let options: ResultOptions

  /// Prints the machine and what is special in this run.
  ///
  /// - Parameters:
  ///   - area: The area's name, as on the command line.
  ///   - options: Where the result goes.
  ///   - notes: What built the peers, what is missing and why.
  package init(_ area: String, _ options: ResultOptions, notes: [String] = []) {
    self.options = options
    result = StudyResult(title: area, command: StudyOutput.command, context: .now())
    result.notes = notes
    options.show(StudyText.machine(result) + notes.map { TextTable.wrapped($0) }.joined())
  }

  /// Adds rows, and prints their tables.
  package func add(_ rows: [StudyRow]) {
    steadiness.measure()
    result.rows += rows.filter { !$0.samples.isEmpty }
    for row in rows where row.samples.isEmpty {
      result.notes.append("\(row.name): \(row.doubts.first ?? "not measured")")
    }
    options.show(FigureTable.text(rows))
  }

  /// Adds the goals and the machine's state, prints them, and writes the file.
  ///
  /// - Parameter goals: The area's goals, judged.
  /// - Returns: The goals.
  /// - Throws: `Failure` if the file cannot be written.
  package func finish(_ goals: [BenchGoal] = []) throws(Failure) -> [BenchGoal] {
    result.context.loadAfter = StudyContext.load()
    if let clock { result.context.stolen = ProcessorClock.now()?.stolen(since: clock) ?? 0 }
    let noise = Steadiness.notes(result.context, steadiness.rows)
    result.notes += noise
    result.rows += steadiness.rows.filter { !$0.samples.isEmpty }
    if goals.contains(where: { $0.measured != nil }) { options.show(GoalTable.text(goals)) }
    options.show(
      "\n" + StudyText.load(result) + noise.map { TextTable.wrapped("noisy: " + $0) }.joined())
    if !goals.isEmpty {
      result.goals = goals
      options.show(GoalCount(goals).text)
    }
    try result.finish(options)
    return goals
  }
}

extension StudyResult {
  /// Prints the result where JSON is asked for, and writes its file.
  ///
  /// - Throws: `Failure` if the file cannot be written.
  func finish(_ options: ResultOptions) throws(Failure) {
    if options.json { Standard.output(try text()) }
    if let out = options.out { try write(to: out) }
  }
}
