// SPDX-License-Identifier: Apache-2.0

/// A side of a rectangle where lines begin or end.
public enum HorizontalEdge: Int8, CaseIterable, Codable, Hashable, Sendable {
  /// The side where lines begin: left where they run from left to right.
  case leading
  /// The side where lines end.
  case trailing

  /// Any of the two sides.
  public struct Set: OptionSet, Hashable, Sendable {
    /// One bit for each side.
    public let rawValue: Int8

    /// Makes a set from its bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Makes a set of one side.
    public init(_ edge: HorizontalEdge) { self.init(rawValue: 1 << edge.rawValue) }

    /// The side where lines begin.
    public static let leading = Set(.leading)

    /// The side where lines end.
    public static let trailing = Set(.trailing)

    /// Both sides.
    public static let all: Set = [.leading, .trailing]
  }
}

/// The upper or the lower side of a rectangle.
public enum VerticalEdge: Int8, CaseIterable, Codable, Hashable, Sendable {
  /// The upper side.
  case top
  /// The lower side.
  case bottom

  /// Any of the two sides.
  public struct Set: OptionSet, Hashable, Sendable {
    /// One bit for each side.
    public let rawValue: Int8

    /// Makes a set from its bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Makes a set of one side.
    public init(_ edge: VerticalEdge) { self.init(rawValue: 1 << edge.rawValue) }

    /// The upper side.
    public static let top = Set(.top)

    /// The lower side.
    public static let bottom = Set(.bottom)

    /// Both sides.
    public static let all: Set = [.top, .bottom]
  }
}

extension Edge {
  /// One corner of a rectangle.
  public enum Corner: Int8, CaseIterable, Hashable, Sendable, CustomDebugStringConvertible {
    /// Where the upper side meets the one where lines begin.
    case topLeading
    /// Where the upper side meets the one where lines end.
    case topTrailing
    /// Where the lower side meets the one where lines begin.
    case bottomLeading
    /// Where the lower side meets the one where lines end.
    case bottomTrailing

    /// The name of the case.
    public var debugDescription: String {
      switch self {
      case .topLeading: "topLeading"
      case .topTrailing: "topTrailing"
      case .bottomLeading: "bottomLeading"
      case .bottomTrailing: "bottomTrailing"
      }
    }

    /// Any of the four corners.
    public struct Set: OptionSet, Hashable, Sendable {
      /// One bit for each corner.
      public let rawValue: Int8

      /// Makes a set from its bits.
      public init(rawValue: Int8) { self.rawValue = rawValue }

      /// Makes a set of one corner.
      public init(_ corner: Corner) { self.init(rawValue: 1 << corner.rawValue) }

      /// Where the upper side meets the one where lines begin.
      public static let topLeading = Set(.topLeading)

      /// Where the upper side meets the one where lines end.
      public static let topTrailing = Set(.topTrailing)

      /// Where the lower side meets the one where lines begin.
      public static let bottomLeading = Set(.bottomLeading)

      /// Where the lower side meets the one where lines end.
      public static let bottomTrailing = Set(.bottomTrailing)

      /// All four corners.
      public static let all: Set = [.topLeading, .topTrailing, .bottomLeading, .bottomTrailing]
    }
  }
}
