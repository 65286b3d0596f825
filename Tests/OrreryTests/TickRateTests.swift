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

  /// Numbers have at most 18 digits, and terms are looked at when they are in their lowest form.
  @Test func limitsAreThoseOfTheTerms() {
    #expect(TickRate("000000000000000060")?.description == "60")
    #expect(TickRate("0000000000000000060") == nil)
    #expect(TickRate("2000000000/2")?.numerator == 1_000_000_000)
    #expect(TickRate("2/2000000000")?.denominator == 1_000_000_000)
    #expect(TickRate("2000000001/2") == nil)
    #expect(TickRate("2/2000000001") == nil)
    #expect(TickRate(numerator: 0) == nil)
    #expect(TickRate(numerator: 1, denominator: 0) == nil)
    #expect(TickRate(numerator: 5)?.denominator == 1)
    #expect(TickRate.termMax == 1_000_000_000)
    #expect(TickRate(numerator: 6, denominator: 4)?.description == "3/2")
    #expect(TickRate(numerator: 6, denominator: 4)?.ticksPerSecond == 1.5)
    #expect(TickRate(numerator: 3, denominator: 4)?.tickSeconds == 4.0 / 3)
  }

  @Test func literalsOutOfRangeTrap() async {
    await #expect(processExitsWith: .failure) { _ = 0 as TickRate }
    await #expect(processExitsWith: .failure) { _ = 1_000_000_001 as TickRate }
  }
}
