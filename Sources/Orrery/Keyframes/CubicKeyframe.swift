// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that is reached on a cubic curve, by Hermite's formula.
///
/// Velocities that are not given are chosen so that the motion has no corner:
///
/// - At the start that of the keyframe before at its end; at the start of a track, and after a
///   ``MoveKeyframe``, 0.
/// - At the end, if the keyframe after is cubic and has a start velocity, that one. Otherwise
///   (next - previous)/(time between them), so that cubic keyframes in a row are a Catmull-Rom
///   spline. At the end of a track, and before a ``MoveKeyframe``, 0.
public struct CubicKeyframe<Value: Animatable & Sendable>: KeyframeTrackContent, KeyframeSource {
  let keyframes: [Keyframe<Value>]

  /// Makes the keyframe.
  ///
  /// - Parameters:
  ///   - to: The value at its end.
  ///   - duration: Seconds since the keyframe before; what is below 0 or not finite counts as 0.
  ///   - startVelocity: Per second; nil for a motion without corner.
  ///   - endVelocity: Per second; nil for a motion without corner.
  public init(
    _ to: Value, duration: TimeInterval, startVelocity: Value? = nil, endVelocity: Value? = nil
  ) {
    keyframes = [
      Keyframe(to, duration: duration, .cubic(start: startVelocity, end: endVelocity))
    ]
  }

  /// There is none.
  public typealias Body = Never
}
