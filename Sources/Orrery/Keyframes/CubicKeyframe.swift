// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that is reached on a cubic curve, by Hermite's formula.
///
/// Velocities that are not given are chosen so that the motion has no corner:
///
/// - The start velocity is the end velocity of the keyframe before; at the start of a track, and
///   after a ``MoveKeyframe``, it is 0.
/// - The end velocity is the start velocity of the next keyframe, if that is cubic and has one.
///   Otherwise it is (next - previous)/(time between them), so that cubic keyframes in a row are a
///   Catmull-Rom spline. At the end of a track, and before a ``MoveKeyframe``, it is 0.
public struct CubicKeyframe<Value: Animatable>: KeyframeTrackContent, KeyframeSource {
  let keyframes: [Keyframe<Value>]

  /// Makes the keyframe.
  ///
  /// - Parameters:
  ///   - to: The value at its end.
  ///   - duration: Seconds since the keyframe before; negative or not finite counts as 0.
  ///   - startVelocity: Per second; nil: chosen for a motion without corner.
  ///   - endVelocity: Per second; nil: chosen for a motion without corner.
  public init(
    _ to: Value, duration: TimeInterval, startVelocity: Value? = nil, endVelocity: Value? = nil
  ) {
    keyframes = [
      Keyframe(to, duration: duration, .cubic(start: startVelocity, end: endVelocity))
    ]
  }

  /// It has no body.
  public typealias Body = Never
}
