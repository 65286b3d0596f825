// SPDX-License-Identifier: Apache-2.0

/// A spring without modifiers, as it takes over another motion.
///
/// A number that springs move again and again is the most frequent change of an interface that a finger moves, so it has
/// a way of its own, without the lists of an ``AnimationTrack``. Its numbers are bit for bit those of the track.
package struct TakingSpring: BitwiseCopyable, Sendable {
  /// The spring.
  package let spring: Spring

  /// Seconds in which its response comes from that of the spring before it; 0: at once.
  private let blendDuration: Double

  /// Seconds from its start to its logical end.
  private let logicalEnd: Double

  /// Nil if it takes over nothing, or if its modifiers change how it does so.
  ///
  /// - Parameters:
  ///   - animation: Any.
  ///   - course: Its closed form.
  package init?(_ animation: Animation, _ course: AnimationCourse) {
    guard let fluid = animation.source.fluidSpring, animation.motionModifiers.isEmpty else {
      return nil
    }
    spring = fluid.spring
    blendDuration = fluid.blendDuration
    logicalEnd = course.logicalEnd
  }

  /// Whether its response changes gradually, which takes more numbers than a ``SpringTakeover`` has.
  private func glides(from response: Double?) -> Bool {
    guard let response, blendDuration > 0 else { return false }
    return response != spring.response
  }

  /// Takes over a motion.
  ///
  /// - Parameters:
  ///   - old: The only motion of a number.
  ///   - step: New target minus old target.
  ///   - time: When, s.
  /// - Returns: Nil if it has to go through an ``AnimationTrack``.
  package func takeOver(
    _ old: AnimationMotion<Double>, step: Double, at time: Double
  ) -> SpringTakeover? {
    guard old.start < time, time < old.end, !old.isEndless, !glides(from: old.response(at: time))
    else { return nil }
    return takeover(
      remaining: old.remaining(at: time), velocity: old.velocity(at: time), interval: old.interval,
      step: step, at: time)
  }

  /// Takes over a motion that has taken nothing over itself, without building it.
  ///
  /// - Parameters:
  ///   - course: The closed form of the only motion of a number.
  ///   - start: When that began, s.
  ///   - interval: Its new value minus its old value.
  ///   - unitPoints: Points that a distance of 1 is at most.
  ///   - step: New target minus old target.
  ///   - time: When, s.
  /// - Returns: Nil if it has to go through an ``AnimationTrack``, or needs the motion.
  package func takeOver(
    _ course: AnimationCourse, from start: Double, interval: Double, unitPoints: Double,
    step: Double, at time: Double
  ) -> SpringTakeover? {
    guard blendDuration <= 0, start < time, time < start + course.end, course.end < .infinity
    else { return nil }
    let elapsed = time - start
    let velocity =
      interval * course.velocityBeforeEnd(elapsed, length: abs(interval) * unitPoints)
    return takeover(
      remaining: AnimationMotion<Double>.remaining(
        of: interval, progress: course.progressBeforeEnd(elapsed)),
      velocity: velocity.magnitudeSquared.isFinite ? velocity : 0, interval: interval, step: step,
      at: time)
  }

  /// Takes over a spring that has taken over.
  ///
  /// - Parameters:
  ///   - old: The only motion of a number.
  ///   - other: How it moves.
  ///   - step: New target minus old target.
  ///   - time: When, s.
  /// - Returns: Nil if it has to go through an ``AnimationTrack``.
  package func takeOver(
    _ old: SpringTakeover, of other: TakingSpring, step: Double, at time: Double
  ) -> SpringTakeover? {
    guard old.start < time, time < old.end || time < other.end(of: old),
      !glides(from: other.spring.response)
    else { return nil }
    let (remaining, remainingVelocity) = old.motion(other.spring).state(at: time - old.start)
    let velocity = 0 - remainingVelocity
    return takeover(
      remaining: remaining, velocity: velocity.magnitudeSquared.isFinite ? velocity : 0,
      interval: old.interval, step: step, at: time)
  }

  private func takeover(
    remaining: Double, velocity: Double, interval: Double, step: Double, at time: Double
  ) -> SpringTakeover? {
    let motion = SpringMotion(
      remaining: step + remaining, remainingVelocity: 0 - velocity, spring: spring)
    var takeover = SpringTakeover(
      start: time, interval: step + interval, remaining: motion.remaining,
      remainingVelocity: motion.remainingVelocity,
      length: max(motion.remaining.magnitudeSquared, step.magnitudeSquared).squareRoot())
    takeover.end = time + motion.settlingMinimum(interval: takeover.length)
    if takeover.end > time, takeover.end < .infinity { return takeover }
    findEnd(of: &takeover)
    // A change that takes no time, or never ends, has rules of its own.
    return takeover.end > time && takeover.end < .infinity ? takeover : nil
  }

  /// Finds when a takeover by this spring is over, if that is not known yet.
  package func findEnd(of takeover: inout SpringTakeover) {
    takeover.end = end(of: takeover)
    takeover.hasExactEnd = true
  }

  private func end(of takeover: SpringTakeover) -> Double {
    if takeover.hasExactEnd { return takeover.end }
    let seconds = takeover.motion(spring).settlingDuration(interval: takeover.length)
    return takeover.start + (seconds.isNaN ? .infinity : seconds)
  }

  /// The motion of a takeover by this spring.
  ///
  /// - Parameters:
  ///   - takeover: By this spring.
  ///   - id: The number of its change.
  ///   - animation: Its animation.
  ///   - course: The closed form of that.
  ///   - unitPoints: Points that a distance of 1 is at most.
  /// - Returns: The motion that an ``AnimationTrack`` would have.
  package func motion(
    _ takeover: SpringTakeover, id: UInt64, _ animation: Animation, _ course: AnimationCourse,
    unitPoints: Double
  ) -> AnimationMotion<Double> {
    let end = end(of: takeover)
    let logicalEnd = logicalEnd < .infinity ? takeover.start + logicalEnd : .infinity
    return AnimationMotion(
      id: id, animation: animation, start: takeover.start, interval: takeover.interval,
      unitPoints: unitPoints, isEndless: false,
      kind: .spring(
        SpringRun(
          motion: takeover.motion(spring), wait: 0, speed: 1, length: takeover.length, leg: 0,
          isReversed: false, legEnd: end, course: course, laterLegsOrigin: nil,
          shapeOrigin: 0)),
      end: end, logicalEnd: logicalEnd < end ? logicalEnd : end)
  }
}

/// The state of a number that a ``TakingSpring`` has taken over: enough to compute its motion at any time.
package struct SpringTakeover: BitwiseCopyable, Sendable {
  /// When it took over, s.
  package let start: Double

  /// Newest value minus the value at rest, before all changes that it covers.
  package let interval: Double

  /// Target minus value at the start, and how fast that changes, per second.
  package let remaining: Double
  package let remainingVelocity: Double

  /// Length of its way: the remaining distance, or that of the last change if it is longer.
  package let length: Double

  /// With `hasExactEnd`, when it is over, s; otherwise not after that.
  ///
  /// Most takeovers are taken over themselves before, and the exact end takes longer to find than all else.
  package fileprivate(set) var end = 0.0
  package fileprivate(set) var hasExactEnd = false

  fileprivate func motion(_ spring: Spring) -> SpringMotion<Double> {
    SpringMotion(remaining: remaining, remainingVelocity: remainingVelocity, spring: spring)
  }
}
