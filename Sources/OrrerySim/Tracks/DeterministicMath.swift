// SPDX-License-Identifier: Apache-2.0

/// Exponential, sine and cosine that have the same bits on every machine.
///
/// Those of C libraries differ in the last digit from version to version. These use only sums, products
/// and fused products, each of which is rounded once on every machine. They stay within 4 ulp of the true
/// value; the polynomials are Taylor's, to terms below 10^-17.
package enum DeterministicMath {
  /// e^x; 0 below -746, infinite above 710.
  package static func exp(_ x: Double) -> Double {
    if x.isNaN { return x }
    if x < -746 { return 0 }
    if x > 710 { return .infinity }
    let power = (x * 0x1.71547652b82fep+0).rounded()
    let remainder = x.addingProduct(-power, log2High).addingProduct(-power, log2Low)
    // In two steps: the power of two alone may lie beyond the range of `Double`.
    let half = (Int(power) / 2)
    return (1 + expm1Near0(remainder)) * powerOf2(half) * powerOf2(Int(power) - half)
  }

  /// e^x - 1, with all its digits also near 0.
  package static func expm1(_ x: Double) -> Double {
    abs(x) < 0.34 ? expm1Near0(x) : exp(x) - 1
  }

  /// Cosine and sine of an angle.
  ///
  /// - Parameter x: Radians. From 2^50 on, where a `Double` has few values in each turn, it counts as 0.
  /// - Returns: Both; NaN if `x` is infinite or NaN.
  package static func cosineAndSine(_ x: Double) -> (cosine: Double, sine: Double) {
    if !x.isFinite { return (.nan, .nan) }
    if abs(x) >= 0x1p50 { return (1, 0) }
    let quarters = (x * 0x1.45f306dc9c883p-1).rounded()
    // π/2 in three numbers of 53 digits each.
    let remainder = x.addingProduct(-quarters, 0x1.921fb54442d18p+0)
      .addingProduct(-quarters, 0x1.1a62633145c07p-54)
      .addingProduct(-quarters, -0x1.f1976b7ed8fbcp-110)
    let (cosine, sine) = cosineAndSineNear0(remainder)
    switch Int(quarters) & 3 {
    case 0: return (cosine, sine)
    case 1: return (-sine, cosine)
    case 2: return (-cosine, -sine)
    default: return (sine, -cosine)
    }
  }

  /// The natural logarithm of 2, in two numbers of 53 digits each.
  private static let log2High = 0x1.62e42fefa39efp-1
  private static let log2Low = 0x1.abc9e3b39803fp-56

  /// e^x - 1 for x within ±0.35.
  private static func expm1Near0(_ x: Double) -> Double {
    var sum = 1.0 / 6_227_020_800
    sum = 1 / 479_001_600 + x * sum
    sum = 1 / 39_916_800 + x * sum
    sum = 1 / 3_628_800 + x * sum
    sum = 1 / 362_880 + x * sum
    sum = 1 / 40_320 + x * sum
    sum = 1 / 5_040 + x * sum
    sum = 1 / 720 + x * sum
    sum = 1 / 120 + x * sum
    sum = 1 / 24 + x * sum
    sum = 1 / 6 + x * sum
    sum = 1 / 2 + x * sum
    return x + x * x * sum
  }

  /// Cosine and sine for x within ±π/4.
  private static func cosineAndSineNear0(_ x: Double) -> (cosine: Double, sine: Double) {
    let z = x * x
    var sine = 1.0 / 355_687_428_096_000
    sine = 1 / 1_307_674_368_000 - z * sine
    sine = 1 / 6_227_020_800 - z * sine
    sine = 1 / 39_916_800 - z * sine
    sine = 1 / 362_880 - z * sine
    sine = 1 / 5_040 - z * sine
    sine = 1 / 120 - z * sine
    sine = 1 / 6 - z * sine
    var cosine = 1.0 / 20_922_789_888_000
    cosine = 1 / 87_178_291_200 - z * cosine
    cosine = 1 / 479_001_600 - z * cosine
    cosine = 1 / 3_628_800 - z * cosine
    cosine = 1 / 40_320 - z * cosine
    cosine = 1 / 720 - z * cosine
    cosine = 1 / 24 - z * cosine
    return (1 - (z / 2 - z * z * cosine), x - x * z * sine)
  }

  /// 2 to a power in -1022...1023.
  private static func powerOf2(_ power: Int) -> Double {
    Double(bitPattern: UInt64(power + 1023) << 52)
  }
}
