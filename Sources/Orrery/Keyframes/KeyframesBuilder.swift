// SPDX-License-Identifier: Apache-2.0

/// Collects the tracks in braces side by side, or the keyframes of the whole value one after the other.
@resultBuilder public struct KeyframesBuilder<Value> {
  /// One track, or several as one.
  public static func buildExpression<Content: Keyframes>(_ expression: Content) -> Content
  where Content.Value == Value { expression }

  /// No track.
  public static func buildBlock() -> some Keyframes<Value> { KeyframeTracks<Value> { _ in [] } }

  /// The first track.
  public static func buildPartialBlock<Content: Keyframes>(first: Content) -> Content
  where Content.Value == Value { first }

  /// A track beside others.
  public static func buildPartialBlock(
    accumulated: some Keyframes<Value>, next: some Keyframes<Value>
  ) -> some Keyframes<Value> {
    KeyframeTracks { accumulated.resolved(from: $0) + next.resolved(from: $0) }
  }

  /// `for`, with tracks.
  public static func buildArray(_ components: [some Keyframes<Value>]) -> some Keyframes<Value> {
    KeyframeTracks { initialValue in components.flatMap { $0.resolved(from: initialValue) } }
  }

  /// `if` without `else`, with tracks; SwiftUI's has none.
  public static func buildOptional(
    _ component: (some Keyframes<Value>)?
  ) -> some Keyframes<Value> {
    KeyframeTracks { component?.resolved(from: $0) ?? [] }
  }

  /// The first branch of an `if` or `switch`, with tracks.
  public static func buildEither<First, Second>(
    first component: First
  ) -> Conditional<Value, First, Second>
  where First: Keyframes, Second: Keyframes, First.Value == Value, Second.Value == Value {
    Conditional(storage: .first(component))
  }

  /// The other branch, with tracks.
  public static func buildEither<First, Second>(
    second component: Second
  ) -> Conditional<Value, First, Second>
  where First: Keyframes, Second: Keyframes, First.Value == Value, Second.Value == Value {
    Conditional(storage: .second(component))
  }

  /// The tracks, unchanged.
  public static func buildFinalResult<Content: Keyframes>(_ component: Content) -> Content
  where Content.Value == Value { component }

  /// The tracks of one of two branches.
  public struct Conditional<ConditionalValue, First: Keyframes, Second: Keyframes>: Keyframes,
    KeyframeTrackSource
  where First.Value == ConditionalValue, Second.Value == ConditionalValue {
    /// The animated type.
    public typealias Value = ConditionalValue

    enum Storage {
      case first(First)
      case second(Second)
    }

    let storage: Storage

    func tracks(from initialValue: ConditionalValue) -> [any KeyframeTrackPlayer<ConditionalValue>]
    {
      switch storage {
      case .first(let tracks): tracks.resolved(from: initialValue)
      case .second(let tracks): tracks.resolved(from: initialValue)
      }
    }

    /// It has no body.
    public typealias Body = Never
  }
}

/// Keyframes without a track animate the whole value.
extension KeyframesBuilder where Value: Animatable {
  /// One keyframe, or several as one.
  public static func buildExpression<K: KeyframeTrackContent>(_ expression: K) -> K
  where K.Value == Value { expression }

  /// The first keyframe.
  public static func buildPartialBlock<K: KeyframeTrackContent>(first: K) -> K
  where K.Value == Value { first }

  /// A keyframe after others.
  public static func buildPartialBlock(
    accumulated: some KeyframeTrackContent<Value>, next: some KeyframeTrackContent<Value>
  ) -> some KeyframeTrackContent<Value> {
    KeyframeTrackContentBuilder.buildPartialBlock(accumulated: accumulated, next: next)
  }

  /// `for`, with keyframes.
  public static func buildArray(
    _ components: [some KeyframeTrackContent<Value>]
  ) -> some KeyframeTrackContent<Value> {
    KeyframeTrackContentBuilder.buildArray(components)
  }

  /// `if` without `else`, with keyframes; SwiftUI's has none.
  public static func buildOptional(
    _ component: (some KeyframeTrackContent<Value>)?
  ) -> some KeyframeTrackContent<Value> {
    KeyframeTrackContentBuilder.buildOptional(component)
  }

  /// The first branch of an `if` or `switch`, with keyframes.
  public static func buildEither<First, Second>(
    first component: First
  ) -> KeyframeTrackContentBuilder<Value>.Conditional<Value, First, Second>
  where
    First: KeyframeTrackContent, Second: KeyframeTrackContent, First.Value == Value,
    Second.Value == Value
  {
    KeyframeTrackContentBuilder.buildEither(first: component)
  }

  /// The other branch, with keyframes.
  public static func buildEither<First, Second>(
    second component: Second
  ) -> KeyframeTrackContentBuilder<Value>.Conditional<Value, First, Second>
  where
    First: KeyframeTrackContent, Second: KeyframeTrackContent, First.Value == Value,
    Second.Value == Value
  {
    KeyframeTrackContentBuilder.buildEither(second: component)
  }

  /// One track of the keyframes.
  public static func buildFinalResult<Content: KeyframeTrackContent>(
    _ component: Content
  ) -> KeyframeTrack<Value, Value, Content> where Content.Value == Value {
    KeyframeTrack { component }
  }
}

/// Tracks side by side.
struct KeyframeTracks<Value>: Keyframes, KeyframeTrackSource {
  private let make: (Value) -> [any KeyframeTrackPlayer<Value>]

  init(_ make: @escaping (Value) -> [any KeyframeTrackPlayer<Value>]) {
    self.make = make
  }

  func tracks(from initialValue: Value) -> [any KeyframeTrackPlayer<Value>] {
    make(initialValue)
  }

  typealias Body = Never
}
