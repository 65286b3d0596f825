// SPDX-License-Identifier: Apache-2.0

import Orrery

extension TweenSpec {
  /// A move by an animation; nil unless the animation is a curve that repeats for ever from the
  /// start.
  ///
  /// - Parameters:
  ///   - from: Value at the start of each cycle.
  ///   - to: Value at the animation's end.
  ///   - animation: Such as `.easeInOut(duration: 5).repeatForever()`; a delay inside the
  ///     repetition recurs.
  init?(from: Double, to: Double, animation: Animation) {
    guard let course = animation.course(), course.end == .infinity else { return nil }
    guard
      case .cycle(let curve, 0, let leg, let delay, let autoreverses) = course.segment(at: 0).shape,
      leg > 0, leg < .infinity, delay >= 0, delay < leg
    else { return nil }
    self.init(
      from: from, to: to, period: autoreverses ? 2 * leg : leg,
      cycle: TweenCycle(curve: curve, autoreverses: autoreverses, hold: delay / leg))
  }
}
