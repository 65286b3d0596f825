// SPDX-License-Identifier: Apache-2.0

/// An animation as other tools describe one: a delay, then legs of equal length.
///
///     |-- delay --|-- leg 0 --|-- leg 1 --| …
///
/// What other tools have no words for, such as a delay inside a repetition, is part of the leg.
package struct AnimationLegs: Sendable {
  /// What moves in a leg.
  package enum Shape: Sendable {
    /// A curve in this many seconds.
    case curve(UnitCurve, duration: Double)
    /// A spring from 0 to 1, its initial velocity in intervals per second.
    case spring(Spring, initialVelocity: Double)
    /// Anything else: its course has the values.
    case course
  }

  /// Seconds before the first leg; below 0 the motion begins that far into it.
  package let delay: Double

  /// One leg, forward.
  package let course: AnimationCourse

  /// What moves in it.
  package let shape: Shape

  /// Number of legs, at least 1; nil if endless.
  package let count: Int?

  /// Whether every second leg leads back, as 1 minus the leg.
  package let autoreverses: Bool
}

extension Animation {
  /// The delay and the legs; nil for a custom animation, which has no closed form.
  package var legs: AnimationLegs? {
    var (delay, speed) = (0.0, 1.0)
    var (count, autoreverses): (Int?, Bool) = (1, false)
    var inner = modifiers[...]
    outside: while let modifier = inner.last {
      switch modifier {
      case .logicallyComplete: break
      case .speed(let factor):
        guard factor > 0, factor < .infinity else { break outside }
        speed *= factor
      case .delay(let seconds):
        // A delay after one of the other sign is cut off at 0, and one inside legs is repeated.
        let isAlone = delay == 0 || (delay < 0) == (seconds < 0)
        guard seconds.isFinite, isAlone, count == 1 else { break outside }
        delay += seconds / speed
      case .repeats(let given, let reverses):
        let isOnce = given.map { $0 <= 1 } ?? false
        if !isOnce, !isEndless(inner.dropLast()) {
          guard count == 1 else { break outside }
          (count, autoreverses) = (given, reverses)
        }
      }
      inner.removeLast()
    }
    let own = inner.filter(\.changesMotion)
    let leg = Animation(source, modifiers: Array(own) + (speed == 1 ? [] : [.speed(speed)]))
    guard let course = leg.course() else { return nil }
    return AnimationLegs(
      delay: delay, course: course, shape: own.isEmpty ? course.shape(atSpeed: speed) : .course,
      count: course.end == 0 ? 1 : count, autoreverses: autoreverses)
  }

  /// Whether the motion inside these modifiers never ends, so that nothing repeats it.
  private func isEndless(_ modifiers: ArraySlice<AnimationModifier>) -> Bool {
    Animation(source, modifiers: Array(modifiers)).course()?.end == .infinity
  }
}

extension AnimationCourse {
  /// The motion without modifiers, so much faster.
  fileprivate func shape(atSpeed speed: Double) -> AnimationLegs.Shape {
    switch shape {
    case .curve(let curve, let duration): .curve(curve, duration: duration / speed)
    case .spring(let spring, let velocity, _, _):
      .spring(
        speed == 1
          ? spring
          : Spring(response: spring.response / speed, dampingRatio: spring.dampingRatio),
        initialVelocity: velocity * speed)
    }
  }
}
