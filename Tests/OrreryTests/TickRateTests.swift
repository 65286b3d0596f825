// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: a rate is exactly the fraction that was written.
///
/// Method: read rates in every form and compare numerator and denominator.
@Suite struct TickRateTests {
  @Test(
    arguments: [
      ("60", 60, 1), ("59.94", 2997, 50), ("30000/1001", 30000, 1001), ("120/2", 60, 1),
      ("0.01", 1, 100), ("60.0", 60, 1), ("23.976", 2997, 125), ("1000000000", 1_000_000_000, 1),
    ] as [(String, UInt64, UInt64)])
  func textIsReadExactly(text: String, numerator: UInt64, denominator: UInt64) {
    let rate = TickRate(text)
    #expect(rate?.numerator == numerator)
    #expect(rate?.denominator == denominator)
  }

  @Test(arguments: [
    "", "0", "-60", "60 ", "1e3", "nan", "inf", "1/0", "0/1", "1/2/3", "1.2.3", ".5", "5.", "1/-2",
    "+60", "６０", "1000000001", "1/1000000001", "99999999999999999999", "1.0000000000000000000001",
  ])
  func otherTextIsRefused(text: String) {
    #expect(TickRate(text) == nil)
  }

  @Test func descriptionIsReadBack() {
    for text in ["60", "30000/1001"] { #expect(TickRate(text)?.description == text) }
    #expect(TickRate(numerator: 30000, denominator: 1001)?.tickSeconds == 1001.0 / 30000.0)
  }
}
