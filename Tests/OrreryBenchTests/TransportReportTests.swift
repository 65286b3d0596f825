// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// Rounds of a row come to medians, sums and rates.
///
/// Method: answers by hand, of which every figure is another number.
@Suite struct TransportReportTests {
  private func report(_ answers: [HandoverAnswer], readers: Int = 1) throws -> TransportReport.Row {
    let row = HandMade.transport("key", .rate, .peer, .spin, bytes: 1000, readers: readers)
    for answer in answers { row.take(answer) }
    var report = TransportReport()
    report.add(row)
    return try #require(report.rows.first)
  }

  private func answer(_ number: Double, received: UInt64 = 10) -> HandoverAnswer {
    var answer = HandMade.answer(received: received, missed: 1, seconds: 2, slept: 3)
    (answer.p50, answer.p99, answer.max) = (number, number + 1000, number + 10_000)
    return answer
  }

  @Test func latenciesAreMediansAndTheLongestIsTheLongest() throws {
    let row = try report([answer(3), answer(1), answer(2)])
    #expect([row.p50, row.p99, row.max] == [2, 1002, 10_003])
    #expect(row.p50Rounds == [3, 1, 2])
    #expect(row.p99Rounds == [1003, 1001, 1002])
  }

  @Test func ratesAreOfAReaderInASecond() throws {
    let row = try report([answer(1, received: 30), answer(1, received: 60), answer(1)], readers: 3)
    #expect(row.perSecondRounds == [5, 10, 10.0 / 3 / 2])
    #expect(row.perSecond == 5)
    #expect(row.bytesPerSecond == 5000)
    #expect(row.received == 100)
    #expect(row.missed == 3)
  }

  @Test func nobodyReadingAndNoTimeAreNoDivisionByZero() throws {
    #expect(try report([answer(1)], readers: 0).perSecond == 5)
    var answer = answer(1)
    answer.seconds = 0
    #expect(try report([answer]).perSecond == 0)
  }

  @Test func rowKeepsWhatItIsCalledAndWhyItFailed() throws {
    let row = try report([answer(1), HandoverAnswer(error: "gone")])
    #expect(row.key == "key")
    #expect(row.group == .rate)
    #expect(row.subject == .peer)
    #expect(row.name == "name of key")
    #expect(row.messageBytes == 1000)
    #expect(row.failure == "gone")
  }

  @Test func latenciesAndRatesStandInTheirColumns() throws {
    func row(_ group: TransportRow.Group, _ answers: [HandoverAnswer]) throws -> [StudyRow] {
      let row = HandMade.transport("key", group, .peer, bytes: 1000)
      for answer in answers { row.take(answer) }
      var report = TransportReport()
      report.add(row)
      return try #require(report.rows.first).studyRows
    }
    let latencies = try row(.spin, [HandMade.answer(ns: 5), HandMade.answer(ns: -3)])
    #expect(latencies.map(\.place?.figure) == ["p50", "p99", "max"])
    #expect(latencies.map(\.samples) == [[5, 0], [5, 0], [5, 0]], "never less than nothing")
    #expect(latencies.allSatisfy { $0.place?.table == TransportRow.Group.spin.title })
    #expect(latencies.allSatisfy { $0.subject == .peer && $0.better == .smaller })
    let rates = try row(
      .rate, [HandMade.answer(received: 3_000_000, missed: 1_000_000, seconds: 2)])
    #expect(rates.map(\.unit) == ["M/s", "GB/s", "%"])
    #expect(rates.map(\.samples) == [[1.5], [1.5], [25]])
    #expect(rates.map(\.better) == [.larger, .larger, .smaller])
    let failed = try row(.spin, [HandoverAnswer(error: "it hangs")])
    #expect(failed[0].samples.isEmpty && failed[0].doubts == ["it hangs"])
    let early = try row(.spin, [HandMade.answer(), HandoverAnswer(error: "it ended")])
    #expect(early.map(\.doubts) == [["ended early: it ended"], [], []])
  }

  @Test func rowWithoutRoundsIsNotFound() throws {
    var report = TransportReport()
    let row = HandMade.transport("key")
    row.take(HandoverAnswer(error: "gone"))
    report.add(row)
    #expect(report.rows.first?.max == 0)
    #expect(report.row("key") == nil)
    let other = HandMade.transport("other", .rate)
    other.take(answer(1))
    other.take(answer(2))
    report.add(other)
    #expect(report.row("other")?.p50 == 1.5)
    #expect(report.row("key") == nil)
  }
}
