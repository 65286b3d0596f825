// SPDX-License-Identifier: Apache-2.0

/// One keyframe of any kind, for its track.
struct Keyframe<Value: Animatable> {
  /// The value that is reached at its end.
  let value: Value

  /// Seconds; finite and 0 or more.
  let duration: Double

  let shape: Shape

  /// How the value is reached.
  enum Shape {
    case move
    case linear(UnitCurve)
    /// Velocities per second; nil if not given.
    case cubic(start: Value?, end: Value?)
    case spring(Spring, start: Value?)
  }

  /// A keyframe; a duration that is negative, infinite or not a number counts as 0.
  init(_ value: Value, duration: Double, _ shape: Shape) {
    self.value = value
    self.duration = duration > 0 && duration < .infinity ? duration : 0
    self.shape = shape
  }

  /// Whether the value jumps.
  var isJump: Bool {
    if case .move = shape { return true }
    return duration == 0
  }
}
