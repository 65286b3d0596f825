// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The table of `orrery top`: a row for each run, and below it its shards, subscribers and what is wrong.
package struct TopTable {
  /// A line of the table.
  package struct Line: Equatable {
    /// Its characters.
    package let text: String
    /// The run or shard that it shows; nil: the line belongs to one above it.
    package let name: String?

    /// A line of a run or a shard, or one below it.
    package init(_ text: String, name: String? = nil) { (self.text, self.name) = (text, name) }
  }

  /// The titles of the columns.
  package let heading: String
  /// What is below it.
  package let lines: [Line]

  /// Lays the table out.
  ///
  /// - Parameters:
  ///   - runs: In the order of their rows.
  ///   - columns: Characters of a line: what is most important is shown, and as much more as fits.
  package init(_ runs: [TopRun], columns: Int) {
    let rows = runs.flatMap { run in
      [(run, run.name)] + run.shards.map { ($0, " " + $0.name) }
    }
    let titles = Column.all.map(\.title)
    let cells = rows.map { run, name in
      Column.all.map { $0.title == "NAME" ? Self.shortened(name, Self.nameMax) : $0.cell(run) }
    }
    let widths = titles.indices.map { index in
      max(([titles] + cells).map { $0[index].count }.max() ?? 0, Column.all[index].width)
    }
    var shown: Set<Int> = []
    for index in titles.indices.sorted(by: { Column.all[$0].rank < Column.all[$1].rank }) {
      let used = shown.reduce(0) { $0 + widths[$1] + 1 } + widths[index]
      guard used <= columns else { break }
      shown.insert(index)
    }
    func line(_ cells: [String]) -> String {
      let aligned = cells.indices.filter(shown.contains).map { index in
        Column.all[index].isWord
          ? cells[index].alignedLeft(widths[index]) : cells[index].alignedRight(widths[index])
      }
      return String(aligned.joined(separator: " ").prefix(columns))
    }
    heading = line(titles)
    let subscribers = Self.subscriberLines(runs)
    var lines: [Line] = []
    var row = 0
    for (run, below) in zip(runs, subscribers) {
      for (index, sim) in ([run] + run.shards).enumerated() {
        lines.append(Line(line(cells[row]), name: sim.name))
        row += 1
        let indent = String(repeating: " ", count: index == 0 ? 2 : 3)
        if let notice = sim.notice { lines.append(Line(String((indent + notice).prefix(columns)))) }
      }
      lines += below.map { Line(String($0.prefix(columns))) }
    }
    self.lines = lines
  }

  /// The table as a text.
  package var text: String {
    lines.isEmpty ? "no runs" : ([heading] + lines.map(\.text)).joined(separator: "\n")
  }

  /// Characters of a name that are shown.
  static let nameMax = 16

  static func shortened(_ name: String, _ countMax: Int) -> String {
    name.count > countMax ? name.prefix(countMax - 1) + "…" : name
  }
}

// MARK: - Columns

extension TopTable {
  /// A column of runs.
  private struct Column: Sendable {
    let title: String
    /// Characters that it has at least, so that columns do not move with each number.
    let width: Int
    /// Columns of the lowest ranks are shown where not all fit.
    let rank: Int
    var isWord = false
    let cell: @Sendable (TopRun) -> String

    static let all: [Column] = [
      Column(title: "NAME", width: 13, rank: 0, isWord: true) { $0.name },
      Column(title: "SCENE", width: 12, rank: 11, isWord: true) {
        shortened($0.scene ?? "-", 12)
      },
      Column(title: "RATE", width: 6, rank: 1) { run in
        run.counted { decimal($0.ticksPerSecond, places: $0.ticksPerSecond < 10_000 ? 1 : 0) }
      },
      Column(title: "MEAN", width: 8, rank: 12) { $0.time(\.meanNs) },
      Column(title: "P50", width: 8, rank: 2) { $0.time(\.p50Ns) },
      Column(title: "P99", width: 8, rank: 3) { $0.time(\.p99Ns) },
      Column(title: "MAX", width: 8, rank: 4) { $0.time(\.maxNs) },
      Column(title: "BUDGET", width: 6, rank: 5) { run in
        run.budgetShare.map { decimal($0 * 100, places: 1) + "%" } ?? "-"
      },
      Column(title: "EV/TICK", width: 7, rank: 8) { run in run.counted { short($0.eventsPerTick) }
      },
      Column(title: "ENT", width: 4, rank: 7) { run in run.counted { short(Double($0.entities)) } },
      Column(title: "B/S", width: 4, rank: 6) { run in run.counted { short($0.bytesPerSecond) } },
      Column(title: "LATE", width: 6, rank: 9) { run in run.counted { "\($0.lateTicks)" } },
      Column(title: "OVER", width: 6, rank: 13) { run in run.counted { "\($0.overBudgetFrames)" } },
      Column(title: "TICK", width: 9, rank: 10) { run in run.counted { "\($0.tick)" } },
      Column(title: "AGE", width: 4, rank: 15) { run in
        run.counted { RunListText.age($0.ageSeconds) }
      },
      Column(title: "PID", width: 7, rank: 14) { $0.pid.map { "\($0)" } ?? "-" },
    ]
  }

  /// A number in three or four characters: 0.3, 12, 312k, 6.3M.
  static func short(_ value: Double) -> String {
    guard value.isFinite, value > 0 else { return "0" }
    var (value, unit) = (value, 0)
    while value >= 999.5, unit + 1 < units.count { (value, unit) = (value / 1000, unit + 1) }
    let isWhole = unit == 0 && value == value.rounded()
    return decimal(value, places: value < 9.95 && !isWhole ? 1 : 0) + units[unit]
  }

  private static let units = ["", "k", "M", "G", "T", "P", "E"]
}

extension TopRun {
  /// A cell of a run that has counters.
  fileprivate func counted(_ cell: (TopRun) -> String) -> String {
    pid == nil && shards.isEmpty ? "-" : cell(self)
  }

  /// A length of time of its ticks.
  fileprivate func time(_ part: KeyPath<DurationReport, UInt64>) -> String {
    work.count == 0 ? "-" : duration(work[keyPath: part])
  }
}

// MARK: - Subscribers

extension TopTable {
  /// The lines of each run's subscribers, whose words stand below each other.
  private static func subscriberLines(_ runs: [TopRun]) -> [[String]] {
    let all = runs.flatMap { $0.subscribers.map { cells(of: $0) } }
    let widths = (all.first ?? []).indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return runs.map { run in
      let others = run.subscribersConnected.subtractingReportingOverflow(
        UInt64(run.subscribers.count))
      let more =
        others.overflow || others.partialValue == 0
        ? [] : ["  and \(others.partialValue) without counters here: orrery ps \(run.name)"]
      return run.subscribers.flatMap { subscriber -> [String] in
        let words = zip(cells(of: subscriber), widths).enumerated().map { index, word -> String in
          isNumber[index] ? word.0.alignedRight(word.1) : word.0.alignedLeft(word.1)
        }
        let line = "  " + words.joined(separator: " ")
        return subscriber.notice.map { [line, "    " + $0] } ?? [line]
      } + more
    }
  }

  /// Which cells of a subscriber are aligned on the right.
  private static let isNumber = [false, true, false, true, false, false, false, false, true]

  /// Such as `renderer  60.0/s  lag 1, 0.4 ms  missed 12  futex every memory  4.1M/s`.
  private static func cells(of subscriber: TopSubscriber) -> [String] {
    [
      shortened(subscriber.name, nameMax),
      decimal(subscriber.framesPerSecond, places: 1) + "/s",
      "lag " + (subscriber.lagFrames.map { "\($0)" } ?? "-") + ",",
      subscriber.age.count == 0 ? "-" : duration(subscriber.age.p99Ns),
      "missed \(subscriber.missed)",
      subscriber.waiting, subscriber.reading, subscriber.transport,
      short(subscriber.bytesPerSecond) + "B/s",
    ]
  }
}
