// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import Testing

/// Goal: a timer's interval is the number that was meant, exactly.
///
/// Method: fractions that have no finite decimal, with as many digits as people write; decimals; and others.
@Suite struct TimerIntervalTests {
  private func terms(_ seconds: Double) -> [UInt128] {
    let interval = TimerInterval(seconds: seconds)
    let (above, below) = (UInt128(interval.numerator), interval.denominator)
    var (divisor, rest) = (above, below)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    return [above / divisor, below / divisor]
  }

  private func rounded(_ seconds: Double, _ digits: Int) throws -> Double {
    try #require(Double(String(format: "%.\(digits - 1)e", seconds)))
  }

  /// As computed, and as written with 15, 16 and 17 digits.
  @Test(
    arguments: [
      (1, 60), (1, 30), (1, 120), (1, 24), (1, 144), (1, 240), (1, 3), (2, 3), (7, 9),
      (1001, 60000), (1001, 30000), (1001, 24000), (1001, 120000), (50, 2997), (100, 2997),
      (125, 2997), (1000, 3), (999_999, 1000), (1, 7001), (999_983, 999_979),
    ] as [(UInt128, UInt128)])
  func fractionsAreExact(above: UInt128, below: UInt128) throws {
    let seconds = Double(above) / Double(below)
    #expect(terms(seconds) == [above, below])
    #expect(terms(1 / (Double(below) / Double(above))) == [above, below])
    for digits in 15...17 {
      #expect(try terms(rounded(seconds, digits)) == [above, below], "\(digits) digits")
    }
    // With fewer digits it is a number of its own.
    let other = try rounded(seconds, 12)
    #expect(other == seconds || terms(other) != [above, below])
  }

  /// 1/59.94, whose denominator is no whole number, and a tick of every rate.
  @Test func ticksOfRatesAreExact() throws {
    #expect(terms(1 / 59.94) == [50, 2997])
    #expect(terms(1 / 29.97) == [100, 2997])
    #expect(terms(1 / 23.976) == [125, 2997])
    #expect(terms(1 / 119.88) == [25, 2997])
    let rate = try #require(TickRate("59.940059"))
    let tick = TimerInterval(tickOf: rate)
    #expect((tick.numerator, tick.denominator) == (1_000_000, 59_940_059))
  }

  /// Up to nine decimals, as before; one that looks like a sixtieth is not one.
  @Test(
    arguments: [
      (0.01, 1, 100), (0.1, 1, 10), (0.016_666_667, 16_666_667, 1_000_000_000),
      (0.016_667, 16_667, 1_000_000), (0.0123457, 123_457, 10_000_000), (1.5, 3, 2),
      (1.234_567_891, 1_234_567_891, 1_000_000_000), (1000, 1000, 1), (0.000_1, 1, 10_000),
      (0.033_333_333, 33_333_333, 1_000_000_000), (1e-9, 1, 1_000_000_000),
    ] as [(Double, UInt128, UInt128)])
  func decimalsAreExact(seconds: Double, above: UInt128, below: UInt128) {
    #expect(terms(seconds) == [above, below])
  }

  /// Any other number is the fraction that a `Double` is.
  @Test(
    arguments: [
      0.016_666_666_666_7, 0.012_345_678_901_234, 3.141_592_653_589_793, 999.000_000_000_1,
    ])
  func othersAreThemselves(seconds: Double) {
    let interval = TimerInterval(seconds: seconds)
    #expect(interval.numerator == seconds.significandBitPattern | 1 << 52)
    #expect(Double(interval.numerator) / Double(interval.denominator) == seconds)
    #expect(interval.denominator.nonzeroBitCount == 1)
  }

  @Test(arguments: [0, -1, 1e-300, -.infinity, .nan, 1e-12])
  func tooShortOnesAreANanosecond(seconds: Double) {
    #expect(terms(seconds) == [1, 1_000_000_000])
  }

  @Test(arguments: [1e9, 1e10, 1e300, .infinity])
  func tooLongOnesAreABillionSeconds(seconds: Double) {
    #expect(terms(seconds) == [1_000_000_000, 1])
  }
}
