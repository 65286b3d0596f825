// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrrerySim

/// Times views, the director and the event queue, when all views change at once.
package struct ViewBench: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "views",
    abstract: "Views in transition, their begin and end in one tick, and the event queue.",
    usage: "orrery bench views [OPTIONS]",
    discussion: """
      Example:
        orrery bench views --entities 10000 --rounds 9 --out views.json
      Limits are compiled at the start with the g++ that is on PATH;
      docs/reference/bench.md tells what each row is.
      """)

  @Option(help: "Numbers of views, and of events, 1 to 10000000, separated by commas.")
  var entities = NumberList([10_000, 100_000, 1_000_000])

  @Option(help: "Rounds of each row, \(roundRange).")
  var rounds: Int?

  @Flag(help: "Two short rounds of at most 1000 views: whether everything works, not how fast.")
  var quick = false

  @OptionGroup var goals: GoalOptions

  @OptionGroup var results: ResultOptions

  package init() {}

  /// Rounds of each row: as asked for, otherwise two short ones or seven.
  package var roundCount: Int { rounds ?? (quick ? 2 : 7) }

  /// Numbers of views: the requested ones, only small ones in a short run, and each once.
  package var counts: [Int] {
    quick ? Set(entities.numbers.map { min($0, 1000) }).sorted() : entities.numbers
  }

  package func validate() throws {
    try roundRange.check("--rounds", roundCount)
    if let count = entities.numbers.first(where: { $0 > 10_000_000 }) {
      throw ValidationError("--entities \(count): use at most 10000000")
    }
  }

  package func run() throws {
    try runArea(writing: [results.out], isChecked: goals.check) {
      try ViewRun(
        counts: counts, roundCount: roundCount, roundNs: quick ? 500_000 : 10_000_000
      ).measure(results)
    }
  }
}

/// One run of `bench views`, number by number; all rows of a number take turns.
package struct ViewRun {
  private let counts: [Int]
  private let roundCount: Int
  private let roundNs: UInt64
  private static let propertiesMax = 100_000

  /// A run that has not begun.
  ///
  /// - Parameters:
  ///   - counts: Numbers of views, and of events.
  ///   - roundCount: Rounds of each row.
  ///   - roundNs: Length of a round of a queue or a limit; a round of views is as long as it takes.
  package init(counts: [Int], roundCount: Int, roundNs: UInt64) {
    (self.counts, self.roundCount, self.roundNs) = (counts, roundCount, roundNs)
  }

  /// Measures everything; prints each group when it is done.
  ///
  /// - Parameter results: Where the result goes.
  /// - Returns: The goals.
  /// - Throws: `SystemCallError`, errors of temporary files, and `Failure` if the file cannot be written.
  package func measure(_ results: ResultOptions) throws -> [BenchGoal] {
    let built = try PeerBuild(sets: [.best], ofViews: true)
    let library = built.libraries.compactMap(CalibrationLibrary.init).last
    let area = AreaResult(
      "views", results,
      notes: PeerBuild.notes("peers and limits", built.compiler, missing: built.missing))
    var rows: [RowReport] = []
    let changes = built.libraries.last { $0.job.source == PeerBuild.changes.source }
    for count in counts { rows += try measure(count, library, changes, area) }
    // Its files are there as long as it lives.
    return try withExtendedLifetime(built) { try area.finish(Self.goals(rows)) }
  }

  /// The event queue should be as fast as any peer that orders times.
  package static func goals(_ rows: [RowReport]) -> [BenchGoal] {
    [QueueTask.Pattern.spread, .steady].flatMap { pattern in
      [10_000, 100_000, 1_000_000].map { count in
        BenchGoal(
          "event queue, \(pattern.rawValue), \(TextTable.grouped(count))", atLeast: 1,
          rows.first {
            $0.kind == pattern.rawValue && $0.entities == count && $0.subject == .ours
          }?.ratio)
      }
    }
  }

  private func measure(
    _ count: Int, _ library: CalibrationLibrary?, _ changes: PeerBuild.Built?, _ area: AreaResult
  ) throws -> [RowReport] {
    let quiet = try ViewScene(count: count, records: .completions)
    let recorded = try ViewScene(count: count, records: .all)
    let retargets = [
      try RetargetScene(count: count, .spring(duration: 0.5), name: "spring"),
      try RetargetScene(
        count: count, .spring(duration: 0.5), isUniform: false, name: "spring, each its own way"),
      try RetargetScene(count: count, .easeInOut(duration: 0.5), name: "ease"),
    ]
    // An object for each, with an animation of its own: a million would take most of the time.
    let engine = count <= Self.propertiesMax ? EngineScene(count: count) : nil
    let retargetPeers = ChangePeer.rows("retarget", of: changes, count: count)
    let completionPeers = ChangePeer.rows("complete", of: changes, count: count)
    let groups: [(name: String, things: String, rows: [BenchRow])] = [
      ("transitions", "views", [quiet.begin, quiet.underWay, recorded.begin]),
      ("retarget", "views", retargetPeers + retargets.map(\.retarget)),
      ("complete", "views", completionPeers + [quiet.end, recorded.end]),
      (
        "the library's engine", "properties",
        engine.map { [$0.begin, $0.retarget, $0.read, $0.end] } ?? []
      ),
    ].filter { !$0.rows.isEmpty }
    let limits = try LimitRows(library, count: count, for: groups.flatMap(\.rows))
    let queues = QueueTask.Pattern.allCases.map { ($0, QueueTask($0, count: count).rows) }
    let timed =
      queues.flatMap { $0.1 } + limits.rows.values.joined() + retargetPeers + completionPeers
    for row in timed { row.warmUp() }
    let turns: [() -> Void] =
      [quiet.measure, recorded.measure] + retargets.map { $0.measure }
      + (engine.map { [$0.measure] } ?? [])
      + timed.map { row in { row.measure(ns: roundNs) } }
    Turns.take(turns, rounds: roundCount) { $0() }
    let all = groups + queues.map { ($0.0.rawValue, "events", $0.1) }
    return all.flatMap { name, things, rows in
      let reports = RowReport.group(name, rows) { limits.ns(for: $0) }
      area.add(RowReport.rows(reports, of: things))
      return reports
    }
  }
}
