// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryPlot

/// The figures of a report, made of results.
package enum Charts {
  /// Waits over entities, with the budget: runs that held are joined by a line, failed runs are crossed.
  package static func capacity(_ capacities: [CapacityResult]) -> Figure {
    var series: [Chart.Series] = []
    // As "stress, 2 threads, avx2, 7 ahead, 60 Hz": the title has the parts that all of them share.
    let parts = capacities.map { capacity in
      capacity.scene.split(separator: ", ").map(String.init) + [
        "\(decimal(capacity.rateHz, places: 0)) Hz"
      ]
    }
    let shared = parts.first?.filter { part in parts.allSatisfy { $0.contains(part) } } ?? []
    var budgets: [Double: [Int]] = [:]
    for (capacity, parts) in zip(capacities, parts) {
      let steps = capacity.steps.filter { $0.figures.ticks > 0 }.sorted {
        $0.entities < $1.entities
      }
      func points(_ steps: [CapacityResult.Step]) -> [PlotPoint] {
        steps.map { PlotPoint(x: Double($0.entities), y: Double($0.figures.waitNs) / 1e6) }
      }
      let own = parts.filter { !shared.contains($0) }
      // Of repeated runs the slowest.
      let held = Dictionary(
        points(steps.filter(\.causes.isEmpty)).map { ($0.x, $0) },
        uniquingKeysWith: { $0.y > $1.y ? $0 : $1 })
      series.append(
        Chart.Series(
          own.isEmpty ? "held" : own.joined(separator: ", "), held.values.sorted { $0.x < $1.x },
          failed: points(steps.filter { !$0.causes.isEmpty })))
      budgets[capacity.budget * 1e3 / capacity.rateHz, default: []] += steps.map(\.entities)
    }
    for (budget, entities) in budgets.sorted(by: { $0.key < $1.key }) {
      guard let low = entities.min(), let high = entities.max() else { continue }
      series.append(
        Chart.Series(
          "budget, \(decimal(budget, places: 1)) ms",
          [low, high].map { PlotPoint(x: Double($0), y: budget) }, isLimit: true))
    }
    return .chart(
      Chart(
        "How many fit: \(shared.joined(separator: ", "))", x: "entities",
        y: "ms from a tick's due time, at the wanted percentile; of repeated runs the slowest;"
          + " a cross is a run that failed",
        xScale: .logarithmic, yScale: .logarithmic, series: series))
  }

  /// Percentiles of waits, from HdrHistograms; nil without any.
  package static func latencies(_ result: StudyResult, budgetMs: Double = 1000.0 / 60) -> Figure? {
    let titles = [
      ("frame computed", "computed"), ("frame found", "found by a reader"),
      ("frame recorded", "recorded"),
    ]
    var series: [Chart.Series] = []
    for (name, title) in titles {
      guard let text = result.row(name)?.histogram, let histogram = HdrHistogram(encoded: text),
        histogram.count > 0
      else { continue }
      let shares = [
        0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9995, 0.9999, 0.99999,
      ].filter { 1 - $0 >= 1 / Double(histogram.count) }
      series.append(
        Chart.Series(
          title,
          shares.map {
            PlotPoint(x: $0, y: max(Double(histogram.quantile($0)) / 1e6, 1e-6))
          }))
    }
    guard !series.isEmpty else { return nil }
    series.append(
      Chart.Series(
        "a tick, \(decimal(budgetMs, places: 1)) ms",
        [0, 0.99999].map { PlotPoint(x: $0, y: budgetMs) }, isLimit: true))
    return .chart(
      Chart(
        "How late: waits from a tick's due time", x: "percentile of frames", y: "ms",
        xScale: .tail, yScale: .logarithmic, series: series))
  }

  /// Nanoseconds of an entity over entities, of all results, beside the machine's limit; nil of one size only.
  package static func cost(_ results: [StudyResult]) -> Figure? {
    var groups: [(name: String, rows: [StudyRow])] = []
    for row in results.flatMap(\.rows) where row.name.hasPrefix("tick ") && row.entities != nil {
      let name = String(row.name.dropFirst(5))
      if let index = groups.firstIndex(where: { $0.name == name }) {
        groups[index].rows.append(row)
      } else {
        groups.append((name, [row]))
      }
    }
    groups.removeAll { Set($0.rows.map(\.entities)).count < 2 }
    guard !groups.isEmpty else { return nil }
    func points(_ rows: [StudyRow], _ samples: (StudyRow) -> [Double]) -> [PlotPoint] {
      rows.compactMap { row in
        guard let entities = row.entities, let median = SampleSummary(samples(row))?.median else {
          return nil
        }
        return PlotPoint(x: Double(entities), y: median / Double(entities))
      }.sorted { $0.x < $1.x }
    }
    let series = groups.flatMap { group in
      [
        Chart.Series(group.name, points(group.rows, \.samples)),
        Chart.Series(
          "writing its bytes", points(group.rows) { $0.bound?.samples ?? [] }, isLimit: true),
      ]
    }
    return .chart(
      Chart(
        "What an entity costs", x: "entities", y: "ns per entity and tick", xScale: .logarithmic,
        yScale: .logarithmic, series: series))
  }

  /// The parts of ticks by kind; nil if no tick has parts.
  package static func split(_ result: StudyResult) -> Figure? {
    let bars = result.rows.flatMap { row in
      row.parts.flatMap { part -> [BarChart.Bar] in
        guard let each = part.nsEach else { return [] }
        let bytes = decimal(part.bytesPerEntity, places: 0)
        var bars = [
          BarChart.Bar(
            "\(row.name.dropFirst(5)): \(part.kind)", each,
            "\(StudyText.figure(each)) ns, \(bytes) bytes each")
        ]
        if let each = part.eventsNsEach {
          bars.append(BarChart.Bar("events' share", each, "\(StudyText.figure(each)) ns"))
        }
        return bars
      }
    }
    guard !bars.isEmpty else { return nil }
    return .bars(
      BarChart(
        "A tick by kinds: ns per entity and tick, logarithmic", bars: bars, isLogarithmic: true))
  }

  /// The parts of the time from one frame to the next; nil without frames.
  package static func tick(_ result: StudyResult) -> Figure? {
    let parts = TickPart.all(of: result)
    guard !parts.isEmpty else { return nil }
    let bars = parts.map {
      BarChart.Bar(
        $0.name, $0.part * 100,
        "\(duration(UInt64($0.ns))), \(decimal($0.part * 100, places: 1)) %")
    }
    return .bars(BarChart("A tick of the sim, from frame to frame: parts in percent", bars: bars))
  }

  /// How near the ticks of each workload are to the machine's limit, as a part of it; nil without limits.
  package static func limits(_ result: StudyResult) -> Figure? {
    let rows = result.rows.filter { $0.place == nil && $0.ofBound != nil }
    let limits = Set(rows.compactMap(\.bound?.what))
    let bars = rows.compactMap { row -> BarChart.Bar? in
      let name = row.name.replacing("tick ", with: "")
      return row.ofBound.map {
        BarChart.Bar(
          limits.count == 1 ? name : "\(name): \(row.bound?.what ?? "")", $0 * 100,
          $0 < 0.1 ? "\(decimal($0 * 100, places: 1)) %" : "\(StudyText.limitCell($0)) %")
      }
    }
    guard !bars.isEmpty else { return nil }
    return .bars(
      BarChart(
        "As a part of what the machine can do", bars: bars,
        line: .init(100, limits.count == 1 ? "the limit: \(limits.first ?? "")" : "the limit")))
  }

  /// The tables of an area that compare: medians of their first figure, with its unit, on a logarithmic scale.
  package static func tables(_ result: StudyResult) -> [Figure] {
    var groups: [(name: String, rows: [StudyRow])] = []
    for row in result.rows {
      guard let place = row.place else { continue }
      if groups.last?.name == place.table {
        groups[groups.count - 1].rows.append(row)
      } else {
        groups.append((place.table, [row]))
      }
    }
    return groups.compactMap { name, all in
      let rows = all.filter { $0.place?.figure == all[0].place?.figure }
      guard rows.count > 1, rows.contains(where: { $0.subject == nil }),
        rows.count == all.count || rows.contains(where: { $0.subject != nil })
      else { return nil }
      let bars = rows.compactMap { row in
        row.summary.map {
          BarChart.Bar(
            row.place?.line ?? "", $0.median, "\(StudyText.figure($0.median)) \(row.unit)")
        }
      }
      let figure = rows[0].place?.figure ?? ""
      let title = [name, figure == rows[0].unit ? "" : figure].filter { !$0.isEmpty }
      return .bars(
        BarChart(
          "\(title.joined(separator: ", ")): \(rows[0].unit), logarithmic", bars: bars,
          isLogarithmic: true))
    }
  }

  /// Orrery's advantage over its peers, as a factor; nil if nothing can be compared.
  package static func peers(_ result: PeerResult) -> Figure? {
    let bars = result.figures.compactMap { figure in
      result.advantage(over: figure).map { times in
        BarChart.Bar(
          "\(figure.what): \(figure.subject)", times, "\(StudyText.figure(times)) times")
      }
    }
    guard !bars.isEmpty else { return nil }
    return .bars(
      BarChart(
        "\(result.title): how many times as good Orrery is", bars: bars,
        line: .init(1, "as good"), isLogarithmic: true))
  }

  /// Slowdowns with their intervals.
  package static func comparison(_ comparison: Comparison) -> Figure? {
    guard !comparison.rows.isEmpty else { return nil }
    let bars = comparison.rows.map { row in
      BarChart.Bar(
        row.name, row.slowdown.value,
        "\(decimal(row.slowdown.value, places: 3)) \(row.verdict.text)",
        interval: row.slowdown)
    }
    return .bars(
      BarChart(
        "Slowdown since the baseline, with intervals", bars: bars, line: .init(1, "as before")))
  }
}
