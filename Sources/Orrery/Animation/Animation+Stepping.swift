// SPDX-License-Identifier: Apache-2.0

/// Animations without a closed form, asked at one time after the other.
extension Animation {
  /// The moved part, as the modifiers make it out of what is inside; nil when it is over.
  func animate<V: VectorArithmetic>(
    _ value: V, _ time: Double, _ modifiers: ArraySlice<AnimationModifier>,
    _ context: inout AnimationContext<V>
  ) -> V? {
    guard let modifier = modifiers.last else { return animateUnmodified(value, time, &context) }
    let inner = modifiers.dropLast()
    switch modifier {
    case .delay(let delay):
      return animate(value, max(0, time - (delay.isNaN ? 0 : delay)), inner, &context)
    case .speed(let speed):
      return animate(value, speed > 0 && time > 0 ? time * speed : 0, inner, &context)
    case .logicallyComplete(let seconds):
      let moved = animate(value, time, inner, &context)
      if !seconds.isNaN { context.isLogicallyComplete = time >= seconds || moved == nil }
      return moved
    case .repeats(let count, let autoreverses):
      let pass = context.state[CustomPasses<V>.self].current[inner.endIndex] ?? CustomPass()
      if let moved = animate(value, time - pass.start, inner, &context) {
        if pass.index + 1 < count ?? .max { context.isLogicallyComplete = false }
        return pass.isReversed ? value - moved : moved
      }
      guard pass.index + 1 < count ?? .max else { return nil }
      // The next leg begins when it is noticed that this one is over, and remembers nothing.
      let next = CustomPass(
        index: pass.index + 1, start: time, isReversed: autoreverses && !pass.isReversed)
      var passes = context.state[CustomPasses<V>.self]
      passes.current = passes.current.filter { $0.key > inner.endIndex }
      passes.current[inner.endIndex] = next
      context.state = AnimationState()
      context.state[CustomPasses<V>.self] = passes
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
    let interval = max(motion.rest.magnitudeSquared, value.magnitudeSquared).squareRoot()
    context.isLogicallyComplete = elapsed >= spring.response
    if elapsed >= motion.settlingDuration(interval: interval) { return nil }
    return value - motion.rest(at: elapsed)
  }

  /// How fast the moved part changes; nil if what is inside cannot say.
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
      return V.zero - continued.motion(spring, to: value).restVelocity(at: elapsed)
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
      let pass = context.state[CustomPasses<V>.self].current[inner.endIndex] ?? CustomPass()
      let velocity = velocity(value, time - pass.start, inner, context)
      return pass.isReversed ? velocity.map { V.zero - $0 } : velocity
    }
  }
}

/// What a spring keeps that has taken over.
struct ContinuedSpring<V: VectorArithmetic>: AnimationStateKey {
  /// s since the first animation began.
  var time: Double

  /// What had been moved then, and its velocity per second.
  var moved: V
  var velocity: V

  static var defaultValue: ContinuedSpring? { nil }

  func motion(_ spring: Spring, to value: V) -> SpringMotion<V> {
    SpringMotion(rest: value - moved, restVelocity: V.zero - velocity, spring: spring)
  }
}

/// The leg that a repetition of a custom animation is in.
private struct CustomPass {
  var index = 0
  /// s since the repetition began.
  var start = 0.0
  var isReversed = false
}

/// The legs of nested repetitions, by the number of modifiers inside.
private struct CustomPasses<V: VectorArithmetic>: AnimationStateKey {
  var current: [Int: CustomPass] = [:]

  static var defaultValue: CustomPasses { CustomPasses() }
}
