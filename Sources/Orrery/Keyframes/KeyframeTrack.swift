// SPDX-License-Identifier: Apache-2.0

/// Keyframes of one property, or of the whole value.
public struct KeyframeTrack<Root, Property: Animatable, Content: KeyframeTrackContent>:
  Keyframes, KeyframeTrackSource
where Content.Value == Property {
  /// The type that a timeline of this track animates.
  public typealias Value = Root

  /// It has no body.
  public typealias Body = Never

  private let keyPath: WritableKeyPath<Root, Property>
  private let keyframes: [Keyframe<Property>]

  /// Makes a track of the whole value.
  ///
  /// - Parameter content: The keyframes.
  public init(@KeyframeTrackContentBuilder<Root> content: () -> Content) where Root == Property {
    keyPath = \Root.self
    keyframes = content().resolved(Property.self)
  }

  /// Makes a track of one property.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - content: The keyframes.
  public init(
    _ keyPath: WritableKeyPath<Root, Property>,
    @KeyframeTrackContentBuilder<Property> content: () -> Content
  ) {
    self.keyPath = keyPath
    keyframes = content().resolved(Property.self)
  }

  func tracks(from initialValue: Root) -> [any KeyframeTrackPlayer<Root>] {
    let curve = KeyframeCurve(from: initialValue[keyPath: keyPath], keyframes)
    return [PropertyPlayer(keyPath: keyPath, curve: curve)]
  }
}

/// One track of a timeline.
protocol KeyframeTrackPlayer<Root> {
  associatedtype Root

  /// Seconds.
  var duration: Double { get }

  /// Sets the track's property to its value at a time.
  func update(_ value: inout Root, time: Double)
}

private struct PropertyPlayer<Root, Property: Animatable>: KeyframeTrackPlayer {
  let keyPath: WritableKeyPath<Root, Property>
  let curve: KeyframeCurve<Property>

  var duration: Double { curve.duration }

  func update(_ value: inout Root, time: Double) {
    value[keyPath: keyPath] = curve.value(time: time)
  }
}
