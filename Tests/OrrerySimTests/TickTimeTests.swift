// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySim
import TestSupport
import Testing

/// Goal: times become ticks without losing a digit.
///
/// Method: times that are ticks, random times against whole numbers of 128 bits, and what is no time.
@Suite struct TickTimeTests {
  @Test(arguments: ["60", "24", "1000", "30000/1001"])
  func timesOfTicksAreTheseTicks(rateText: String) throws {
    let rate = try #require(TickRate(rateText))
    for tick in [0, 1, 2, 3, 7, 59, 60, 61, 1_001, 86_400 * 60] as [Int64] {
      let seconds = Double(UInt64(tick) * rate.denominator) / Double(rate.numerator)
      #expect(TickTime(seconds: seconds, rate: rate) == TickTime(tick: tick), "tick \(tick)")
    }
  }

  @Test func timesBetweenTicksAreExact() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<10_000 {
      // A multiple of 2^-32 s: the number of ticks is exact in 128 bits.
      let units = Int64.random(in: 0..<1 << 52, using: &random)
      let time = TickTime(seconds: Double(units) * 0x1p-32, rate: 60)
      let exact = Int128(units) * 60
      let rest = Double(exact - Int128(time.tick) << 32) * 0x1p-32
      let bound = 0x1p-35 + Double(time.tick) * 0x1p-50
      #expect(abs(time.fraction - rest) <= bound || abs(rest - 1) <= bound, "\(units)")
      #expect(time.fraction >= 0)
      #expect(time.fraction < 1)
    }
  }

  @Test func firstTickIsNotBefore() {
    #expect(TickTime(tick: 5, fraction: 0.5).firstTick == 6)
    #expect(TickTime(tick: 5).firstTick == 5)
    #expect(TickTime(seconds: -0.25, rate: 60).firstTick == -15)
    #expect(TickTime(tick: 5, fraction: 0.25).ticks(until: 7) == 1.75)
  }

  /// Closer to a tick than 2^-36 is that tick, on either side.
  @Test func fractionsNearATickAreTheTick() {
    #expect(TickTime(tick: 5, fraction: 0x1p-36).fraction == 0x1p-36)
    #expect(TickTime(tick: 5, fraction: 0x1p-37) == TickTime(tick: 5))
    #expect(TickTime(tick: 5, fraction: 1 - 0x1p-36).fraction == 1 - 0x1p-36)
    #expect(TickTime(tick: 5, fraction: 1 - 0x1p-36).tick == 5)
    #expect(TickTime(tick: 5, fraction: 1 - 0x1p-37) == TickTime(tick: 6))
    #expect(TickTime(tick: -6, fraction: 0.5).ticks(until: -4) == 1.5)
    #expect(TickTime(tick: -6, fraction: 0.5).firstTick == -5)
    #expect(TickTime(seconds: -0.25, rate: 2) == TickTime(tick: -1, fraction: 0.5))
  }

  @Test func whatIsNoTimeIsATickAllTheSame() {
    #expect(TickTime(seconds: .nan, rate: 60).tick == 0)
    #expect(TickTime(seconds: .infinity, rate: 60).tick == 1 << 61)
    #expect(TickTime(seconds: -1e300, rate: 60).tick == -1 << 61)
    #expect(TickTime(tick: .max, fraction: .nan) == TickTime(tick: 1 << 61))
    #expect(TickTime(tick: .min) == TickTime(tick: -1 << 61))
    #expect(TickTime(tick: 1 << 61).tick == 1 << 61)
  }
}
