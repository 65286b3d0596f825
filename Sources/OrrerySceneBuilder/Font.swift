// SPDX-License-Identifier: Apache-2.0

/// A font: a size and a weight of the platform's sans-serif family.
public struct Font: Hashable, Sendable {
  /// Size in points.
  public var size: Double

  /// Weight of the strokes.
  public var weight: Weight

  /// Weight of a font's strokes.
  public enum Weight: String, CaseIterable, Hashable, Sendable {
    /// The ordinary weight.
    case regular
    /// Between regular and bold.
    case semibold
    /// Heavy.
    case bold
  }

  /// Makes a font of any size.
  ///
  /// - Parameters:
  ///   - size: Points, 1...1000.
  ///   - weight: Weight of the strokes.
  /// - Returns: The font.
  public static func system(size: Double, weight: Weight = .regular) -> Font {
    Font(size: size, weight: weight)
  }

  /// The same size in bold.
  public func bold() -> Font {
    Font(size: size, weight: .bold)
  }
}

/// SwiftUI's text styles at their default sizes.
extension Font {
  /// 34 points.
  public static let largeTitle = Font(size: 34, weight: .regular)
  /// 28 points.
  public static let title = Font(size: 28, weight: .regular)
  /// 22 points.
  public static let title2 = Font(size: 22, weight: .regular)
  /// 20 points.
  public static let title3 = Font(size: 20, weight: .regular)
  /// 17 points, semibold.
  public static let headline = Font(size: 17, weight: .semibold)
  /// 17 points.
  public static let body = Font(size: 17, weight: .regular)
  /// 16 points.
  public static let callout = Font(size: 16, weight: .regular)
  /// 15 points.
  public static let subheadline = Font(size: 15, weight: .regular)
  /// 13 points.
  public static let footnote = Font(size: 13, weight: .regular)
  /// 12 points.
  public static let caption = Font(size: 12, weight: .regular)
  /// 11 points.
  public static let caption2 = Font(size: 11, weight: .regular)

  /// The text styles by name.
  package static let styles: [String: Font] = [
    "largeTitle": largeTitle, "title": title, "title2": title2, "title3": title3,
    "headline": headline, "body": body, "callout": callout, "subheadline": subheadline,
    "footnote": footnote, "caption": caption, "caption2": caption2,
  ]
}
