// SPDX-License-Identifier: Apache-2.0

/// The state from which a spring takes over.
struct TakeoverState {
  let state: CourseState

  /// Start of the spring of that leg, s in the course's time.
  let shapeOrigin: Double
}

extension AnimationMotion {
  /// Whether it has not taken over other motions.
  var isFresh: Bool {
    switch kind {
    case .course, .custom: true
    case .spring: false
    }
  }

  /// The value where it began, if that is known bit for bit.
  var origin: Value? {
    if case .course(_, let from) = kind { from } else { nil }
  }

  /// Forgets where it began: other motions now run too, so that value no longer determines the
  /// displayed one.
  mutating func joinOthers() {
    if case .course(let course, _?) = kind { kind = .course(course, from: nil) }
  }

  /// Response of a spring that can take over, s; nil for other animations.
  func response(at time: Double) -> Double? {
    switch kind {
    case .course: animation.source.fluidSpring?.spring.response
    case .spring(let run): run.response(at: time, start: start)
    case .custom: nil
    }
  }

  /// The state from which a spring with the same modifiers takes over; nil for custom animations.
  func takeoverState(at time: Double) -> TakeoverState? {
    switch kind {
    case .course(let course, _):
      return Self.takeoverState(course, at: time - start)
    case .spring(let run):
      if let origin = run.laterLegsOrigin, time >= run.legEnd {
        return Self.takeoverState(run.course, at: time - origin)
      }
      var state = CourseState(time: run.motionTime(time, start: start))
      state.speed = run.speed
      state.isReversed = run.isReversed
      state.wait = max(0, start + run.wait - time)
      state.isHeld = state.wait > 0
      state.leg = run.leg
      return TakeoverState(state: state, shapeOrigin: run.shapeOrigin)
    case .custom:
      return nil
    }
  }

  private static func takeoverState(_ course: AnimationCourse, at time: Double) -> TakeoverState {
    let state = course.state(at: min(time, course.end.nextDown))
    return TakeoverState(
      state: state,
      shapeOrigin: state.isHeld ? time + state.wait : time - state.time / state.speed)
  }

  /// The context that a custom animation gets when it may take over.
  var context: AnimationContext<Value> {
    switch kind {
    case .course:
      return AnimationContext()
    case .spring(let run):
      var context = AnimationContext<Value>()
      context.state[ContinuedSpring<Value>.self] = ContinuedSpring(
        time: 0, moved: interval - run.motion.remaining,
        velocity: Value.zero - run.motion.remainingVelocity)
      return context
    case .custom(let context):
      return context
    }
  }

  /// Steps a custom animation; others have a closed form.
  mutating func advance(to time: Double) {
    guard case .custom(var context) = kind, end == .infinity || isStopped && time < end,
      time >= start
    else { return }
    let moved = animation.animate(value: interval, time: time - start, context: &context)
    kind = .custom(context)
    if moved == nil { end = time }
    if moved == nil || context.isLogicallyComplete { logicalEnd = min(logicalEnd, time) }
  }
}
