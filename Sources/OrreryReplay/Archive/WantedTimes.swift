// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase

/// A part of a run's time, as asked for: both ends by scene time or by tick.
package struct WantedTimes: Sendable {
  /// One end.
  package enum Bound: Sendable {
    /// The nearest tick counts.
    case seconds(Double)
    /// Ticks since the scene began.
    case tick(UInt64)

    func tick(_ rate: TickRate) -> UInt64 {
      switch self {
      case .seconds(let seconds): rate.tick(nearest: seconds)
      case .tick(let tick): tick
      }
    }
  }

  /// The first tick; nil: the first that there is.
  package var from: Bound?

  /// The last tick; nil: the last that there is.
  package var to: Bound?

  /// Everything.
  package init() {}

  /// Whether everything is wanted.
  package var isAll: Bool { from == nil && to == nil }

  /// The first and the last tick.
  ///
  /// - Throws: `Failure`, `usage`: the first one comes after the last one.
  package func ticks(_ rate: TickRate) throws(Failure) -> ClosedRange<UInt64> {
    let (first, last) = (from?.tick(rate) ?? 0, to?.tick(rate) ?? .max)
    guard first <= last else {
      throw Failure(.usage, "the first tick wanted, \(first), is after the last, \(last)")
    }
    return first...last
  }
}
