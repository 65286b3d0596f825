// SPDX-License-Identifier: Apache-2.0

/// The values that a random number may take: from `lower` up to `upper`.
///
/// Unlike `ClosedRange` it can hold invalid ends (NaN, or in the wrong order), so that the check of
/// the whole scene reports them with all other errors instead of trapping.
public struct ValueRange: Hashable, Sendable {
  /// The smallest value.
  public var lower: Double

  /// The largest value.
  public var upper: Double

  /// Makes a range from its ends, unchecked.
  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// Makes a range from a `ClosedRange`.
  public init(_ range: ClosedRange<Double>) {
    self.init(lower: range.lowerBound, upper: range.upperBound)
  }
}
