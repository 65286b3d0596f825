// SPDX-License-Identifier: Apache-2.0

/// The state of a course at a time.
struct CourseState: Sendable {
  /// Seconds since the current leg of the innermost motion began.
  var time: Double

  /// How much `time` may fall short of the time that is meant, as legs and speeds round it.
  var rounding = 0.0

  /// Speed of that time relative to real time.
  var speed = 1.0

  /// Whether the leg runs backwards.
  var isReversed = false

  /// Whether a delay is still running.
  var isHeld = false

  /// Seconds until the delays have passed.
  var wait = 0.0

  /// Index of the innermost motion's leg, counted over all repetitions; at most `Int.max`.
  var leg = 0

  /// Four units of the last digit: two for the rounded time and the rounded start of its leg, and two for the
  /// rounded length of a leg, which is multiplied by the number of passed legs.
  static func rounding(of time: Double) -> Double { time.isFinite ? 4 * time.ulp : 0 }
}

extension AnimationCourse {
  /// - Parameter time: Seconds since the change; before it, as at the change.
  /// - Returns: The state of the innermost motion.
  func state(at time: Double) -> CourseState {
    var state = CourseState(time: time > 0 ? time : 0)
    // At the end, rounding errors of the steps must not leave the last leg unfinished.
    let isOver = time >= end
    if isOver { state.time = .infinity }
    enter(steps[...], &state, isOver: isOver)
    if isOver { state.time = shape.end }
    return state
  }

  /// Applies some of the steps: converts the time outside of them to the time inside.
  func enter(_ steps: ArraySlice<CourseStep>, _ state: inout CourseState, isOver: Bool = false) {
    for step in steps {
      switch step {
      case .delay(let delay):
        if state.time + state.rounding < delay {
          state.isHeld = true
          state.wait += (delay - state.time) / state.speed
        }
        state.time = max(0, state.time - delay)
      case .speed(let speed):
        state.time = state.time == 0 || speed == 0 ? 0 : state.time * speed
        state.speed = state.speed == 0 || speed == 0 ? 0 : state.speed * speed
        state.rounding = state.rounding * speed + CourseState.rounding(of: state.time)
      case .repeats(let legs):
        let leg = isOver ? (legs.countAsDouble - 1, .infinity) : legs.leg(at: state.time)
        if leg.index > 0 { state.rounding += CourseState.rounding(of: state.time) }
        state.time = leg.time
        if legs.isReversed(leg.index) { state.isReversed.toggle() }
        let before = Int(exactly: leg.index).flatMap { index in
          legs.innerLegCount.flatMap { innerLegCount -> Int? in
            let product = index.multipliedReportingOverflow(by: innerLegCount)
            return product.overflow ? nil : product.partialValue
          }
        }
        state.leg = before.map { state.leg &+ $0 } ?? .max
      }
    }
  }

  /// When a leg ends, s since the change.
  ///
  /// Without a repetition there is one leg, which ends with the animation. In nested repetitions, legs are
  /// those of the innermost repetition, counted through all repetitions.
  ///
  /// - Parameter index: From 0.
  /// - Returns: Nil past the last leg and for a leg that never ends.
  package func legEnd(_ index: Int) -> Double? {
    if let legCount {
      guard index >= 0, index < legCount else { return nil }
      // The end itself, without the rounding errors of the steps.
      if index == legCount - 1 { return end.isFinite ? end : nil }
    }
    guard index >= 0 else { return nil }
    var (time, remaining) = (shape.end, index)
    for step in steps.reversed() {
      switch step {
      case .delay(let delay): time = max(0, time + delay)
      case .speed(let speed): time = Self.time(time, atSpeed: speed)
      case .repeats(let legs):
        let (outer, leg) = legs.count.map(remaining.quotientAndRemainder) ?? (0, remaining)
        time = legs.start(of: Double(leg)) + time
        remaining = outer
      }
    }
    return time.isFinite ? time : nil
  }
}
