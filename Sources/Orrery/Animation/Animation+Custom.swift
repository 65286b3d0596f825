// SPDX-License-Identifier: Apache-2.0

/// Calls for a ``CustomAnimation`` that wraps other animations.
extension Animation {
  /// The part of the interval that has been moved.
  ///
  /// - Parameters:
  ///   - value: The interval from the old to the new value.
  ///   - time: Seconds since the animation began.
  ///   - context: State that the animation keeps between calls.
  /// - Returns: The moved part; nil when the animation is over.
  public func animate<V: VectorArithmetic>(
    value: V, time: Double, context: inout AnimationContext<V>
  ) -> V? {
    guard !needsStepping(context), let course = course() else {
      return animate(value, time, modifiers[...], &context)
    }
    context.isLogicallyComplete = time >= course.logicalEnd
    let length = value.magnitudeSquared.squareRoot()
    if time > course.rest(length: length) || course.end == 0 { return nil }
    return V.zero.interpolated(
      towards: value, amount: course.progress(at: time, length: length))
  }

  /// How fast the moved part changes.
  ///
  /// - Parameters:
  ///   - value: The interval from the old to the new value.
  ///   - time: Seconds since the animation began.
  ///   - context: State that the animation has kept.
  /// - Returns: Per second; nil if the animation does not know it.
  public func velocity<V: VectorArithmetic>(
    value: V, time: Double, context: AnimationContext<V>
  ) -> V? {
    guard !needsStepping(context), let course = course() else {
      return velocity(value, time, modifiers[...], context)
    }
    return value.scaled(
      by: course.velocity(at: time, length: value.magnitudeSquared.squareRoot()))
  }

  /// Whether the animation takes over from the running one.
  ///
  /// Springs such as ``spring(duration:bounce:blendDuration:)`` do. A spring with modifiers does so
  /// only if the running animation has the same modifiers, and not if they repeat.
  ///
  /// - Parameters:
  ///   - previous: The running animation.
  ///   - value: Its interval.
  ///   - time: Seconds since it began.
  ///   - context: Its state; changes of it are kept for this animation.
  /// - Returns: Whether it takes over.
  public func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool {
    guard !motionModifiers.isEmpty else {
      return shouldMergeUnmodified(
        previous: previous, value: value, time: time, context: &context)
    }
    guard motionModifiers == previous.motionModifiers, let time = ownTime(time) else {
      return false
    }
    return shouldMergeUnmodified(
      previous: Animation(previous.source), value: value, time: time, context: &context)
  }

  /// Modifiers that change the motion, not only its logical completion.
  var motionModifiers: [AnimationModifier] { modifiers.filter(\.changesMotion) }

  /// Whether it has no closed form: it is custom, or a spring that has taken over.
  private func needsStepping<V>(_ context: AnimationContext<V>) -> Bool {
    if case .custom = source { return true }
    return context.state[ContinuedSpring<V>.self] != nil
  }

  /// Time inside the modifiers; nil for a repetition, whose legs have times of their own.
  private func ownTime(_ time: Double) -> Double? {
    var time = time
    for modifier in modifiers.reversed() {
      switch modifier {
      case .delay(let delay): time = max(0, time - (delay.isNaN ? 0 : delay))
      case .speed(let speed): time = speed > 0 && time > 0 ? time * speed : 0
      case .repeats: return nil
      case .logicallyComplete: break
      }
    }
    return time
  }

  private func shouldMergeUnmodified<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool {
    if case .custom(let box) = source {
      return box.base.shouldMerge(
        previous: previous, value: value, time: time, context: &context)
    }
    guard source.fluidSpring != nil else { return false }
    let velocity = previous.velocity(value: value, time: time, context: context) ?? .zero
    let moved = previous.animate(value: value, time: time, context: &context) ?? value
    context.state = AnimationState()
    context.isLogicallyComplete = false
    context.state[ContinuedSpring<V>.self] = ContinuedSpring(
      time: time, moved: moved, velocity: velocity)
    return true
  }
}
