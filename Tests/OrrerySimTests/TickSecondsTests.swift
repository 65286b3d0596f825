// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySim
import TestSupport
import Testing

/// Goal: a tick's time is the `Double` nearest to the exact quotient.
///
/// Method: quotients of numbers that a `Double` holds are rounded by the division itself; longer ones are
/// compared with both neighbours in whole numbers of 128 bits.
@Suite struct TickSecondsTests {
  @Test func decimalsAreWhatTheyAreWrittenAs() throws {
    let rate: TickRate = 60
    #expect(rate.seconds(tick: 0) == 0)
    #expect(rate.seconds(tick: 60) == 1)
    #expect(rate.seconds(tick: 6) == 0.1)
    #expect(rate.seconds(tick: 18) == 0.3)
    let film = try #require(TickRate("30000/1001"))
    #expect(film.seconds(tick: 30_000) == 1_001)
  }

  @Test func longTimesAreRoundedOnce() throws {
    var random = SeededRandom(seed: 3)
    for _ in 0..<20_000 {
      // Numbers of up to 62 bits, many of them short.
      let tick = random.next() >> UInt64.random(in: 2...63, using: &random)
      let rate = try #require(
        TickRate(
          numerator: UInt64.random(in: 1...1_000_000, using: &random),
          denominator: UInt64.random(in: 1...1_000_000, using: &random)))
      let seconds = rate.seconds(tick: tick)
      guard seconds > 0, seconds.exponent >= 53 else {
        let exact = UInt128(tick) * UInt128(rate.denominator)
        if exact < 1 << 53 { #expect(seconds == Double(exact) / Double(rate.numerator)) }
        continue
      }
      // Whole seconds: the distance of seconds · numerator from tick · denominator can be counted.
      let exact = UInt128(tick) * UInt128(rate.denominator)
      let distance = { (value: Double) -> UInt128 in
        let product = UInt128(UInt64(value)) * UInt128(rate.numerator)
        return product > exact ? product - exact : exact - product
      }
      guard seconds < 0x1p63 else { continue }
      #expect(distance(seconds) <= distance(seconds.nextUp), "tick \(tick), rate \(rate)")
      #expect(distance(seconds) <= distance(seconds.nextDown), "tick \(tick), rate \(rate)")
    }
  }

  /// Halfway between two `Double`s it is the even one, be it the lower or the upper.
  @Test func tiesGoToTheEvenNumber() {
    let (whole, half): (TickRate, TickRate) = (1, 2)
    #expect(whole.seconds(tick: 1 << 53 + 1) == 0x1p53)
    #expect(whole.seconds(tick: 1 << 53 + 3) == 0x1p53 + 4)
    #expect(half.seconds(tick: 1 << 54 + 2) == 0x1p53)
    #expect(half.seconds(tick: 1 << 54 + 6) == 0x1p53 + 4)
  }

  /// 2^53 and more, 1 and a 2^19th above: not the even number below, however small the rest is.
  @Test func hairsAboveATieAreRoundedUp() throws {
    let rate = try #require(TickRate(numerator: 1 << 19, denominator: 999_999))
    let tick: UInt64 = 4_722_371_216_780_735
    #expect(UInt128(tick) * 999_999 == UInt128(9_007_199_276_751_553) << 19 + 1)
    #expect(rate.seconds(tick: tick) == 9_007_199_276_751_554)
  }
}
