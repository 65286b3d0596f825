// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// Times of messages come to the right part of the sorted times, and pass through JSON as they are.
///
/// Method: times whose every percentile is known; lines as programs print them.
@Suite struct HandoverRoundTests {
  private func answer(_ times: [Double]) -> HandoverAnswer {
    HandoverAnswer(way: .spin, times: times, received: 1, missed: 2, seconds: 3, slept: 4)
  }

  @Test func percentilesAreThoseOfTheSortedTimes() {
    var random = SeededRandom(seed: 1)
    let answer = answer((0...1000).map(Double.init).shuffled(using: &random))
    #expect(answer.p50 == 500)
    #expect(answer.p90 == 900)
    #expect(answer.p99 == 990)
    #expect(answer.max == 1000)
  }

  @Test func percentilesOfFewTimesAreTheNearestOnes() {
    let answer = answer([40, 10, 30, 20])
    #expect(answer.p50 == 30, "of an even number the upper one")
    #expect(answer.p90 == 40)
    #expect(answer.p99 == 40)
    #expect(self.answer([7]).p50 == 7)
    #expect(self.answer([7]).max == 7)
  }

  @Test func noTimesComeToZero() {
    let answer = answer([])
    #expect(answer.p50 == 0)
    #expect(answer.p99 == 0)
    #expect(answer.max == 0)
    #expect(answer.received == 1)
    #expect(answer.missed == 2)
    #expect(answer.seconds == 3)
    #expect(answer.slept == 4)
  }

  @Test func answersPassThroughTheirLine() throws {
    var answer = answer([1, 2, 3])
    (answer.p50, answer.p90, answer.p99, answer.max) = (1, 2, 3, 4)
    (answer.received, answer.missed, answer.seconds) = (5, 6, 7)
    let read = try JSONDecoder().decode(HandoverAnswer.self, from: Data(answer.text.utf8))
    #expect([read.p50, read.p90, read.p99, read.max, read.seconds] == [1, 2, 3, 4, 7])
    #expect([read.received, read.missed, read.slept] == [5, 6, 4])
    #expect(read.way == .spin)
    #expect(read.error == nil)
    #expect(!answer.text.contains("\n"), "one line")
  }

  @Test func anErrorNeedsNoFigures() throws {
    let text = HandoverAnswer(error: "no memory").text
    let read = try JSONDecoder().decode(HandoverAnswer.self, from: Data(text.utf8))
    #expect(read.error == "no memory")
    let bare = try JSONDecoder().decode(
      HandoverAnswer.self, from: Data(#"{"error":"no memory"}"#.utf8))
    #expect(bare.error == "no memory")
  }

  @Test(arguments: ["p50", "p90", "p99", "max", "received", "missed", "seconds", "way"])
  func anAnswerWithoutAFigureIsNone(key: String) throws {
    let data = Data(answer([1]).text.utf8)
    var words = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(words.removeValue(forKey: key) != nil)
    let rest = try JSONSerialization.data(withJSONObject: words)
    #expect(throws: DecodingError.self) {
      _ = try JSONDecoder().decode(HandoverAnswer.self, from: rest)
    }
  }

  @Test func requestsPassThroughTheirLine() {
    let request = HandoverRequest(count: 12, pauseNs: 3400)
    #expect(request.text == "12 3400\n")
    let read = HandoverRequest(line: "12 3400")
    #expect(read?.count == 12)
    #expect(read?.pauseNs == 3400)
    #expect(HandoverRequest(line: "1 0")?.count == 1)
  }

  @Test(arguments: ["", "12", "12 1 1", "0 1", "-1 1", "a b"])
  func anythingElseIsNoRequest(line: String) {
    #expect(HandoverRequest(line: line) == nil)
  }

  @Test(arguments: [true, false], [UInt64(0), 5000, 100_000])
  func pausesAreNeverShorterThanAskedFor(sleeps: Bool, pauseNs: UInt64) {
    for _ in 0..<5 {
      let beginNs = Clock.monotonicNs()
      HandoverRequest(count: 1, pauseNs: pauseNs).pause(sleeps: sleeps)
      #expect(Clock.monotonicNs() - beginNs >= pauseNs)
    }
  }
}
