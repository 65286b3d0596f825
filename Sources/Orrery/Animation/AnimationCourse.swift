// SPDX-License-Identifier: Apache-2.0

/// The closed form of an animation of the unit interval, from progress 0 to 1.
///
/// Times are seconds since the change, velocities progress per second. Everything is computed
/// directly, whatever the number of legs that have passed.
package struct AnimationCourse: Sendable {
  /// What time goes through on its way to the motion, outermost first.
  let steps: [CourseStep]

  /// What moves.
  let shape: CourseShape

  /// When the animation is over, s; infinite if it never is.
  package let end: Double

  /// When the animation counts as complete, s, at most `end`; infinite if it never does.
  package let logicalEnd: Double

  /// Number of legs; nil if they are endless.
  package let legCount: Int?

  /// - Parameters:
  ///   - shape: What moves.
  ///   - modifiers: What changes its time, innermost first.
  init(_ shape: CourseShape, _ modifiers: [AnimationModifier]) {
    var steps: [CourseStep] = []
    var (end, logicalEnd) = (shape.end, shape.logicalEnd)
    var legCount: Int? = 1
    for modifier in modifiers {
      switch modifier {
      case .delay(let given):
        // Not below any number, so that what never ends does not end by being begun late.
        let delay = given.isNaN ? 0 : max(given, -Double.greatestFiniteMagnitude)
        steps.append(.delay(delay))
        end = max(0, end + delay)
        logicalEnd = max(0, logicalEnd + delay)
      case .speed(let given):
        let speed = given > 0 ? given : 0
        steps.append(.speed(speed))
        end = Self.time(end, atSpeed: speed)
        logicalEnd = Self.time(logicalEnd, atSpeed: speed)
      case .repeats(let count, let autoreverses):
        let count = count.map { max($0, 1) }
        if count == 1 || end == 0 || end == .infinity { continue }
        let legs = RepeatedLegs(
          count: count, length: end, autoreverses: autoreverses, passes: legCount)
        steps.append(.repeats(legs))
        logicalEnd = legs.start(of: legs.countAsDouble - 1) + logicalEnd
        end = legs.start(of: legs.countAsDouble)
        legCount = legs.passCount
      case .logicallyComplete(let seconds):
        if !seconds.isNaN { logicalEnd = max(0, seconds) }
      }
    }
    self.steps = steps.reversed()
    self.shape = shape
    self.end = end
    self.logicalEnd = min(logicalEnd, end)
    self.legCount = legCount
  }

  /// When something ends that would end at `time` at speed 1; what ends at once does at any speed.
  static func time(_ time: Double, atSpeed speed: Double) -> Double {
    if time == 0 { return 0 }
    let quotient = time / speed
    return quotient.isNaN ? .infinity : quotient
  }

  /// The moved share of the interval.
  ///
  /// - Parameter time: s since the change; before it, as at the change.
  /// - Returns: At `end` exactly the end value: 1, or what reversed legs end at. After it 1: the
  ///   animation is over.
  package func progress(at time: Double) -> Double {
    if time > end { return 1 }
    return progress(in: place(at: time))
  }

  func progress(in place: CoursePlace) -> Double {
    let share =
      place.time >= shape.end && !place.isHeld
      ? shape.finalProgress : shape.progress(at: place.time)
    return place.isReversed ? 1 - share : share
  }

  /// How fast the moved share changes, per second.
  ///
  /// - Parameter time: s since the change.
  /// - Returns: 0 before the change, during a delay, at `end` and after it; where the velocity
  ///   jumps, what follows counts.
  package func velocity(at time: Double) -> Double {
    guard time >= 0, time < end else { return 0 }
    let place = place(at: time)
    if place.isHeld { return 0 }
    let velocity = shape.velocity(at: place.time) * place.speed
    if velocity.isNaN { return 0 }
    return place.isReversed ? -velocity : velocity
  }
}
