// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value as a function of time, by keyframes.
///
///     let timeline = KeyframeTimeline(initialValue: CGPoint.zero) {
///       KeyframeTrack(\.x) {
///         LinearKeyframe(8, duration: 0.4)
///         SpringKeyframe(2, spring: .bouncy)
///       }
///       KeyframeTrack(\.y) {
///         CubicKeyframe(20, duration: 0.8)
///       }
///     }
///
/// Names, arguments and defaults are SwiftUI's. A property without a track keeps its initial value;
/// a track that is over keeps its last one.
public struct KeyframeTimeline<Value> {
  private let initialValue: Value
  private let tracks: [any KeyframeTrackPlayer<Value>]

  /// Seconds of the longest track.
  public let duration: TimeInterval

  /// Makes a timeline.
  ///
  /// - Parameters:
  ///   - initialValue: The value at time 0, unless a track begins with a ``MoveKeyframe``.
  ///   - content: The tracks, or the keyframes of the whole value.
  public init<Content: Keyframes>(
    initialValue: Value, @KeyframesBuilder<Value> content: () -> Content
  ) where Content.Value == Value {
    self.initialValue = initialValue
    tracks = content().resolved(from: initialValue)
    duration = tracks.map(\.duration).max() ?? 0
  }

  /// The value at a time.
  ///
  /// - Parameter time: Seconds; clamped to 0...``duration``. NaN counts as 0.
  /// - Returns: The value; where a keyframe ends, exactly its own.
  public func value(time: Double) -> Value {
    var value = initialValue
    update(value: &value, time: time)
    return value
  }

  /// The value at a part of the whole.
  ///
  /// - Parameter progress: From 0 to 1; clamped.
  /// - Returns: The value.
  public func value(progress: Double) -> Value { value(time: progress * duration) }

  /// Sets what has a track to its value at a time, and leaves the rest.
  ///
  /// - Parameters:
  ///   - value: What is changed.
  ///   - time: Seconds; clamped to 0...``duration``.
  public func update(value: inout Value, time: Double) {
    for track in tracks { track.update(&value, time: time) }
  }

  /// Sets what has a track to its value at a part of the whole, and leaves the rest.
  ///
  /// - Parameters:
  ///   - value: What is changed.
  ///   - progress: From 0 to 1; clamped.
  public func update(value: inout Value, progress: Double) {
    update(value: &value, time: progress * duration)
  }
}

extension KeyframeTimeline: Sendable where Value: Sendable {}
