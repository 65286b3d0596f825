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
  /// Nobody knows: only a difference larger than this part would have been seen; nil: not even that, because there
  /// are too few rounds, or the results are of two machines.
  case undecided(downTo: Double?)

  /// The smallest difference worth reporting, as a fraction.
  package static let threshold = 0.02

  /// If a difference larger than this fraction could hide, the rounds do not decide.
  package static let sameMax = 0.1

  /// The verdict on a slowdown.
  ///
  /// - Parameters:
  ///   - slowdown: Above 1: the new one is worse.
  ///   - threshold: The smallest difference worth reporting, as a fraction.
  package init(_ slowdown: Interval, threshold: Double = Self.threshold) {
    if slowdown.upper == .infinity || slowdown.lower <= 0 {
      self = .undecided(downTo: nil)
    } else if slowdown.lower > 1 + threshold {
      self = .slower
    } else if slowdown.upper < 1 / (1 + threshold) {
      self = .faster
    } else {
      let part = max(slowdown.upper - 1, 1 / slowdown.lower - 1, 0)
      self = part > Self.sameMax ? .undecided(downTo: part) : .same(downTo: part)
    }
  }

  /// The word that every output has for it, in at most fifteen characters.
  package var text: String {
    switch self {
    case .faster: "faster"
    case .slower: "SLOWER"
    case .same(let part): "same to \(decimal(part * 100, places: 1)) %"
    case .undecided: "undecided"
    }
  }

  /// Whether the rounds decide.
  package var isDecided: Bool {
    if case .undecided = self { false } else { true }
  }
}
