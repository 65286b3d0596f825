// SPDX-License-Identifier: Apache-2.0

/// A value that is jumped to.
public struct MoveKeyframe<Value: Animatable & Sendable>: KeyframeTrackContent, KeyframeSource {
  let keyframes: [Keyframe<Value>]

  /// Makes the keyframe.
  ///
  /// - Parameter to: The value from the keyframe before on.
  public init(_ to: Value) {
    keyframes = [Keyframe(to, duration: 0, .move)]
  }

  /// There is none.
  public typealias Body = Never
}
