// SPDX-License-Identifier: Apache-2.0

/// The closed form of an animation of the unit interval, from progress 0 to 1.
///
/// Times are seconds since the change, velocities are progress per second. Every value is computed
/// directly, whatever the number of legs that have passed.
package struct AnimationCourse: Sendable {
  /// Conversions from real time to the motion's time, outermost first.
  let steps: [CourseStep]

  /// The motion without modifiers.
  let shape: CourseShape

  /// When the animation is over, s; infinite if it never ends.
  package let end: Double

  /// When the animation is logically complete, s, at most `end`; infinite if it never is.
  package let logicalEnd: Double

  /// Number of legs; nil if they are endless.
  package let legCount: Int?

  /// Whether it is that of a spring.
  package var isSpring: Bool {
    if case .spring = shape { true } else { false }
  }

  /// Whether it is a curve that ends, once and for all, at the new value.
  ///
  /// Changes after it do not end it, and it ends none before it: it only adds up with them.
  package var isPlainCurve: Bool {
    guard case .curve = shape, !jumpsAtEnd, end > 0, end < .infinity else { return false }
    return progress(at: end, length: 0) == 1
  }

  /// Whether it takes no time once its delays are over: its last leg ends where its motion begins.
  let jumpsAtEnd: Bool

  /// - Parameters:
  ///   - shape: The motion without modifiers.
  ///   - modifiers: Its modifiers, innermost first.
  init(_ shape: CourseShape, _ modifiers: [AnimationModifier]) {
    var steps: [CourseStep] = []
    var (end, logicalEnd) = (shape.end, shape.logicalEnd)
    // When the motion itself begins, after its delays, in the last leg.
    var begin = 0.0
    var legCount: Int? = 1
    for modifier in modifiers {
      switch modifier {
      case .delay(let given):
        // Finite, so that an infinite negative delay does not end an endless animation.
        let delay = given.isNaN ? 0 : max(given, -Double.greatestFiniteMagnitude)
        steps.append(.delay(delay))
        begin = max(0, begin + delay)
        end = max(0, end + delay)
        logicalEnd = max(0, logicalEnd + delay)
      case .speed(let given):
        let speed = given > 0 ? given : 0
        steps.append(.speed(speed))
        begin = Self.time(begin, atSpeed: speed)
        end = Self.time(end, atSpeed: speed)
        logicalEnd = Self.time(logicalEnd, atSpeed: speed)
      case .repeats(let count, let autoreverses):
        let count = count.map { max($0, 1) }
        if count == 1 || end == 0 || end == .infinity { continue }
        let legs = RepeatedLegs(
          count: count, length: end, autoreverses: autoreverses, innerLegCount: legCount)
        steps.append(.repeats(legs))
        begin = legs.start(of: legs.countAsDouble - 1) + begin
        logicalEnd = legs.start(of: legs.countAsDouble - 1) + logicalEnd
        end = legs.start(of: legs.countAsDouble)
        legCount = legs.totalLegCount
      case .logicallyComplete(let seconds):
        if !seconds.isNaN { logicalEnd = max(0, seconds) }
      }
    }
    if end < Self.durationMin { end = 0 }
    self.steps = steps.reversed()
    self.shape = shape
    jumpsAtEnd = end > 0 && end < .infinity && begin >= end
    self.end = end
    self.logicalEnd = min(logicalEnd, end)
    self.legCount = legCount
  }

  /// A shorter animation takes no time, whenever it begins, s: a picosecond, far below any frame.
  private static var durationMin: Double { 1e-12 }

  /// End of a motion that ends at `time` at speed 1; an end of 0 stays 0 at any speed.
  static func time(_ time: Double, atSpeed speed: Double) -> Double {
    if time == 0 { return 0 }
    let quotient = time / speed
    return quotient.isNaN ? .infinity : quotient
  }

  /// The moved share of the interval.
  ///
  /// - Parameters:
  ///   - time: Seconds since the change; before it, as at the change.
  ///   - length: Length of the interval, in points.
  /// - Returns: At `end` exactly the end value of the last leg, and after it 1: the animation is over. A
  ///   spring goes on until it is at rest; see `rest(length:)`.
  package func progress(at time: Double, length: Double = 1) -> Double {
    if time < end { return progress(in: state(at: time)) }
    if time < rest(length: length), let late = lateTime(time) { return shape.progress(at: late) }
    return time > end ? 1 : progress(in: state(at: time))
  }

  func progress(in state: CourseState) -> Double {
    // While a delay runs nothing has moved, also where the curve does not begin at 0.
    let share =
      state.isHeld
      ? 0 : state.time >= shape.end ? shape.finalProgress : shape.progress(at: state.time)
    return state.isReversed ? 1 - share : share
  }

  /// How fast the moved share changes, per second.
  ///
  /// - Parameters:
  ///   - time: Seconds since the change.
  ///   - length: Length of the interval, in points.
  /// - Returns: 0 before the change, during a delay, and once it is at rest; where the velocity jumps, the
  ///   new one.
  package func velocity(at time: Double, length: Double = 1) -> Double {
    guard time >= 0 else { return 0 }
    if time >= end {
      guard time < rest(length: length), let late = lateTime(time) else { return 0 }
      let velocity = shape.velocity(at: late) * state(at: end).speed
      return velocity.isNaN ? 0 : velocity
    }
    let state = state(at: time)
    if state.isHeld { return 0 }
    let velocity = shape.velocity(at: state.time) * state.speed
    if velocity.isNaN { return 0 }
    return state.isReversed ? -velocity : velocity
  }
}

// MARK: - Before the end

extension AnimationCourse {
  /// The moved share before the end, however a caller's times are rounded.
  ///
  /// - Parameter elapsed: Seconds since the change.
  /// - Returns: Never that of the end.
  func progressBeforeEnd(_ elapsed: Double) -> Double { progress(at: min(elapsed, end.nextDown)) }

  /// How fast that share changes, per second.
  ///
  /// - Parameters:
  ///   - elapsed: Seconds since the change.
  ///   - length: Length of the interval, in points.
  /// - Returns: Never that of the end.
  func velocityBeforeEnd(_ elapsed: Double, length: Double) -> Double {
    velocity(at: min(max(0, elapsed), end.nextDown), length: length)
  }
}

// MARK: - After the end

extension AnimationCourse {
  /// Whether the value still moves at `end`: a spring on its way to the new value.
  ///
  /// A last leg that leads back to the old value ends there, and the new value shows at once.
  package var movesAtEnd: Bool { lateTime(end) != nil }

  /// When the remaining motion can no longer be seen: `end`, or later for a spring.
  ///
  /// - Parameter length: Length of the interval, in points.
  /// - Returns: Seconds since the change; at least `end`.
  package func rest(length: Double) -> Double {
    guard case .spring(let spring, let velocity, let shapeEnd, _) = shape, length > 0,
      length < .infinity, movesAtEnd
    else { return end }
    let rest = spring.restDuration(
      distance: 1, drift: abs(spring.slowRate - velocity), epsilon: SpringRest.share(of: length))
    let late = end + (rest - shapeEnd) / state(at: end).speed
    return late > end && late < .infinity ? late : end
  }

  /// The time of the motion without modifiers at or after `end`; nil if it does not move then.
  private func lateTime(_ time: Double) -> Double? {
    guard case .spring(_, _, let shapeEnd, _) = shape, end > 0, end < .infinity else { return nil }
    let last = state(at: end)
    guard !last.isReversed, last.speed > 0, last.speed < .infinity else { return nil }
    return shapeEnd + (time - end) * last.speed
  }
}
