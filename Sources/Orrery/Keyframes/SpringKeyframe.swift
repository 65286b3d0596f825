// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that is reached by a spring.
///
/// At the keyframe's end the value is reached exactly: a spring that has not settled by then jumps
/// the remaining distance.
public struct SpringKeyframe<Value: Animatable>: KeyframeTrackContent, KeyframeSource {
  let keyframes: [Keyframe<Value>]

  /// Makes the keyframe.
  ///
  /// - Parameters:
  ///   - to: The value at its end.
  ///   - duration: Seconds since the keyframe before; nil: the spring's `settlingBound`, or its
  ///     response if it never settles.
  ///   - spring: The spring.
  ///   - startVelocity: Per second; nil: the end velocity of the keyframe before, or 0 at the start
  ///     of a track and after a ``MoveKeyframe``.
  public init(
    _ to: Value, duration: TimeInterval? = nil, spring: Spring = Spring(),
    startVelocity: Value? = nil
  ) {
    let settling = spring.settlingBound
    let own = settling.isFinite ? settling : spring.response
    keyframes = [Keyframe(to, duration: duration ?? own, .spring(spring, start: startVelocity))]
  }

  /// It has no body.
  public typealias Body = Never
}
