// SPDX-License-Identifier: Apache-2.0

import OrreryLive
import TestSupport
import Testing

/// A page has at most two frames on their way, and every frame that it was not sent is counted.
@Suite struct CreditTests {
  @Test func twoFramesMayBeOnTheirWay() {
    var credit = Credit()
    #expect(credit.takes(7))
    credit.send(7)
    #expect(credit.takes(8))
    #expect(!credit.takes(7), "a frame is sent once")
    credit.send(8)
    #expect(!credit.takes(9))
    let isKnown = credit.acknowledge(7)
    #expect(isKnown)
    #expect(credit.takes(9))
    #expect(credit.inFlight == [8])
  }

  @Test func theNewerOfTwoFramesAcknowledgesBoth() {
    var credit = Credit()
    credit.send(1)
    credit.send(2)
    var isKnown = credit.acknowledge(2)
    #expect(isKnown && credit.inFlight.isEmpty)
    isKnown = credit.acknowledge(1)
    #expect(!isKnown, "it is in flight no more")
  }

  @Test func whatWasNotSentIsRefused() {
    var credit = Credit()
    var isKnown = credit.acknowledge(1)
    #expect(!isKnown)
    credit.send(4)
    isKnown = credit.acknowledge(5)
    #expect(!isKnown && credit.inFlight == [4])
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func everyFrameIsSentOrSkipped(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var credit = Credit()
    var first: UInt64 = 0
    for sequence in UInt64(5)...1000 {
      if credit.takes(sequence), Bool.random(using: &random) {
        credit.send(sequence)
        if first == 0 { first = sequence }
      }
      if let oldest = credit.inFlight.first, Bool.random(using: &random) {
        let isKnown = credit.acknowledge(oldest)
        #expect(isKnown)
      }
      guard first > 0 else { continue }
      #expect(credit.last - first + 1 == credit.sentCount + credit.skippedCount, "seed \(seed)")
    }
    #expect(credit.skippedCount > 0)
  }
}
