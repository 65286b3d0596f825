// SPDX-License-Identifier: Apache-2.0

/// A jump to a value.
public struct MoveKeyframe<Value: Animatable>: KeyframeTrackContent, KeyframeSource {
  let keyframes: [Keyframe<Value>]

  /// Makes the keyframe.
  ///
  /// - Parameter to: The value from the end of the keyframe before on.
  public init(_ to: Value) {
    keyframes = [Keyframe(to, duration: 0, .move)]
  }

  /// It has no body.
  public typealias Body = Never
}
