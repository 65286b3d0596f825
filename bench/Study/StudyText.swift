// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A study on one screen, at most 80 columns wide.
package enum StudyText {
  private static let ticks = TextTable([
    .left(17), .right(10), .right(9), .right(6), .right(5), .right(9), .right(9), .right(9),
    .right(6),
  ])
  private static let frames = TextTable([
    .left(36), .right(9), .right(9), .right(9), .right(9), .right(6),
  ])

  /// The whole text.
  package static func text(_ result: StudyResult) -> String {
    head(result) + tickTable(result) + kinds(result) + WorstText.text(result.rows)
      + frameTable(result) + foot(result)
  }

  /// The machine, its load and the time.
  package static func head(_ result: StudyResult) -> String { machine(result) + load(result) }

  /// The title and the time, the machine, and the commit.
  package static func machine(_ result: StudyResult) -> String {
    let context = result.context
    let commit = context.commit.map { "commit \($0)\(context.isDirty ? " (changed)" : "")" }
    let words = [
      "\(result.title)\(result.isPartial ? " (PARTIAL: it was interrupted)" : ""), \(context.date)",
      "\(context.processor), \(context.processorCount) processors,"
        + " \(context.instructionSets.last ?? "unknown"), \(commit ?? "no commit")",
    ]
    return words.map { TextTable.wrapped($0) }.joined()
  }

  /// What else the machine did, known at the end.
  package static func load(_ result: StudyResult) -> String {
    let context = result.context
    return TextTable.wrapped(
      "load \(decimal(context.loadBefore, places: 1)) before and"
        + " \(decimal(context.loadAfter, places: 1)) after, stolen by the host"
        + " \(decimal(context.stolen * 100, places: 1)) %" + steadiness(result))
  }

  private static func steadiness(_ result: StudyResult) -> String {
    let spreads = Steadiness.names.compactMap { result.row($0)?.summary?.spread }
    guard let largest = spreads.max() else { return "" }
    return ", unchanging work differed by \(decimal(largest * 100, places: 1)) %"
  }

  /// The uncertainty of a row in percent: half of the interval of its median, and the differences of
  /// unchanging work.
  package static func uncertainty(_ row: StudyRow, in result: StudyResult) -> Double? {
    let interval = Confidence.median(row.samples)
    guard interval.upper.isFinite, interval.value > 0 else { return nil }
    let half = (interval.upper - interval.lower) / 2 / interval.value
    let machine = result.row(Steadiness.names[0])?.summary?.spread ?? 0
    return (half * half + machine * machine).squareRoot() * 100
  }

  private static func tickTable(_ result: StudyResult) -> String {
    let rows = result.rows.filter { $0.name.hasPrefix("tick ") }
    guard !rows.isEmpty else { return "" }
    var text =
      "\n"
      + ticks.line([
        "a tick of", "entities", "round µs", "±%", "lim%", "p50 µs", "p99 µs", "max µs", "over",
      ])
    for row in rows {
      guard let summary = row.summary else { continue }
      let cells = [
        "  " + shortened(row.name.dropFirst(5), to: 14) + (row.doubts.isEmpty ? "" : "?"),
        TextTable.grouped(row.entities ?? 1), figure(row.reading.value(summary.median)),
        uncertainty(row, in: result).map { $0 < 100 ? decimal($0, places: 1) : ">100" } ?? "-",
        row.ofBound.map(limitCell) ?? "-",
      ]
      text += ticks.line(cells + durationCells(row, missing: "-", figure))
    }
    if rows.contains(where: { $0.histogram == nil }) {
      text += "  -: ticks too short to be timed one by one\n"
    }
    let hashes = rows.compactMap { row in row.hash.map { "\(row.name.dropFirst(5)) \($0)" } }
    return hashes.isEmpty
      ? text : text + TextTable.wrapped("state hashes: " + hashes.joined(separator: ", "))
  }

  /// A name in a width: what is too long is left out before the hash of a scene file, or at the end.
  package static func shortened(_ name: some StringProtocol, to width: Int) -> String {
    guard name.count > width else { return String(name) }
    let end = name.split(separator: "@").dropFirst().last.map { "@" + $0 } ?? ""
    return name.prefix(max(width - end.count - 1, 0)) + "…" + end
  }

  /// The part of a limit in percent.
  ///
  /// More than all of it is no part: the limit's own work took longer than the row, as calls of `memset` do where a frame
  /// has few bytes.
  package static func limitCell(_ part: Double) -> String {
    part < 1.005 ? decimal(part * 100, places: 0) : ">100"
  }

  /// A row's p50, p99 and max of single durations in µs, and how many took longer than their budget.
  package static func durationCells(
    _ row: StudyRow, missing: String, _ figure: (Double) -> String
  ) -> [String] {
    guard let durations = row.durations else { return Array(repeating: missing, count: 4) }
    let times = [durations.p50, durations.p99, durations.max].map { figure($0 / 1e3) }
    return times + [durations.overBudget.map { "\($0)" } ?? missing]
  }

  /// The parts of a tick's time: nanoseconds and bytes of an entity of each kind.
  private static func kinds(_ result: StudyResult) -> String {
    let texts = result.rows.compactMap { row -> String? in
      let parts = row.parts.compactMap { part -> String? in
        guard let each = part.nsEach else { return nil }
        let events =
          part.eventsNsEach.map {
            " (events \(decimal($0 / max(each, .ulpOfOne) * 100, places: 0)) %)"
          }
          ?? ""
        return "\(part.kind) \(figure(each)) ns\(events)"
          + " \(decimal(part.bytesPerEntity, places: 0)) B"
      }
      guard !parts.isEmpty else { return nil }
      return row.name.dropFirst(5) + " " + parts.joined(separator: ", ")
    }
    guard !texts.isEmpty else { return "" }
    return "\n"
      + TextTable.wrapped("an entity's time and bytes by kind: " + texts.joined(separator: "; "))
  }

  private static let titles: [(name: String, text: String)] = [
    ("frame computed", "computed after its due time, µs"),
    ("frame published", "published: the cost of it, µs"),
    ("frame found", "found by a reader after due, µs"),
    ("frame recorded", "recorded after its due time, µs"),
    ("recording", "recording, MB/s"), ("drawing", "drawing, pictures a second"),
    ("unpaced", "without waiting, frames a second"),
  ]

  private static func frameTable(_ result: StudyResult) -> String {
    let known = titles.compactMap { title in result.row(title.name).map { (title.text, $0) } }
    guard let first = known.first?.1 else { return "" }
    let entities = TextTable.grouped(first.entities ?? 0)
    var text =
      "\n"
      + frames.line(["frames of \(entities) entities", "p50", "p99", "p99.9", "max", "lim%"])
    for (title, row) in known {
      guard let summary = row.summary else { continue }
      let cells =
        if let durations = row.durations {
          [durations.p50, durations.p99, durations.p999, durations.max].map { figure($0 / 1e3) }
        } else {
          [figure(summary.median), "-", "-", "-"]
        }
      text += frames.line(
        ["  " + title + (row.doubts.isEmpty ? "" : "?")] + cells + [
          row.ofBound.map(limitCell) ?? "-"
        ])
    }
    return text + split(result)
  }

  /// The parts of the time from one frame to the next.
  private static func split(_ result: StudyResult) -> String {
    let parts = TickPart.all(of: result)
    guard !parts.isEmpty else { return "" }
    let words = parts.map {
      "\($0.name) \(figure($0.ns / 1e3)) µs (\(decimal($0.part * 100, places: 1)) %)"
    }
    return "\n" + TextTable.wrapped("of each tick: " + words.joined(separator: ", "))
  }

  /// Which rows are unsure, marked by `?` in tables, and why; nil if none is.
  package static func doubts(_ result: StudyResult) -> String? {
    let rows = result.rows.filter { !$0.doubts.isEmpty }
      .map { "\($0.name), \($0.doubts.joined(separator: ", "))" }
    return rows.isEmpty ? nil : "? unsure: " + rows.joined(separator: "; ")
  }

  private static func foot(_ result: StudyResult) -> String {
    var text = doubts(result).map { TextTable.wrapped($0) } ?? ""
    if !result.notes.isEmpty {
      text += TextTable.wrapped("noisy or left out: " + result.notes.joined(separator: "; "))
    }
    return text.isEmpty ? "" : "\n" + text
  }

  /// A figure of at most seven characters below ten millions.
  package static func figure(_ value: Double) -> String {
    let places =
      switch abs(value) {
      case ..<9.9995: 3
      case ..<99.995: 2
      case ..<9999.95: 1
      default: 0
      }
    return decimal(value, places: places)
  }
}
