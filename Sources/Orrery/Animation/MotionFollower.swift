// SPDX-License-Identifier: Apache-2.0

/// A change of an animated property, about to become a motion.
struct MotionFollower<Value: VectorArithmetic> {
  let id: UInt64
  let animation: Animation

  /// s.
  let time: Double

  /// New minus old value, not zero.
  let step: Value

  /// Per second, besides that of what runs.
  let velocity: Value

  /// What runs, in order of creation.
  let running: [AnimationMotion<Value>]

  /// - Parameters:
  ///   - shown: Displayed value before the change.
  ///   - shownVelocity: Its velocity, per second.
  /// - Returns: The motion, and the ids of those that it takes over.
  func motion(
    from shown: Value, velocity shownVelocity: Value
  ) -> (motion: AnimationMotion<Value>, merged: [UInt64]) {
    guard let course = animation.course() else { return customMotion() }
    guard let spring = animation.source.fluidSpring else { return (fresh(course, shown), []) }
    let modifiers = animation.motionModifiers
    if modifiers.isEmpty {
      let velocity = shownVelocity + velocity
      if running.isEmpty, velocity == .zero { return (fresh(course, shown), []) }
      let rests = running.reduce(step) { $0 + $1.rest(at: time) }
      let interval = running.reduce(step) { $0 + $1.interval }
      let place = course.place(at: 0)
      let motion = springMotion(
        spring, course, SpringPlace(place: place, shapeOrigin: 0), rest: rests,
        velocity: velocity, interval: interval, oldResponse: running.last?.response(at: time))
      return (motion, running.map(\.id))
    }
    guard let old = running.last(where: { $0.animation.motionModifiers == modifiers }),
      let place = old.springPlace(at: time)
    else { return (fresh(course, shown), []) }
    let motion = springMotion(
      spring, course, place, rest: old.rest(at: time) + step, velocity: old.velocity(at: time),
      interval: old.interval + step, oldResponse: old.response(at: time))
    return (motion, [old.id])
  }

  private func fresh(_ course: AnimationCourse, _ shown: Value) -> AnimationMotion<Value> {
    AnimationMotion(
      id: id, animation: animation, start: time, interval: step,
      form: .course(course, from: running.isEmpty ? shown : nil), end: time + course.end,
      logicalEnd: time + course.logicalEnd)
  }

  private func springMotion(
    _ parameters: FluidSpring, _ course: AnimationCourse, _ at: SpringPlace, rest: Value,
    velocity: Value, interval: Value, oldResponse: Double?
  ) -> AnimationMotion<Value> {
    let (place, speed) = (at.place, at.place.speed)
    let spring = parameters.spring
    let ownRest = place.isReversed ? rest - interval : rest
    let motion = SpringMotion(
      rest: ownRest,
      restVelocity: speed > 0 ? (Value.zero - velocity).scaled(by: 1 / speed) : .zero,
      spring: spring,
      glide: oldResponse.flatMap {
        ResponseGlide(from: $0, to: spring, duration: parameters.blendDuration)
      })
    let length = max(ownRest.magnitudeSquared, step.magnitudeSquared).squareRoot()
    let settling = motion.settlingDuration(interval: length)
    let legSeconds = place.wait + (settling == 0 ? 0 : settling / speed)
    let legEnd = time + (legSeconds.isNaN ? .infinity : legSeconds)
    var origin: Double?
    if course.legCount.map({ place.leg + 1 < $0 }) ?? true, let end = course.legEnd(place.leg) {
      origin = legEnd - end
    }
    let end = origin.map { $0 + course.end } ?? legEnd
    var logicalEnd = course.logicalEnd
    if let origin {
      logicalEnd += origin
    } else if logicalEnd < .infinity {
      logicalEnd = time + place.wait + max(0, logicalEnd - at.shapeOrigin)
    }
    return AnimationMotion(
      id: id, animation: animation, start: time, interval: interval,
      form: .spring(
        SpringRun(
          motion: motion, wait: place.wait, speed: speed, leg: place.leg,
          isReversed: place.isReversed, legEnd: legEnd, course: course, laterLegsOrigin: origin,
          shapeOrigin: at.shapeOrigin)),
      end: end, logicalEnd: logicalEnd < end ? logicalEnd : end)
  }

  private func customMotion() -> (motion: AnimationMotion<Value>, merged: [UInt64]) {
    var context = AnimationContext<Value>()
    if let old = running.last {
      context = old.context
      let takesOver = animation.shouldMerge(
        previous: old.animation, value: old.interval, time: time - old.start, context: &context)
      if takesOver {
        let motion = AnimationMotion(
          id: id, animation: animation, start: old.start, interval: old.interval + step,
          form: .custom(context), end: .infinity, logicalEnd: .infinity)
        return (motion, [old.id])
      }
      context = AnimationContext()
    }
    let motion = AnimationMotion(
      id: id, animation: animation, start: time, interval: step, form: .custom(context),
      end: .infinity, logicalEnd: .infinity)
    return (motion, [])
  }
}
