// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that is reached on a straight line.
public struct LinearKeyframe<Value: Animatable & Sendable>: KeyframeTrackContent, KeyframeSource {
  let keyframes: [Keyframe<Value>]

  /// Makes the keyframe.
  ///
  /// - Parameters:
  ///   - to: The value at its end.
  ///   - duration: Seconds since the keyframe before; what is below 0 or not finite counts as 0.
  ///   - timingCurve: How progress follows time.
  public init(_ to: Value, duration: TimeInterval, timingCurve: UnitCurve = .linear) {
    keyframes = [Keyframe(to, duration: duration, .linear(timingCurve))]
  }

  /// There is none.
  public typealias Body = Never
}
