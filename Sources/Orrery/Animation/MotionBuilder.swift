// SPDX-License-Identifier: Apache-2.0

/// Builds the motion for a change of an animated property.
struct MotionBuilder<Value: VectorArithmetic> {
  let id: UInt64
  let animation: Animation

  /// Seconds.
  let time: Double

  /// New minus old value, not zero.
  let step: Value

  /// Per second, added to that of the running motions.
  let velocity: Value

  /// Motions that are not at rest, in order of creation.
  let motions: [AnimationMotion<Value>]

  /// Points that a distance of 1 is at most.
  let unitPoints: Double

  /// The environment that a custom animation reads.
  let environment: EnvironmentValues

  /// Running motions: a motion that has ended is no part of a later change, and moves on by itself.
  private var running: [AnimationMotion<Value>] { motions.filter { !$0.isFinished(at: time) } }

  /// - Parameter shown: Displayed value before the change, if no other motion shows.
  /// - Returns: The motion, and the ids of the motions that it takes over.
  func motion(from shown: Value) -> (motion: AnimationMotion<Value>, merged: [UInt64]) {
    guard let course = animation.course() else { return customMotion() }
    guard let spring = animation.source.fluidSpring else { return fresh(course, shown) }
    let modifiers = animation.motionModifiers
    let running = running
    if modifiers.isEmpty {
      let velocity = running.reduce(.zero) { $0 + $1.velocity(at: time) } + velocity
      if running.isEmpty, velocity == .zero { return fresh(course, shown) }
      let remaining = running.reduce(step) { $0 + $1.remaining(at: time) }
      let interval = running.reduce(step) { $0 + $1.interval }
      let state = course.state(at: 0)
      let motion = springMotion(
        spring, course, TakeoverState(state: state, shapeOrigin: 0), remaining: remaining,
        velocity: velocity, interval: interval, oldResponse: running.last?.response(at: time))
      return (motion, running.map(\.id))
    }
    guard let old = running.last(where: { $0.animation.motionModifiers == modifiers }),
      let takeover = old.takeoverState(at: time)
    else { return fresh(course, shown) }
    let motion = springMotion(
      spring, course, takeover, remaining: old.remaining(at: time) + step,
      velocity: old.velocity(at: time), interval: old.interval + step,
      oldResponse: old.response(at: time))
    return (motion, [old.id])
  }

  /// A motion that takes over no other motion, unless it never ends: then it takes over the remaining parts
  /// of endless motions, which it could not end.
  private func fresh(
    _ course: AnimationCourse, _ shown: Value
  ) -> (motion: AnimationMotion<Value>, merged: [UInt64]) {
    let isStill = course.end == .infinity && course.legEnd(0) == nil
    let old = isStill ? running.filter(\.isEndless) : []
    let motion = AnimationMotion(
      id: id, animation: animation, course, start: time, from: motions.isEmpty ? shown : nil,
      interval: old.reduce(step) { $0 + $1.remaining(at: time) }, unitPoints: unitPoints)
    return (motion, old.map(\.id))
  }

  private func springMotion(
    _ parameters: FluidSpring, _ course: AnimationCourse, _ takeover: TakeoverState,
    remaining: Value, velocity: Value, interval: Value, oldResponse: Double?
  ) -> AnimationMotion<Value> {
    let (state, speed) = (takeover.state, takeover.state.speed)
    let spring = parameters.spring
    let ownRemaining = state.isReversed ? remaining - interval : remaining
    let motion = SpringMotion(
      remaining: ownRemaining,
      remainingVelocity: speed > 0 ? (Value.zero - velocity).scaled(by: 1 / speed) : .zero,
      spring: spring,
      glide: oldResponse.flatMap {
        ResponseGlide(from: $0, to: spring, duration: parameters.blendDuration)
      })
    let length = max(ownRemaining.magnitudeSquared, step.magnitudeSquared).squareRoot()
    let settling = motion.settlingDuration(interval: length)
    let legSeconds = state.wait + (settling == 0 ? 0 : settling / speed)
    let legEnd = time + (legSeconds.isNaN ? .infinity : legSeconds)
    var origin: Double?
    if course.legCount.map({ state.leg + 1 < $0 }) ?? true, let end = course.legEnd(state.leg) {
      origin = legEnd - end
    }
    let end = origin.map { $0 + course.end } ?? legEnd
    var logicalEnd = course.logicalEnd
    if let origin {
      logicalEnd += origin
    } else if logicalEnd < .infinity {
      logicalEnd = time + state.wait + max(0, logicalEnd - takeover.shapeOrigin)
    }
    return AnimationMotion(
      id: id, animation: animation, start: time, interval: interval, unitPoints: unitPoints,
      isEndless: end == .infinity,
      kind: .spring(
        SpringRun(
          motion: motion, wait: state.wait, speed: speed, length: length, leg: state.leg,
          isReversed: state.isReversed, legEnd: legEnd, course: course, laterLegsOrigin: origin,
          shapeOrigin: takeover.shapeOrigin)),
      end: end, logicalEnd: logicalEnd < end ? logicalEnd : end)
  }

  private func customMotion() -> (motion: AnimationMotion<Value>, merged: [UInt64]) {
    var context = AnimationContext<Value>(environment: environment)
    if let old = running.last {
      context = old.context
      context.environment = environment
      let takesOver = animation.shouldMerge(
        previous: old.animation, value: old.interval, time: time - old.start, context: &context)
      if takesOver {
        let motion = AnimationMotion(
          id: id, animation: animation, start: old.start, interval: old.interval + step,
          unitPoints: unitPoints, isEndless: animation.neverEnds, kind: .custom(context),
          end: .infinity, logicalEnd: .infinity)
        return (motion, [old.id])
      }
      context = AnimationContext(environment: environment)
    }
    let motion = AnimationMotion(
      id: id, animation: animation, start: time, interval: step, unitPoints: unitPoints,
      isEndless: animation.neverEnds, kind: .custom(context), end: .infinity,
      logicalEnd: .infinity)
    return (motion, [])
  }
}
