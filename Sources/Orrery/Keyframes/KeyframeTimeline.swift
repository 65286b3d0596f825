// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value as a function of time, given by keyframes.
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
  /// - Returns: The value; exactly the keyframe's value where a keyframe ends.
  public func value(time: Double) -> Value {
    var value = initialValue
    update(value: &value, time: time)
    return value
  }

  /// The value at a share of the duration.
  ///
  /// - Parameter progress: From 0 to 1; clamped.
  /// - Returns: The value.
  public func value(progress: Double) -> Value { value(time: progress * duration) }

  /// Sets properties with a track to their values at a time; other properties do not change.
  ///
  /// - Parameters:
  ///   - value: The value to change.
  ///   - time: Seconds; clamped to 0...``duration``.
  public func update(value: inout Value, time: Double) {
    for track in tracks { track.update(&value, time: time) }
  }

  /// Sets properties with a track to their values at a share of the duration; other properties do
  /// not change.
  ///
  /// - Parameters:
  ///   - value: The value to change.
  ///   - progress: From 0 to 1; clamped.
  public func update(value: inout Value, progress: Double) {
    update(value: &value, time: progress * duration)
  }
}

/// Neither values nor key paths of keyframes need to be `Sendable`. A timeline may move from thread to thread
/// as part of a `Sendable` value; other code must then not change the objects that its keyframes refer to.
extension KeyframeTimeline: @unchecked Sendable where Value: Sendable {}
