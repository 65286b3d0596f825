// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryBench
import Testing

/// Readings of the processors' counter become nanoseconds, less what reading it takes.
@Suite struct CounterScaleTests {
  @Test func ticksBecomeNanosecondsLessTheirOwn() {
    let scale = CounterScale(ns: 1000, ticks: 2500, ownTicks: 20)
    #expect(scale.nsPerTick == 0.4)
    #expect(scale.ownNs == 8)
    #expect(scale.ns(250) == 92)
    #expect(scale.ns(20) == 0, "reading it takes nothing")
    #expect(scale.ns(0) == -8)
    #expect(scale.ns(-10) == -12, "counters that do not agree show")
  }

  @Test func machinesCounterRunsAndIsReadInLessThanAMillisecond() {
    let beginNs = Clock.monotonicNs()
    let scale = CounterScale()
    #expect(Clock.monotonicNs() - beginNs >= 20_000_000, "held against the clock for 20 ms")
    #expect(scale.nsPerTick > 0.01, "at most a hundred in a nanosecond")
    #expect(scale.nsPerTick < 10_000)
    #expect(scale.ownNs >= 0)
    #expect(scale.ownNs < 1e6)
  }
}
