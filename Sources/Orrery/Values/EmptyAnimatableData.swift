// SPDX-License-Identifier: Apache-2.0

/// The vector without components, for types in which nothing is animated.
public struct EmptyAnimatableData: VectorArithmetic, Hashable, Sendable {
  /// Makes the only value.
  public init() {}

  /// The only value.
  public static var zero: Self { Self() }

  /// The only value.
  public static func + (lhs: Self, rhs: Self) -> Self { Self() }

  /// The only value.
  public static func - (lhs: Self, rhs: Self) -> Self { Self() }

  /// Changes nothing.
  public mutating func scale(by rhs: Double) {}

  /// 0.
  public var magnitudeSquared: Double { 0 }
}
