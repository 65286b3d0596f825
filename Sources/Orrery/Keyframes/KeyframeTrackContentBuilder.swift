// SPDX-License-Identifier: Apache-2.0

/// Puts keyframes one after the other, as they are written in braces.
@resultBuilder public struct KeyframeTrackContentBuilder<Value: Animatable & Sendable> {
  /// Takes one keyframe, or several as one.
  public static func buildExpression<K: KeyframeTrackContent>(
    _ expression: K
  ) -> KeyframeSequence<Value> where K.Value == Value {
    KeyframeSequence(keyframes: expression.resolved(Value.self))
  }

  /// Takes lines one after the other.
  public static func buildBlock(_ parts: KeyframeSequence<Value>...) -> KeyframeSequence<Value> {
    buildArray(parts)
  }

  /// Takes a loop.
  public static func buildArray(_ parts: [KeyframeSequence<Value>]) -> KeyframeSequence<Value> {
    KeyframeSequence(keyframes: parts.flatMap(\.keyframes))
  }

  /// Takes an `if` without `else`.
  public static func buildOptional(_ part: KeyframeSequence<Value>?) -> KeyframeSequence<Value> {
    part ?? KeyframeSequence(keyframes: [])
  }

  /// Takes the first branch.
  public static func buildEither(first part: KeyframeSequence<Value>) -> KeyframeSequence<Value> {
    part
  }

  /// Takes the second branch.
  public static func buildEither(second part: KeyframeSequence<Value>) -> KeyframeSequence<Value> {
    part
  }
}

/// Keyframes in their order: what is written in the braces of a track.
public struct KeyframeSequence<Value: Animatable & Sendable>: KeyframeTrackContent, KeyframeSource {
  let keyframes: [Keyframe<Value>]

  /// There is none.
  public typealias Body = Never
}
