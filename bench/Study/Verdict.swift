// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The conclusion that the interval of a ratio allows.
package enum Verdict: Equatable, Sendable {
  /// The whole interval is better by more than the smallest difference worth reporting.
  case faster
  /// The whole interval is worse by more than that.
  case slower
  /// A difference as large as this part would have been seen, a smaller one perhaps not.
  case same(downTo: Double)
  /// There are too few rounds.
  case tooFew

  /// The smallest difference worth reporting, as a fraction.
  package static let threshold = 0.02

  /// If only a difference larger than this fraction would have been seen, the rounds are too noisy.
  package static let noisy = 0.5

  /// The verdict on a slowdown.
  ///
  /// - Parameters:
  ///   - slowdown: Above 1: the new one is worse.
  ///   - threshold: The smallest difference worth reporting, as a fraction.
  package init(_ slowdown: Interval, threshold: Double = Self.threshold) {
    if slowdown.upper == .infinity || slowdown.lower <= 0 {
      self = .tooFew
    } else if slowdown.lower > 1 + threshold {
      self = .slower
    } else if slowdown.upper < 1 / (1 + threshold) {
      self = .faster
    } else {
      self = .same(downTo: max(slowdown.upper - 1, 1 / slowdown.lower - 1, 0))
    }
  }

  /// In words, as a table has it.
  package var text: String {
    switch self {
    case .faster: "faster"
    case .slower: "SLOWER"
    case .same(let part) where part > Self.noisy: "too noisy to say"
    case .same(let part): "no difference seen down to \(decimal(part * 100, places: 1)) %"
    case .tooFew: "too few rounds"
    }
  }
}
