// SPDX-License-Identifier: Apache-2.0

import OrreryWire
import TestSupport
import Testing

/// Goal: the account of frames is exact, whatever comes in which order.
@Suite struct LossesTests {
  @Test func receivedAndMissedAddUp() {
    var losses = Losses(joinedAfter: 10)
    #expect(losses.last == 10)
    losses.receive(11)
    losses.miss(through: 14)
    losses.receive(15)
    losses.miss(through: 16)
    #expect(losses.last == 16)
    #expect(losses.receivedCount == 2)
    #expect(losses.missedCount == 4)
    #expect(losses.gaps == [12...14, 16...16])
  }

  @Test func neighbouringGapsAreOne() {
    var losses = Losses(joinedAfter: 0)
    losses.miss(through: 3)
    losses.miss(through: 4)
    losses.miss(through: 9)
    #expect(losses.gaps == [1...9])
    #expect(losses.missedCount == 9)
    losses.receive(10)
    losses.miss(through: 11)
    #expect(losses.gaps == [1...9, 11...11])
  }

  @Test func gapsBeyondTheLimitAreCountedOnly() {
    var losses = Losses(joinedAfter: 0)
    let count = UInt64(Losses.gapMax) + 50
    for index in 0..<count {
      losses.miss(through: index * 2 + 1)
      losses.receive(index * 2 + 2)
    }
    #expect(losses.gaps.count == Losses.gapMax)
    #expect(losses.missedCount == count)
    #expect(losses.receivedCount == count)
    // The last gap kept does not grow by one that does not touch it.
    losses.miss(through: count * 2 + 5)
    #expect(losses.gaps.last == 1999...1999)
    #expect(losses.missedCount == count + 5)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func publishedIsAlwaysReceivedPlusMissed(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let joinedAfter = UInt64.random(in: 0...1_000_000, using: &random)
    var losses = Losses(joinedAfter: joinedAfter)
    for _ in 0..<5_000 {
      if Bool.random(using: &random) {
        losses.receive(losses.last + 1)
      } else {
        losses.miss(through: losses.last + UInt64.random(in: 1...9, using: &random))
      }
      try #require(
        losses.last == joinedAfter + losses.receivedCount + losses.missedCount, "seed \(seed)")
    }
  }

  @Test func countingBackTraps() async {
    await #expect(processExitsWith: .failure) {
      var losses = Losses(joinedAfter: 5)
      losses.receive(5)
    }
    await #expect(processExitsWith: .failure) {
      var losses = Losses(joinedAfter: 5)
      losses.receive(7)
    }
    await #expect(processExitsWith: .failure) {
      var losses = Losses(joinedAfter: 5)
      losses.miss(through: 5)
    }
  }
}
