// SPDX-License-Identifier: Apache-2.0

import Orrery

extension TickRate {
  /// Time of a tick since the scene began: the `Double` nearest to tick · denominator / numerator.
  ///
  /// The quotient of whole numbers is rounded once, like a decimal number when it is parsed: at 60
  /// ticks per second, tick 6 is at exactly the `Double` 0.1.
  package func seconds(tick: UInt64) -> Double {
    let (product, overflow) = tick.multipliedReportingOverflow(by: denominator)
    if !overflow, product < 1 << 53 { return Double(product) / Double(numerator) }
    // 64 bits of the quotient, the last of them set if there is a remainder: a `Double` keeps 53.
    let dividend = UInt128(tick) * UInt128(denominator)
    let shift = dividend.leadingZeroBitCount
    let (quotient, remainder) = (dividend << shift)
      .quotientAndRemainder(dividingBy: UInt128(numerator))
    let drop = UInt128.bitWidth - 64 - quotient.leadingZeroBitCount
    var upper = UInt64(truncatingIfNeeded: quotient >> drop)
    if remainder > 0 || quotient != UInt128(upper) << drop { upper |= 1 }
    return Double(sign: .plus, exponent: drop - shift, significand: Double(upper))
  }
}
