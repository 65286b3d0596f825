// SPDX-License-Identifier: Apache-2.0

extension Edge {
  /// Any of the four sides.
  public struct Set: OptionSet, Hashable, Sendable {
    /// One bit for each side.
    public let rawValue: Int8

    /// Makes a set from its bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Makes a set of one side.
    public init(_ e: Edge) { self.init(rawValue: 1 << e.rawValue) }

    /// The upper side.
    public static let top = Set(.top)

    /// The side where lines begin.
    public static let leading = Set(.leading)

    /// The lower side.
    public static let bottom = Set(.bottom)

    /// The side where lines end.
    public static let trailing = Set(.trailing)

    /// All four sides.
    public static let all: Set = [.top, .leading, .bottom, .trailing]

    /// The sides where lines begin and end.
    public static let horizontal: Set = [.leading, .trailing]

    /// The upper and the lower side.
    public static let vertical: Set = [.top, .bottom]
  }
}
