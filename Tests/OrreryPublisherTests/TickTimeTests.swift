// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryPublisher
import Testing

/// Goal: tick numbers and times translate into each other without drift.
///
/// Method: rates whose ticks are no whole number of nanoseconds, at ticks up to 2^26: two hundred
/// years at the slowest rate.
@Suite struct TickTimeTests {
  @Test(arguments: ["60", "59.94", "30000/1001", "24000/1001", "120", "1000000", "0.01"])
  func timeIsRoundedDownFromTheExactOne(text: String) throws {
    let rate = try #require(TickRate(text))
    for tick in [UInt64(0), 1, 2, 3, 59, 60, 1_001, 86_400, 5_178_821, 1 << 26] {
      let ns = UInt128(rate.timeNs(tick: tick))
      let exactTimesRate = UInt128(tick) * UInt128(rate.denominator) * 1_000_000_000
      #expect(ns * UInt128(rate.numerator) <= exactTimesRate)
      #expect((ns + 1) * UInt128(rate.numerator) > exactTimesRate)
    }
  }

  @Test(arguments: ["60", "30000/1001", "120", "1000"])
  func nearestTickInvertsTime(text: String) throws {
    let rate = try #require(TickRate(text))
    for tick in [UInt64(0), 1, 2, 3, 59, 60, 1_001, 86_400, 5_178_821, 1 << 26] {
      #expect(rate.tick(nearest: Double(rate.timeNs(tick: tick)) / 1e9) == tick)
    }
  }

  /// Half a tick belongs to the later one.
  @Test(
    arguments: [(0, 0), (0.0083, 0), (0.0084, 1), (0.5, 30), (1_000_000, 60_000_000)]
      as [(Double, UInt64)])
  func nearestTickIsThatOfTheExactQuotient(seconds: Double, tick: UInt64) {
    #expect(TickRate(60).tick(nearest: seconds) == tick)
  }

  @Test func negativeTimeTraps() async {
    await #expect(processExitsWith: .failure) { _ = TickRate(60).tick(nearest: -0.1) }
    await #expect(processExitsWith: .failure) { _ = TickRate(60).tick(nearest: .nan) }
    await #expect(processExitsWith: .failure) { _ = TickRate(60).tick(nearest: .infinity) }
    // Nearest to tick 0, and yet before it.
    await #expect(processExitsWith: .failure) { _ = TickRate(60).tick(nearest: -0.001) }
  }
}
