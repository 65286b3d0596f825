// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that can be animated as a vector: it adds, subtracts, scales and has a length.
///
/// Animations rely on these laws: `zero` is neutral, `scale(by: 1)` changes nothing,
/// `scale(by:)` distributes over `+`, and `magnitudeSquared` is 0 for `zero` and never negative.
public protocol VectorArithmetic: AdditiveArithmetic {
  /// Multiplies every component.
  ///
  /// - Parameter rhs: Factor, of any sign.
  mutating func scale(by rhs: Double)

  /// Sum of the squares of all components, in squared units of the value; the dot product with
  /// itself.
  var magnitudeSquared: Double { get }
}

extension VectorArithmetic {
  /// The value with every component multiplied.
  ///
  /// - Parameter rhs: Factor, of any sign.
  /// - Returns: The product.
  public func scaled(by rhs: Double) -> Self {
    var result = self
    result.scale(by: rhs)
    return result
  }

  /// Interpolates linearly from this value to another; see ``interpolated(towards:amount:)``.
  ///
  /// - Parameters:
  ///   - other: The value for `amount` 1.
  ///   - amount: Share of the interval; values outside 0...1 extrapolate.
  public mutating func interpolate(towards other: Self, amount: Double) {
    self = interpolated(towards: other, amount: amount)
  }

  /// The linear interpolation to another value: `self + (other - self) * amount`.
  ///
  /// Amount 0 gives `self` and 1 `other`, bit for bit, so an animation ends at its exact target.
  /// The formula alone could be off by a rounding error.
  ///
  /// - Parameters:
  ///   - other: The value for `amount` 1.
  ///   - amount: Share of the interval; values outside 0...1 extrapolate.
  /// - Returns: The interpolated value.
  public func interpolated(towards other: Self, amount: Double) -> Self {
    if amount == 0 { return self }
    if amount == 1 { return other }
    return self + (other - self).scaled(by: amount)
  }
}

extension Double: VectorArithmetic {
  /// Multiplies by a factor.
  public mutating func scale(by rhs: Double) { self *= rhs }

  /// The square of the number.
  public var magnitudeSquared: Double { self * self }
}

extension Float: VectorArithmetic {
  /// Multiplies by a factor, which is rounded to `Float` first.
  public mutating func scale(by rhs: Double) { self *= Float(rhs) }

  /// The square of the number, computed in `Double` to avoid overflow.
  public var magnitudeSquared: Double { Double(self) * Double(self) }
}

extension CGFloat: VectorArithmetic {
  /// Multiplies by a factor.
  public mutating func scale(by rhs: Double) { self *= CGFloat(rhs) }

  /// The square of the number.
  public var magnitudeSquared: Double { Double(self) * Double(self) }
}
