// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// A row takes only what its program did in the row's own way: a label never stands over something else.
///
/// Method: answers by hand, of another way or with another number of sleeps than the label says; and shell
/// scripts as programs.
@Suite struct TransportRowTests {
  private func waitset() -> TransportRow {
    HandMade.transport("iceoryx-waitset/64", .wake, .peer, .waitset)
  }

  @Test func answersOfTheRowsWayAreTaken() {
    let row = waitset()
    row.take(HandMade.answer(.waitset, received: 100, slept: 100))
    row.take(HandMade.answer(.waitset, received: 100, slept: 25))
    #expect(row.failure == nil)
    #expect(row.answers.count == 2)
  }

  @Test func rowLabelledWaitsetThatSaysItSpinsIsNoFigure() {
    let row = waitset()
    row.take(HandMade.answer(.spin, received: 100, slept: 100))
    #expect(row.failure == "the row is «waitset», its program did «spin»")
    #expect(row.answers.isEmpty)
  }

  @Test func rowLabelledWaitsetWhoseReaderNeverSleepsIsNoFigure() {
    let row = waitset()
    row.take(HandMade.answer(.waitset, received: 100, slept: 24))
    #expect(row.failure == "readers of «waitset» slept 24 times in 100 messages")
    #expect(row.answers.isEmpty)
  }

  @Test func rowThatSpinsMustNotSleep() {
    let row = HandMade.transport("line", .spin, .limit, .line)
    row.take(HandMade.answer(.line, received: 100, slept: 24))
    #expect(row.failure == nil)
    row.take(HandMade.answer(.line, received: 100, slept: 25))
    #expect(row.failure == "readers of «line» slept 25 times in 100 messages")
    #expect(row.answers.count == 1, "what came before stays")
  }

  @Test(arguments: [TransportRow.Group.spin, .wake])
  func latencyWithoutSleepsIsNoFigure(group: TransportRow.Group) {
    let row = HandMade.transport("futex", group, .limit, .futex)
    row.take(HandMade.answer(.futex, slept: nil))
    #expect(row.failure == "its program does not say how often readers slept")
  }

  @Test(arguments: [TransportRow.Group.rate, .remote, .cost])
  func elsewhereReadersSleepAsTheyLike(group: TransportRow.Group) {
    let row = HandMade.transport("row", group)
    row.take(HandMade.answer(slept: nil))
    row.take(HandMade.answer(received: 100, slept: 0))
    row.take(HandMade.answer(received: 100, slept: 100))
    #expect(row.failure == nil)
    #expect(row.answers.count == 3)
    row.take(HandMade.answer(.futex))
    #expect(row.failure == "the row is «spin», its program did «futex»")
  }

  @Test func errorOfTheProgramIsTheRows() {
    let row = waitset()
    row.take(HandoverAnswer(error: "no daemon"))
    #expect(row.failure == "no daemon")
    #expect(row.answers.isEmpty)
  }

  /// On a busy machine readers come too late to sleep: such a round is done again, but not for ever.
  @Test(arguments: [(3, nil), (4, "readers of «spin» slept 0 times in 100 messages")])
  func roundWithoutSleepsIsDoneAgain(bad: Int, failure: String?) {
    let row = row(
      """
      read few; echo '{"p50":1,"p90":2,"p99":3,"max":4,"received":1,"missed":0,"seconds":7,"way":"spin","slept":1}'
      n=0; while read count pause; do n=$((n+1)); slept=$((n > \(bad) ? 100 : 0))
      echo "{\\"p50\\":$n,\\"p90\\":2,\\"p99\\":3,\\"max\\":4,\\"received\\":$count,\\"missed\\":0,\
      \\"seconds\\":7,\\"way\\":\\"spin\\",\\"slept\\":$slept}"; done
      """, group: .wake)
    row.start()
    row.measure()
    #expect(row.failure == failure)
    #expect(row.answers.map(\.p50) == (failure == nil ? [4] : []))
    row.stop()
  }

  private func row(_ script: String, group: TransportRow.Group = .rate) -> TransportRow {
    TransportRow(
      "shell", group, .peer, .spin, "a shell", bytes: 64,
      launch: .init(path: "/bin/sh", arguments: ["-c", script]),
      request: HandoverRequest(count: 100, pauseNs: 5))
  }

  @Test func everyRoundAsksForAllMessagesAndTheFirstForFew() {
    let row = row(
      """
      while read count pause; do echo "{\\"p50\\":1,\\"p90\\":$pause,\\"p99\\":3,\\"max\\":4,\
      \\"received\\":$count,\\"missed\\":${before:-0},\\"seconds\\":7,\\"way\\":\\"spin\\"}"; before=$count; done
      """)
    row.start()
    row.measure()
    row.measure()
    row.stop()
    row.measure()
    #expect(row.failure == nil)
    #expect(row.answers.map(\.received) == [100, 100], "none after its end")
    #expect(row.answers.map(\.missed) == [64, 100], "64 to begin with")
    #expect(row.answers.map(\.p90) == [5, 5])
  }

  @Test func programThatFailedIsNotAskedAgain() {
    let row = row("read few; echo; while read line; do echo \\\"again\\\"; done")
    row.start()
    row.measure()
    #expect(row.failure == "\"again\"")
    row.measure()
    #expect(row.failure == "\"again\"")
    #expect(row.answers.isEmpty)
  }

  @Test func programThatIsMissingIsNamed() {
    let row = TransportRow(
      "none", .rate, .peer, .spin, "none", bytes: 64,
      launch: .init(path: "/nonexistent/peer", arguments: []),
      request: HandoverRequest(count: 1, pauseNs: 0))
    row.start()
    row.measure()
    #expect(row.failure?.contains("/nonexistent/peer") == true)
  }
}
