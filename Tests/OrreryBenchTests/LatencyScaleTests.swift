// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// The plot shows the rows that have latencies, each where its logarithm puts it.
@Suite struct LatencyScaleTests {
  private func rows(_ latencies: [(p50: Double, p99: Double)]) -> [TransportReport.Row] {
    var report = TransportReport()
    for (p50, p99) in latencies {
      let row = HandMade.transport("key")
      var answer = HandMade.answer()
      (answer.p50, answer.p99) = (p50, p99)
      row.take(answer)
      report.add(row)
    }
    return report.rows
  }

  @Test func scaleIsFromThePowerBelowToThePowerAbove() {
    let scale = LatencyScale(rows([(150, 2000), (900, 30_000)]), left: 100, right: 400)
    #expect(scale.powers == 2...5)
    #expect(abs(scale.x(100) - 100) < 1e-9)
    #expect(abs(scale.x(100_000) - 400) < 1e-9)
    #expect(abs(scale.x(1000) - 200) < 1e-9)
    #expect(abs(scale.x(0) - scale.x(1)) < 1e-9, "not endless")
    #expect(abs(scale.x(1) - -100) < 1e-9)
  }

  @Test func medianLongerThanItsP99IsOnTheScale() {
    #expect(LatencyScale(rows([(15_000, 20)]), left: 0, right: 1).powers == 4...5)
  }

  @Test func nothingHasAScaleToo() {
    #expect(LatencyScale([], left: 0, right: 1).powers == 1...6)
    let one = LatencyScale(rows([(100, 100)]), left: 3, right: 5)
    #expect(one.powers == 2...2)
    #expect(one.x(100) == 3, "no division by zero")
    #expect(one.x(1000) == 5, "as if it were one power of ten")
  }

  @Test func powersHaveUnits() {
    #expect(
      (0...9).map(LatencyScale.name) == [
        "1 ns", "10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1e9 ns",
      ])
    #expect(LatencyScale.name(-1) == "1e-1 ns")
  }

  @Test func groupsOfLatenciesStandInTheirOrder() {
    var report = TransportReport()
    for (key, group, ns) in [
      ("cost", .cost, 5), ("rate", .rate, 5), ("spin", .spin, 0.5), ("none", .spin, 0),
      ("negative", .spin, -1), ("remote", .remote, 5),
    ] as [(String, TransportRow.Group, Double)] {
      let row = HandMade.transport(key, group)
      row.take(HandMade.answer(ns: ns))
      report.add(row)
    }
    report.add(HandMade.transport("unmeasured"))
    let keys = LatencyScale.groups(of: report).map { $0.map(\.key) }
    #expect(keys == [["spin"], ["cost"]])
  }
}
