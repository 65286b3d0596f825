// SPDX-License-Identifier: Apache-2.0

/// Collects the keyframes in braces, one after the other.
@resultBuilder public struct KeyframeTrackContentBuilder<Value: Animatable> {
  /// One keyframe, or several as one.
  public static func buildExpression<K: KeyframeTrackContent>(_ expression: K) -> K
  where K.Value == Value { expression }

  /// No keyframe.
  public static func buildBlock() -> some KeyframeTrackContent<Value> {
    KeyframeSequence<Value>(keyframes: [])
  }

  /// The first statement.
  public static func buildPartialBlock<K: KeyframeTrackContent>(first: K) -> K
  where K.Value == Value { first }

  /// A statement after others.
  public static func buildPartialBlock(
    accumulated: some KeyframeTrackContent<Value>, next: some KeyframeTrackContent<Value>
  ) -> some KeyframeTrackContent<Value> {
    KeyframeSequence(keyframes: accumulated.resolved(Value.self) + next.resolved(Value.self))
  }

  /// `for`.
  public static func buildArray(
    _ components: [some KeyframeTrackContent<Value>]
  ) -> some KeyframeTrackContent<Value> {
    KeyframeSequence(keyframes: components.flatMap { $0.resolved(Value.self) })
  }

  /// `if` without `else`; SwiftUI's has none.
  public static func buildOptional(
    _ component: (some KeyframeTrackContent<Value>)?
  ) -> some KeyframeTrackContent<Value> {
    KeyframeSequence(keyframes: component?.resolved(Value.self) ?? [])
  }

  /// The first branch of an `if` or `switch`.
  public static func buildEither<First, Second>(
    first component: First
  ) -> Conditional<Value, First, Second>
  where
    First: KeyframeTrackContent, Second: KeyframeTrackContent, First.Value == Value,
    Second.Value == Value
  {
    Conditional(keyframes: component.resolved(Value.self))
  }

  /// The other branch.
  public static func buildEither<First, Second>(
    second component: Second
  ) -> Conditional<Value, First, Second>
  where
    First: KeyframeTrackContent, Second: KeyframeTrackContent, First.Value == Value,
    Second.Value == Value
  {
    Conditional(keyframes: component.resolved(Value.self))
  }

  /// The keyframes of one of two branches.
  public struct Conditional<
    ConditionalValue: Animatable, First: KeyframeTrackContent, Second: KeyframeTrackContent
  >: KeyframeTrackContent, KeyframeSource
  where First.Value == ConditionalValue, Second.Value == ConditionalValue {
    /// The animated type.
    public typealias Value = ConditionalValue

    let keyframes: [Keyframe<ConditionalValue>]

    /// It has no body.
    public typealias Body = Never
  }
}

/// Keyframes in their order.
struct KeyframeSequence<Value: Animatable>: KeyframeTrackContent, KeyframeSource {
  let keyframes: [Keyframe<Value>]

  typealias Body = Never
}
