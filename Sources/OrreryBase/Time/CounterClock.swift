// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Measures short times with the counter that all processors share.
///
/// Reading the counter takes a fraction of the time of reading a clock, and does not wait for
/// earlier instructions.
package struct CounterClock: Sendable {
  private let firstTicks = linux_counter()
  private let firstNs = Clock.monotonicNs()
  private var nsPerTick = 0.0

  /// Shortest calibration interval; a shorter one would be too imprecise.
  private static let baseNs: UInt64 = 100_000

  /// Longest interval returned, about thirty years: after a virtual machine moves to another host,
  /// its counter may have any value.
  private static let intervalNsMax = 1e18

  package init() {}

  /// The current value of the counter.
  package var ticks: UInt64 { linux_counter() }

  /// Calibrates the counter with the clock; call it from time to time.
  ///
  /// - Parameter nowNs: `Clock.monotonicNs()`, read just before the call.
  package mutating func calibrate(nowNs: UInt64) {
    let ticks = linux_counter()
    guard nowNs >= firstNs + Self.baseNs, ticks > firstTicks else { return }
    nsPerTick = Double(nowNs - firstNs) / Double(ticks - firstTicks)
  }

  /// Nanoseconds since the counter had this value; 0 before the first calibration.
  package func ns(since ticks: UInt64) -> UInt64 {
    let now = linux_counter()
    guard now > ticks else { return 0 }
    return UInt64(min(Double(now - ticks) * nsPerTick, Self.intervalNsMax))
  }
}
