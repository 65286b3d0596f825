// SPDX-License-Identifier: Apache-2.0

/// The rounding error of a product, in a few operations.
///
/// The result is the same as with fused multiplication, which is a call on machines that have no
/// instruction for it.
///
/// Each factor is split into two halves of 26 bits, whose products are exact (Dekker, Veltkamp):
///
///     a·b - p  =  ((aₕ·bₕ - p) + aₕ·bₗ + aₗ·bₕ) + aₗ·bₗ
///
/// This works for numbers that are neither huge nor tiny; others go through the call.
package enum ExactProduct {
  /// Magnitudes for which no half overflows and no product of halves loses digits.
  private static let magnitudes = 0x1p-400...0x1p400

  /// The exact product of two numbers, minus the rounded one.
  ///
  /// - Parameters:
  ///   - first: A factor.
  ///   - second: A factor.
  ///   - product: The rounded product.
  /// - Returns: The same as `addingProduct`.
  package static func residual(of first: Double, _ second: Double, _ product: Double) -> Double {
    guard magnitudes.contains(abs(first)), magnitudes.contains(abs(second)) else {
      return (-product).addingProduct(first, second)
    }
    let (a, b) = (halves(first), halves(second))
    return ((a.upper * b.upper - product) + a.upper * b.lower + a.lower * b.upper)
      + a.lower * b.lower
  }

  /// A dividend minus rounded quotient times divisor.
  ///
  /// - Parameters:
  ///   - dividend: The dividend.
  ///   - quotient: The rounded quotient.
  ///   - divisor: The divisor.
  /// - Returns: The same as `addingProduct`.
  package static func difference(_ dividend: Double, _ quotient: Double, _ divisor: Double)
    -> Double
  {
    guard magnitudes.contains(abs(quotient)), magnitudes.contains(abs(divisor)) else {
      return dividend.addingProduct(-quotient, divisor)
    }
    // The rounded product is so close to the dividend that their difference is exact.
    let product = quotient * divisor
    return dividend - product - residual(of: quotient, divisor, product)
  }

  private static func halves(_ number: Double) -> (upper: Double, lower: Double) {
    let scaled = number * 0x8000001
    let upper = scaled - (scaled - number)
    return (upper, number - upper)
  }
}
