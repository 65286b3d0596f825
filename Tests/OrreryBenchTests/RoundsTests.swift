// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// Rounds come to their fastest, their median and how far apart they are.
///
/// Method: rounds by hand, in no order.
@Suite struct RoundsTests {
  private func rounds(_ all: [Double]) -> Rounds {
    var rounds = Rounds()
    for ns in all { rounds.add(ns) }
    return rounds
  }

  @Test func medianAndSpreadAreThoseOfTheSortedRounds() {
    let rounds = rounds([5, 1, 4, 2, 3])
    #expect(rounds.min == 1)
    #expect(rounds.median == 3)
    #expect(rounds.spread == (4.0 - 2) / 3)
    #expect(rounds.count == 5)
    #expect(rounds.all == [5, 1, 4, 2, 3], "in their order")
  }

  @Test func medianOfAnEvenNumberIsTheUpperOne() {
    #expect(rounds([4, 1, 3, 2]).median == 3)
    #expect(rounds([2, 1]).median == 2)
  }

  @Test func spreadIsThatOfTheQuartiles() {
    // The lower quartile is the third of nine, the upper one the seventh: neither end counts.
    #expect(rounds([100, 8, 7, 6, 5, 4, 3, 2, 0]).spread == (7.0 - 3) / 5)
  }

  @Test func roundsOfLessThanANanosecondAreSpreadToo() {
    #expect(rounds([0.25, 0.75, 0.5]).spread == 0.5)
    #expect(rounds([0.25, 0.75, 0.5]).median == 0.5)
  }

  @Test func nothingComesToNothing() {
    #expect(rounds([]).min == 0)
    #expect(rounds([]).median == 0)
    #expect(rounds([]).spread == 0)
    #expect(rounds([0, 0]).spread == 0, "no part of nothing")
    #expect(rounds([7]).median == 7)
    #expect(rounds([7]).spread == 0)
  }
}

/// Rows take turns.
@Suite struct TurnsTests {
  @Test func eachRoundBeginsWithAnotherRow() {
    #expect(Turns.order(count: 3, round: 0) == [0, 1, 2])
    #expect(Turns.order(count: 3, round: 1) == [1, 2, 0])
    #expect(Turns.order(count: 3, round: 5) == [2, 0, 1])
    #expect(Turns.order(count: 0, round: 1) == [])
  }
}
