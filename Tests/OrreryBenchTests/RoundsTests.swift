// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// What rounds come to.
@Suite struct RoundsTests {
  @Test func medianAndSpreadAreThoseOfTheSortedRounds() {
    var rounds = Rounds()
    for ns in [5.0, 1, 4, 2, 3] { rounds.add(ns) }
    #expect(rounds.min == 1)
    #expect(rounds.median == 3)
    #expect(rounds.spread == (4.0 - 2) / 3)
  }
}
