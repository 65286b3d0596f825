// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import TestSupport
import Testing

/// Goal: what is slower is found, and nothing else is.
///
/// Method: rounds of known distributions, with seeds; planted slowdowns of the sizes that a study promises to find.
@Suite struct BootstrapTests {
  @Test func medianAndQuantilesAreThoseOfTheNumbers() throws {
    let summary = try #require(SampleSummary([4, 1, 3, 2]))
    #expect(summary.count == 4)
    #expect(summary.min == 1)
    #expect(summary.median == 2.5)
    #expect(summary.p99 == 4)
    #expect(abs(summary.spread - 1.5 / 2.5) < 1e-12)
    #expect(SampleSummary([]) == nil)
    #expect(SampleSummary((1...200).map(Double.init))?.p99 == 198)
    #expect(SampleSummary.quantile([1, 2, 4], 0.75) == 3)
  }

  @Test(arguments: [(1, 1), (4, 2), (8, 2), (27, 3), (1000, 10)])
  func blocksAreTheThirdRootOfTheRounds(count: Int, length: Int) {
    #expect(Bootstrap.blockLength(count: count) == length)
  }

  @Test func sameRoundsGiveTheSameInterval() {
    let (old, new) = ([1.0, 1.1, 0.9, 1, 1.05], [2.0, 2.1, 1.9, 2, 2.05])
    let interval = Bootstrap.ratio(new, to: old)
    #expect(interval == Bootstrap.ratio(new, to: old))
    #expect(interval.value == 2)
    #expect(interval.lower < 2)
    #expect(interval.upper > 2)
    #expect(interval.upper.isFinite)
  }

  @Test func tooFewRoundsHaveNoInterval() {
    #expect(Bootstrap.ratio([1, 1, 1], to: [1, 1, 1, 1]).upper == .infinity)
    #expect(Bootstrap.ratio([1, 1, 1, 1], to: [0, 0, 0, 0]).upper == .infinity)
    #expect(Bootstrap.median([1, 2, 3]).upper == .infinity)
    #expect(Verdict(Bootstrap.ratio([9], to: [1])) == .tooFew)
  }

  /// The true ratio is in 99 of 100 intervals; at least 97 are asked for here, of 200.
  @Test func intervalHoldsTheTrueRatio() {
    var random = SeededRandom(seed: 5)
    var held = 0
    for _ in 0..<200 {
      let old = StudySamples.rounds(12, mean: 100, noise: 0.01, &random)
      let new = StudySamples.rounds(12, mean: 103, noise: 0.01, &random)
      let interval = Bootstrap.ratio(new, to: old)
      if interval.lower <= 1.03, interval.upper >= 1.03 { held += 1 }
    }
    #expect(held >= 194, "\(held) of 200, seed 5")
  }

  @Test func medianIsInItsInterval() {
    var random = SeededRandom(seed: 6)
    var held = 0
    for _ in 0..<200 {
      let interval = Bootstrap.median(StudySamples.rounds(12, mean: 100, noise: 0.01, &random))
      // The tail moves the median up by less than a thousandth.
      if interval.lower <= 100.1, interval.upper >= 100 { held += 1 }
    }
    #expect(held >= 185, "\(held) of 200, seed 6")
  }

  /// What the study promises: 5 % in a kernel and in recording, 10 % in publishing, found in 20 of 20.
  @Test(arguments: [(0.05, 0.008), (0.10, 0.02)])
  func plantedSlowdownIsFoundTwentyTimesOfTwenty(part: Double, noise: Double) {
    for seed in 1...20 {
      var random = SeededRandom(seed: UInt64(seed))
      let old = StudySamples.rounds(12, mean: 100, noise: noise, &random)
      let new = StudySamples.rounds(12, mean: 100 * (1 + part), noise: noise, &random)
      let interval = Bootstrap.ratio(new, to: old)
      #expect(Verdict(interval) == .slower, "seed \(seed): \(interval)")
      #expect(Verdict(Bootstrap.ratio(old, to: new)) == .faster, "seed \(seed)")
    }
  }

  @Test(arguments: [0.002, 0.01, 0.03])
  func nothingIsFoundInTwentyComparisonsOfFifteenEqualRows(noise: Double) {
    for seed in 101...120 {
      var random = SeededRandom(seed: UInt64(seed))
      for row in 0..<15 {
        let old = StudySamples.rounds(8, mean: 100, noise: noise, &random)
        let new = StudySamples.rounds(8, mean: 100, noise: noise, &random)
        let interval = Bootstrap.ratio(new, to: old)
        guard case .same = Verdict(interval) else {
          Issue.record("seed \(seed), row \(row): \(interval)")
          continue
        }
      }
    }
  }

  /// What meets both alike does not hide a difference, if they are drawn together.
  @Test func pairedRoundsFindWhatDriftHides() {
    var random = SeededRandom(seed: 7)
    let drift = (0..<12).map { 100 + 6 * Double($0 % 6) }
    let old = drift.map { $0 * (1 + 0.004 * (random.unit() - 0.5)) }
    let new = drift.map { $0 * 1.05 * (1 + 0.004 * (random.unit() - 0.5)) }
    let (paired, alone) = (
      Bootstrap.ratio(new, to: old, isPaired: true), Bootstrap.ratio(new, to: old)
    )
    #expect(paired.upper - paired.lower < (alone.upper - alone.lower) / 2, "\(paired), \(alone)")
    #expect(Verdict(alone) != .slower)
  }

  @Test func verdictsLeaveOutTheSmallestDifference() {
    func verdict(_ lower: Double, _ upper: Double) -> Verdict {
      Verdict(Interval(value: 1, lower: lower, upper: upper), threshold: 0.02)
    }
    #expect(verdict(1.021, 1.05) == .slower)
    #expect(verdict(0.9, 0.98) == .faster)
    #expect(verdict(1.01, 1.019) == .same(downTo: 1.019 - 1))
    #expect(verdict(1.019, 1.05) == .same(downTo: 1.05 - 1))
    #expect(verdict(0.8, 1.01) == .same(downTo: 1 / 0.8 - 1))
    #expect(verdict(0, 1) == .tooFew)
    #expect(verdict(0.98, 1.015).text == "no difference seen down to 2.0 %")
  }
}
