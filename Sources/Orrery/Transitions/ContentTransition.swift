// SPDX-License-Identifier: Apache-2.0

/// How a view's content changes while the view stays: a value that can be named and compared.
///
/// Without pixels nothing is drawn by it; a renderer may.
public struct ContentTransition: Equatable, Sendable {
  private enum Kind: Equatable {
    case identity, opacity, interpolate
    case countingText(countsDown: Bool)
    case text(value: Double)
  }

  private let kind: Kind

  /// The new content shows at once.
  public static let identity = ContentTransition(kind: .identity)

  /// The new content fades in.
  public static let opacity = ContentTransition(kind: .opacity)

  /// What can be interpolated is.
  public static let interpolate = ContentTransition(kind: .interpolate)

  /// Digits roll.
  ///
  /// - Parameter countsDown: Whether they roll as if numbers became smaller.
  /// - Returns: The transition.
  public static func numericText(countsDown: Bool = false) -> ContentTransition {
    ContentTransition(kind: .countingText(countsDown: countsDown))
  }

  /// Digits roll, in the direction of a number's change.
  ///
  /// - Parameter value: The number that the text shows.
  /// - Returns: The transition.
  public static func numericText(value: Double) -> ContentTransition {
    ContentTransition(kind: .text(value: value))
  }

  /// Effects of symbols.
  @available(*, unavailable, message: "symbol effects are left out: there are no symbols")
  public static var symbolEffect: ContentTransition { .identity }
}
