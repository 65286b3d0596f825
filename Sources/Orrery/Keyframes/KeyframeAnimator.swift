// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Animates a view by keyframes: SwiftUI's view as a headless player.
///
///     let fall = KeyframeAnimator(initialValue: 0.0) { y in
///       EmptyView().offset(y: y)
///     } keyframes: { _ in
///       CubicKeyframe(40, duration: 0.5)
///     }
///     fall.values(at: 0.25, size: size).matrix.ty        // 20
///
/// Without a trigger it plays from time 0, by default for ever. With one, each new value of it plays
/// the keyframes from the initial value: ``trigger(_:at:)``. In the body of a view a ``ViewPlayer``
/// plays them when the view's next state has another trigger.
///
/// Times are seconds since the animator appeared.
public struct KeyframeAnimator<Value, KeyframePath: Keyframes, Content: View>: View
where KeyframePath.Value == Value {
  private let initialValue: Value
  private let isRepeating: Bool
  private let makeContent: (Value) -> Content
  private let makeKeyframes: (Value) -> KeyframePath
  private var triggerValue: AnyEquatable?

  /// Whether a program has triggered it itself.
  private(set) var isTriggered = false

  /// The round that plays, from a time in seconds; nil before the first trigger.
  private var round: (timeline: KeyframeTimeline<Value>, start: Double)?

  /// Plays keyframes from time 0.
  ///
  /// - Parameters:
  ///   - initialValue: Start value of every round.
  ///   - repeating: Whether it repeats for ever.
  ///   - content: The view at a value.
  ///   - keyframes: The tracks, or the keyframes of the whole value; gets the current value.
  public init(
    initialValue: Value, repeating: Bool = true,
    @ViewBuilder content: @escaping (Value) -> Content,
    @KeyframesBuilder<Value> keyframes: @escaping (Value) -> KeyframePath
  ) {
    self.initialValue = initialValue
    isRepeating = repeating
    makeContent = content
    makeKeyframes = keyframes
    round = (Self.timeline(initialValue, keyframes(initialValue)), 0)
  }

  /// Plays keyframes each time a value changes.
  ///
  /// - Parameters:
  ///   - initialValue: Start value of every round.
  ///   - trigger: Compared with its value in the view's state before, and with the values that
  ///     ``trigger(_:at:)`` is given.
  ///   - content: The view at a value.
  ///   - keyframes: The tracks, or the keyframes of the whole value; gets the current value.
  public init(
    initialValue: Value, trigger: some Equatable,
    @ViewBuilder content: @escaping (Value) -> Content,
    @KeyframesBuilder<Value> keyframes: @escaping (Value) -> KeyframePath
  ) {
    self.initialValue = initialValue
    isRepeating = false
    makeContent = content
    makeKeyframes = keyframes
    triggerValue = AnyEquatable(trigger)
  }

  /// It has no body.
  public typealias Body = Never

  private static func timeline(
    _ initialValue: Value, _ keyframes: KeyframePath
  ) -> KeyframeTimeline<Value> {
    KeyframeTimeline(initialValue: initialValue) { keyframes }
  }

  /// Plays the keyframes if the value differs from the last one.
  ///
  /// Without a trigger it does nothing.
  ///
  /// - Parameters:
  ///   - value: The trigger's value.
  ///   - time: Seconds.
  public mutating func trigger(_ value: some Equatable, at time: Double) {
    guard let triggerValue, triggerValue != AnyEquatable(value) else { return }
    self.triggerValue = AnyEquatable(value)
    isTriggered = true
    begin(at: time)
  }

  private mutating func begin(at time: Double) {
    round = (Self.timeline(initialValue, makeKeyframes(value(at: time))), time)
  }

  /// The value at a time.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: Before a trigger the initial value; at the end and after it the last one.
  public func value(at time: Double) -> Value {
    guard let round, time >= round.start else { return initialValue }
    let (elapsed, duration) = (time - round.start, round.timeline.duration)
    guard isRepeating, duration > 0, elapsed.isFinite else {
      return round.timeline.value(time: elapsed)
    }
    return round.timeline.value(time: elapsed.truncatingRemainder(dividingBy: duration))
  }

  /// The view at a time.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: The view at the value of that time.
  public func content(at time: Double) -> Content { makeContent(value(at: time)) }

  /// The values with which the view is drawn.
  ///
  /// - Parameters:
  ///   - time: Seconds.
  ///   - size: Size of the view, in points.
  /// - Returns: The values of all its modifiers together.
  public func values(at time: Double, size: CGSize) -> TransitionValues {
    drawnValues(size: size, at: time)
  }
}

extension KeyframeAnimator: PlayedAnimator {
  static var name: String { "a keyframe animator" }

  var hasTrigger: Bool { triggerValue != nil }

  mutating func adopt(_ environment: EnvironmentValues) {}

  mutating func `continue`(_ old: Self, at time: Double) {
    // Without a trigger the new keyframes go on in the time of the old ones.
    if hasTrigger { round = old.round }
  }

  mutating func play(after old: Self, at time: Double) {
    if triggerValue != old.triggerValue { begin(at: time) }
  }

  func described(at time: Double, _ moment: ViewMoment) -> ViewDescription {
    content(at: time).description(moment)
  }
}

@available(*, unavailable)
extension KeyframeAnimator: Sendable {}

extension View {
  /// Animates the view by keyframes from time 0.
  ///
  /// - Parameters:
  ///   - initialValue: Start value of every round.
  ///   - repeating: Whether it repeats for ever.
  ///   - content: The view with the modifiers of a value.
  ///   - keyframes: The tracks, or the keyframes of the whole value; gets the current value.
  /// - Returns: The animator.
  public func keyframeAnimator<Value, KeyframePath: Keyframes, Modified: View>(
    initialValue: Value, repeating: Bool = true,
    @ViewBuilder content: @escaping (PlaceholderContentView<Self>, Value) -> Modified,
    @KeyframesBuilder<Value> keyframes: @escaping (Value) -> KeyframePath
  ) -> KeyframeAnimator<Value, KeyframePath, PlacedContent<Self, Modified>>
  where KeyframePath.Value == Value {
    KeyframeAnimator(
      initialValue: initialValue, repeating: repeating,
      content: { PlacedContent(self, in: content(PlaceholderContentView(), $0)) },
      keyframes: keyframes)
  }

  /// Animates the view by keyframes each time a value changes.
  ///
  /// - Parameters:
  ///   - initialValue: Start value of every round.
  ///   - trigger: Compared with its value in the view's state before, and with the values that
  ///     ``KeyframeAnimator/trigger(_:at:)`` is given.
  ///   - content: The view with the modifiers of a value.
  ///   - keyframes: The tracks, or the keyframes of the whole value; gets the current value.
  /// - Returns: The animator.
  public func keyframeAnimator<Value, KeyframePath: Keyframes, Modified: View>(
    initialValue: Value, trigger: some Equatable,
    @ViewBuilder content: @escaping (PlaceholderContentView<Self>, Value) -> Modified,
    @KeyframesBuilder<Value> keyframes: @escaping (Value) -> KeyframePath
  ) -> KeyframeAnimator<Value, KeyframePath, PlacedContent<Self, Modified>>
  where KeyframePath.Value == Value {
    KeyframeAnimator(
      initialValue: initialValue, trigger: trigger,
      content: { PlacedContent(self, in: content(PlaceholderContentView(), $0)) },
      keyframes: keyframes)
  }
}
