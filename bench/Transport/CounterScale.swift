// SPDX-License-Identifier: Apache-2.0

import CLinux
import OrreryBase

/// What the processors' common counter counts, in nanoseconds.
struct CounterScale {
  let nsPerTick: Double

  /// What reading it twice in a row says; it is taken off every figure.
  let ownNs: Double

  /// Holds it against the clock for 20 ms.
  init() {
    let beginNs = Clock.monotonicNs()
    let begin = linux_counter()
    while Clock.monotonicNs() < beginNs + 20_000_000 {}
    let ticks = linux_counter() - begin
    nsPerTick = Double(Clock.monotonicNs() - beginNs) / Double(ticks)
    var least = UInt64.max
    for _ in 0..<10_000 {
      let before = linux_counter()
      least = min(least, linux_counter_after() &- before)
    }
    ownNs = Double(least) * nsPerTick
  }

  /// Time from one reading to the next.
  func ns(_ ticks: Int64) -> Double { Double(ticks) * nsPerTick - ownNs }
}
