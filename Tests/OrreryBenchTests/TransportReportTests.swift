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
    var report = HandMade.transportReport()
    report.add(row)
    return try #require(report.rows.first)
  }

  private func answer(_ number: Double, received: UInt64 = 10) -> HandoverAnswer {
    var answer = HandMade.answer(received: received, missed: 1, seconds: 2, slept: 3)
    (answer.p50, answer.p90) = (number, number + 100)
    (answer.p99, answer.max) = (number + 1000, number + 10_000)
    return answer
  }

  @Test func latenciesAreMediansAndTheLongestIsTheLongest() throws {
    let row = try report([answer(3), answer(1), answer(2)])
    #expect([row.p50, row.p90, row.p99, row.max] == [2, 102, 1002, 10_003])
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
    #expect(row.slept == 9)
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
    #expect(row.readerCount == 1)
    #expect(row.way == .spin)
    #expect(row.failure == "gone")
  }

  @Test func rowWithoutRoundsIsNotFound() throws {
    var report = HandMade.transportReport()
    let row = HandMade.transport("key")
    row.take(HandoverAnswer(error: "gone"))
    report.add(row)
    #expect(report.rows.first?.max == 0)
    #expect(report.rows.first?.slept == nil)
    #expect(report.row("key") == nil)
    let other = HandMade.transport("other", .rate)
    other.take(answer(1))
    other.take(answer(2))
    report.add(other)
    #expect(report.row("other")?.p50 == 2)
    #expect(report.row("key") == nil)
  }
}
