// SPDX-License-Identifier: Apache-2.0

/// Plays keyframes when it is triggered: a keyframe animator without views.
///
/// Each time it starts from its own initial value, whatever the current value: keyframes do not
/// retarget, unlike animations.
public struct KeyframePlayer<Value> {
  /// The keyframes that it plays.
  public let timeline: KeyframeTimeline<Value>

  /// Whether it repeats for ever.
  public let isRepeating: Bool

  /// Time of the last trigger, in seconds; nil if there was none.
  public private(set) var start: Double?

  /// Makes a player that shows the initial value.
  ///
  /// - Parameters:
  ///   - initialValue: Start value of every round.
  ///   - isRepeating: Whether it repeats for ever.
  ///   - keyframes: The tracks, or the keyframes of the whole value.
  public init<Content: Keyframes>(
    initialValue: Value, isRepeating: Bool = false,
    @KeyframesBuilder<Value> keyframes: () -> Content
  ) where Content.Value == Value {
    self.initialValue = initialValue
    self.isRepeating = isRepeating
    timeline = KeyframeTimeline(initialValue: initialValue, content: keyframes)
  }

  private let initialValue: Value

  /// Plays from the start.
  ///
  /// - Parameter time: Seconds.
  public mutating func trigger(at time: Double) { start = time }

  /// When it is over, in seconds: nil before the first trigger, infinity if it repeats.
  public var end: Double? {
    start.map { isRepeating ? .infinity : $0 + timeline.duration }
  }

  /// The value at a time.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: Before the trigger the initial value, at the end and after it the last one.
  public func value(at time: Double) -> Value {
    guard let start, time >= start else { return initialValue }
    let elapsed = time - start
    guard isRepeating, timeline.duration > 0, elapsed.isFinite else {
      return timeline.value(time: elapsed)
    }
    return timeline.value(time: elapsed.truncatingRemainder(dividingBy: timeline.duration))
  }
}

extension KeyframePlayer: Sendable where Value: Sendable {}
