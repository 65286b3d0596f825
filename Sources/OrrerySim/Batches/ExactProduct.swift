// SPDX-License-Identifier: Apache-2.0

/// What rounding takes away from a product: the same as by fused multiplication, which without its own
/// instruction is a call, but by a few operations.
///
/// Each factor is split into two halves of 26 bits, whose products are exact (Dekker, Veltkamp):
///
///     a·b - p  =  ((aₕ·bₕ - p) + aₕ·bₗ + aₗ·bₕ) + aₗ·bₗ
///
/// That needs numbers that are neither huge nor tiny; others are left to the call.
package enum ExactProduct {
  /// Magnitudes for which no half overflows and no product of halves loses digits.
  private static let magnitudes = 0x1p-400...0x1p400

  /// The product of two numbers, minus what it was rounded to.
  ///
  /// - Parameters:
  ///   - first: A factor.
  ///   - second: A factor.
  ///   - product: Theirs, rounded.
  /// - Returns: What `addingProduct` gives.
  package static func rest(of first: Double, _ second: Double, _ product: Double) -> Double {
    guard magnitudes.contains(abs(first)), magnitudes.contains(abs(second)) else {
      return (-product).addingProduct(first, second)
    }
    let (a, b) = (halves(first), halves(second))
    return ((a.upper * b.upper - product) + a.upper * b.lower + a.lower * b.upper)
      + a.lower * b.lower
  }

  /// A dividend minus quotient times divisor, for the quotient rounded.
  ///
  /// - Parameters:
  ///   - dividend: What was divided.
  ///   - quotient: What came of it, rounded.
  ///   - divisor: By what.
  /// - Returns: What `addingProduct` gives.
  package static func difference(_ dividend: Double, _ quotient: Double, _ divisor: Double)
    -> Double
  {
    guard magnitudes.contains(abs(quotient)), magnitudes.contains(abs(divisor)) else {
      return dividend.addingProduct(-quotient, divisor)
    }
    // The rounded product is so close to the dividend that their difference is exact.
    let product = quotient * divisor
    return dividend - product - rest(of: quotient, divisor, product)
  }

  private static func halves(_ number: Double) -> (upper: Double, lower: Double) {
    let scaled = number * 0x8000001
    let upper = scaled - (scaled - number)
    return (upper, number - upper)
  }
}
