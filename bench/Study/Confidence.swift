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

/// Intervals of medians, and of ratios of medians, for a handful of rounds.
///
/// Five rounds say little about the tails: their resamples lie between the smallest and the largest round, and the
/// interval of a bootstrap is too narrow. Student's distribution knows how little a few rounds say:
///
///     middle ± t(confidence, freedom) · error · √((1 + r) / (1 − r)) · 1.15
///
/// - Everything is computed from logarithms, because noise multiplies times by a factor.
/// - The middle is the mean without the outermost eighth at either end, and the error is that of such a mean
///   (Yuen): one interrupted round has no influence.
/// - r is the correlation of neighbouring rounds, corrected upwards for few rounds: a slow phase makes rounds
///   alike, and they then count as fewer.
/// - 1.15: rounds have a tail to the slow side. With it, intervals of simulated rounds with a tail, alike neighbours,
///   slow phases, drift and interruptions hold at least as often as they say, from 5 to 30 rounds (`ConfidenceTests`).
package enum Confidence {
  /// Fewer rounds have no interval.
  package static let samplesMin = 4

  private static let tailFactor = 1.15
  /// A higher correlation of neighbours means a drift, against which no number of rounds helps.
  private static let likenessMax = 0.6

  /// The ratio of the medians of new and old rounds.
  ///
  /// - Parameters:
  ///   - new: Rounds of the new subject, above 0.
  ///   - old: Rounds of the old subject, above 0.
  ///   - isPaired: Whether rounds of equal index were measured side by side, first old and new, then new and
  ///     old, and so on; then their ratios are judged in pairs, because the second of a turn finds other
  ///     caches.
  ///   - confidence: Between 0 and 1.
  /// - Returns: The ratio and its interval.
  package static func ratio(
    _ new: [Double], to old: [Double], isPaired: Bool = false, confidence: Double = 0.99
  ) -> Interval {
    let value = SampleSummary.median(new) / SampleSummary.median(old)
    guard min(new.count, old.count) >= samplesMin, value.isFinite, value > 0,
      new.allSatisfy({ $0 > 0 }), old.allSatisfy({ $0 > 0 })
    else { return Interval(value: value, lower: 0, upper: .infinity) }
    if isPaired, new.count == old.count {
      let ratios = zip(new, old).map { $0 / $1 }
      let pairs = stride(from: 0, to: ratios.count - 1, by: 2).map {
        (ratios[$0] * ratios[$0 + 1]).squareRoot()
      }
      guard pairs.count >= samplesMin else {
        return Interval(value: value, lower: 0, upper: .infinity)
      }
      return interval(SampleSummary.median(pairs), [Trimmed(pairs)], confidence: confidence)
    }
    return interval(value, [Trimmed(new), Trimmed(old)], confidence: confidence)
  }

  /// The median of rounds.
  ///
  /// - Parameters:
  ///   - samples: Rounds, above 0.
  ///   - confidence: Between 0 and 1.
  /// - Returns: The median and its interval.
  package static func median(_ samples: [Double], confidence: Double = 0.95) -> Interval {
    let value = SampleSummary.median(samples)
    guard samples.count >= samplesMin, samples.allSatisfy({ $0 > 0 }) else {
      return Interval(value: value, lower: 0, upper: .infinity)
    }
    return interval(value, [Trimmed(samples)], confidence: confidence)
  }

  /// The interval of the first part's middle, or of the difference of the two middles.
  private static func interval(
    _ value: Double, _ parts: [Trimmed], confidence: Double
  ) -> Interval {
    let middle = parts[0].middle - (parts.count > 1 ? parts[1].middle : 0)
    let variance = parts.reduce(0) { $0 + $1.variance }
    let alike = parts.reduce(0) { $0 + $1.likeness } / Double(parts.count)
    let count = parts.map(\.count).min() ?? samplesMin
    // Of few rounds, likeness is estimated too low, by (1 + 4r) / n.
    let corrected = alike + (1 + 4 * max(alike, 0)) / Double(count)
    let likeness = min(max(corrected, 0), likenessMax)
    let widening = (1 + likeness) / (1 - likeness)
    // Welch and Satterthwaite, and fewer for rounds that are alike.
    let weighted = parts.reduce(0) { $0 + $1.variance * $1.variance / $1.freedom }
    let freedom =
      weighted > 0 ? variance * variance / weighted : parts.reduce(0) { $0 + $1.freedom }
    let quantile = Student.quantile(1 - (1 - confidence) / 2, freedom: max(freedom / widening, 2))
    let half = quantile * (variance * widening).squareRoot() * tailFactor
    return Interval(
      value: value, lower: min(exp(middle - half), value), upper: max(exp(middle + half), value))
  }

  /// What an interval needs of rounds.
  private struct Trimmed {
    /// Number of rounds.
    let count: Int
    /// The mean logarithm without the outermost eighth of either end.
    let middle: Double
    /// The square of its error.
    let variance: Double
    /// Degrees of freedom of that.
    let freedom: Double
    /// How alike neighbours are: −1 to 1.
    let likeness: Double

    init(_ samples: [Double]) {
      let logarithms = samples.map { log($0) }
      let sorted = logarithms.sorted()
      let cut = samples.count / 8
      let kept = samples.count - 2 * cut
      let (lowest, highest) = (sorted[cut], sorted[samples.count - cut - 1])
      // Values that are cut off count as the outermost value that is kept (Winsor).
      let limited = logarithms.map { min(max($0, lowest), highest) }
      let mean = limited.reduce(0, +) / Double(limited.count)
      let squares = limited.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      count = samples.count
      middle = sorted[cut..<cut + kept].reduce(0, +) / Double(kept)
      variance = squares / Double(kept * (kept - 1))
      freedom = Double(kept - 1)
      let center = SampleSummary.median(limited)
      let products = zip(limited, limited.dropFirst()).reduce(0) {
        $0 + ($1.0 - center) * ($1.1 - center)
      }
      let all = limited.reduce(0) { $0 + ($1 - center) * ($1 - center) }
      likeness = all > 0 ? products / all : 0
    }
  }
}
