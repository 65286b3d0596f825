// SPDX-License-Identifier: Apache-2.0

/// Tracks that together animate one value.
///
/// A type of one's own puts together others in its `body`.
public protocol Keyframes<Value> {
  /// What is animated.
  associatedtype Value = Body.Value

  /// What `body` is made of.
  associatedtype Body: Keyframes

  /// The tracks that this is made of.
  @KeyframesBuilder<Value> var body: Body { get }
}

/// Keyframes one after the other, on one track.
///
/// A type of one's own puts together others in its `body`.
public protocol KeyframeTrackContent<Value> {
  /// What is animated.
  associatedtype Value: Animatable & Sendable = Body.Value

  /// What `body` is made of.
  associatedtype Body: KeyframeTrackContent

  /// The keyframes that this is made of.
  @KeyframeTrackContentBuilder<Value> var body: Body { get }
}

extension Never: Animatable {
  /// There is no value.
  public typealias AnimatableData = EmptyAnimatableData
}

extension Never: Keyframes, KeyframeTrackContent {
  /// There is no value.
  public typealias Value = Never

  /// There is none.
  public typealias Body = Never

  /// There is none.
  public var body: Never { return fatalError("there is no value") }
}

extension Keyframes where Body == Never {
  /// What the library's own tracks have instead of a body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension KeyframeTrackContent where Body == Never {
  /// What the library's own keyframes have instead of a body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

/// Keyframes of the library, which have no body.
protocol KeyframeSource<Value> {
  associatedtype Value: Animatable & Sendable

  /// The keyframes in their order.
  var keyframes: [Keyframe<Value>] { get }
}

/// Tracks of the library, which have no body.
protocol KeyframeTrackSource<Value> {
  associatedtype Value

  /// The tracks, from an initial value; of two tracks of one property the later one counts.
  func tracks(from initialValue: Value) -> [any KeyframeTrackPlayer<Value>]
}

extension KeyframeTrackContent {
  /// The keyframes that this comes to, through all bodies.
  func resolved<V: Animatable & Sendable>(_ type: V.Type) -> [Keyframe<V>] {
    if let source = self as? any KeyframeSource<V> { return source.keyframes }
    // A body of Never belongs to the library's own types, which are sources.
    if Body.self == Never.self { return [] }
    return body.resolved(type)
  }
}

extension Keyframes {
  /// The tracks that this comes to, through all bodies.
  func resolved<Root>(from initialValue: Root) -> [any KeyframeTrackPlayer<Root>] {
    if let source = self as? any KeyframeTrackSource<Root> {
      return source.tracks(from: initialValue)
    }
    if Body.self == Never.self { return [] }
    return body.resolved(from: initialValue)
  }
}
