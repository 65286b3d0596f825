// SPDX-License-Identifier: Apache-2.0

/// Animations without a closed form, evaluated at one time after the other.
extension Animation {
  /// The moved part of the animation with these modifiers; nil when it is over.
  func animate<V: VectorArithmetic>(
    _ value: V, _ time: Double, _ modifiers: ArraySlice<AnimationModifier>,
    _ context: inout AnimationContext<V>
  ) -> V? {
    guard let modifier = modifiers.last else { return animateUnmodified(value, time, &context) }
    let inner = modifiers.dropLast()
    switch modifier {
    case .delay(let delay):
      // Until it is over the animation has not begun, and is not asked.
      if time < delay { return .zero }
      return animate(value, max(0, time - (delay.isNaN ? 0 : delay)), inner, &context)
    case .speed(let speed):
      return animate(value, speed > 0 && time > 0 ? time * speed : 0, inner, &context)
    case .logicallyComplete(let seconds):
      let moved = animate(value, time, inner, &context)
      if !seconds.isNaN { context.isLogicallyComplete = time >= seconds || moved == nil }
      return moved
    case .repeats(let count, let autoreverses):
      let leg = context.state[CustomLegs<V>.self].current[inner.endIndex] ?? CustomLeg()
      if let moved = animate(value, time - leg.start, inner, &context) {
        if leg.index + 1 < count ?? .max { context.isLogicallyComplete = false }
        return leg.isReversed ? value - moved : moved
      }
      guard leg.index + 1 < count ?? .max else { return nil }
      // The next leg begins at the call that finds this one over, with empty state.
      let next = CustomLeg(
        index: leg.index + 1, start: time, isReversed: autoreverses && !leg.isReversed)
      var legs = context.state[CustomLegs<V>.self]
      legs.current = legs.current.filter { $0.key > inner.endIndex }
      legs.current[inner.endIndex] = next
      context.state = AnimationState()
      context.state[CustomLegs<V>.self] = legs
      context.isLogicallyComplete = false
      let moved = animate(value, 0, inner, &context)
      return moved.map { next.isReversed ? value - $0 : $0 }
    }
  }

  private func animateUnmodified<V: VectorArithmetic>(
    _ value: V, _ time: Double, _ context: inout AnimationContext<V>
  ) -> V? {
    if case .custom(let box) = source {
      return box.base.animate(value: value, time: time, context: &context)
    }
    guard let spring = source.fluidSpring?.spring,
      let continued = context.state[ContinuedSpring<V>.self]
    else { return nil }
    let motion = continued.motion(spring, to: value)
    let elapsed = max(0, time - continued.time)
    let interval = max(motion.remaining.magnitudeSquared, value.magnitudeSquared).squareRoot()
    context.isLogicallyComplete = elapsed >= spring.response
    if elapsed >= motion.settlingDuration(interval: interval) {
      let rest = motion.restDuration(length: interval, unitPoints: 1)
      if !(elapsed < rest && rest < .infinity) { return nil }
    }
    return value - motion.remaining(at: elapsed)
  }

  /// How fast the moved part changes; nil if the animation inside does not know it.
  func velocity<V: VectorArithmetic>(
    _ value: V, _ time: Double, _ modifiers: ArraySlice<AnimationModifier>,
    _ context: AnimationContext<V>
  ) -> V? {
    guard let modifier = modifiers.last else {
      if case .custom(let box) = source {
        return box.base.velocity(value: value, time: time, context: context)
      }
      guard let spring = source.fluidSpring?.spring,
        let continued = context.state[ContinuedSpring<V>.self]
      else { return nil }
      let elapsed = max(0, time - continued.time)
      return V.zero - continued.motion(spring, to: value).remainingVelocity(at: elapsed)
    }
    let inner = modifiers.dropLast()
    switch modifier {
    case .delay(let delay):
      return time < delay ? .zero : velocity(value, time - delay, inner, context)
    case .speed(let speed):
      guard speed > 0 else { return .zero }
      return velocity(value, time * speed, inner, context)?.scaled(by: speed)
    case .logicallyComplete:
      return velocity(value, time, inner, context)
    case .repeats:
      let leg = context.state[CustomLegs<V>.self].current[inner.endIndex] ?? CustomLeg()
      let velocity = velocity(value, time - leg.start, inner, context)
      return leg.isReversed ? velocity.map { V.zero - $0 } : velocity
    }
  }
}

extension Animation {
  /// Whether its modifiers keep it from ending: it repeats for ever, or stands still.
  var neverEnds: Bool {
    modifiers.contains { modifier in
      switch modifier {
      case .repeats(let count, _): count == nil
      case .speed(let speed): !(speed > 0)
      case .delay(let delay): delay == .infinity
      case .logicallyComplete: false
      }
    }
  }

  /// Whether a repetition of a custom animation has reached its second leg.
  func hasEndedLeg<V: VectorArithmetic>(_ context: AnimationContext<V>) -> Bool {
    context.state[CustomLegs<V>.self].current.values.contains { $0.index > 0 }
  }
}

/// State of a spring that has taken over.
struct ContinuedSpring<V: VectorArithmetic>: AnimationStateKey {
  /// Seconds since the first animation began.
  var time: Double

  /// The part moved by then, and its velocity per second.
  var moved: V
  var velocity: V

  static var defaultValue: ContinuedSpring? { nil }

  func motion(_ spring: Spring, to value: V) -> SpringMotion<V> {
    SpringMotion(remaining: value - moved, remainingVelocity: V.zero - velocity, spring: spring)
  }
}

/// The leg that a repetition of a custom animation is in.
private struct CustomLeg {
  var index = 0
  /// Seconds since the repetition began.
  var start = 0.0
  var isReversed = false
}

/// The legs of nested repetitions, by the number of modifiers inside.
private struct CustomLegs<V: VectorArithmetic>: AnimationStateKey {
  var current: [Int: CustomLeg] = [:]

  static var defaultValue: CustomLegs { CustomLegs() }
}
