// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import Testing

/// Goal: the counter tells the same time as the clock.
///
/// Method: both are read around the same waits.
@Suite struct CounterClockTests {
  @Test func nothingIsToldBeforeTheFirstCalibration() {
    let counter = CounterClock()
    let ticks = counter.ticks
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 1_000_000)
    #expect(counter.ns(since: ticks) == 0)
  }

  @Test func counterAgreesWithTheClock() {
    var counter = CounterClock()
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 20_000_000)
    counter.calibrate(nowNs: Clock.monotonicNs())
    for milliseconds in [1, 5, 30] as [UInt64] {
      let outerNs = Clock.monotonicNs()
      let ticks = counter.ticks
      let innerNs = Clock.monotonicNs()
      Clock.sleep(untilMonotonicNs: innerNs + milliseconds * 1_000_000)
      let leastNs = Clock.monotonicNs() - innerNs
      let ns = counter.ns(since: ticks)
      let mostNs = Clock.monotonicNs() - outerNs
      // Calibrated over 20 ms, in which this thread may have lost its processor between two readings.
      #expect(ns >= leastNs - leastNs / 10, "\(leastNs) \(ns) \(mostNs)")
      #expect(ns <= mostNs + mostNs / 10, "\(leastNs) \(ns) \(mostNs)")
    }
  }

  @Test func theFutureIsNoTimeAgo() {
    var counter = CounterClock()
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 1_000_000)
    counter.calibrate(nowNs: Clock.monotonicNs())
    #expect(counter.ns(since: .max) == 0)
  }
}
