// SPDX-License-Identifier: Apache-2.0

/// Puts tracks side by side, or keyframes one after the other, as they are written in braces.
@resultBuilder public struct KeyframesBuilder<Value> {
  /// Takes one track, or several as one.
  public static func buildExpression<K: Keyframes>(_ expression: K) -> KeyframeTracks<Value>
  where K.Value == Value {
    KeyframeTracks { expression.resolved(from: $0) }
  }

  /// Takes tracks.
  public static func buildBlock(_ parts: KeyframeTracks<Value>...) -> KeyframeTracks<Value> {
    buildArray(parts)
  }

  /// Takes a loop over tracks.
  public static func buildArray(_ parts: [KeyframeTracks<Value>]) -> KeyframeTracks<Value> {
    KeyframeTracks { initialValue in parts.flatMap { $0.tracks(from: initialValue) } }
  }

  /// Takes an `if` without `else`.
  public static func buildOptional(_ part: KeyframeTracks<Value>?) -> KeyframeTracks<Value> {
    part ?? KeyframeTracks { _ in [] }
  }

  /// Takes the first branch.
  public static func buildEither(first part: KeyframeTracks<Value>) -> KeyframeTracks<Value> {
    part
  }

  /// Takes the second branch.
  public static func buildEither(second part: KeyframeTracks<Value>) -> KeyframeTracks<Value> {
    part
  }

  /// Keeps tracks as they are.
  public static func buildFinalResult(_ tracks: KeyframeTracks<Value>) -> KeyframeTracks<Value> {
    tracks
  }
}

/// Keyframes without a track animate the whole value.
extension KeyframesBuilder where Value: Animatable & Sendable {
  /// Takes one keyframe, or several as one.
  public static func buildExpression<K: KeyframeTrackContent>(
    _ expression: K
  ) -> KeyframeSequence<Value> where K.Value == Value {
    KeyframeTrackContentBuilder.buildExpression(expression)
  }

  /// Takes keyframes one after the other.
  public static func buildBlock(
    _ first: KeyframeSequence<Value>, _ others: KeyframeSequence<Value>...
  ) -> KeyframeSequence<Value> {
    buildArray([first] + others)
  }

  /// Takes a loop over keyframes.
  public static func buildArray(_ parts: [KeyframeSequence<Value>]) -> KeyframeSequence<Value> {
    KeyframeTrackContentBuilder.buildArray(parts)
  }

  /// Takes an `if` without `else`.
  public static func buildOptional(_ part: KeyframeSequence<Value>?) -> KeyframeSequence<Value> {
    KeyframeTrackContentBuilder.buildOptional(part)
  }

  /// Takes the first branch.
  public static func buildEither(first part: KeyframeSequence<Value>) -> KeyframeSequence<Value> {
    part
  }

  /// Takes the second branch.
  public static func buildEither(second part: KeyframeSequence<Value>) -> KeyframeSequence<Value> {
    part
  }

  /// Makes the one track.
  public static func buildFinalResult(
    _ sequence: KeyframeSequence<Value>
  ) -> KeyframeTrack<Value, Value, KeyframeSequence<Value>> {
    KeyframeTrack { sequence }
  }
}

/// Tracks side by side: what is written in the braces of a timeline.
public struct KeyframeTracks<Value>: Keyframes, KeyframeTrackSource {
  private let make: (Value) -> [any KeyframeTrackPlayer<Value>]

  init(_ make: @escaping (Value) -> [any KeyframeTrackPlayer<Value>]) {
    self.make = make
  }

  func tracks(from initialValue: Value) -> [any KeyframeTrackPlayer<Value>] {
    make(initialValue)
  }

  /// There is none.
  public typealias Body = Never
}
