// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that is reached by linear interpolation.
public struct LinearKeyframe<Value: Animatable>: KeyframeTrackContent, KeyframeSource {
  let keyframes: [Keyframe<Value>]

  /// Makes the keyframe.
  ///
  /// - Parameters:
  ///   - to: The value at its end.
  ///   - duration: Seconds since the keyframe before; negative or not finite counts as 0.
  ///   - timingCurve: Progress as a function of time.
  public init(_ to: Value, duration: TimeInterval, timingCurve: UnitCurve = .linear) {
    keyframes = [Keyframe(to, duration: duration, .linear(timingCurve))]
  }

  /// It has no body.
  public typealias Body = Never
}
