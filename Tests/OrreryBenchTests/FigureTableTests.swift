// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// The tables of all areas: each figure stands in its column, and no line is wider than 80 columns.
///
/// Method: rows by hand, whose every figure is another, against lines by hand.
@Suite struct FigureTableTests {
  private func lines(_ rows: [StudyRow]) -> [String] {
    FigureTable.text(rows).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func aTableOfOneFigureShowsItsRoundsBesideLimitAndPeer() {
    var peer = StudyRow(.init("orbit", "peer"), unit: "ns", [6, 5, 7], subject: .peer)
    peer.ratio = 1
    var ours = StudyRow(.init("orbit", "Orrery"), unit: "ns", [2, 1, 4])
    (ours.bytes, ours.ratio, ours.bound) = (16, 0.05, .init(what: "bytes", samples: [1, 1, 1]))
    #expect(
      lines([peer, ours]) == [
        "", "orbit, ns  min  median  spread%  bytes  lim%  ratio",
        "  peer       5       6       17      -     -   1.00",
        "  Orrery     1       2       75   16.0    50  0.050", "",
      ])
  }

  @Test func columnsThatNoRowHasAreLeftOut() {
    let rate = StudyRow(.init("drawing", "flags"), unit: "Hz", better: .larger, [12_345, 5])
    #expect(
      lines([rate]) == [
        "", "drawing, Hz     max  median  spread%", "  flags      12,345    6175      100", "",
      ])
  }

  @Test func severalFiguresStandSideBySide() {
    let rows = [
      StudyRow(.init("start", "25", "read"), unit: "s", [0.25]),
      StudyRow(.init("start", "25", "drawn"), unit: "s", [1.5, 2.5]),
      StudyRow(.init("start", "50", "drawn"), unit: "s", [3]),
      StudyRow(.init("other", "a", "Hz"), unit: "Hz", [1]),
      StudyRow(.init("other", "a", "MiB"), unit: "MiB", [2]),
    ]
    #expect(
      lines(rows) == [
        "", "start, s   read  drawn", "  25      0.250      2", "  50          -      3", "",
        "other  Hz  MiB", "  a     1    2", "",
      ])
  }

  /// Names are cut; a heading that is too long has a line of its own.
  @Test func noLineIsWiderThanEightyColumns() {
    let long = String(repeating: "wide ", count: 20)
    let figures = (1...6).map {
      StudyRow(.init("a heading", long, "figure \($0)"), unit: "s", [1e6])
    }
    let text = lines(figures + [StudyRow(.init(long, "a", "x"), unit: "s", [1])])
    #expect(text.allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(lines([StudyRow(.init(long, "a"), unit: "s", [1])]).count == 6)
  }

  @Test func equalHashesAreToldOnceAndOthersAll() {
    func row(_ line: String, _ hash: String?, tick: UInt64 = 9) -> StudyRow {
      var row = StudyRow(.init("t", line), unit: "ns", [1])
      (row.hash, row.hashTick) = (hash, hash.map { _ in tick })
      return row
    }
    #expect(
      lines([row("a", "01"), row("b", "01"), row("c", nil), row("d", "02", tick: 7)])[6]
        == "  state hash at tick 9, the same in all 2 rows: 01")
    #expect(
      lines([row("a", "01"), row("b", "02"), row("c", "01")])[5]
        == "  state hash at tick 9: DIFFERENT, 01 02")
  }

  @Test func doubtsStandBelowTheTable() {
    var row = StudyRow(.init("t", "name", "p50"), unit: "ns", [])
    row.doubts = ["it hangs"]
    #expect(lines([row]).contains("? name: it hangs"))
    #expect(FigureTable.text([]).isEmpty)
  }

  @Test func goalsStandWithTheirSenseAndVerdict() {
    let text = GoalTable.text([
      BenchGoal("at most", atMost: 1.3, 1.25), BenchGoal("at least", atLeast: 5, 4.5),
      BenchGoal("large", atMost: 1, 999.6), BenchGoal("less large", atMost: 1, 999.4),
      BenchGoal("unknown", atMost: 1, nil),
    ])
    func line(_ name: String, _ rest: String) -> String {
      name + String(repeating: " ", count: 53 - name.count) + rest
    }
    #expect(
      text.split(separator: "\n").map(String.init) == [
        line("goal", "   wanted measured  verdict"), line("  at most", "   ≤ 1.30     1.25  holds"),
        line("  at least", "   ≥ 5.00     4.50  missed"),
        line("  large", "   ≤ 1.00     1000  missed"),
        line("  less large", "   ≤ 1.00   999.40  missed"),
      ])
  }
}

/// The rows of all areas: one file, that every verb takes.
///
/// Method: what an area measured, by hand, as rows.
@Suite struct AreaRowTests {
  private func kernels() -> [StudyRow] {
    var report = HandMade.kernelReport()
    let hashed = HandMade.kernel(.ours, "1 tick", ns: [1, 2])
    hashed.hash = 0xab
    report.add(
      .orbit,
      [
        hashed, HandMade.kernel(.ours, "8 ticks, 16 bits", tile: 8, isFixed: true, ns: [1]),
        HandMade.kernel(.peer, family: "slow", traffic: nil, ns: [5]),
        HandMade.kernel(.peer, "table", family: "fast", ns: [3]),
        HandMade.kernel(.ours, "1 tick", threads: 2, isa: "baseline", ns: [1]),
      ]
    ) { _ in [0.5, 0.75] }
    report.bandwidths = [(false, 1e9), (false, 2e9), (true, 3e9)].map { isPast, rate in
      .init(
        isa: "avx2", stream: "copy", isNonTemporal: isPast, threads: 1, workingSetBytes: 8192,
        bytesPerSecond: rate)
    }
    report.arithmetic = [
      .init(isa: "avx2", isFused: true, threads: 2, operationsPerSecond: 4e9),
      .init(isa: "avx512", isFused: true, threads: 2, operationsPerSecond: 0),
    ]
    return RowReport.rows(report.rows) + report.limits
  }

  @Test func kernelsStandFromTheFastestPeerToOursAndTheLimits() {
    let rows = kernels()
    #expect(
      rows.map(\.name) == [
        "orbit, 1,000 entities: fast, table", "orbit, 1,000 entities: slow",
        "orbit, 1,000 entities: Orrery avx2, 1 tick",
        "orbit, 1,000 entities: Orrery baseline, 1 tick, 2 thr.",
        "orbit, 1,000 entities, 16 bits: Orrery avx2, 8 ticks, 16 bits",
        "bandwidth, one thread: 8 KiB, copy", "bandwidth, one thread: 8 KiB, copy past",
        "arithmetic: avx2, fused multiply-add, 2 threads",
      ])
    #expect(rows.map(\.subject) == [.peer, .peer, nil, nil, nil, .limit, .limit, .limit])
    #expect(rows[2].hash == "00000000000000ab" && rows[2].hashTick == 1000)
    #expect(rows[2].bytes == 16 && rows[1].bytes == nil)
    #expect(rows[2].bound?.samples == [0.5, 0.75])
    #expect(rows[2].ratio == 3)
    #expect(rows[5...].map(\.samples) == [[2], [3], [4]])
  }

  @Test func fileOfAnAreaHasItsSchemaAndIsReadBack() throws {
    var result = StudySamples.result(kernels())
    result.goals = [BenchGoal("a", atLeast: 1, 2), BenchGoal("b", atMost: 1, nil)]
    let text = try result.text()
    #expect(try Repository.schema("bench-result").faults(of: Data(text.utf8)) == [])
    #expect(try StudyResult.parse(Array(text.utf8), file: "a.json") == result)
  }

  /// Peers and the machine's limits are no business of a comparison.
  @Test func onlyOrrerysRowsAreCompared() {
    let result = StudySamples.result(kernels())
    let comparison = Comparison(result, StudySamples.result([kernels()[2]]))
    #expect(comparison.rows.map(\.name) == ["orbit, 1,000 entities: Orrery avx2, 1 tick"])
    #expect(comparison.notCompared.count == 2)
  }

  @Test func pageDrawsWhatIsCompared() throws {
    let result = StudySamples.result(kernels())
    #expect(Charts.tables(result).count == 1, "one of several rows of one figure, with ours in it")
    var judged = result
    judged.goals = [BenchGoal("a", atLeast: 1, 2)]
    #expect(ReportPage([judged]).summary == [])
    #expect(ReportPage([judged]).verdict == "Of the goals: 1 reached, 0 missed.")
    judged.goals = [BenchGoal("b", atMost: 1.5, 2)]
    #expect(ReportPage([judged]).summary == ["Missed: b, 2.000, wanted ≤ 1.50."])
  }

  @Test func compilerAndWhatIsMissingAreNotes() {
    #expect(
      PeerBuild.notes("peers", "g++ 12", missing: ["ISPC: no ispc"])
        == ["peers built with g++ 12", "left out: ISPC: no ispc"])
    #expect(PeerBuild.notes("peers", nil, missing: []) == [])
  }
}
