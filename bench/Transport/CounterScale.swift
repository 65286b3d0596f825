// SPDX-License-Identifier: Apache-2.0

import CLinux
import OrreryBase

/// What the processors' common counter counts, in nanoseconds.
package struct CounterScale {
  /// Nanoseconds of one count.
  package let nsPerTick: Double

  /// What reading it twice in a row says; it is taken off every figure.
  package let ownNs: Double

  /// Holds it against the clock for 20 ms.
  package init() {
    let beginNs = Clock.monotonicNs()
    let begin = linux_counter()
    while Clock.monotonicNs() < beginNs + 20_000_000 {}
    let ticks = linux_counter() - begin
    let ns = Clock.monotonicNs() - beginNs
    var least = UInt64.max
    for _ in 0..<10_000 {
      let before = linux_counter()
      least = min(least, linux_counter_after() &- before)
    }
    self.init(ns: ns, ticks: ticks, ownTicks: least)
  }

  /// From what was counted.
  ///
  /// - Parameters:
  ///   - ns: Some time.
  ///   - ticks: Of the counter in that time.
  ///   - ownTicks: What reading it twice in a row says.
  package init(ns: UInt64, ticks: UInt64, ownTicks: UInt64) {
    nsPerTick = Double(ns) / Double(ticks)
    ownNs = Double(ownTicks) * nsPerTick
  }

  /// Time from one reading to the next.
  package func ns(_ ticks: Int64) -> Double { Double(ticks) * nsPerTick - ownNs }
}
