// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryPlot

/// Results as one page of HTML that needs no network, no script and no other file.
package struct ReportPage {
  private let results: [StudyResult]
  /// The results as cases of a sweep; nil if they are something else.
  private let sweep: SweepReport?
  private let baseline: StudyResult?
  /// Of the first result with the baseline.
  private let comparison: Comparison?
  private let peers: [PeerResult]

  /// A page.
  ///
  /// - Parameters:
  ///   - results: At least one; the first gives the page its title.
  ///   - baseline: The result with which the first is compared; nil: there is none.
  ///   - scenes: Which of its rows of other scenes are compared, too.
  ///   - peers: Measurements of other people's programs beside Orrery.
  package init(
    _ results: [StudyResult], baseline: StudyResult? = nil,
    scenes: Comparison.OtherScenes = .none, peers: [PeerResult] = []
  ) {
    precondition(!results.isEmpty, "a report of no result")
    (self.results, self.baseline, self.peers) = (Self.distinct(results), baseline, peers)
    sweep = SweepReport(results)
    comparison = baseline.map { Comparison($0, results[0], scenes: scenes) }
  }

  /// The results, with a number behind a title that an earlier one has, too.
  private static func distinct(_ results: [StudyResult]) -> [StudyResult] {
    results.indices.map { index in
      var result = results[index]
      let earlier = results[..<index].count { $0.title == result.title }
      if earlier > 0 { result.title += " (\(earlier + 1))" }
      return result
    }
  }

  /// The figures, in the page's order, with a short name for a file.
  package var figures: [(name: String, figure: Figure)] {
    var all: [(String, Figure)] = []
    let capacities = results.flatMap(\.capacities)
    if !capacities.isEmpty { all.append(("capacity", Charts.capacity(capacities))) }
    if let sweep {
      all += sweep.figures
    } else if let figure = Charts.cost(results) {
      all.append(("cost", figure))
    }
    // What a case of a sweep has, the sweep's figures have of all.
    for (index, result) in results.enumerated() where sweep == nil {
      let suffix = index == 0 ? "" : "-\(index + 1)"
      func add(_ name: String, _ figure: Figure?) {
        guard let figure else { return }
        all.append((name + suffix, results.count > 1 ? figure.named(result.title) : figure))
      }
      add("limits", Charts.limits(result))
      add("latency", Charts.latencies(result))
      add("tick", Charts.tick(result))
      add("kinds", Charts.split(result))
      for (number, figure) in Charts.tables(result).enumerated() {
        add("table-\(number + 1)", figure)
      }
    }
    for (index, result) in peers.enumerated() {
      let suffix = index == 0 ? "" : "-\(index + 1)"
      if let figure = Charts.peers(result) { all.append(("peers" + suffix, figure)) }
    }
    if let figure = comparison.flatMap(Charts.comparison) {
      all.append(("comparison", figure))
    }
    return all
  }

  /// The page.
  ///
  /// - Throws: `PlotError` if a figure cannot be drawn.
  package func html() throws(PlotError) -> String {
    var body = "<h1>\(Self.escaped(title))</h1>\n"
    body += "<p class=\"verdict\">\(Self.escaped(verdict))</p>\n"
    body += Self.list(summary, "summary")
    for (_, figure) in figures { body += try Self.picture(figure) }
    if let comparison { body += Self.table(comparison) }
    for result in peers { body += Self.table(result) }
    if let sweep {
      body += sweep.table
      if !sweep.notes.isEmpty {
        body += "<details><summary>\(sweep.notes.count) of \(results.count) cases were disturbed or"
        body += " have unsure figures</summary>\n\(Self.list(sweep.notes, "notes"))</details>\n"
      }
    } else {
      for result in results {
        body += Self.tables(result) + result.capacities.map(Self.runs).joined() + Self.worst(result)
      }
    }
    for (index, result) in results.enumerated() {
      // One machine and one build are described once.
      let isKnown = results[..<index].contains { $0.context.isSameSetup(as: result.context) }
      if !isKnown { body += Self.machine(result) }
    }
    body += "<h2>How to do it again</h2>\n"
    for command in (sweep.map { [$0.command] } ?? results.map(\.command)) + peers.map(\.command) {
      body += "<pre>\(Self.escaped(command))</pre>\n"
    }
    body += "<h2>Raw rounds</h2>\n"
    for result in results {
      body += "<details><summary>\(Self.escaped(result.title)), to copy</summary>\n"
      body += "<pre>\(Self.escaped(Self.rounds(result)))</pre></details>\n"
    }
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(Self.escaped(title))</title>
      <style>\(Self.style)</style></head>
      <body><main>
      \(body)</main></body></html>

      """
  }

  /// What was measured, where, and of which commit.
  private var title: String {
    let context = results[0].context
    let commit = context.commit.map { "commit \($0)\(context.isDirty ? " (changed)" : "")" }
    return
      "Orrery, \(sweep?.name ?? results[0].title): \(context.processor), \(commit ?? "no commit")"
  }

  /// The result in one sentence.
  package var verdict: String {
    if let baseline, let comparison {
      return "Against the baseline of \(baseline.context.date): \(comparison.counts)."
    }
    let goals = results.compactMap(\.goals).flatMap { $0 }
    if !goals.isEmpty { return "Of the \(GoalCount(goals).text.dropLast())." }
    if let sweep { return sweep.verdict }
    let capacities = results.flatMap(\.capacities).map(Self.sentence)
    if !capacities.isEmpty { return capacities.joined(separator: " ") }
    let rows = results.flatMap(\.rows).compactMap { row in
      row.durations?.overBudget.map { (name: row.name.dropFirst(5), late: $0) }
    }
    let late = rows.filter { $0.late > 0 }
      .map { "\(TextTable.grouped(Int($0.late))) of \($0.name)" }
    if rows.isEmpty { return Self.verdict(ofShortTicks: results.flatMap(\.rows)) }
    if late.isEmpty {
      return "No tick of \(counted(rows.count, "workload")) took longer than its budget."
    }
    let others = rows.count - late.count
    let rest =
      others > 0 ? "; none of \(counted(others, "other workload")) with timed ticks" : ""
    return "Ticks that took longer than their budget: \(late.joined(separator: ", "))\(rest)."
  }

  /// The verdict on ticks that were timed many at once only: reading the clock takes a part of such short ones.
  private static func verdict(ofShortTicks rows: [StudyRow]) -> String {
    let parts = rows.compactMap { row in
      row.budgetNs.flatMap { budget in row.summary.map { $0.median / budget } }
    }
    guard let largest = parts.max() else { return "No tick was timed." }
    return "Ticks are too short to be timed one by one: on average they take"
      + " \(decimal(largest * 100, places: largest < 0.001 ? 3 : 1)) % of their budget at most."
  }

  /// The result in sentences, each with its figures.
  package var summary: [String] {
    var all: [String] = []
    let verdict = verdict
    all += results.flatMap(\.capacities).map(Self.sentence).filter { !verdict.contains($0) }
    all += sweep?.summary ?? []
    for result in results where sweep == nil {
      if let row = result.row("tick stress"), let median = row.summary?.median,
        let entities = row.entities
      {
        var text = "A tick of \(TextTable.grouped(entities)) marquees and orbits takes"
        text += " \(StudyText.figure(median / 1e3)) µs,"
        text += " \(StudyText.figure(median / Double(entities))) ns an entity"
        if let part = row.ofBound {
          text +=
            part <= 1
            ? "; writing its bytes alone takes \(decimal(part * 100, places: 0)) % of that"
            : "; writing its bytes alone takes longer than that: memset is slow with so few"
        }
        all.append(text + ".")
      }
      if let text = Self.latency(result) { all.append(text) }
      for goal in result.goals ?? [] where goal.verdict == "missed" {
        let wanted = goal.sign + decimal(goal.wanted, places: 2)
        all.append("Missed: \(goal.name), \(Self.figure(goal.measured ?? 0)), wanted \(wanted).")
      }
      if result.isPartial { all.append("\(result.title) was interrupted: it is partial.") }
      all += result.notes.map { note in
        results.count > 1
          ? "\(result.title): \(note)." : note.prefix(1).uppercased() + note.dropFirst() + "."
      }
    }
    if let comparison, !comparison.slower.isEmpty {
      let names = comparison.slower.map(\.name).joined(separator: ", ")
      all.append("Slower than the baseline: \(names).")
    }
    return all
  }

  /// How many entities hold a rate, and what limits them.
  private static func sentence(_ capacity: CapacityResult) -> String {
    let rate = decimal(capacity.rateHz, places: 0)
    let number = TextTable.grouped(capacity.entities)
    if let undecided = capacity.undecided, capacity.entities == 0 {
      return "How many entities of \(capacity.scene) hold \(rate) Hz is undecided: \(undecided)."
    }
    var text = "\(capacity.isLeast ? "At least \(number)" : number) entities of \(capacity.scene)"
    text += " hold \(rate) Hz"
    if capacity.confirmations > 0 {
      text += " (\(capacity.confirmed) of \(capacity.confirmations) runs)"
    }
    if let undecided = capacity.undecided {
      text += "; undecided: \(undecided)"
    } else if let cause = capacity.firstCause, let evidence = capacity.evidence {
      text += "; more are limited by \(cause.words): \(evidence)"
    }
    return text + "."
  }

  private static func latency(_ result: StudyResult) -> String? {
    guard let row = result.row("frame found"), let durations = row.durations else { return nil }
    let times = [durations.p50, durations.p99, durations.max].map { duration(UInt64($0)) }
    return
      "A frame of \(TextTable.grouped(row.entities ?? 0)) entities reaches a reader \(times[0])"
      + " after its tick was due (p50), \(times[1]) (p99), \(times[2]) at the latest."
  }
}

// MARK: - Parts of the page

extension ReportPage {
  private static func list(_ lines: [String], _ name: String) -> String {
    lines.isEmpty
      ? ""
      : "<ul class=\"\(name)\">\n" + lines.map { "<li>\(escaped($0))</li>\n" }.joined() + "</ul>\n"
  }

  private static func picture(_ figure: Figure) throws(PlotError) -> String {
    "<figure>\n" + (try ChartFile.inline(figure)) + "</figure>\n"
  }

  /// A table that scrolls by itself where it is wider than the page.
  ///
  /// - Parameters:
  ///   - heading: The name of each column.
  ///   - words: The columns of words, which are aligned on the left, as numbers are on the right.
  ///   - rows: The cells.
  /// - Returns: HTML.
  static func table(
    _ heading: [String], words: Set<Int> = [], _ rows: [[String]]
  ) -> String {
    func line(_ tag: String, _ cells: [String]) -> String {
      let all = cells.enumerated().map { index, cell in
        "<\(tag)\(words.contains(index) ? " class=\"words\"" : "")>\(escaped(cell))</\(tag)>"
      }
      return "<tr>" + all.joined() + "</tr>\n"
    }
    return "<div class=\"wide\"><table>" + line("th", heading)
      + rows.map { line("td", $0) }.joined() + "</table></div>\n"
  }

  private static func table(_ comparison: Comparison) -> String {
    let heading = "<h2>Against the baseline</h2>\n"
    guard !comparison.rows.isEmpty else { return heading + list(comparison.notes, "notes") }
    let rows = comparison.rows.map { row in
      let interval =
        row.slowdown.upper.isFinite
        ? "\(decimal(row.slowdown.lower, places: 3)) to \(decimal(row.slowdown.upper, places: 3))"
        : "unknown"
      return [
        row.name, figure(row.old), figure(row.new), row.unit,
        decimal(row.slowdown.value, places: 3), interval, row.verdict.text,
      ]
    }
    let names = ["row", "old", "new", "unit", "slowdown", "interval", "verdict"]
    return heading + table(names, words: [6], rows) + list(comparison.notes, "notes")
  }

  private static func tables(_ result: StudyResult) -> String {
    guard result.rows.contains(where: { $0.summary != nil }) else { return "" }
    let rows = result.rows.compactMap { row -> [String]? in
      guard let summary = row.summary else { return nil }
      let uncertainty = StudyText.uncertainty(row, in: result)
      let cells = [
        row.name + (row.doubts.isEmpty ? "" : "?"),
        row.entities.map { TextTable.grouped($0) } ?? "", row.reading.unit, "\(summary.count)",
        result.sign(of: row) + figure(row.reading.value(summary.median)),
        uncertainty.map { decimal($0, places: 1) } ?? "",
      ]
      return cells + StudyText.durationCells(row, missing: "", figure)
        + [row.ofBound.map { "\(StudyText.limitCell($0)) %" } ?? "", row.hash ?? ""]
    }
    let names = [
      "row", "entities", "unit", "rounds", "median round", "±%", "p50", "p99", "max, µs",
      "over budget", "of limit", "state hash",
    ]
    return "<h2>\(escaped(result.title))</h2>\n" + table(names, words: [11], rows)
      + list(StudyText.doubts(result).map { [$0] } ?? [], "notes")
  }

  /// The runs of a search, in their order.
  private static func runs(_ capacity: CapacityResult) -> String {
    let wait = "wait, p\(decimal(capacity.percentile, places: 1)), ms"
    let rows = capacity.steps.map { step in
      let figures = step.figures
      return [
        TextTable.grouped(step.entities), figure(Double(figures.waitNs) / 1e6),
        figure(Double(figures.waitMedianNs) / 1e6), figure(Double(figures.workNs) / 1e3),
        figures.others.map { "\(decimal($0 * 100, places: 0)) %" } ?? "",
        step.causes.isEmpty ? "yes" : step.causes.map(\.words).joined(separator: ", "),
      ]
    }
    return "<h3>The runs of \(escaped(capacity.scene))</h3>\n"
      + table(["entities", wait, "wait, p50, ms", "work, µs", "of other programs", "held"], rows)
  }

  /// The slowest ticks, with the commands that go there.
  private static func worst(_ result: StudyResult) -> String {
    result.rows.compactMap { row in
      guard let worst = row.worst, !worst.isEmpty else { return nil }
      let commands = WorstText.commands(worst).joined(separator: "\n")
      return "<h3>The slowest ticks of \(escaped(String(row.name.dropFirst(5))))</h3>\n"
        + table(WorstText.heading, worst.map(WorstText.cells)) + list(WorstText.notes(row), "notes")
        + "<pre>\(escaped(commands))</pre>\n"
    }.joined()
  }

  private static func table(_ peers: PeerResult) -> String {
    let rows = peers.figures.map { row in
      let times = peers.advantage(over: row).map { StudyText.figure($0) } ?? ""
      return [row.what, row.subject, figure(row.value), row.unit, times]
    }
    return "<h2>\(escaped(peers.title))</h2>\n"
      + table(["figure", "of", "", "unit", "Orrery is better, times"], words: [1, 3], rows)
  }

  /// A figure for a table: whole and grouped from ten thousand on.
  static func figure(_ value: Double) -> String {
    value >= 10_000 && value < 1e15
      ? TextTable.grouped(Int(value.rounded())) : StudyText.figure(value)
  }

  private static func machine(_ result: StudyResult) -> String {
    let context = result.context
    let shared = context.coresAreShared.map { $0 ? "threads of one core" : "a core each" }
    let rows = [
      ("study", "\(result.title), \(context.date)"),
      ("commit", "\(context.commit ?? "unknown")\(context.isDirty ? ", with changes" : "")"),
      ("build", context.build),
      (
        "processor",
        "\(context.processor), \(context.processorCount) processors, \(shared ?? "layout unknown")"
      ), ("caches", context.caches.joined(separator: ", ")),
      ("instruction sets", context.instructionSets.joined(separator: ", ")),
      ("governor", context.governor ?? "the host decides"), ("kernel", context.kernel),
      ("huge pages", context.hugePages), ("clock source", context.clockSource),
      ("free memory", "\(context.availableBytes >> 20) MiB"),
      (
        "load",
        "\(decimal(context.loadBefore, places: 2)) before,"
          + " \(decimal(context.loadAfter, places: 2)) after"
      ), ("stolen by the host", "\(decimal(context.stolen * 100, places: 2)) %"),
    ]
    return "<h2>Machine of \(escaped(result.title))</h2>\n<table class=\"machine\">\n"
      + rows.map { "<tr><th>\($0)</th><td class=\"words\">\(escaped($1))</td></tr>\n" }.joined()
      + "</table>\n"
  }

  /// All rounds as CSV.
  private static func rounds(_ result: StudyResult) -> String {
    var lines = ["row,unit,entities,rounds"]
    for row in result.rows {
      let rounds = row.samples.map { "\($0)" }.joined(separator: " ")
      lines.append("\(CSVText.cell(row.name)),\(row.unit),\(row.entities ?? 0),\(rounds)")
    }
    return lines.joined(separator: "\n")
  }

  /// A text in which the special characters of HTML are escaped.
  package static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }

  private static let style = """

    :root { color-scheme: light dark; --text: #1d2330; --quiet: #5f6779; --line: #e3e6ee; --paper: #fff;
      \(PageCanvas.rules(.light)) }
    @media screen and (prefers-color-scheme: dark) {
      :root { --text: #e8ebf2; --quiet: #9aa3b5; --line: #2b3140; --paper: #141720;
        \(PageCanvas.rules(.dark)) } }
    body { margin: 0; background: var(--paper); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
    main { max-width: 68rem; margin: 0 auto; padding: 1rem }
    h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2rem }
    .verdict { font-size: 1.1rem; font-weight: 600 }
    figure { margin: 1.5rem 0 }
    svg { width: 100%; max-width: 720px; height: auto; font-family: "Noto Sans", system-ui, sans-serif }
    .telephone { display: none }
    @media screen and (max-width: 560px) { .telephone { display: inline } .screen { display: none } }
    .wide { overflow-x: auto }
    table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums }
    th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap }
    th:first-child, td:first-child, .words { text-align: left }
    .machine td { white-space: normal }
    th { color: var(--quiet); font-weight: 600 }
    pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); font-size: .8rem }
    @media print {
      main { max-width: none; padding: 0 } figure, tr { break-inside: avoid } h2 { break-after: avoid }
      .wide { overflow: visible } table { font-size: 7.5pt } th, td { padding: .1rem .3rem }
      pre { white-space: pre-wrap; overflow-wrap: anywhere } body { font-size: 10pt } }

    """
}
