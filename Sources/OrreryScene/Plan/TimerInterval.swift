// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Seconds between two ticks of a timer, as an exact fraction: rounded, a sixtieth of a second would be
/// a step late from the first tick on, and many steps after a year.
package struct TimerInterval: Hashable, Sendable {
  /// Seconds that `denominator` timer ticks take; at least 1, less than 2^60.
  package let numerator: UInt64

  /// Timer ticks in `numerator` seconds; at least 1, at most 2^82.
  package let denominator: UInt128

  /// The time of one tick of a rate.
  package init(tickOf rate: TickRate) {
    (numerator, denominator) = (rate.denominator, UInt128(rate.numerator))
  }

  /// The interval that is meant by a number.
  ///
  /// A number of at most nine decimals is that decimal. One that has the first 15 digits of a fraction
  /// with terms up to a million, such as 1/60 or 1001/60000, is that fraction. Any other one is itself.
  ///
  /// - Parameter seconds: Clamped to a nanosecond and to 10^9 s; NaN counts as a nanosecond.
  package init(seconds: Double) {
    let seconds = seconds > 1e-9 ? min(seconds, 1e9) : 1e-9
    let nanoseconds = (seconds * 1e9).rounded()
    if nanoseconds / 1e9 == seconds {
      (numerator, denominator) = (UInt64(nanoseconds), 1_000_000_000)
    } else if let fraction = Self.fraction(seconds) {
      (numerator, denominator) = (UInt64(fraction.above), fraction.below)
    } else {
      (numerator, denominator) = (Self.significand(seconds), 1 << Self.shift(seconds))
    }
  }

  private typealias Fraction = (above: UInt128, below: UInt128)

  /// The largest terms of a fraction that a number may stand for.
  private static let termMax: UInt128 = 1_000_000

  /// The relative difference that 15 digits cannot show: half a unit of the last digit of 1.00000000000000.
  private static let digitsShare = 5e-15

  /// The simplest fraction of terms up to `termMax` with the number's first 15 digits; nil if there is none.
  ///
  /// It is a convergent of the continued fraction: any other fraction with terms this small is much farther
  /// from the number. The number is taken as the exact fraction significand / 2^shift.
  private static func fraction(_ seconds: Double) -> Fraction? {
    var (above, below) = (UInt128(significand(seconds)), UInt128(1) << shift(seconds))
    var (last, convergent): (Fraction, Fraction) = ((0, 1), (1, 0))
    while below > 0 {
      let (whole, rest) = above.quotientAndRemainder(dividingBy: below)
      let next = (
        above: whole * convergent.above + last.above, below: whole * convergent.below + last.below
      )
      guard next.above <= termMax, next.below <= termMax else { return nil }
      let difference = Double(next.above) / Double(next.below) - seconds
      if abs(difference) <= seconds * digitsShare { return next }
      (last, convergent) = (convergent, next)
      (above, below) = (below, rest)
    }
    return nil
  }

  /// 53 bits.
  private static func significand(_ seconds: Double) -> UInt64 {
    seconds.significandBitPattern | 1 << 52
  }

  /// The negative binary exponent of the significand's last bit; in 23...82.
  private static func shift(_ seconds: Double) -> Int { 52 - Int(seconds.exponent) }
}
