// SPDX-License-Identifier: Apache-2.0

/// Any number of vectors as one.
///
/// ``AnimatablePair`` nests; this type does not need to.
public struct AnimatableValues<each Value: VectorArithmetic>: VectorArithmetic {
  /// The vectors.
  public var value: (repeat each Value)

  /// Makes one vector of several.
  ///
  /// - Parameter value: The vectors.
  public init(_ value: repeat each Value) {
    self.value = (repeat each value)
  }

  /// The zero of every vector.
  public static var zero: Self { Self(repeat (each Value).zero) }

  /// Whether all vectors are equal.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    for (left, right) in repeat (each lhs.value, each rhs.value) {
      guard left == right else { return false }
    }
    return true
  }

  /// Adds vector by vector.
  public static func + (lhs: Self, rhs: Self) -> Self {
    Self(repeat (each lhs.value) + (each rhs.value))
  }

  /// Subtracts vector by vector.
  public static func - (lhs: Self, rhs: Self) -> Self {
    Self(repeat (each lhs.value) - (each rhs.value))
  }

  /// Multiplies all vectors by one factor.
  public mutating func scale(by rhs: Double) {
    self = Self(repeat (each value).scaled(by: rhs))
  }

  /// The sum of all squared lengths.
  public var magnitudeSquared: Double {
    var sum = 0.0
    for vector in repeat each value { sum += vector.magnitudeSquared }
    return sum
  }
}

extension AnimatableValues: Sendable where repeat each Value: Sendable {}
