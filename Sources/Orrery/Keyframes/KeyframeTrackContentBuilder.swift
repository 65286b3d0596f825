// SPDX-License-Identifier: Apache-2.0

/// Collects the keyframes in braces, one after the other.
@resultBuilder public struct KeyframeTrackContentBuilder<Value: Animatable & Sendable> {
  /// One keyframe, or several as one.
  public static func buildExpression<K: KeyframeTrackContent>(
    _ expression: K
  ) -> KeyframeSequence<Value> where K.Value == Value {
    KeyframeSequence(keyframes: expression.resolved(Value.self))
  }

  /// Statements in their order.
  public static func buildBlock(_ parts: KeyframeSequence<Value>...) -> KeyframeSequence<Value> {
    buildArray(parts)
  }

  /// `for`.
  public static func buildArray(_ parts: [KeyframeSequence<Value>]) -> KeyframeSequence<Value> {
    KeyframeSequence(keyframes: parts.flatMap(\.keyframes))
  }

  /// `if` without `else`.
  public static func buildOptional(_ part: KeyframeSequence<Value>?) -> KeyframeSequence<Value> {
    part ?? KeyframeSequence(keyframes: [])
  }

  /// The first branch of an `if` or `switch`.
  public static func buildEither(first part: KeyframeSequence<Value>) -> KeyframeSequence<Value> {
    part
  }

  /// The other branch.
  public static func buildEither(second part: KeyframeSequence<Value>) -> KeyframeSequence<Value> {
    part
  }
}

/// Keyframes in their order: the content of a track's braces.
public struct KeyframeSequence<Value: Animatable & Sendable>: KeyframeTrackContent, KeyframeSource {
  let keyframes: [Keyframe<Value>]

  /// It has no body.
  public typealias Body = Never
}
