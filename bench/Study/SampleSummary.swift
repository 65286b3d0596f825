// SPDX-License-Identifier: Apache-2.0

/// A summary of a row's rounds, without the rounds.
package struct SampleSummary: Codable, Equatable, Sendable {
  /// Number of rounds.
  package let count: Int
  /// The smallest.
  package let min: Double
  /// The mean of the two in the middle if their number is even.
  package let median: Double
  /// From the lower to the upper quartile, as a fraction of the median; 0 if the median is 0.
  package let spread: Double

  /// The summary of rounds; nil without any.
  package init?(_ samples: [Double]) {
    guard let first = samples.min() else { return nil }
    let sorted = samples.sorted()
    (count, min) = (sorted.count, first)
    median = Self.quantile(sorted, 0.5)
    let width = Self.quantile(sorted, 0.75) - Self.quantile(sorted, 0.25)
    spread = median > 0 ? width / median : 0
  }

  /// The median of numbers; 0 without any.
  package static func median(_ samples: [Double]) -> Double {
    samples.isEmpty ? 0 : quantile(samples.sorted(), 0.5)
  }

  /// A quantile of sorted numbers, between neighbours in proportion.
  package static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    let position = Double(sorted.count - 1) * share
    let (lower, upper) = (Int(position), Int(position.rounded(.up)))
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (position - Double(lower))
  }
}
