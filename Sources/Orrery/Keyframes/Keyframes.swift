// SPDX-License-Identifier: Apache-2.0

/// Tracks that together animate one value.
///
/// A custom type combines other ones in its `body`.
public protocol Keyframes<Value> {
  /// The animated type.
  associatedtype Value = Body.Value

  /// Type of `body`.
  associatedtype Body: Keyframes

  /// The tracks of this type.
  @KeyframesBuilder<Value> var body: Body { get }
}

/// Keyframes one after the other, on one track.
///
/// A custom type combines other ones in its `body`.
public protocol KeyframeTrackContent<Value> {
  /// The animated type.
  associatedtype Value: Animatable = Body.Value

  /// Type of `body`.
  associatedtype Body: KeyframeTrackContent

  /// The keyframes of this type.
  @KeyframeTrackContentBuilder<Value> var body: Body { get }
}

extension Never: Animatable {
  /// There is no value.
  public typealias AnimatableData = EmptyAnimatableData
}

extension Never: Keyframes, KeyframeTrackContent {
  /// There is no value.
  public typealias Value = Never

  /// It has no body.
  public typealias Body = Never

  /// It has no body.
  public var body: Never { return fatalError("there is no value") }
}

extension Keyframes where Body == Never {
  /// The library's own tracks have no body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension KeyframeTrackContent where Body == Never {
  /// The library's own keyframes have no body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

/// The library's own keyframes, which have no body.
protocol KeyframeSource<Value> {
  associatedtype Value: Animatable

  /// The keyframes in their order.
  var keyframes: [Keyframe<Value>] { get }
}

/// The library's own tracks, which have no body.
protocol KeyframeTrackSource<Value> {
  associatedtype Value

  /// The tracks, from an initial value; of two tracks of one property the later one counts.
  func tracks(from initialValue: Value) -> [any KeyframeTrackPlayer<Value>]
}

extension KeyframeTrackContent {
  /// The keyframes of this content, found through all bodies.
  func resolved<V: Animatable>(_ type: V.Type) -> [Keyframe<V>] {
    if let source = self as? any KeyframeSource<V> { return source.keyframes }
    // Only the library's own types, which are sources, have a body of Never.
    if Body.self == Never.self { return [] }
    return body.resolved(type)
  }
}

extension Keyframes {
  /// The tracks of this content, found through all bodies.
  func resolved<Root>(from initialValue: Root) -> [any KeyframeTrackPlayer<Root>] {
    if let source = self as? any KeyframeTrackSource<Root> {
      return source.tracks(from: initialValue)
    }
    if Body.self == Never.self { return [] }
    return body.resolved(from: initialValue)
  }
}
