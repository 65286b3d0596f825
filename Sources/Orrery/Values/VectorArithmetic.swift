// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What can be animated as one: values that add, subtract, scale and have a length.
///
/// Laws that an animation relies on: `zero` is neutral, `scale(by: 1)` changes nothing,
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

  /// Moves this value along the straight line to another; see ``interpolated(towards:amount:)``.
  ///
  /// - Parameters:
  ///   - other: Where `amount` 1 leads.
  ///   - amount: Part of the way; values outside 0...1 extrapolate.
  public mutating func interpolate(towards other: Self, amount: Double) {
    self = interpolated(towards: other, amount: amount)
  }

  /// The value at a part of the straight way to another: `self + (other - self) * amount`.
  ///
  /// Amount 0 gives `self` and 1 `other`, bit for bit, which the formula alone would miss by a
  /// rounding error; an animation so ends at its exact target.
  ///
  /// - Parameters:
  ///   - other: Where `amount` 1 leads.
  ///   - amount: Part of the way; values outside 0...1 extrapolate.
  /// - Returns: The value there.
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

  /// The square of the number, computed in `Double` and so without overflow.
  public var magnitudeSquared: Double { Double(self) * Double(self) }
}

extension CGFloat: VectorArithmetic {
  /// Multiplies by a factor.
  public mutating func scale(by rhs: Double) { self *= CGFloat(rhs) }

  /// The square of the number.
  public var magnitudeSquared: Double { Double(self) * Double(self) }
}
