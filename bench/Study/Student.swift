// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Student's t distribution.
package enum Student {
  /// The value that this share of the distribution does not exceed.
  ///
  /// - Parameters:
  ///   - share: 0.5 or more, below 1.
  ///   - freedom: Degrees of freedom, above 0; need not be whole.
  /// - Returns: 0 or more, to nine digits.
  package static func quantile(_ share: Double, freedom: Double) -> Double {
    precondition((0.5..<1).contains(share) && freedom > 0, "\(share) of freedom \(freedom)")
    var (low, high) = (0.0, 1.0)
    while self.share(below: high, freedom: freedom) < share, high < 1e12 { high *= 2 }
    // Sixty halvings leave fewer digits than a number has.
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if self.share(below: middle, freedom: freedom) < share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The share of the distribution below a value of 0 or more.
  package static func share(below value: Double, freedom: Double) -> Double {
    1 - incompleteBeta(freedom / (freedom + value * value), freedom / 2, 0.5) / 2
  }

  /// The regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz).
  private static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    // The fraction converges fast on this side only.
    guard x <= (a + 1) / (a + b + 2) else { return 1 - incompleteBeta(1 - x, b, a) }
    let front = exp(
      lgamma(a + b).0 - lgamma(a).0 - lgamma(b).0 + a * log(x) + b * log(1 - x))
    let tiny = 1e-300
    func bounded(_ number: Double) -> Double { abs(number) < tiny ? tiny : number }
    var c = 1.0
    var d = 1 / bounded(1 - (a + b) * x / (a + 1))
    var fraction = d
    for step in 1...300 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / bounded(1 + even * d)
      c = bounded(1 + even / c)
      fraction *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / bounded(1 + odd * d)
      c = bounded(1 + odd / c)
      let factor = d * c
      fraction *= factor
      if abs(factor - 1) < 1e-14 { break }
    }
    return front * fraction / a
  }
}
