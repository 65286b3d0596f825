// SPDX-License-Identifier: Apache-2.0

/// Horizontal or vertical.
public enum Axis: Int8, CaseIterable, Hashable, Sendable, CustomStringConvertible {
  /// Along a line.
  case horizontal
  /// Along a column.
  case vertical

  /// The name of the case.
  public var description: String {
    switch self {
    case .horizontal: "horizontal"
    case .vertical: "vertical"
    }
  }

  /// Any of the two axes.
  public struct Set: OptionSet, Hashable, Sendable {
    /// One bit for each axis.
    public let rawValue: Int8

    /// Makes a set from its bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Along a line.
    public static let horizontal = Set(rawValue: 1 << Axis.horizontal.rawValue)

    /// Along a column.
    public static let vertical = Set(rawValue: 1 << Axis.vertical.rawValue)
  }
}
