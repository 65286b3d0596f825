// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// A change of a property that moves it as a segment of keyframes does, or a part of one.
struct KeyframeMove {
  /// Seconds from the start of the segment.
  let offset: Double
  let from: Double
  let to: Double
  let animation: Animation
}

extension KeyframeSegment {
  /// The changes that move as it does, in the order of their times, none if it stands still; nil if no animation does.
  var moves: [KeyframeMove]? {
    switch kind {
    case .linear(let curve):
      return [
        KeyframeMove(
          offset: 0, from: from, to: to, animation: .timingCurve(curve, duration: duration))
      ]
    case .spring(let spring):
      let way = to - from
      if way == 0, startVelocity == 0 { return [] }
      let velocity = startVelocity / way
      guard velocity.isFinite, spring.response > 0 else { return nil }
      // An interpolating spring is at most critically damped; other springs begin at rest.
      let isOverdamped = spring.dampingRatio > 1
      if isOverdamped, velocity != 0 { return nil }
      return [
        KeyframeMove(
          offset: 0, from: from, to: to,
          animation: isOverdamped
            ? .spring(spring) : .interpolatingSpring(spring, initialVelocity: velocity))
      ]
    case .cubic:
      var (from, offset) = (from, 0.0)
      let parts = CubicSegment(
        from: from, to: to, duration: duration, startVelocity: startVelocity,
        endVelocity: endVelocity
      ).movingSegments
      return parts.map { part in
        defer { (from, offset) = (part.to, offset + part.duration) }
        return KeyframeMove(offset: offset, from: from, to: part.to, animation: part.animation)
      }
    }
  }

  /// The change of its value, per second, so many seconds after its start.
  func velocity(at elapsed: Double) -> Double {
    switch kind {
    case .linear(let curve):
      return (to - from) / duration * curve.velocity(at: elapsed / duration)
    case .spring(let spring):
      return spring.velocity(
        fromValue: from, toValue: to, initialVelocity: startVelocity, time: elapsed)
    case .cubic:
      // The derivative of the formula at `KeyframeCurve.Segment`.
      let s = elapsed / duration
      return 6 * s * (1 - s) * (to - from) / duration
        + (1 - s) * (1 - 3 * s) * startVelocity + s * (3 * s - 2) * endVelocity
    }
  }
}
