// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Short times by the counter that all processors share: reading it takes a fraction of what a clock takes, and
/// holds up nothing that was asked for before.
package struct CounterClock: Sendable {
  private let firstTicks = linux_counter()
  private let firstNs = Clock.monotonicNs()
  private var nsPerTick = 0.0

  /// A base that is shorter than this says little.
  private static let baseNs: UInt64 = 100_000

  /// Thirty years: a counter that is moved, with its machine, to another one may say anything.
  private static let mostNs = 1e18

  package init() {}

  /// The counter.
  package var ticks: UInt64 { linux_counter() }

  /// Holds the counter against the clock; to be called now and then.
  ///
  /// - Parameter nowNs: `Clock.monotonicNs()`, just now.
  package mutating func calibrate(nowNs: UInt64) {
    let ticks = linux_counter()
    guard nowNs >= firstNs + Self.baseNs, ticks > firstTicks else { return }
    nsPerTick = Double(nowNs - firstNs) / Double(ticks - firstTicks)
  }

  /// Nanoseconds since the counter read so much; 0 before the first calibration.
  package func ns(since ticks: UInt64) -> UInt64 {
    let now = linux_counter()
    guard now > ticks else { return 0 }
    return UInt64(min(Double(now - ticks) * nsPerTick, Self.mostNs))
  }
}
