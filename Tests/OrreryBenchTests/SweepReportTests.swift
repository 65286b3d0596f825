// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryBench
import OrreryPlot
import TestSupport
import Testing

/// A sweep's page shows each figure once, over what varies, and says what differs between the cases.
@Suite struct SweepReportTests {
  /// Cases of a grid: a tick costs `entities / threads`, and its limit is a hundred.
  private static func cases(_ grid: [[String]]) -> [StudyResult] {
    grid.enumerated().map { number, words in
      func value(_ key: String) -> Double? {
        words.first { $0.hasPrefix(key) }.flatMap { Double($0.dropFirst(key.count)) }
      }
      let (entities, threads) = (value("entities=") ?? 100, value("threads=") ?? 1)
      var row = StudyRow(
        "tick stress", unit: "ns", samples: Array(repeating: entities / threads * 3, count: 4),
        entities: Int(entities))
      row.bound = .init(what: "writing the frame's bytes", samples: [100])
      row.hash = "00000000000000ab"
      let steady = StudyRow(Steadiness.names[0], unit: "ns", samples: [1, 1, 1, 1])
      let drawing = StudyRow("drawing", unit: "Hz", better: .larger, samples: [threads, threads])
      var result = StudySamples.result(
        [row, drawing, steady], title: "grid, case \(number): \(words.joined(separator: " "))")
      result.command = "orrery bench sweep grid.toml --out grid --case \(number)"
      result.varied = words
      return result
    }
  }

  private static let grid = ["entities=10", "entities=100", "entities=1000"].flatMap { entities in
    ["threads=1", "threads=2"].map { [entities, $0] }
  }

  @Test func eachFigureIsDrawnOnceOverTheSweptSetting() throws {
    let page = ReportPage(Self.cases(Self.grid))
    #expect(page.figures.map(\.name) == ["sweep-tick-stress", "sweep-drawing"])
    guard case .chart(let chart) = page.figures[0].figure else {
      Issue.record("no chart")
      return
    }
    #expect(
      chart.series.map(\.name) == [
        "threads=1", "threads=2", "writing the frame's bytes, threads=1",
      ])
    #expect(chart.x == "entities" && chart.xScale == .logarithmic)
    #expect(chart.y == "ns per entity, median round")
    #expect(chart.series[1].points == [10, 100, 1000].map { PlotPoint(x: $0, y: 1.5) })
    #expect(chart.series[2].isLimit)
    #expect(chart.series[2].points.map(\.y) == [10, 1, 0.1])
    let html = try page.html()
    #expect(html.components(separatedBy: "<figure>").count == 3)
    #expect(html.components(separatedBy: "<h2>Machine of").count == 2, "one machine")
    #expect(html.contains("<pre>orrery bench sweep grid.toml --out grid</pre>"))
    #expect(!html.contains("--case"))
  }

  @Test func casesStandInATable() throws {
    var cases = Self.cases(Self.grid)
    cases[3].notes = ["a load of 3.0 was there before the study began"]
    cases[4].rows[0].doubts = ["its rounds have a spread of 12 %"]
    let html = try ReportPage(cases).html()
    #expect(
      html.contains(
        "<tr><th>case</th><th>entities</th><th>threads</th><th>tick stress, ns per entity</th>"
          + "<th>of limit</th><th>drawing, Hz</th>"), "\(html)")
    // A limit that takes longer than the whole is no part of it.
    #expect(html.contains("<td>0</td><td>10</td><td>1</td><td>3.000 ±0.0 %</td><td>&gt;100 %</td>"))
    #expect(html.contains("<td>3</td><td>100</td><td>2</td><td>1.500 ±0.0 %</td><td>67 %</td>"))
    #expect(html.contains("<td>4</td><td>1000</td><td>1</td><td>3.000 ±0.0 %?</td>"))
    #expect(html.contains("<summary>2 of 6 cases were disturbed or have unsure figures</summary>"))
    #expect(html.contains("<li>Case 3: a load of 3.0 was there before the study began.</li>"))
    #expect(html.contains("<li>Case 4: tick stress, its rounds have a spread of 12 %.</li>"))
  }

  @Test func verdictIsTheBestAndTheWorstCase() {
    let page = ReportPage(Self.cases(Self.grid))
    #expect(
      page.verdict
        == "6 cases of grid: tick stress is best at 1.500 ns per entity with entities=10 threads=2,"
        + " and worst at 3.000 ns per entity with entities=10 threads=1.")
    #expect(
      page.summary == [
        "The cases differ in entities 10, 100, 1000; threads 1, 2.",
        "Drawing shows no difference that 2 rounds a case decide: 1.000 to 2.000 Hz.",
      ])
  }

  /// Settings that are no numbers have no axis: a bar for each case.
  @Test func wordsAreBars() throws {
    let page = ReportPage(Self.cases([["hash=full"], ["hash=off"]]))
    guard case .bars(let bars) = try #require(page.figures.first).figure else {
      Issue.record("no bars")
      return
    }
    #expect(bars.title == "tick stress, µs, median round")
    #expect(bars.bars.map(\.name) == ["hash=full", "hash=off"])
    #expect(bars.bars.map(\.value) == [0.3, 0.3])
  }

  /// Ticks of several scenes are one figure.
  @Test func scenesAreSeries() throws {
    var cases = Self.cases([
      ["scene=flags", "threads=1"], ["scene=flags", "threads=2"], ["scene=a.toml", "threads=1"],
    ])
    cases[2].rows[0] = StudyRow("tick a", unit: "ns", samples: [7], entities: 100)
    guard case .chart(let chart) = try #require(ReportPage(cases).figures.first).figure else {
      Issue.record("no chart")
      return
    }
    #expect(chart.title == "tick")
    #expect(chart.series.map(\.name) == ["scene=flags", "scene=a.toml"])
    #expect(chart.series.map(\.points.count) == [2, 1])
  }

  /// Frames of several sizes have several limits, which one line cannot show.
  @Test func limitOfOneSeriesIsNotThatOfAnother() throws {
    let cases = Self.cases([
      ["threads=1", "entities=10"], ["threads=2", "entities=10"], ["threads=4", "entities=10"],
      ["threads=1", "entities=20"], ["threads=2", "entities=20"], ["threads=4", "entities=20"],
    ])
    guard case .chart(let chart) = try #require(ReportPage(cases).figures.first).figure else {
      Issue.record("no chart")
      return
    }
    #expect(chart.series.map(\.name) == ["entities=10", "entities=20"])
  }

  @Test func manySeriesAreLimited() throws {
    let seeds = (1...20).map { ["seed=\($0)", "hash=off"] }
    let many = (1...20).flatMap { seed in
      (1...30).map { ["seed=\(seed)", "look-ahead=\($0)"] }
    }
    guard case .chart(let chart) = try #require(ReportPage(Self.cases(many)).figures.first).figure,
      case .chart(let few) = try #require(ReportPage(Self.cases(seeds)).figures.first).figure
    else {
      Issue.record("no chart")
      return
    }
    #expect(chart.title == "tick stress: 12 of 20 series; the table has all")
    #expect(chart.series.count == 13)
    #expect(few.series.map(\.name) == ["tick stress", "writing the frame's bytes"])
  }

  /// Other results, and one case alone, have their own page.
  @Test func whatIsNoSweepIsNoSweep() {
    #expect(SweepReport([StudySamples.full()]) == nil)
    #expect(SweepReport(Array(Self.cases(Self.grid).prefix(1))) == nil)
    #expect(SweepReport(Self.cases(Self.grid) + [StudySamples.full()]) == nil)
    #expect(SweepReport(Self.cases([["hash=full"], ["threads=1"]])) == nil)
  }

  @Test func folderIsItsCases() throws {
    let base = try TemporaryBase()
    for name in ["case-000001.json", "case-000000.json", "figures.csv", "case-0.log"] {
      try AtomicFile.write("{}", to: base.path + "/" + name)
    }
    #expect(
      try SweepFolder.cases(base.path) == [
        base.path + "/case-000000.json", base.path + "/case-000001.json",
      ])
    #expect(try SweepFolder.cases("study.json") == ["study.json"])
    let empty = try TemporaryBase()
    #expect(throws: Failure.self) { try SweepFolder.cases(empty.path) }
  }
}
