// SPDX-License-Identifier: Apache-2.0

/// Where in its course a spring takes over.
struct SpringPlace {
  let place: CoursePlace

  /// When the spring of that leg began in the course, s.
  let shapeOrigin: Double
}

extension AnimationMotion {
  /// Whether it has not taken over what others had moved.
  var isFresh: Bool {
    switch form {
    case .course, .custom: true
    case .spring: false
    }
  }

  /// Where it began, if that is known bit for bit.
  var origin: Value? {
    if case .course(_, let from) = form { from } else { nil }
  }

  /// It is no longer alone: where it began no longer says what is seen.
  mutating func joinOthers() {
    if case .course(let course, _?) = form { form = .course(course, from: nil) }
  }

  /// Response of a spring that takes over, s; nil for everything else.
  func response(at time: Double) -> Double? {
    switch form {
    case .course: animation.source.fluidSpring?.spring.response
    case .spring(let run): run.response(at: time, start: start)
    case .custom: nil
    }
  }

  /// Where a spring with the same modifiers takes over; nil for custom animations.
  func springPlace(at time: Double) -> SpringPlace? {
    switch form {
    case .course(let course, _):
      return Self.springPlace(course, at: time - start)
    case .spring(let run):
      if let origin = run.laterLegsOrigin, time >= run.legEnd {
        return Self.springPlace(run.course, at: time - origin)
      }
      var place = CoursePlace(time: run.motionTime(time, start: start))
      place.speed = run.speed
      place.isReversed = run.isReversed
      place.wait = max(0, start + run.wait - time)
      place.isHeld = place.wait > 0
      place.leg = run.leg
      return SpringPlace(place: place, shapeOrigin: run.shapeOrigin)
    case .custom:
      return nil
    }
  }

  private static func springPlace(_ course: AnimationCourse, at time: Double) -> SpringPlace {
    let place = course.place(at: min(time, course.end.nextDown))
    return SpringPlace(
      place: place,
      shapeOrigin: place.isHeld ? time + place.wait : time - place.time / place.speed)
  }

  /// What an animation that takes over is told.
  var context: AnimationContext<Value> {
    switch form {
    case .course:
      return AnimationContext()
    case .spring(let run):
      var context = AnimationContext<Value>()
      context.state[ContinuedSpring<Value>.self] = ContinuedSpring(
        time: 0, moved: interval - run.motion.rest,
        velocity: Value.zero - run.motion.restVelocity)
      return context
    case .custom(let context):
      return context
    }
  }

  /// Asks a custom animation; others need no asking.
  mutating func advance(to time: Double) {
    guard case .custom(var context) = form, end == .infinity, time >= start else { return }
    let moved = animation.animate(value: interval, time: time - start, context: &context)
    form = .custom(context)
    if moved == nil { end = time }
    if moved == nil || context.isLogicallyComplete { logicalEnd = min(logicalEnd, time) }
  }
}
