// SPDX-License-Identifier: Apache-2.0

import CLinux
import OrreryBase

/// Converts counts of the processors' common counter to nanoseconds.
package struct CounterScale {
  /// Nanoseconds per count.
  package let nsPerTick: Double

  /// Time between two readings in a row, subtracted from every figure.
  package let ownNs: Double

  /// Compares the counter with the clock for 20 ms.
  package init() {
    let beginNs = Clock.monotonicNs()
    let begin = linux_counter()
    while Clock.monotonicNs() < beginNs + 20_000_000 {}
    let ticks = linux_counter() - begin
    let ns = Clock.monotonicNs() - beginNs
    var ownTicks = UInt64.max
    for _ in 0..<10_000 {
      let before = linux_counter()
      ownTicks = min(ownTicks, linux_counter_after() &- before)
    }
    self.init(ns: ns, ticks: ticks, ownTicks: ownTicks)
  }

  /// Creates a scale from measured counts.
  ///
  /// - Parameters:
  ///   - ns: A duration.
  ///   - ticks: Counts in that duration.
  ///   - ownTicks: Counts between two readings in a row.
  package init(ns: UInt64, ticks: UInt64, ownTicks: UInt64) {
    nsPerTick = Double(ns) / Double(ticks)
    ownNs = Double(ownTicks) * nsPerTick
  }

  /// Time between two readings that differ by `ticks`.
  package func ns(_ ticks: Int64) -> Double { Double(ticks) * nsPerTick - ownNs }
}
