// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A figure with the interval in which it lies with a stated confidence.
package struct Interval: Codable, Equatable, Sendable {
  /// The figure of the samples as they are.
  package let value: Double
  /// The lower end.
  package let lower: Double
  /// The upper end; infinite if there are too few samples to say.
  package let upper: Double

  /// An interval.
  package init(value: Double, lower: Double, upper: Double) {
    (self.value, self.lower, self.upper) = (value, lower, upper)
  }

  /// The smallest interval around this one and another, with this one's value.
  package func joined(_ other: Interval) -> Interval {
    Interval(value: value, lower: min(lower, other.lower), upper: max(upper, other.upper))
  }
}

/// Intervals of medians, and of ratios of medians, by resampling rounds.
///
/// Rounds that follow each other are alike: the same neighbour on the machine slows both. So blocks of neighbouring
/// rounds are drawn and not single rounds (circular block bootstrap). Few rounds say too little about the tails, so
/// an interval is widened by 2/n of its width, in the logarithm of the ratio.
package enum Bootstrap {
  /// Fewer rounds have no interval.
  package static let samplesMin = 4

  /// Resamples of an interval: the 0.5th percentile of 2000 is the tenth smallest.
  private static let resamples = 2000

  /// The ratio of the medians of new and old rounds.
  ///
  /// - Parameters:
  ///   - new: Rounds of the new subject, above 0.
  ///   - old: Rounds of the old subject, above 0.
  ///   - isPaired: Whether rounds of equal index were measured side by side; then they are drawn together.
  ///   - confidence: Between 0 and 1.
  /// - Returns: The ratio and its interval.
  package static func ratio(
    _ new: [Double], to old: [Double], isPaired: Bool = false, confidence: Double = 0.99
  ) -> Interval {
    let value = SampleSummary.median(new) / SampleSummary.median(old)
    guard min(new.count, old.count) >= samplesMin, value.isFinite, value > 0 else {
      return Interval(value: value, lower: 0, upper: .infinity)
    }
    let pairCount = min(new.count, old.count)
    let isPaired = isPaired && new.count == old.count
    var random = SeededNumbers(seed: 1)
    var logarithms: [Double] = []
    logarithms.reserveCapacity(resamples)
    for _ in 0..<resamples {
      let first = indexes(count: new.count, &random)
      let second = isPaired ? first : indexes(count: old.count, &random)
      let ratio =
        SampleSummary.median(first.map { new[$0] }) / SampleSummary.median(second.map { old[$0] })
      logarithms.append(log(ratio))
    }
    return interval(value, logarithms, count: pairCount, confidence: confidence)
  }

  /// The median of rounds.
  ///
  /// - Parameters:
  ///   - samples: Rounds, above 0.
  ///   - confidence: Between 0 and 1.
  /// - Returns: The median and its interval.
  package static func median(_ samples: [Double], confidence: Double = 0.95) -> Interval {
    let value = SampleSummary.median(samples)
    guard samples.count >= samplesMin, value > 0, samples.allSatisfy({ $0 > 0 }) else {
      return Interval(value: value, lower: 0, upper: .infinity)
    }
    var random = SeededNumbers(seed: 1)
    let logarithms = (0..<resamples).map { _ in
      log(SampleSummary.median(indexes(count: samples.count, &random).map { samples[$0] }))
    }
    return interval(value, logarithms, count: samples.count, confidence: confidence)
  }

  /// Rounds of a block: the third root of their number.
  package static func blockLength(count: Int) -> Int {
    max(1, Int(Foundation.cbrt(Double(count)).rounded()))
  }

  private static func indexes(count: Int, _ random: inout SeededNumbers) -> [Int] {
    let length = blockLength(count: count)
    var all: [Int] = []
    all.reserveCapacity(count + length)
    while all.count < count {
      let first = Int(random.next() % UInt64(count))
      for offset in 0..<length { all.append((first + offset) % count) }
    }
    return Array(all.prefix(count))
  }

  private static func interval(
    _ value: Double, _ logarithms: [Double], count: Int, confidence: Double
  ) -> Interval {
    let sorted = logarithms.sorted()
    let tail = (1 - confidence) / 2
    let widened = 1 + 2 / Double(count)
    let middle = log(value)
    let lower = middle + (SampleSummary.quantile(sorted, tail) - middle) * widened
    let upper = middle + (SampleSummary.quantile(sorted, 1 - tail) - middle) * widened
    return Interval(value: value, lower: exp(lower), upper: exp(upper))
  }
}
