// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire

/// Runs as `orrery ps` prints them.
package struct RunListText {
  /// The kind and version of the document that `json` prints.
  package static let schema = "orrery.ps.v1"

  private let runs: [RunStatus]

  /// Takes the runs, in the order in which they are printed.
  package init(_ runs: [RunStatus]) { self.runs = runs }

  /// One line of JSON.
  package var json: String {
    let report: DocumentTable = [
      "schema": .string(Self.schema), "runs": .array(DocumentArray(runs.map(\.fields))),
    ]
    return JSONWriter.text(.table(report), .answer)
  }

  /// For people: a table with a row for each run, and below it a line for each of its subscribers.
  ///
  /// It has at most 80 columns, unless a run has very large numbers: where it would have more, columns
  /// stand closer, and then long names stand on lines of their own.
  package var table: String {
    if runs.isEmpty { return "no runs" }
    let rows = [Self.titles] + runs.map(Self.cells)
    for gap in [2, 1] {
      let lines = Self.aligned(rows, gap: gap)
      if lines.allSatisfy({ $0.count <= Self.columnsMax }) { return text(lines) }
    }
    let nameless = rows.map { [""] + $0.dropFirst() }
    let nameMax = Self.columnsMax - (Self.aligned(nameless, gap: 1).first?.count ?? 0)
    let short = rows.map { $0[0].count <= nameMax ? $0 : [""] + $0.dropFirst() }
    let lines = zip(rows, Self.aligned(short, gap: 1)).map { row, line in
      row[0].count <= nameMax ? line : row[0] + "\n" + line
    }
    return text(lines)
  }

  /// For people: everything that is known of one run.
  package static func details(of run: RunStatus) -> String {
    var said = "run '\(run.name)': \(run.state)"
    if let id = run.processID { said += ", pid \(id)" }
    if let seconds = run.ageSeconds { said += ", \(age(seconds)) old" }
    if let directory = try? RunDirectory(name: run.name) { said += "\nin \(directory.path)" }
    guard let reason = run.reason else { return said + "\n" + ControlText(.stats, run.stats).lines }
    return said + "\n" + reason
  }

  private func text(_ rows: [String]) -> String {
    var lines = rows.prefix(1)
    for (row, run) in zip(rows.dropFirst(), runs) {
      lines.append(row)
      lines += Self.notes(on: run).map { "  " + $0 }
    }
    return lines.joined(separator: "\n")
  }
}

// MARK: - Cells

extension RunListText {
  private static let columnsMax = 80

  private static let titles = [
    "NAME", "SCENE", "ENTITIES", "RATE", "TICK", "MEAN", "P50", "P99", "LATE", "AGE", "PID",
  ]

  /// Columns of words, which are aligned on the left; numbers are aligned on the right.
  private static let wordCount = 2

  private static let sceneMax = 12

  private static func cells(of run: RunStatus) -> [String] {
    func count(_ key: String) -> String { run.stats[key]?.integer.map { "\($0)" } ?? "-" }
    func time(_ key: String) -> String {
      // Before the first tick there is no time of one.
      run.stats[key]?.integer.flatMap { $0 > 0 ? duration(UInt64(clamping: $0)) : nil } ?? "-"
    }
    var scene = (run.stats["scene"]?.string ?? "-").printable()
    if scene.count > sceneMax { scene = scene.prefix(sceneMax - 1) + "…" }
    return [
      run.name, scene, count("entities"), run.stats["ticks_per_second"]?.number.map(rate) ?? "-",
      count("tick"), time("tick_mean_ns"), time("tick_p50_ns"), time("tick_p99_ns"),
      count("late_ticks"), run.ageSeconds.map(age) ?? "-", run.processID.map { "\($0)" } ?? "-",
    ]
  }

  private static func rate(_ ticksPerSecond: Double) -> String {
    let text = decimal(ticksPerSecond, places: 2)
    return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
  }

  /// An age in its largest unit: 59s, 12m, 3h, 2d.
  static func age(_ seconds: Double) -> String {
    let seconds = UInt64(max(seconds, 0))
    switch seconds {
    case ..<60: return "\(seconds)s"
    case ..<3600: return "\(seconds / 60)m"
    case ..<86_400: return "\(seconds / 3600)h"
    default: return "\(seconds / 86_400)d"
    }
  }

  private static func aligned(_ rows: [[String]], gap: Int) -> [String] {
    let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.indices.map { column in
        column < wordCount
          ? row[column].alignedLeft(widths[column]) : row[column].alignedRight(widths[column])
      }.joined(separator: String(repeating: " ", count: gap))
    }
  }

  /// Lines below a run's row: its state unless it runs at its own speed, and its subscribers.
  private static func notes(on run: RunStatus) -> [String] {
    if let reason = run.reason { return ["\(run.state): \(reason)"] }
    var notes: [String] = run.state == .paused ? ["paused"] : []
    if let speed = run.stats["speed"]?.number, speed != 1 {
      notes.append("at \(decimal(speed, places: 2)) times its speed")
    }
    return notes + SubscriberText.lines(of: run.stats, nameMax: nameMax)
  }

  /// Characters of a subscriber's name with which its line has at most 80 columns, unless it counts
  /// millions of frames.
  private static let nameMax = 16
}
