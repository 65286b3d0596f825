// SPDX-License-Identifier: Apache-2.0

/// A point on a ``UnitCurve/linear(_:)``; a number literal is an output without an input.
public struct LinearStop: Hashable, Sendable {
  /// Output progress; any number.
  public var output: Double

  /// Input progress; nil: spaced evenly between the neighbours that have one.
  public var input: Double?

  /// A stop with an output, and an input if it has one.
  ///
  /// - Parameters:
  ///   - output: Output progress.
  ///   - input: Input progress; CSS's 25% is 0.25.
  public init(_ output: Double, at input: Double? = nil) {
    self.output = output
    self.input = input
  }
}

extension LinearStop: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// An output without an input.
  public init(floatLiteral value: Double) { self.init(value) }

  /// An output without an input.
  public init(integerLiteral value: Int) { self.init(Double(value)) }
}
