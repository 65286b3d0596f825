// SPDX-License-Identifier: Apache-2.0

import Orrery

// What follows is as one would write it on a Mac, but for this import: animations, springs, curves,
// transactions and schedules.

/// A custom animation with state, which reads its environment.
struct Stepwise: CustomAnimation {
  let duration: TimeInterval

  func animate<V>(value: V, time: TimeInterval, context: inout AnimationContext<V>) -> V?
  where V: VectorArithmetic {
    let pace = context.environment.pace
    context.stepCount += 1
    context.isLogicallyComplete = time * pace >= duration / 2
    if context.environment.accessibilityReduceMotion || time * pace > duration { return nil }
    return value.scaled(by: (time * pace / duration * 4).rounded(.down) / 4)
  }

  func velocity<V: VectorArithmetic>(
    value: V, time: TimeInterval, context: AnimationContext<V>
  ) -> V? {
    value.scaled(by: 1 / duration)
  }

  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: TimeInterval, context: inout AnimationContext<V>
  ) -> Bool {
    previous.base is Stepwise
  }
}

private struct StepCountKey<Value: VectorArithmetic>: AnimationStateKey {
  static var defaultValue: Int { 0 }
}

extension AnimationContext {
  fileprivate var stepCount: Int {
    get { state[StepCountKey<Value>.self] }
    set { state[StepCountKey<Value>.self] = newValue }
  }
}

extension Animation {
  static var stepwise: Animation { stepwise(duration: 1) }
  static func stepwise(duration: TimeInterval) -> Animation {
    Animation(Stepwise(duration: duration))
  }
}

private struct PaceKey: EnvironmentKey {
  static let defaultValue = 1.0
}

extension EnvironmentValues {
  var pace: Double {
    get { self[PaceKey.self] }
    set { self[PaceKey.self] = newValue }
  }
}

private struct OriginKey: TransactionKey {
  static let defaultValue = "code"
}

extension Transaction {
  var origin: String {
    get { self[OriginKey.self] }
    set { self[OriginKey.self] = newValue }
  }
}

/// A schedule of one's own.
struct SlowingSchedule: TimelineSchedule {
  let start: Date

  func entries(from startDate: Date, mode: Mode) -> PeriodicTimelineSchedule.Entries {
    PeriodicTimelineSchedule(from: start, by: mode == .lowFrequency ? 60 : 1)
      .entries(from: startDate, mode: mode)
  }
}

/// An animation that runs another one, with a state of its own.
struct Doubled: CustomAnimation {
  let base: Animation

  func animate<V: VectorArithmetic>(
    value: V, time: TimeInterval, context: inout AnimationContext<V>
  ) -> V? {
    var inner = context.withState(AnimationState<V>())
    let first = base.animate(value: value, time: time, context: &inner)
    let second = base.velocity(value: value, time: time, context: inner)
    let isMerged = base.shouldMerge(previous: base, value: value, time: time, context: &inner)
    return isMerged ? first : second == nil ? nil : first
  }
}

enum MotionVocabulary {
  static let animations: [Animation] = [
    .default, .linear, .linear(duration: 1), .easeIn, .easeIn(duration: 1), .easeOut,
    .easeOut(duration: 1), .easeInOut, .easeInOut(duration: 1),
    .timingCurve(0.1, 0.75, 0.85, 0.35), .timingCurve(0.1, 0.75, 0.85, 0.35, duration: 1),
    .timingCurve(.circularEaseIn, duration: 1), .linear.delay(0.3), .linear.speed(4),
    .linear.repeatCount(3), .linear.repeatCount(3, autoreverses: false), .linear.repeatForever(),
    .linear.repeatForever(autoreverses: false), .linear.logicallyComplete(after: 0.5), .stepwise,
    Animation(Stepwise(duration: 2)),
  ]

  static let springs: [Animation] = [
    .spring, .spring(), .spring(duration: 0.4), .spring(duration: 0.4, bounce: 0.1),
    .spring(duration: 0.4, bounce: 0, blendDuration: 0), .spring(response: 0.4),
    .spring(response: 0.4, dampingFraction: 1, blendDuration: 0), .spring(Spring(duration: 0.4)),
    .spring(Spring(duration: 0.4), blendDuration: 0.1), .smooth, .smooth(duration: 0.4),
    .smooth(duration: 0.4, extraBounce: 0), .snappy, .snappy(duration: 0.4),
    .snappy(duration: 0.4, extraBounce: 0.1), .bouncy, .bouncy(duration: 0.4),
    .bouncy(duration: 0.4, extraBounce: 0.1), .interactiveSpring, .interactiveSpring(),
    .interactiveSpring(response: 0.4, dampingFraction: 1, blendDuration: 0.25),
    .interactiveSpring(duration: 0.4, extraBounce: 0.1, blendDuration: 0.25), .interpolatingSpring,
    .interpolatingSpring(duration: 0.4), .interpolatingSpring(Spring(duration: 0.4)),
    .interpolatingSpring(duration: 0.4, bounce: 0.1, initialVelocity: 1),
    .interpolatingSpring(Spring(duration: 0.4), initialVelocity: 1),
    .interpolatingSpring(stiffness: 100, damping: 10),
    .interpolatingSpring(mass: 1, stiffness: 100, damping: 10, initialVelocity: 1),
  ]

  /// What a debugger shows.
  static func mirrored(_ animation: Animation) -> [String] {
    Mirror(reflecting: animation).children.map { "\($0.label ?? ""): \($0.value)" }
  }

  static func springNumbers() -> [Double] {
    let springs = [
      Spring(), Spring(duration: 0.5, bounce: 0.3), Spring(mass: 1, stiffness: 100, damping: 10),
      Spring(mass: 1, stiffness: 100, damping: 40, allowOverDamping: true),
      Spring(response: 0.4, dampingRatio: 0.7), .init(settlingDuration: 1, dampingRatio: 0.5),
      Spring(settlingDuration: 1, dampingRatio: 0.5, epsilon: 0.01), .smooth, .snappy, .bouncy,
      .smooth(duration: 1), .smooth(duration: 1, extraBounce: 0.1), .snappy(duration: 1),
      .snappy(duration: 1, extraBounce: 0.1), .bouncy(duration: 1),
      .bouncy(duration: 1, extraBounce: 0.1),
    ]
    return springs.flatMap { spring in
      var (value, velocity) = (CGPoint.zero.animatableData, CGPoint.zero.animatableData)
      let target = CGPoint(x: 1, y: 2)
      spring.update(
        value: &value, velocity: &velocity, target: target.animatableData, deltaTime: 0.1)
      let force = spring.force(target: 1.0, position: 0, velocity: 0)
      return [
        spring.duration, spring.bounce, spring.mass, spring.stiffness, spring.damping,
        spring.response, spring.dampingRatio, spring.settlingDuration, force, Double(value.first),
        spring.value(target: 1.0, time: 0.1), spring.velocity(target: 1.0, time: 0.1),
        spring.value(target: 1.0, initialVelocity: 0, time: 0.1),
        spring.velocity(target: 1.0, initialVelocity: 0, time: 0.1),
        spring.value(fromValue: 0.0, toValue: 1.0, initialVelocity: 0.0, time: 0.1),
        spring.velocity(fromValue: 0.0, toValue: 1.0, initialVelocity: 0.0, time: 0.1),
        spring.force(fromValue: 0.0, toValue: 1.0, position: 0.0, velocity: 0.0),
        spring.settlingDuration(target: 1.0, initialVelocity: 0, epsilon: 0.001),
        spring.settlingDuration(
          fromValue: Angle.zero, toValue: .degrees(90), initialVelocity: .zero, epsilon: 0.001),
      ]
    }
  }

  static func curves() -> [Double] {
    let curves: [UnitCurve] = [
      .linear, .easeIn, .easeOut, .easeInOut, .easeInEaseOut, .circularEaseIn, .circularEaseOut,
      .circularEaseInOut,
      .bezier(startControlPoint: UnitPoint(x: 0.4, y: 0), endControlPoint: .bottomTrailing),
      UnitCurve.easeIn.inverse,
    ]
    return curves.flatMap { [$0.value(at: 0.25), $0.velocity(at: 0.25)] }
  }

  /// What a transaction's body sees, and when completions are called.
  static func transactions() -> [String] {
    var calls: [String] = []
    withAnimation { calls.append("body") }
    withAnimation(.linear) {
      calls.append("body")
    } completion: {
      calls.append("complete")
    }
    withAnimation(.bouncy, completionCriteria: .removed) {
    } completion: {
      calls.append("removed")
    }
    let criteria: AnimationCompletionCriteria = .logicallyComplete
    withAnimation(.bouncy, completionCriteria: criteria) {
    } completion: {
      calls.append("logical")
    }
    var transaction = Transaction(animation: .linear)
    transaction.animation = transaction.animation?.speed(2)
    transaction.disablesAnimations = true
    transaction.isContinuous = true
    transaction.tracksVelocity = true
    transaction.origin = "tap"
    transaction.addAnimationCompletion { calls.append("first") }
    transaction.addAnimationCompletion(criteria: .removed) { calls.append("second") }
    withTransaction(transaction) {
      withTransaction(\.origin, "drag") { calls.append(Transaction.current.origin) }
    }
    calls.append(Transaction().origin)
    return calls
  }

  static func entries() -> [Int] {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    func count<S: TimelineSchedule>(_ schedule: S, _ mode: TimelineScheduleMode = .normal) -> Int {
      schedule.entries(from: start, mode: mode).prefix(3).reduce(0) { count, _ in count + 1 }
    }
    return [
      count(.periodic(from: start, by: 4)), count(.everyMinute),
      count(.explicit([start, start + 5])),
      count(.animation), count(.animation(minimumInterval: 0.25, paused: false)),
      count(.animation(paused: true)), count(.animation, .lowFrequency),
      count(SlowingSchedule(start: start), .lowFrequency),
      count(PeriodicTimelineSchedule(from: start, by: 1)), count(EveryMinuteTimelineSchedule()),
      count(ExplicitTimelineSchedule([start])),
      count(AnimationTimelineSchedule(minimumInterval: 1, paused: false)),
    ]
  }

  static func environment() -> [Double] {
    var values = EnvironmentValues()
    values.pace = 2
    let direction: LayoutDirection = .rightToLeft
    values.layoutDirection = direction
    values.accessibilityReduceMotion = true
    values.isLuminanceReduced = true
    values.displayScale = 2
    values.locale = Locale(identifier: "de")
    values.calendar = Calendar(identifier: .gregorian)
    values.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    values.contentTransition = .numericText()
    return [
      values.pace, EnvironmentValues().pace, Double(values.pixelLength),
      values.layoutDirection == .rightToLeft ? 1 : 0,
    ]
  }
}
