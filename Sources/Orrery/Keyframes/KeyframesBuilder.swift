// SPDX-License-Identifier: Apache-2.0

/// Collects the tracks in braces side by side, or the keyframes one after the other.
@resultBuilder public struct KeyframesBuilder<Value> {
  /// One track, or several as one.
  public static func buildExpression<K: Keyframes>(_ expression: K) -> KeyframeTracks<Value>
  where K.Value == Value {
    KeyframeTracks { expression.resolved(from: $0) }
  }

  /// Tracks side by side.
  public static func buildBlock(_ parts: KeyframeTracks<Value>...) -> KeyframeTracks<Value> {
    buildArray(parts)
  }

  /// `for`, with tracks.
  public static func buildArray(_ parts: [KeyframeTracks<Value>]) -> KeyframeTracks<Value> {
    KeyframeTracks { initialValue in parts.flatMap { $0.tracks(from: initialValue) } }
  }

  /// `if` without `else`.
  public static func buildOptional(_ part: KeyframeTracks<Value>?) -> KeyframeTracks<Value> {
    part ?? KeyframeTracks { _ in [] }
  }

  /// The first branch of an `if` or `switch`.
  public static func buildEither(first part: KeyframeTracks<Value>) -> KeyframeTracks<Value> {
    part
  }

  /// The other branch.
  public static func buildEither(second part: KeyframeTracks<Value>) -> KeyframeTracks<Value> {
    part
  }

  /// The tracks, unchanged.
  public static func buildFinalResult(_ tracks: KeyframeTracks<Value>) -> KeyframeTracks<Value> {
    tracks
  }
}

/// Keyframes without a track animate the whole value.
extension KeyframesBuilder where Value: Animatable & Sendable {
  /// One keyframe, or several as one.
  public static func buildExpression<K: KeyframeTrackContent>(
    _ expression: K
  ) -> KeyframeSequence<Value> where K.Value == Value {
    KeyframeTrackContentBuilder.buildExpression(expression)
  }

  /// Keyframes one after the other.
  public static func buildBlock(
    _ first: KeyframeSequence<Value>, _ others: KeyframeSequence<Value>...
  ) -> KeyframeSequence<Value> {
    buildArray([first] + others)
  }

  /// `for`, with keyframes.
  public static func buildArray(_ parts: [KeyframeSequence<Value>]) -> KeyframeSequence<Value> {
    KeyframeTrackContentBuilder.buildArray(parts)
  }

  /// `if` without `else`.
  public static func buildOptional(_ part: KeyframeSequence<Value>?) -> KeyframeSequence<Value> {
    KeyframeTrackContentBuilder.buildOptional(part)
  }

  /// The first branch of an `if` or `switch`.
  public static func buildEither(first part: KeyframeSequence<Value>) -> KeyframeSequence<Value> {
    part
  }

  /// The other branch.
  public static func buildEither(second part: KeyframeSequence<Value>) -> KeyframeSequence<Value> {
    part
  }

  /// One track of the keyframes.
  public static func buildFinalResult(
    _ sequence: KeyframeSequence<Value>
  ) -> KeyframeTrack<Value, Value, KeyframeSequence<Value>> {
    KeyframeTrack { sequence }
  }
}

/// Tracks side by side: the content of a timeline's braces.
public struct KeyframeTracks<Value>: Keyframes, KeyframeTrackSource {
  private let make: (Value) -> [any KeyframeTrackPlayer<Value>]

  init(_ make: @escaping (Value) -> [any KeyframeTrackPlayer<Value>]) {
    self.make = make
  }

  func tracks(from initialValue: Value) -> [any KeyframeTrackPlayer<Value>] {
    make(initialValue)
  }

  /// It has no body.
  public typealias Body = Never
}
