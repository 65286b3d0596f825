// SPDX-License-Identifier: Apache-2.0

/// Collects the view in the braces of a body.
///
/// A body is one view: several side by side would need a layout, which is left out.
@resultBuilder public struct ViewBuilder {
  /// One view.
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

  /// No view.
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// One view.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  /// Several views.
  @available(
    *, unavailable,
    message: "a headless body is one view: several side by side need a layout, which is left out"
  )
  public static func buildBlock<First: View, Second: View, each Other: View>(
    _ first: First, _ second: Second, _ other: repeat each Other
  ) -> First {
    first
  }

  /// `if` without `else`.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  /// The first branch of an `if` or `switch`.
  public static func buildEither<TrueContent: View, FalseContent: View>(
    first: TrueContent
  ) -> ConditionalContent<TrueContent, FalseContent> {
    ConditionalContent(storage: .trueContent(first))
  }

  /// The other branch.
  public static func buildEither<TrueContent: View, FalseContent: View>(
    second: FalseContent
  ) -> ConditionalContent<TrueContent, FalseContent> {
    ConditionalContent(storage: .falseContent(second))
  }

  /// `if #available`.
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
    AnyView(content)
  }
}

/// One of two views, as an `if` or `switch` in a body chooses.
public struct ConditionalContent<TrueContent: View, FalseContent: View>: View {
  enum Storage {
    case trueContent(TrueContent)
    case falseContent(FalseContent)
  }

  let storage: Storage

  /// It has no body.
  public typealias Body = Never
}

extension ConditionalContent: PrimitiveView {
  func described(_ moment: ViewMoment) -> ViewDescription {
    switch storage {
    case .trueContent(let view): view.description(moment.at(.first))
    case .falseContent(let view): view.description(moment.at(.second))
    }
  }
}

extension Optional: View where Wrapped: View {
  /// It has no body.
  public typealias Body = Never
}

extension Optional: PrimitiveView where Wrapped: View {
  func described(_ moment: ViewMoment) -> ViewDescription {
    map { $0.description(moment.at(.content)) } ?? ViewDescription(leaf: .empty)
  }
}
