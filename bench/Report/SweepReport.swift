// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryPlot

/// The cases of a sweep side by side: what differs between them, and each figure over it.
package struct SweepReport {
  /// A figure that cases have: a row's name, and the row of each case.
  private struct Measure {
    let name: String
    /// Nil where a case does not have it.
    let rows: [StudyRow?]
    /// Whether it is shown for each entity: a tick, if cases differ in their entities.
    let isEach: Bool

    var first: StudyRow? { rows.lazy.compactMap { $0 }.first }
    var unit: String { isEach ? "\(first?.unit ?? "") per entity" : reading.unit }
    /// For each entity a tick takes nanoseconds.
    private var reading: RowReading { RowReading(isEach ? "" : name, unit: first?.unit ?? "") }
    /// As a heading.
    var title: String { "\(name), \(unit)" }

    /// The median round of a case; nil if it has none.
    func value(_ index: Int) -> Double? { SampleSummary(samples(index))?.median }

    /// The same of the limit.
    func bound(_ index: Int) -> Double? {
      SampleSummary(rounds(index) { $0.bound?.samples ?? [] })?.median
    }

    /// The rounds of a case, in the measure's unit; none if it does not have it.
    func samples(_ index: Int) -> [Double] { rounds(index) { $0.samples } }

    private func rounds(_ index: Int, _ rounds: (StudyRow) -> [Double]) -> [Double] {
      guard let row = rows[index] else { return [] }
      let count = Double(isEach ? max(row.entities ?? 1, 1) : 1)
      return rounds(row).map { reading.value($0) / count }
    }
  }

  private let results: [StudyResult]
  /// The settings that vary, and their values in each case.
  private let keys: [String]
  private let values: [[String]]
  private let measures: [Measure]

  /// Series of a chart, at most: more cannot be told apart.
  private static let seriesMax = 12

  /// The cases among results; nil unless all results are cases of one sweep, and there are several.
  package init?(_ results: [StudyResult]) {
    let words = results.map { result in
      (result.varied ?? []).map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    }
    guard results.count > 1, let first = words.first, !first.isEmpty,
      words.allSatisfy({ $0.map(\.first) == first.map(\.first) })
    else { return nil }
    self.results = results
    keys = first.map { $0[0] }
    values = words.map { $0.map { $0.count > 1 ? $0[1] : "" } }
    measures = Self.measures(results, haveManyScenes: keys.contains("scene"))
  }

  private static func measures(_ results: [StudyResult], haveManyScenes: Bool) -> [Measure] {
    // Ticks of several scenes are one figure over the scenes.
    func name(_ row: StudyRow) -> String {
      haveManyScenes && row.name.hasPrefix("tick ") ? "tick" : row.name
    }
    var names: [String] = []
    for row in results.flatMap(\.rows) where !Steadiness.names.contains(row.name) {
      if !names.contains(name(row)) { names.append(name(row)) }
    }
    return names.map { one in
      let rows = results.map { $0.rows.first { name($0) == one } }
      let sizes = Set(rows.compactMap { $0?.entities })
      return Measure(name: one, rows: rows, isEach: one.hasPrefix("tick") && sizes.count > 1)
    }
  }

  /// The sweep's name.
  package var name: String {
    let title = results[0].title
    return title.firstRange(of: ", case ").map { String(title[..<$0.lowerBound]) } ?? title
  }

  /// The command that measures all cases.
  package var command: String {
    let command = results[0].command
    return command.firstRange(of: " --case ").map { String(command[..<$0.lowerBound]) } ?? command
  }

  /// What a case has for its own.
  private func words(_ index: Int) -> String {
    zip(keys, values[index]).map { "\($0)=\($1)" }.joined(separator: " ")
  }

  /// The number of cases, and the best and the worst of the first figure.
  package var verdict: String {
    let count = "\(results.count) cases of \(name)"
    return measures.first.flatMap(ends).map { "\(count): \($0)." } ?? "\(count)."
  }

  /// What varies, and each other figure's best and worst case.
  package var summary: [String] {
    let all = keys.indices.map { key in
      "\(keys[key]) \(distinct(key).joined(separator: ", "))"
    }
    let unsure =
      notes.isEmpty ? [] : ["\(notes.count) of \(results.count) cases were disturbed or unsure."]
    return ["The cases differ in \(all.joined(separator: "; "))."] + unsure
      + measures.dropFirst().compactMap(ends).map {
        $0.prefix(1).uppercased() + $0.dropFirst() + "."
      }
  }

  private func ends(_ measure: Measure) -> String? {
    let all = results.indices.compactMap { index in measure.value(index).map { (index, $0) } }
    guard let least = all.min(by: { $0.1 < $1.1 }), let most = all.max(by: { $0.1 < $1.1 }) else {
      return nil
    }
    func text(_ end: (Int, Double)) -> String {
      "\(ReportPage.figure(end.1)) \(measure.unit) with \(words(end.0))"
    }
    let isSmaller = measure.first?.better == .smaller
    let (best, worst) = isSmaller ? (least, most) : (most, least)
    let interval = Confidence.ratio(measure.samples(most.0), to: measure.samples(least.0))
    guard results.count == 1 || Verdict(interval) == .slower else {
      let rounds = counted(measure.samples(most.0).count, "round")
      return "\(measure.name) shows no difference that \(rounds) a case decide:"
        + " \(ReportPage.figure(least.1)) to \(ReportPage.figure(most.1)) \(measure.unit)"
    }
    return "\(measure.name) is best at \(text(best)), and worst at \(text(worst))"
  }

  /// The values of a setting, each once.
  private func distinct(_ key: Int) -> [String] {
    var all: [String] = []
    for one in values.map({ $0[key] }) where !all.contains(one) { all.append(one) }
    return all
  }
}

// MARK: - Figures

extension SweepReport {
  /// The setting that is the axis: the one with the most numbers; nil if none has several.
  private var axis: Int? {
    let numeric = keys.indices.filter { key in
      let all = distinct(key)
      return all.count > 1 && all.allSatisfy { Double($0)?.isFinite == true }
    }
    return numeric.max { (distinct($0).count, $1) < (distinct($1).count, $0) }
  }

  /// A figure for each row that cases have, with a short name for a file.
  package var figures: [(name: String, figure: Figure)] {
    measures.map { measure in
      let name = measure.name.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
      return ("sweep-" + name, axis.map { chart(measure, over: $0) } ?? bars(measure))
    }
  }

  private func chart(_ measure: Measure, over axis: Int) -> Figure {
    let others = keys.indices.filter { $0 != axis && distinct($0).count > 1 }
    var series: [(name: String, indices: [Int])] = []
    for index in results.indices where measure.value(index) != nil {
      let words = others.map { "\(keys[$0])=\(values[index][$0])" }
      let name = words.isEmpty ? measure.name : words.joined(separator: " ")
      if let known = series.firstIndex(where: { $0.name == name }) {
        series[known].indices.append(index)
      } else {
        series.append((name, [index]))
      }
    }
    func points(_ indices: [Int], _ value: (Int) -> Double?) -> [PlotPoint] {
      indices.compactMap { index in
        guard let x = Double(values[index][axis]), let y = value(index) else { return nil }
        return PlotPoint(x: x, y: y)
      }.sorted { $0.x < $1.x }
    }
    var title = measure.name
    if series.count > Self.seriesMax {
      title += ": \(Self.seriesMax) of \(series.count) series; the table has all"
    }
    var drawn = series.prefix(Self.seriesMax).map {
      Chart.Series($0.name, points($0.indices, measure.value))
    }
    // The limit depends on the frame alone: that of one series is near those of all, unless they differ in their frames.
    let haveOneFrame = !others.contains { ["scene", "entities", "copies"].contains(keys[$0]) }
    if haveOneFrame, let first = series.first, let what = measure.first?.bound?.what {
      let name = series.count > 1 ? "\(what), \(first.name)" : what
      drawn.append(Chart.Series(name, points(first.indices, measure.bound), isLimit: true))
    }
    let all = drawn.flatMap(\.points)
    return .chart(
      Chart(
        title, x: keys[axis], y: measure.unit + ", median round", xScale: Self.scale(all.map(\.x)),
        yScale: Self.scale(all.map(\.y)), series: drawn))
  }

  /// Values of more than a power of ten have a logarithmic axis.
  private static func scale(_ values: [Double]) -> Chart.Scale {
    guard let low = values.min(), let high = values.max(), low > 0 else { return .linear }
    return high > 10 * low ? .logarithmic : .linear
  }

  private func bars(_ measure: Measure) -> Figure {
    let bars = results.indices.compactMap { index in
      measure.value(index).map { BarChart.Bar(words(index), $0, ReportPage.figure($0)) }
    }
    return .bars(BarChart(measure.title + ", median round", bars: bars))
  }

  /// The cases as a table: what differs between them, and each figure.
  package var table: String {
    var heading = ["case"] + keys
    for measure in measures {
      heading.append(measure.title)
      if hasDurations(measure) { heading.append("p99 µs") }
      if showsBound(measure) { heading.append("of limit") }
    }
    let rows = results.enumerated().map { index, result in
      var cells = ["\(number(index))"] + values[index]
      for measure in measures {
        cells.append(figure(measure, index, in: result))
        let row = measure.rows[index]
        if hasDurations(measure) {
          cells.append(row?.durations.map { ReportPage.figure($0.p99 / 1e3) } ?? "")
        }
        if showsBound(measure) {
          cells.append(row?.ofBound.map { "\(StudyText.limitCell($0)) %" } ?? "")
        }
      }
      return cells + [measures.lazy.compactMap { $0.rows[index]?.hash }.first ?? ""]
    }
    return "<h2>Cases</h2>\n"
      + ReportPage.table(heading + ["state hash"], words: [heading.count], rows)
  }

  /// What disturbed each case, and which of its figures are unsure: a sentence for each such case.
  package var notes: [String] {
    results.enumerated().compactMap { index, result in
      let doubts = result.rows.filter { !$0.doubts.isEmpty }.map {
        "\($0.name), \($0.doubts.joined(separator: ", "))"
      }
      let partial = result.isPartial ? ["it was interrupted: it is partial"] : []
      let all = partial + result.notes + doubts
      return all.isEmpty ? nil : "Case \(number(index)): \(all.joined(separator: "; "))."
    }
  }

  /// A case's number in its sweep.
  private func number(_ index: Int) -> String {
    let rest = results[index].title.split(separator: ", case ").last ?? ""
    return String(rest.prefix { $0 != ":" })
  }

  private func figure(_ measure: Measure, _ index: Int, in result: StudyResult) -> String {
    guard let value = measure.value(index), let row = measure.rows[index] else { return "" }
    let uncertainty = StudyText.uncertainty(row, in: result).map {
      " ±\($0 < 100 ? decimal($0, places: 1) : ">100") %"
    }
    return ReportPage.figure(value) + (uncertainty ?? "") + (row.doubts.isEmpty ? "" : "?")
  }

  private func hasDurations(_ measure: Measure) -> Bool {
    measure.rows.contains { $0?.histogram != nil }
  }

  private func showsBound(_ measure: Measure) -> Bool {
    measure.rows.contains { $0?.ofBound != nil }
  }
}
