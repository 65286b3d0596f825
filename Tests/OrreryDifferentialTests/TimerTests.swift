// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport
import Testing

/// Goal: a timer has made as many steps as intervals have passed, after a year as at the first tick.
///
/// Method: rows in scenes, sampled and stepped; intervals as in scene files; steps by whole numbers.
@Suite struct TimerTests {
  /// Intervals of a tick, of two, of half a tick; timer ticks in some ticks.
  static let exact: [(seconds: Double, rate: String, timerTicks: UInt64, ticks: UInt64)] = [
    (0.016_666_666_666_666_666, "60", 1, 1), (0.016_666_666_666_666_7, "60", 1, 1),
    (1.0 / 30, "60", 1, 2), (1.0 / 120, "60", 2, 1), (1.0 / 144, "60", 12, 5),
    (1001.0 / 60_000, "60000/1001", 1, 1), (1001.0 / 60_000, "60", 1000, 1001),
    (1 / 59.94, "59.94", 1, 1), (1 / 23.976, "23.976", 1, 1), (1001.0 / 24_000, "24", 1000, 1001),
    (1.0 / 3, "60", 1, 20), (0.01, "60", 5, 3), (0.1, "30000/1001", 1001, 3000),
    (0.016_666_667, "60", 1_000_000_000, 1_000_000_020),
  ]

  /// [S0-11] [S0-12] [S0-13] n steps after n intervals, from -1550 by 3 up to 1,000,000, after which the row
  /// begins again; at the first ticks, after an hour, and around the end of a year.
  @Test(arguments: exact.indices)
  func stepsAreCounted(index: Int) throws {
    let (seconds, text, timerTicks, ticks) = Self.exact[index]
    let rate = try #require(TickRate(text))
    let spec = TimerSpec(start: -1550, step: 3, resetAt: 1_000_000, interval: seconds)
    let year = UInt64(31_536_000 * rate.ticksPerSecond)
    let asked: [UInt64] = Array(0...60) + [3_600 * 60, year - 1] + Array(year...year + 60)
    let paths = try Paths([.timer(Specs([spec]))], rate: rate)
    var (random, comparison) = (RandomMotion(seed: 1), Comparison("\(seconds) s at \(text)"))
    let found = paths.values(at: asked, of: [(.x, 0)], &random, &comparison)[0]
    for (tick, x) in zip(asked, found) {
      let steps = UInt64(UInt128(tick) * UInt128(timerTicks) / UInt128(ticks))
      comparison.add(x, -1550 + 3 * Double(steps % 333_850), within: 0, "tick \(tick)")
    }
  }

  /// An interval that is no such fraction counts as the `Double` that it is; the product of all terms does not
  /// fit 128 bits then.
  @Test(arguments: ["60", "59.940059", "999999937/1000003"])
  func otherIntervalsAreDoubles(text: String) throws {
    let rate = try #require(TickRate(text))
    for seconds in [0.012_345_678_901_234, 0.001_234_567_890_123, 3.141_592_653_589_793] {
      let spec = TimerSpec(start: 0, step: 1, resetAt: 16_000_000, interval: seconds)
      let asked: [UInt64] = [1, 59, 60, 61, 100_000, 1 << 40, 1 << 58]
      let paths = try Paths([.timer(Specs([spec]))], rate: rate)
      var (random, comparison) = (RandomMotion(seed: 1), Comparison("\(seconds) s at \(text)"))
      let found = paths.values(at: asked, of: [(.x, 0)], &random, &comparison)[0]
      for (tick, x) in zip(asked, found) {
        // Both sides times 2^90: ticks · denominator / (numerator · seconds), rounded down.
        let significand = UInt128(seconds.significandBitPattern | 1 << 52)
        let divisor = significand * UInt128(rate.numerator)
        let shift = 52 - Int(seconds.exponent)
        let wide = UInt128(tick) * UInt128(rate.denominator)
        var (steps, rest) = wide.quotientAndRemainder(dividingBy: divisor)
        for _ in 0..<shift {
          let (quotient, remainder) = (rest << 1).quotientAndRemainder(dividingBy: divisor)
          (steps, rest) = ((steps << 1 | quotient) % 16_000_000, remainder)
        }
        comparison.add(x, Double(steps), within: 0, "tick \(tick)")
      }
    }
  }

  /// A ticker that moves with each update does so at every tick, whatever the rate.
  @Test(arguments: ["60", "30", "59.94", "60000/1001", "59.940059", "1000000000/16666667"])
  func updatesAreTicks(text: String) throws {
    let rate = try #require(TickRate(text))
    let spec = TimerSpec(
      start: 0, step: 1, resetAt: 16_000_000, interval: TimerInterval(tickOf: rate))
    let year: UInt64 = 31_536_000 * 60
    let asked: [UInt64] = Array(0...60) + Array(year...year + 60)
    let paths = try Paths([.timer(Specs([spec]))], rate: rate)
    var (random, comparison) = (RandomMotion(seed: 1), Comparison("updates at \(text)"))
    let found = paths.values(at: asked, of: [(.x, 0)], &random, &comparison)[0]
    comparison.add(found, asked.map { Double($0 % 16_000_000) }, within: 0, "steps")
  }
}
