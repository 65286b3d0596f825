// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import Testing

/// Goal: a timer's row comes round after the right number of ticks [S0-11 … S0-13].
///
/// Method: step a timer as the article does, one addition and one comparison for each tick, on
/// exactly representable steps; and compare with numbers worked out by hand elsewhere.
@Suite struct TimerSpecTests {
  /// The article's loop: add, then compare, in the same tick.
  private func steps(start: Double, step: Double, resetAt: Double) -> UInt64 {
    var (offset, ticks) = (start, UInt64(0))
    repeat {
      offset += step
      ticks += 1
    } while offset < resetAt
    return ticks
  }

  /// [S0-13] Step 7 of row 0: 269 ticks.
  @Test(arguments: [1.0, 3, 7, 0.5, 1880, 5000], [(-1550.0, 330.0), (-1800, 460), (0, 1)])
  func loopIsTheArticles(step: Double, range: (start: Double, resetAt: Double)) {
    let spec = TimerSpec(
      start: range.start, step: step, resetAt: range.resetAt, interval: 0.01)
    #expect(
      spec.loopTicks == steps(start: range.start, step: step, resetAt: range.resetAt))
  }

  @Test func loopOfSeedZeroWithStepSeven() {
    #expect(TimerSpec(start: -1550, step: 7, resetAt: 330, interval: 0.01).loopTicks == 269)
  }

  /// [S0-12] Reaching the limit exactly resets too, whichever way the quotient is rounded.
  @Test(
    arguments: [
      (0, 3, 9, 3), (0, 0.3, 2.1, 7), (-1, 0.3, 0.2, 4), (-1, 0.3, 3.2, 14), (-1, 0.01, 0.2, 120),
      (-1_000_000, 0.001, 0.1, 1_000_000_100), (-1_000_000, 0.001, 1_000_000, 2_000_000_000),
    ] as [(Double, Double, Double, UInt64)])
  func exactHitResets(start: Double, step: Double, resetAt: Double, ticks: UInt64) {
    let spec = TimerSpec(start: start, step: step, resetAt: resetAt, interval: 1)
    #expect(spec.loopTicks == ticks)
    // To the left the way is as long.
    let mirrored = TimerSpec(start: -start, step: -step, resetAt: -resetAt, interval: 1)
    #expect(mirrored.loopTicks == ticks)
  }

  @Test func hairPastAWholeNumberIsOneMore() {
    #expect(TimerSpec(start: 0, step: 3, resetAt: 9.000_000_1, interval: 1).loopTicks == 4)
    #expect(TimerSpec(start: 0, step: 3, resetAt: 8.999_999_9, interval: 1).loopTicks == 3)
  }

  /// A way of no length, or in the wrong direction, is over at the first tick.
  @Test(arguments: [(0.0, 1.0), (1, -1), (-1, 1), (-5, 1)])
  func waysThatLeadNowhereLastATick(resetAt: Double, step: Double) {
    #expect(TimerSpec(start: 0, step: step, resetAt: resetAt, interval: 1).loopTicks == 1)
  }

  /// [S0-11] [S0-12] Offsets at ticks 250 and 700 with step 3.
  @Test func offsetsAreTheArticles() {
    let rows = [
      TimerSpec(start: -1550, step: 3, resetAt: 330, interval: 0.01),
      TimerSpec(start: -1800, step: 3, resetAt: 460, interval: 0.01),
    ]
    let offsets = [250, 700].map { tick in
      rows.map { $0.start + $0.step * Double(UInt64(tick) % $0.loopTicks) }
    }
    #expect(offsets == [[-800, -1050], [-1331, 300]])
  }
}
