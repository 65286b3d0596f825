// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// All that `orrery top` knows of one run, in lines.
enum TopDetails {
  /// The run's name, and what it is doing.
  static func title(of run: TopRun) -> String {
    "run '\(run.name)': \(run.state.rawValue)" + (run.pid.map { ", pid \($0)" } ?? "")
      + (run.scene.map { ", scene \($0)" } ?? "") + ", \(RunListText.age(run.ageSeconds)) old"
  }

  /// What is below it.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - columns: Characters of a line.
  /// - Returns: Lines for people.
  static func lines(of run: TopRun, columns: Int) -> [String] {
    var text = ReportText()
    if let notice = run.notice { text.addLine(notice) }
    let asked =
      run.periodNs.map { " of \(decimal(1e9 / Double(max($0, 1)), places: 1))" } ?? ", unpaced"
    text.add(
      "ticks",
      "\(decimal(run.ticksPerSecond, places: 1)) a second\(asked), \(run.lateTicks) late,"
        + " \(run.overBudgetFrames) over budget, the longest stall \(duration(run.stallMaxNs))")
    text.add(
      "newest",
      "tick \(run.tick), frame \(run.sequence), \(decimal(run.sinceTickSeconds, places: 1)) s ago")
    text.add(
      "frames",
      "\(run.entities) entities, \(TopTable.short(run.bytesPerSecond))B/s,"
        + " \(TopTable.short(run.eventsPerTick)) events a tick")
    if let share = run.budgetShare {
      text.add("budget", "\(decimal(share * 100, places: 1))% of a tick's period in the mean")
    }
    text.addDurationHeading()
    text.addDurations("work", run.work)
    text.addDurations("publish", run.publish)
    for subscriber in run.subscribers {
      text.addLine("")
      text.add(
        "\(subscriber.name)",
        "pid \(subscriber.pid), received \(subscriber.received), missed \(subscriber.missed),"
          + " \(subscriber.waiting), \(subscriber.reading), \(subscriber.transport)"
          + (subscriber.fileBytes.map { ", file of \(megabytes($0)) MB" } ?? "")
          + (subscriber.notice.map { ", \($0)" } ?? ""))
      text.addDurations("  age", subscriber.age)
      text.addDurations("  work", subscriber.work)
    }
    if !run.shards.isEmpty {
      text.addLine("")
      let table = TopTable(run.shards, columns: columns)
      for line in [table.heading] + table.lines.map(\.text) { text.addLine(line) }
    }
    return text.lines
  }
}
