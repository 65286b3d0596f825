// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// The table of transport prints each figure in its column, with its unit.
///
/// Method: rows by hand, whose every figure is another, against lines by hand.
@Suite struct TransportTableTests {
  private func row(
    _ group: TransportRow.Group, _ answer: HandoverAnswer, bytes: Int = 64
  ) throws -> TransportReport.Row {
    let row = HandMade.transport("key", group, bytes: bytes)
    row.take(answer)
    var report = HandMade.transportReport()
    report.add(row)
    return try #require(report.rows.first)
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func headNamesTheMachineAndWhatIsMissing() {
    var report = HandMade.transportReport()
    report.missing = ["iceoryx: no daemon", "iceoryx2: no Python"]
    #expect(
      TransportTable.head(report) == """
        Test Processor, 2 cores
        kernel 6.1.0, commit 0123456789ab
        limits and peers built with g++ 12
        left out: iceoryx: no daemon
        left out: iceoryx2: no Python
        reading the clock takes 12.5 ns, taken off every latency

        """)
    (report.compiler, report.missing) = (nil, [])
    (report.machine.processor, report.machine.kernel, report.machine.commit) = (nil, nil, nil)
    #expect(
      TransportTable.head(report) == """
        unknown processor, 2 cores
        kernel unknown, commit unknown
        reading the clock takes 12.5 ns, taken off every latency

        """)
  }

  @Test func latenciesStandFromTheMedianToTheLongest() throws {
    var answer = HandMade.answer()
    (answer.p50, answer.p90, answer.p99, answer.max) = (123.4, 1234, 99_949, 99_951)
    let text = TransportTable.group(.spin, [try row(.spin, answer)])
    let space = String(repeating: " ", count: 26)
    #expect(
      lines(text) == [
        "", "one way, spinning" + space + "       p50      p90      p99      max",
        "  name of key" + String(repeating: " ", count: 31)
          + "   123 ns  1.23 µs 99.95 µs   100 µs",
        "",
      ])
  }

  @Test(arguments: [
    (0.4, "0 ns"), (999.4, "999 ns"), (999.6, "1.00 µs"), (99_940, "99.94 µs"), (99_960, "100 µs"),
    (999_400, "999 µs"), (999_600, "1.00 ms"), (99_940_000, "99.94 ms"), (99_960_000, "100 ms"),
    (-12, "-12 ns"), (-2000, "-2.00 µs"),
    // At the borders themselves.
    (999.5, "1.00 µs"), (99_950, "100 µs"), (999_500, "1.00 ms"), (99_950_000, "100 ms"),
  ])
  func durationsHaveTheUnitThatFits(ns: Double, text: String) throws {
    var answer = HandMade.answer()
    (answer.p50, answer.p90, answer.p99, answer.max) = (ns, 1, 1, 1)
    let line = lines(TransportTable.group(.spin, [try row(.spin, answer)]))[2]
    #expect(line.dropFirst(44).prefix(9).trimmingCharacters(in: .whitespaces) == text)
  }

  @Test func ratesStandInMillionsGigabytesAndPartsMissed() throws {
    let answer = HandMade.answer(received: 3_000_000, missed: 1_000_000, seconds: 2)
    let text = TransportTable.group(.rate, [try row(.rate, answer, bytes: 4096)])
    let heading = "frames per second on this machine           " + "      M/s     GB/s missed %"
    #expect(
      lines(text) == [
        "", heading,
        "  name of key" + String(repeating: " ", count: 31) + "    1.500     6.14     25.0", "",
      ])
    let slow = HandMade.answer(received: 9999)
    let slowText = TransportTable.group(.remote, [try row(.remote, slow, bytes: 1 << 20)])
    #expect(lines(slowText)[2].hasSuffix("  0.01000    10.48      0.0"), "\(slowText)")
    let fast = HandMade.answer(received: 10_000)
    let fastText = TransportTable.group(.remote, [try row(.remote, fast, bytes: 1 << 20)])
    #expect(lines(fastText)[2].hasSuffix("    0.010    10.49      0.0"), "\(fastText)")
    let nothing = HandMade.answer(received: 0, missed: 0)
    let nothingText = TransportTable.group(.rate, [try row(.rate, nothing)])
    #expect(lines(nothingText)[2].hasSuffix("  0.00000     0.00      0.0"), "\(nothingText)")
    let gone = HandMade.answer(received: 0, missed: 1)
    let goneText = TransportTable.group(.rate, [try row(.rate, gone)])
    #expect(lines(goneText)[2].hasSuffix("  0.00000     0.00    100.0"), "\(goneText)")
  }

  @Test func rowsWithoutFiguresSayWhy() throws {
    let failed = HandMade.transport("failed")
    failed.take(HandoverAnswer(error: "it hangs"))
    let unasked = HandMade.transport("unasked")
    let early = HandMade.transport("early")
    early.take(HandMade.answer())
    early.take(HandoverAnswer(error: "it ended"))
    var report = HandMade.transportReport()
    for row in [failed, unasked, early] { report.add(row) }
    let lines = lines(TransportTable.group(.spin, report.rows))
    try #require(lines.count == 7, "\(lines)")
    #expect(lines[2] == "name of failed: it hangs")
    #expect(lines[3] == "name of unasked: not measured")
    #expect(lines[4].hasPrefix("  name of early  "))
    #expect(lines[5] == "ended early: it ended")
  }

  @Test func groupWithoutRowsIsNotPrinted() {
    #expect(TransportTable.group(.spin, []).isEmpty)
    #expect(Set(TransportRow.Group.allCases.map(\.title)).count == 5)
  }

  @Test func goalsStandWithTheirSenseAndVerdict() {
    let text = GoalTable.limits.text([
      BenchGoal("at most", atMost: 1.3, 1.25),
      BenchGoal("at least", atLeast: 5, 4.5),
      BenchGoal("large", atMost: 1, 999.6),
      BenchGoal("border", atMost: 1, 999.5),
      BenchGoal("less large", atMost: 1, 999.4),
      BenchGoal("unknown", atMost: 1, nil),
      BenchGoal("unknown, too", atMost: 1, nil),
    ])
    func line(_ name: String, _ rest: String) -> String {
      name + String(repeating: " ", count: 53 - name.count) + rest
    }
    #expect(
      lines(text) == [
        "", line("goal", "   wanted measured  verdict"),
        line("  at most", "   ≤ 1.30     1.25  holds"),
        line("  at least", "   ≥ 5.00     4.50  missed"),
        line("  large", "   ≤ 1.00     1000  missed"),
        line("  border", "   ≤ 1.00     1000  missed"),
        line("  less large", "   ≤ 1.00   999.40  missed"),
        "",
      ])
  }
}

/// The plot shows the rows that have latencies, each where its logarithm puts it.
@Suite struct LatencyScaleTests {
  private func rows(_ latencies: [(p50: Double, p99: Double)]) -> [TransportReport.Row] {
    var report = HandMade.transportReport()
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
    var report = HandMade.transportReport()
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
