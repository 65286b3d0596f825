// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import TestSupport
import Testing

/// Goal: what is slower is found, and nothing else is.
///
/// Method: rounds of known distributions, with seeds; planted slowdowns of the sizes that a study promises to find.
@Suite struct ConfidenceTests {
  @Test func medianAndQuantilesAreThoseOfTheNumbers() throws {
    let summary = try #require(SampleSummary([4, 1, 3, 2]))
    #expect(summary.count == 4)
    #expect(summary.min == 1)
    #expect(summary.median == 2.5)
    #expect(abs(summary.spread - 1.5 / 2.5) < 1e-12)
    #expect(SampleSummary([]) == nil)
    #expect(SampleSummary.quantile([1, 2, 4], 0.75) == 3)
  }

  /// Tables of Student's t, as in any textbook.
  @Test(
    arguments: [
      (0.975, 1, 12.7062), (0.975, 2, 4.30265), (0.975, 5, 2.57058), (0.975, 10, 2.22814),
      (0.995, 7, 3.49948), (0.995, 30, 2.74999), (0.9995, 4, 8.61030), (0.975, 1e6, 1.95997),
      (0.5, 3, 0), (0.995, 2.5, 7.163728),
    ] as [(Double, Double, Double)])
  func studentsQuantilesAreThoseOfTheTables(share: Double, freedom: Double, value: Double) {
    let found = Student.quantile(share, freedom: freedom)
    #expect(abs(found - value) <= 1e-5 * max(value, 1), "\(found)")
    #expect(abs(Student.share(below: found, freedom: freedom) - share) < 1e-9)
  }

  @Test func sameRoundsGiveTheSameInterval() {
    let (old, new) = ([1.0, 1.1, 0.9, 1, 1.05], [2.0, 2.1, 1.9, 2, 2.05])
    let interval = Confidence.ratio(new, to: old)
    #expect(interval == Confidence.ratio(new, to: old))
    #expect(interval.value == 2)
    #expect(interval.lower < 2)
    #expect(interval.upper > 2)
    #expect(interval.upper.isFinite)
    let equal = Confidence.ratio([2, 2, 2, 2], to: [1, 1, 1, 1])
    #expect(equal == Interval(value: 2, lower: 2, upper: 2))
  }

  @Test func tooFewRoundsHaveNoInterval() {
    #expect(Confidence.ratio([1, 1, 1], to: [1, 1, 1, 1]).upper == .infinity)
    #expect(Confidence.ratio([1, 1, 1, 1], to: [0, 0, 0, 0]).upper == .infinity)
    #expect(Confidence.ratio([1, 1, 1, 0], to: [1, 1, 1, 1]).upper == .infinity)
    #expect(Confidence.median([1, 2, 3]).upper == .infinity)
    #expect(Verdict(Confidence.ratio([9], to: [1])) == .undecided(downTo: nil))
  }

  /// Noise, and what the machine does meanwhile: the ways in which rounds go wrong.
  @Test(arguments: [5, 8, 12, 20], StudySamples.Disturbance.allCases)
  func intervalHoldsTheTrueRatio(count: Int, disturbance: StudySamples.Disturbance) {
    for (seed, noise) in [(5, 0.002), (6, 0.01), (7, 0.03)] as [(UInt64, Double)] {
      var random = SeededRandom(seed: seed)
      var held = 0
      for _ in 0..<500 {
        let old = StudySamples.rounds(count, mean: 100, noise: noise, with: disturbance, &random)
        let new = StudySamples.rounds(count, mean: 103, noise: noise, with: disturbance, &random)
        let interval = Confidence.ratio(new, to: old)
        if interval.lower <= 1.03, interval.upper >= 1.03 { held += 1 }
      }
      // 99 % are stated: 495 of 500, and three times their error of 2.2 less.
      #expect(held >= 488, "\(held) of 500, seed \(seed), noise \(noise)")
    }
  }

  /// Drift and slow phases move the median itself: there is no true one to hold.
  @Test(arguments: [5, 8, 12, 20], [StudySamples.Disturbance.none, .interruptions])
  func medianIsInItsInterval(count: Int, disturbance: StudySamples.Disturbance) {
    for (seed, noise) in [(8, 0.002), (9, 0.01), (10, 0.03)] as [(UInt64, Double)] {
      var random = SeededRandom(seed: seed)
      var held = 0
      for _ in 0..<500 {
        let rounds = StudySamples.rounds(count, mean: 100, noise: noise, with: disturbance, &random)
        let interval = Confidence.median(rounds)
        if interval.lower <= 100.1, interval.upper >= 100 { held += 1 }
      }
      // 95 % are stated: 475 of 500; their error is 4.9.
      #expect(held >= 470, "\(held) of 500, seed \(seed), noise \(noise)")
    }
  }

  /// What the study promises: 5 % in a kernel and in recording, 10 % in publishing, found in 20 of 20.
  @Test(arguments: [(0.05, 0.008), (0.10, 0.02)])
  func plantedSlowdownIsFoundTwentyTimesOfTwenty(part: Double, noise: Double) {
    for seed in 1...20 {
      var random = SeededRandom(seed: UInt64(seed))
      let old = StudySamples.rounds(24, mean: 100, noise: noise, &random)
      let new = StudySamples.rounds(24, mean: 100 * (1 + part), noise: noise, &random)
      let interval = Confidence.ratio(new, to: old)
      #expect(Verdict(interval) == .slower, "seed \(seed): \(interval)")
      #expect(Verdict(Confidence.ratio(old, to: new)) == .faster, "seed \(seed)")
    }
  }

  /// What meets both alike does not hide a difference, if they are drawn together.
  @Test func pairedRoundsFindWhatDriftHides() {
    var random = SeededRandom(seed: 7)
    let drift = (0..<12).map { 100 + 6 * Double($0 % 6) }
    let old = drift.map { $0 * (1 + 0.004 * (random.unit() - 0.5)) }
    let new = drift.map { $0 * 1.05 * (1 + 0.004 * (random.unit() - 0.5)) }
    let (paired, alone) = (
      Confidence.ratio(new, to: old, isPaired: true), Confidence.ratio(new, to: old)
    )
    #expect(paired.upper - paired.lower < (alone.upper - alone.lower) / 2, "\(paired), \(alone)")
    #expect(Verdict(alone) != .slower)
  }

  /// Of two builds in turns, A B, B A, the second of each turn takes 3 % longer.
  @Test func whoComesSecondDoesNotMatter() {
    var random = SeededRandom(seed: 8)
    func rounds(_ first: Int) -> [Double] {
      (0..<32).map {
        100 * ($0 % 2 == first ? 1 : 1.03) * (1 + 0.002 * (random.unit() - 0.5))
      }
    }
    let ratio = Confidence.ratio(rounds(1), to: rounds(0), isPaired: true)
    #expect(ratio.lower > 0.998 && ratio.upper < 1.002, "\(ratio)")
    let few = Confidence.ratio([1, 2, 1, 2, 1, 2, 1], to: [1, 2, 1, 2, 1, 2, 1], isPaired: true)
    #expect(few.upper == .infinity, "three starts and a half say nothing: \(few)")
  }

  @Test func verdictsLeaveOutTheSmallestDifference() {
    func verdict(_ lower: Double, _ upper: Double) -> Verdict {
      Verdict(Interval(value: 1, lower: lower, upper: upper), threshold: 0.02)
    }
    let (least, most) = (1 / (1 + 0.02), 1 + 0.02)
    #expect(verdict(most, most) == .same(downTo: most - 1))
    #expect(verdict(least, least) == .same(downTo: 1 / least - 1))
    #expect(verdict(1.021, 1.05) == .slower)
    #expect(verdict(0.9, 0.98) == .faster)
    #expect(verdict(1.01, 1.019) == .same(downTo: 1.019 - 1))
    #expect(verdict(1.019, 1.05) == .same(downTo: 1.05 - 1))
    #expect(verdict(0.8, 1.01) == .undecided(downTo: 1 / 0.8 - 1))
    #expect(verdict(0, 1) == .undecided(downTo: nil))
    #expect(verdict(0.98, 1.015).text == "same to 2.0 %")
  }
}
