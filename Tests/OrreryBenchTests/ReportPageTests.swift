// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import OrreryPlot
import TestSupport
import Testing

/// The page stands alone, says what it has in sentences, and draws every figure for light and dark paper.
@Suite struct ReportPageTests {
  @Test func pageStandsAlone() throws {
    let page = ReportPage(
      [StudySamples.full()], baseline: StudySamples.full(), peers: [StudySamples.peers])
    let html = try page.html()
    #expect(html.hasPrefix("<!doctype html>"))
    for word in ["http:", "https:", "<script", "<link", "@import", "url("] {
      #expect(!html.contains(word), "\(word)")
    }
    #expect(!html.contains("<storm>"))
    #expect(html.contains("&lt;storm&gt; &amp; more"))
    let names = page.figures.map(\.name)
    #expect(names == ["capacity", "limits", "latency", "tick", "kinds", "peers", "comparison"])
    #expect(html.components(separatedBy: "<figure>").count == names.count + 1)
    for name in ["screen", "telephone"] {
      let svg = "<svg role=\"img\" class=\"\(name)\" aria-label="
      #expect(html.components(separatedBy: svg).count == names.count + 1)
    }
    // Letters are letters, and each colour is one of both schemes.
    #expect(html.contains(">Slowdown since the baseline, with intervals</text>"))
    #expect(!html.contains("style=\"fill:#") && !html.contains("style=\"stroke:#"))
    #expect(html.components(separatedBy: "--chart-9: #").count == 3)
    #expect(html.count < 100_000, "\(html.count)")
    #expect(html.contains("<pre>orrery bench</pre>\n<pre>tools/bench-parts</pre>"))
    #expect(html.contains("<h2>Parts &amp; pieces</h2>"))
    #expect(html.contains("<h3>The runs of stress, 1 thread</h3>"))
    #expect(html.contains("<tr><td>1,000,000</td><td>9.000</td><td>8.000</td><td>7000.0</td>"))
    #expect(html.contains("tick stress,ns,100,20.0 21.0 22.0 20.0"))
    for tag in ["table", "div", "figure", "details", "pre", "ul", "main", "h1", "h2"] {
      let opened =
        html.components(separatedBy: "<\(tag)>").count
        + html.components(separatedBy: "<\(tag) ").count
      #expect(opened - 1 == html.components(separatedBy: "</\(tag)>").count, "\(tag)")
    }
  }

  @Test func summarySaysTheFigures() {
    let summary = ReportPage([StudySamples.full()], baseline: StudySamples.full()).summary
    for text in [
      "1,000,000 entities of stress, 1 thread hold 60 Hz (3 of 3 runs); more are limited by compute",
      "0.205 ns an entity; writing its bytes alone takes 49 % of that",
      "reaches a reader 200.1 µs after its tick was due (p50), 17.01 ms (p99)",
    ] {
      #expect(summary.contains { $0.contains(text) }, "\(text): \(summary)")
    }
  }

  /// A figure as a file has it.
  private static func svg(_ figure: Figure, _ colors: ChartColors) throws -> String {
    let base = try TemporaryBase()
    try ChartFile.write(figure, path: base.path + "/a.svg", format: .svg, colors: colors)
    return try String(contentsOfFile: base.path + "/a.svg", encoding: .utf8)
  }

  /// The same chart of two results has two titles, and a limit that all bars share stands at its line.
  @Test func chartsOfSeveralResultsAreNamed() {
    var other = StudySamples.full()
    other.title = "feed"
    let figures = ReportPage([StudySamples.full(), other]).figures
    let limits = figures.filter { $0.name.hasPrefix("limits") }.map(\.figure.title)
    #expect(limits.count == 2 && limits[1].hasPrefix("feed: As a part of what the machine can do"))
    #expect(Set(figures.map(\.figure.title)).count == figures.count)
    let twice = ReportPage([other, other]).figures.map(\.figure.title)
    #expect(
      twice.contains { $0.hasPrefix("feed: ") } && twice.contains { $0.hasPrefix("feed (2): ") })
    #expect(Set(twice).count == twice.count)
    let alone = ReportPage([other]).figures.first { $0.name == "limits" }?.figure
    guard case .bars(let chart)? = alone else {
      Issue.record("no chart of limits")
      return
    }
    #expect(chart.line?.name == "the limit: writing the frame's bytes")
    #expect(chart.bars.allSatisfy { !$0.name.contains(": ") }, "\(chart.bars.map(\.name))")
  }

  /// The first sentence is the answer.
  @Test func verdictComesFirst() throws {
    var row = StudyRow("tick feed", unit: "ns", samples: [2e6, 2e6], entities: 10)
    #expect(ReportPage([StudySamples.result([row])]).verdict.hasPrefix("No tick was timed"))
    row.budgetNs = 1e9 / 50
    #expect(
      ReportPage([StudySamples.result([row])]).verdict
        == "Ticks are too short to be timed one by one: on average they take 10.0 % of their budget"
        + " at most.")
    row.histogram = HdrHistogram([1_000_000, 17_000_000, 18_000_000]).encoded
    row.budgetNs = 1e9 / 50
    let quick = ReportPage([StudySamples.result([row])])
    #expect(quick.verdict == "No tick of 1 workload took longer than its budget.")
    row.budgetNs = 1e9 / 60
    let result = StudySamples.result([row])
    #expect(
      ReportPage([result]).verdict
        == "Ticks that took longer than their budget: 2 of feed.")
    var other = row
    other.histogram = HdrHistogram([1]).encoded
    let two = ReportPage([result, StudySamples.result([other])])
    #expect(two.verdict.hasSuffix("2 of feed; none of 1 other workload with timed ticks."))
    let compared = ReportPage([result], baseline: result)
    #expect(compared.verdict.hasPrefix("Against the baseline of 2026-01-31T12:00:00Z: 0 slower, "))
    let html = try compared.html()
    let heading = "<h1>Orrery, study: Test Processor, commit 0123456789ab</h1>"
    #expect(
      html.contains(heading + "\n<p class=\"verdict\">Against the baseline"), "\(html.prefix(3000))"
    )
  }

  @Test func everyFigureIsDrawnInItsColours() throws {
    for (name, figure) in ReportPage([StudySamples.full()]).figures {
      let light = try Self.svg(figure, .light)
      let dark = try Self.svg(figure, .dark)
      #expect(light.contains("<svg"), "\(name)")
      #expect(light != dark, "\(name)")
      #expect(light.count < 400_000, "\(name): \(light.count)")
    }
    let base = try TemporaryBase()
    try ChartFile.write(
      Charts.capacity(StudySamples.full().capacities), path: base.path + "/a.png", format: .png,
      colors: .light)
    let png = try #require(FileManager.default.contents(atPath: base.path + "/a.png"))
    #expect(png.starts(with: [0x89, 0x50, 0x4e, 0x47]))
  }

  @Test func costIsDrawnOverSizes() throws {
    var small = StudySamples.full()
    small.rows[0].entities = 10
    #expect(Charts.cost([StudySamples.full()]) == nil)
    guard case .chart(let chart) = try #require(Charts.cost([StudySamples.full(), small])) else {
      Issue.record("no chart")
      return
    }
    #expect(chart.series.map(\.name) == ["stress", "writing its bytes"])
    #expect(chart.series[0].points == [PlotPoint(x: 10, y: 2.05), PlotPoint(x: 100, y: 0.205)])
    #expect(chart.series[1].isLimit)
  }

  /// A row of no waits has no line, and where no row has any, nothing is drawn.
  @Test func latenciesAreDrawnOfWaitsOnly() throws {
    var found = StudyRow("frame found", unit: "µs", samples: [1])
    found.histogram = HdrHistogram().encoded
    #expect(Charts.latencies(StudySamples.result([found])) == nil)
    var computed = StudyRow("frame computed", unit: "µs", samples: [1])
    computed.histogram = HdrHistogram([1000, 1200, 1600, 2000]).encoded
    let figure = Charts.latencies(StudySamples.result([found, computed]), budgetMs: 20)
    guard case .chart(let chart) = try #require(figure) else {
      Issue.record("no chart")
      return
    }
    #expect(chart.series.map(\.name) == ["computed", "a tick, 20.0 ms"])
    #expect(
      chart.series[0].points == [
        PlotPoint(x: 0, y: 0.001), PlotPoint(x: 0.25, y: 0.001), PlotPoint(x: 0.5, y: 0.0012),
        PlotPoint(x: 0.75, y: 0.0016),
      ])
    #expect(chart.series[1].points == [PlotPoint(x: 0, y: 20), PlotPoint(x: 0.99999, y: 20)])
  }

  /// Of peers above 1 is better, whatever the figure's sense; who has nobody beside it is not drawn.
  @Test func peersStandBesideOrrery() throws {
    guard case .bars(let chart) = try #require(Charts.peers(StudySamples.peers)) else {
      Issue.record("no bars")
      return
    }
    #expect(chart.bars.map(\.name) == ["work: parts", "pictures: parts"])
    #expect(chart.bars.map(\.value) == [2.5, 0.5])
    #expect(chart.line?.value == 1)
    let alone = PeerResult(title: "a", command: "b", figures: [.init("c", "d", 1, unit: "µs")])
    #expect(Charts.peers(alone) == nil)
    let base = try TemporaryBase()
    func read(_ text: String) throws(Failure) -> PeerResult {
      let path = base.path + "/peers.json"
      try AtomicFile.write(text, to: path)
      return try PeerResult.read(path)
    }
    let text = String(decoding: try JSONEncoder().encode(StudySamples.peers), as: UTF8.self)
    #expect(try read(text) == StudySamples.peers)
    for wrong in [
      "", "{}", text.replacing("peers.v1", with: "peers.v2"), text.replacing("50", with: "-50"),
    ] {
      #expect(throws: Failure.self, "\(wrong)") { try read(wrong) }
    }
    #expect(throws: Failure.self) { try PeerResult.read(base.path + "/none.json") }
  }

  /// From ten thousand on, figures of tables are whole and grouped.
  @Test func largeFiguresAreGrouped() throws {
    let peers = PeerResult(
      title: "a", command: "b",
      figures: [("c", 10_000), ("d", 9_999), ("e", 12_345.6)].map {
        .init($0.0, "Orrery", $0.1, unit: "µs")
      })
    let html = try ReportPage([StudySamples.full()], peers: [peers]).html()
    for cell in [">10,000</td>", ">9999.0</td>", ">12,346</td>"] {
      #expect(html.contains(cell), "\(cell)")
    }
  }

  @Test func barsOfLogarithmsGoFromTheLineToEitherSide() throws {
    let chart = BarChart(
      "a", bars: [.init(String(repeating: "wide ", count: 40), 100, "b"), .init("c", 0.1, "d")],
      line: .init(1, "as good"), isLogarithmic: true)
    let shapes = SVGShapes(try Self.svg(.bars(chart), .light))
    let bars = shapes.areas.filter { abs($0.bottom - $0.top - 18) < 0.1 }
    try #require(bars.count == 2, "\(bars)")
    #expect(abs(bars[0].left - bars[1].right) < 0.01, "\(bars)")
    #expect(abs((bars[0].right - bars[0].left) / (bars[1].right - bars[1].left) - 2) < 0.01)
    let names = shapes.texts.filter { $0.right < bars[1].left }
    #expect(names.count >= 2, "a long name ends before the bars: \(shapes.texts)")
    #expect(shapes.texts.allSatisfy { !$0.covers(bars[0]) }, "\(shapes.texts)")
  }

  /// Names are beside their bars, and on a telephone above them, where each needs more room.
  @Test func barsStandBelowEachOther() throws {
    let chart = BarChart("a", bars: [.init("b", 1, "c"), .init("d", 2, "e")])
    let pictures = try ChartFile.inline(.bars(chart)).split(separator: "</svg>").prefix(2)
    let sizes = pictures.compactMap { $0.firstMatch(of: /viewBox="0 0 (\d+ \d+)"/)?.1 }
    #expect(sizes == ["520 112", "340 148"])
    let texts = pictures.map { $0.matches(of: /<text x="([\d.]+)" y="([\d.]+)"/) }
    try #require(texts.count == 2)
    // The title, then each bar's name and its figure behind it.
    let places = texts[0].map { "\($0.1) \($0.2)" }
    #expect(places == ["16 26", "206 64", "309 64", "206 88", "392 88"])
    #expect(texts[1].map(\.2) == ["26", "62", "82", "104", "124"])
  }

  /// The paper behind a figure fills the picture, and no more.
  @Test func paperIsAsLargeAsThePicture() throws {
    let series = [Chart.Series("a", [PlotPoint(x: 1, y: 1), PlotPoint(x: 2, y: 3)])]
    for figure in [
      Figure.chart(Chart("t", x: "x", y: "y", series: series)),
      .bars(BarChart("t", bars: [.init("b", 1, "c")])),
    ] {
      for picture in try ChartFile.inline(figure).split(separator: "</svg>").prefix(2) {
        let size = try #require(picture.firstMatch(of: /viewBox="0 0 (\d+) (\d+)"/))
        let paper = try #require(picture.firstMatch(of: /<polygon points="([^"]+)"/)).1
        let corners = Set(paper.split(separator: " ").map(String.init))
        let (width, height) = (size.1, size.2)
        #expect(corners == ["0,0", "\(width),0", "\(width),\(height)", "0,\(height)"])
      }
    }
  }

  /// A name is cut where it does not fit beside its bar; above it, on a telephone, the same one has room.
  @Test func namesOfBarsAreCutWhereTheyDoNotFit() throws {
    let name = "writing all the bytes of a frame of the feed"
    let chart = BarChart("a", bars: [.init(name, 1, "c")])
    let pictures = try ChartFile.inline(.bars(chart)).split(separator: "</svg>").prefix(2)
    // Behind the title.
    let names = pictures.compactMap {
      $0.matches(of: />([^<>]+)<\/text>/).map(\.1).dropFirst().first
    }
    try #require(names.count == 2)
    #expect(names[0].hasPrefix("writing all the") && names[0].hasSuffix("…"), "\(names[0])")
    #expect(names[1] == name)
  }

  /// Points of neighbouring series have marks of their own: a disc, a square, a diamond, a triangle.
  @Test func seriesAreMarkedApart() throws {
    let series = ["a", "b", "c", "d"].map { Chart.Series($0, [PlotPoint(x: 1, y: 1)]) }
    let picture = try ChartFile.inline(.chart(Chart("t", x: "x", y: "y", series: series)))
    let disc = try #require(picture.firstMatch(of: /<circle cx="([\d.]+)" cy="([\d.]+)" r="4"/))
    let center: [Double] = [Double(disc.1) ?? 0, Double(disc.2) ?? 0]
    // The first area is the paper.
    let areas = picture.matches(of: /<polygon points="([^"]+)"/).dropFirst().prefix(3)
    let marks: [String] = [
      "-4 -4 4 -4 4 4 -4 4", "0 -5.5 5.5 0 0 5.5 -5.5 0", "0 -5.5 5 4 -5 4",
    ]
    try #require(areas.count == 3)
    for (area, mark) in zip(areas, marks) {
      let found: [Double] = area.1.split { $0 == " " || $0 == "," }.compactMap { Double($0) }
      let places: [Double] = mark.split(separator: " ").compactMap { Double($0) }
      try #require(found.count == places.count, "\(area.1)")
      for (index, place) in places.enumerated() {
        // The picture's figures are tenths.
        #expect(abs(found[index] - center[index % 2] - place) < 0.15, "\(area.1), \(mark)")
      }
    }
  }

  @Test func splitOfATickIsDrawnInParts() throws {
    guard case .bars(let tick) = try #require(Charts.tick(StudySamples.full())),
      case .bars(let kinds) = try #require(Charts.split(StudySamples.full()))
    else {
      Issue.record("no bars")
      return
    }
    #expect(tick.bars.map(\.name) == ["wait", "compute", "publish"])
    #expect(tick.bars.map(\.value) == [80, 15, 5])
    #expect(
      kinds.bars.map(\.name) == [
        "stress: marquee", "stress: orbit", "stress: view", "events' share",
      ])
    #expect(kinds.bars.map(\.value).suffix(2) == [4, 1.1])
    #expect(
      StudyText.text(StudySamples.full()).contains(
        "of each tick: wait 16000 µs (80.0 %), compute 3000.0 µs (15.0 %), publish"))
  }

  /// Searches that differ in one part are named by it, and share a budget.
  @Test func capacitiesAreNamedByWhatDiffers() throws {
    let one = try #require(StudySamples.full().capacities.first)
    func search(_ scene: String) -> CapacityResult {
      var search = CapacityResult(
        scene: scene, rateHz: 60, budget: 0.9, percentile: 99.9, stepSeconds: 10,
        subscribers: one.subscribers)
      search.steps = one.steps + one.steps
      return search
    }
    guard
      case .chart(let chart) = Charts.capacity([
        search("stress, 1 thread, avx2"), search("stress, 2 threads, avx2"),
      ])
    else {
      Issue.record("no chart")
      return
    }
    #expect(chart.title == "How many fit: stress, avx2, 60 Hz")
    #expect(chart.series.map(\.name) == ["1 thread", "2 threads", "budget, 15.0 ms"])
    // Repeated runs are one point.
    let held = chart.series[0].points.map(\.x)
    #expect(!held.isEmpty && held == Set(held).sorted())
  }

  /// On a telephone a figure has letters of the size that a screen has, all of them inside.
  @Test func figuresFitATelephone() throws {
    let page = ReportPage(
      [StudySamples.full()], baseline: StudySamples.full(), peers: [StudySamples.peers])
    for (name, figure) in page.figures {
      let svg = try #require(
        try ChartFile.inline(figure).split(separator: "</svg>").dropFirst().first)
      let size = try #require(svg.firstMatch(of: /viewBox="0 0 (\d+) (\d+)"/))
      let (width, height) = (Double(size.1) ?? 0, Double(size.2) ?? 0)
      #expect(width < 390 - 32, "\(name)")
      let texts = svg.matches(of: /<text x="([-\d.]+)" y="([-\d.]+)" font-size="([\d.]+)"/)
      #expect(texts.count > 2, "\(name)")
      for text in texts {
        let (x, y, letters) = (Double(text.1) ?? -1, Double(text.2) ?? -1, Double(text.3) ?? 0)
        #expect(
          (0...width).contains(x) && (11...height).contains(y) && letters >= 11,
          "\(name): \(text.0)")
      }
    }
  }

  @Test func axesHoldTheirValues() {
    let tail = ChartAxis([], .tail, from: 0, to: 500)
    #expect(
      [0, 0.9, 0.99, 0.99999, 1].map { tail.position($0).rounded() } == [0, 100, 200, 500, 500])
    let powers = ChartAxis([3, 2_000_000], .logarithmic, from: 0, to: 70)
    #expect(powers.ticks.map(\.name) == ["1", "10", "100", "1k", "10k", "100k", "1M", "10M"])
    #expect(powers.position(1000) == 30)
    #expect(powers.position(0) == 0)
    #expect(ChartAxis([.nan], .linear, from: 10, to: 0).position(.infinity) == 0)
    #expect(ChartAxis.name(2_000_000) == "2M")
    #expect(ChartAxis.name(12_500) == "12.5k")
    let linear = ChartAxis([20_000, 100_000], .linear, from: 0, to: 10)
    #expect(linear.ticks.map(\.name) == ["0", "20k", "40k", "60k", "80k", "100k"])
  }

  @Test func markdownIsATable() {
    let text = MarkdownSummary.text([StudySamples.full()])
    #expect(text.contains("| tick stress | 100 | 0.021 µs | 12.6 |  |  |  |  | 49 % |"), "\(text)")
    #expect(text.contains("commit 0123456789ab, 2026-01-31T12:00:00Z; again with: `orrery bench`"))
  }
}

/// Results are added to a machine's file, never twice, and only what can be measured again.
@Suite struct ResultHistoryTests {
  @Test func resultIsAddedOnceAndReadBack() throws {
    let base = try TemporaryBase()
    let result = StudySamples.full()
    let path = try ResultHistory.save(result, in: base.path)
    #expect(path == base.path + "/test-processor-2cpu-avx2/rows.csv")
    let none = StudySamples.result([])
    #expect(throws: Failure.self) { try ResultHistory.save(none, in: base.path) }
    let again = #expect(throws: Failure.self) { try ResultHistory.save(result, in: base.path) }
    #expect(again?.description.contains("has this result already") == true)
    var later = result
    later.context.date = "2026-02-01T12:00:00Z"
    later.rows[0].samples = [41, 41, 41, 41]
    _ = try ResultHistory.save(later, in: base.path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let history = try ResultHistory(text, file: path)
    #expect(history.entries.count == 8)
    let stress = history.entries.filter { $0.row == "tick stress" }
    #expect(stress.map(\.median) == [20.5, 41])
    #expect(stress[1].commit == "0123456789ab")
    let table = HistoryText.text(stress)
    #expect(table.contains("median, µs  spread%    ratio\n"), "\(table)")
    #expect(table.contains("0.021      6.1        -\n"), "\(table)")
    #expect(table.contains("2.000"))
  }

  @Test func whatNobodyCanMeasureAgainIsRefused() {
    var result = StudySamples.full()
    result.isPartial = true
    #expect(throws: Failure.self) { try ResultHistory.lines(of: result) }
    result = StudySamples.full()
    result.context.isDirty = true
    #expect(throws: Failure.self) { try ResultHistory.lines(of: result) }
    result.context.isDirty = false
    result.context.commit = nil
    #expect(throws: Failure.self) { try ResultHistory.lines(of: result) }
  }

  @Test(arguments: ["", "date,commit\n", ResultHistory.heading + "a,b\n"])
  func otherFileIsRefused(text: String) {
    let error = #expect(throws: Failure.self) { try ResultHistory(text, file: "rows.csv") }
    #expect(error?.description.hasPrefix("rows.csv, line ") == true)
  }

  @Test func quotedRowIsRead() throws {
    let line = "d,c,\"a, \"\"b\"\"\",ns,smaller,1,2,3,4,5,0.5,\n"
    let history = try ResultHistory(ResultHistory.heading + line, file: "rows.csv")
    #expect(history.entries.first?.row == "a, \"b\"")
  }
}
