// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// Rounds come to their fastest and their median.
///
/// Method: rounds by hand, in no order.
@Suite struct RoundsTests {
  private func rounds(_ all: [Double]) -> Rounds {
    var rounds = Rounds()
    for ns in all { rounds.add(ns) }
    return rounds
  }

  @Test func medianIsThatOfTheSortedRounds() {
    let rounds = rounds([5, 1, 4, 2, 3])
    #expect(rounds.min == 1)
    #expect(rounds.median == 3)
    #expect(rounds.count == 5)
    #expect(rounds.all == [5, 1, 4, 2, 3], "in their order")
  }

  @Test func nothingComesToNothing() {
    #expect(rounds([]).min == 0)
    #expect(rounds([]).median == 0)
    #expect(rounds([7]).median == 7)
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
