// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

// What follows is as one would write it on a Mac, but for this import and for the players that
// stand in for views.

/// A value with parts that are animated together.
private struct Wobble: Animatable, Equatable {
  var angle: Double
  var offset: CGSize
  var name = "moon"

  var animatableData: AnimatablePair<Double, CGSize.AnimatableData> {
    get { AnimatablePair(angle, offset.animatableData) }
    set {
      angle = newValue.first
      offset.animatableData = newValue.second
    }
  }
}

/// A vector of one's own.
private struct Tint: VectorArithmetic {
  var red: Double
  var green: Float

  static var zero: Tint { Tint(red: 0, green: 0) }

  static func + (lhs: Tint, rhs: Tint) -> Tint {
    Tint(red: lhs.red + rhs.red, green: lhs.green + rhs.green)
  }

  static func - (lhs: Tint, rhs: Tint) -> Tint {
    Tint(red: lhs.red - rhs.red, green: lhs.green - rhs.green)
  }

  mutating func scale(by rhs: Double) {
    red.scale(by: rhs)
    green.scale(by: rhs)
  }

  var magnitudeSquared: Double { red.magnitudeSquared + green.magnitudeSquared }
}

/// The moon of the orbit article.
private struct OrbitEffect: GeometryEffect {
  var angle: CGFloat = 0
  let radius: CGFloat

  var animatableData: CGFloat {
    get { angle }
    set { angle = newValue }
  }

  func effectValue(size: CGSize) -> ProjectionTransform {
    let place = CGPoint(x: cos(angle) * radius, y: sin(angle) * radius)
    return ProjectionTransform(CGAffineTransform(translationX: place.x, y: place.y))
  }
}

/// A custom animation with state.
private struct Stepwise: CustomAnimation {
  let duration: TimeInterval

  func animate<V>(value: V, time: TimeInterval, context: inout AnimationContext<V>) -> V?
  where V: VectorArithmetic {
    context.stepCount += 1
    context.isLogicallyComplete = time >= duration / 2
    if time > duration { return nil }
    return value.scaled(by: (time / duration * 4).rounded(.down) / 4)
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
  fileprivate static var stepwise: Animation { stepwise(duration: 1) }
  fileprivate static func stepwise(duration: TimeInterval) -> Animation {
    Animation(Stepwise(duration: duration))
  }
}

private struct OriginKey: TransactionKey {
  static let defaultValue = "code"
}

extension Transaction {
  fileprivate var origin: String {
    get { self[OriginKey.self] }
    set { self[OriginKey.self] = newValue }
  }
}

/// A schedule of one's own: seconds, or minutes where power is to be saved.
private struct SlowingSchedule: TimelineSchedule {
  let start: Date

  func entries(from startDate: Date, mode: TimelineScheduleMode) -> PeriodicTimelineSchedule.Entries
  {
    PeriodicTimelineSchedule(from: start, by: mode == .lowFrequency ? 60 : 1)
      .entries(from: startDate, mode: mode)
  }
}

private struct Appearance: Transition {
  func body(content: Content, phase: TransitionPhase) -> some View {
    content
      .opacity(phase.isIdentity ? 1 : 0.5)
      .offset(x: 10 * phase.value)
  }

  static var properties: TransitionProperties { TransitionProperties(hasMotion: true) }
}

extension AnyTransition {
  fileprivate static var popUp: AnyTransition {
    let insertion = AnyTransition.move(edge: .top)
      .combined(with: .scale(scale: 0.2, anchor: .topTrailing))
      .combined(with: .opacity)
    let removal = AnyTransition.move(edge: .top).combined(with: .opacity)
    return .asymmetric(insertion: insertion, removal: removal)
  }
}

/// Goal: a file of SwiftUI code compiles after `import Orrery`.
///
/// Method: that this file compiles is the test; each name is used with SwiftUI's arguments and
/// defaults, and shows one number so that it means what it says.
@Suite struct SwiftUISourceTests {
  private func near(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) < 1e-6 }

  private func progress(_ animation: Animation, at time: Double) -> Double {
    let engine = AnimationEngine()
    let x = engine.property(0.0)
    withAnimation(animation) { x.value = 1 }
    engine.advance(to: time)
    return x.presentation
  }

  @Test func valuesAndGeometry() {
    let type = (CGFloat).self
    #expect("\(type)" == "CGFloat")
    var wobble = Wobble(angle: 1, offset: CGSize(width: 3, height: -4))
    wobble.animatableData.scale(by: 0.5)
    #expect(wobble == Wobble(angle: 0.5, offset: CGSize(width: 1.5, height: -2)))
    #expect(CGRect(x: 1, y: 2, width: 3, height: 4).animatableData.magnitudeSquared == 30)
    #expect(CGPoint(x: 3, y: -4).animatableData.magnitudeSquared == 25)
    #expect(EmptyAnimatableData().magnitudeSquared == 0)
    var tint = Tint(red: 1, green: 3) - Tint(red: 0, green: 1)
    tint += Tint(red: 1, green: 0)
    tint.interpolate(towards: Tint(red: 4, green: 4), amount: 0.5)
    #expect(tint == Tint(red: 3, green: 3))
    #expect(CGFloat(2).animatableData + Float(1).scaled(by: 3).magnitudeSquared == 11)
  }

  @Test func animations() {
    let quarter = 0.0875
    #expect(near(progress(.default, at: 0.275), 0.821026))
    #expect(near(progress(.linear, at: 0.07), 0.2))
    #expect(near(progress(.linear(duration: 2), at: 0.5), 0.25))
    #expect(near(progress(.easeIn, at: 0.07), 0.062282))
    #expect(near(progress(.easeIn(duration: 1), at: 0.2), 0.062282))
    #expect(near(progress(.easeOut, at: 0.07), 0.308366))
    #expect(near(progress(.easeOut(duration: 1), at: 0.2), 0.308366))
    #expect(near(progress(.easeInOut, at: 0.07), 0.081660))
    #expect(near(progress(.easeInOut(duration: 1), at: 0.2), 0.081660))
    #expect(near(progress(.timingCurve(0.1, 0.75, 0.85, 0.35), at: 0.07), 0.400458))
    #expect(near(progress(.timingCurve(0.1, 0.75, 0.85, 0.35, duration: 1), at: 0.2), 0.400458))
    #expect(near(progress(.timingCurve(.circularEaseIn, duration: 1), at: 0.6), 0.2))
    #expect(near(progress(.linear(duration: 1).delay(0.3), at: 0.8), 0.5))
    #expect(near(progress(.linear(duration: 1).speed(4), at: 0.1), 0.4))
    #expect(near(progress(.linear(duration: 1).repeatCount(3), at: 1.25), 0.75))
    #expect(
      near(progress(.linear(duration: 1).repeatCount(3, autoreverses: false), at: 1.25), 0.25))
    #expect(near(progress(.linear.repeatForever(), at: 0.35 + quarter), 0.75))
    #expect(near(progress(.linear.repeatForever(autoreverses: false), at: 0.35 + quarter), 0.25))
    #expect(near(progress(.linear(duration: 2).logicallyComplete(after: 0.5), at: 1), 0.5))
    #expect(near(progress(.stepwise(duration: 2), at: 1.2), 0.5))
    #expect(Animation.stepwise == Animation(Stepwise(duration: 1)))
    #expect(Animation.default == .default)
  }

  @Test func springAnimations() {
    let critical = Spring(duration: 0.4).value(target: 1, time: 0.08)
    #expect(near(critical, 0.357739556))
    for animation: Animation in [
      .spring(duration: 0.4), .spring(duration: 0.4, bounce: 0, blendDuration: 0),
      .spring(response: 0.4, dampingFraction: 1),
      .spring(response: 0.4, dampingFraction: 1, blendDuration: 0),
      .spring(Spring(duration: 0.4)), .spring(Spring(duration: 0.4), blendDuration: 0.1),
      .smooth(duration: 0.4), .smooth(duration: 0.4, extraBounce: 0),
      .snappy(duration: 0.4, extraBounce: -0.15), .bouncy(duration: 0.4, extraBounce: -0.3),
      .interactiveSpring(response: 0.4, dampingFraction: 1, blendDuration: 0.25),
      .interactiveSpring(duration: 0.4, extraBounce: -0.15, blendDuration: 0.25),
      .interpolatingSpring(duration: 0.4), .interpolatingSpring(Spring(duration: 0.4)),
      .interpolatingSpring(duration: 0.4, bounce: 0, initialVelocity: 0),
      .interpolatingSpring(Spring(duration: 0.4), initialVelocity: 0),
      .interpolatingSpring(stiffness: 246.74011, damping: 31.4159265),
      .interpolatingSpring(mass: 1, stiffness: 246.74011, damping: 31.4159265, initialVelocity: 0),
    ] {
      #expect(near(progress(animation, at: 0.08), critical))
    }
    let half = Spring(duration: 0.5)
    for (animation, bounce): (Animation, Double) in [
      (.spring, 0), (.spring(), 0), (.smooth, 0), (.snappy, 0.15), (.bouncy, 0.3),
      (.interpolatingSpring, 0),
    ] {
      let spring = Spring(duration: half.duration, bounce: bounce)
      #expect(near(progress(animation, at: 0.1), spring.value(target: 1, time: 0.1)))
    }
    for animation: Animation in [.interactiveSpring, .interactiveSpring()] {
      let spring = Spring(duration: 0.15, bounce: 0.15)
      #expect(abs(progress(animation, at: 0.05) - spring.value(target: 1, time: 0.05)) < 0.01)
    }
  }

  @Test func curvesAndSprings() {
    let curve = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: 0.42, y: 0), endControlPoint: UnitPoint(x: 0.58, y: 1))
    #expect(curve == .easeInOut)
    #expect(near(UnitCurve.easeInOut.velocity(at: 0.3), 1.267218))
    #expect(near(curve.inverse.value(at: 0.331884), 0.4))
    #expect(near(UnitCurve.circularEaseIn.value(at: 0.6), 0.2))
    #expect(near(UnitCurve.circularEaseOut.value(at: 0.6), 0.9165151))
    #expect(near(UnitCurve.circularEaseInOut.value(at: 0.6), 0.8))
    #expect(near(UnitCurve.easeIn.value(at: 0.4) + UnitCurve.easeOut.value(at: 0.6), 1))
    #expect(UnitCurve.linear.value(at: 0.3) == 0.3)

    let spring = Spring(mass: 1, stiffness: 144, damping: 12)
    #expect(spring.force(target: 1, position: 0.5, velocity: 2) == 48)
    #expect(Spring(mass: 1, stiffness: 144, damping: 60, allowOverDamping: true).bounce == -0.6)
    #expect(near(Spring(settlingDuration: 1.2, dampingRatio: 0.6).response, 0.683360))
    #expect(Spring(settlingDuration: 1.2, dampingRatio: 0.6, epsilon: 0.1).response > 0.68336)
    #expect(near(Spring(response: 0.4, dampingRatio: 0.8).bounce, 0.2))
    #expect(Spring().duration == 0.5)
    #expect(Spring.smooth == Spring())
    #expect(near(Spring.bouncy(duration: 0.5, extraBounce: 0.1).dampingRatio, 0.6))
    #expect(near(Spring.snappy.dampingRatio, 0.85))
    #expect(Spring.snappy(duration: 0.4).response == 0.4)
    #expect(spring.settlingDuration > 0.9)
    #expect(spring.mass == 1)
    #expect(near(spring.stiffness, 144))
    #expect(near(spring.damping, 12))
    let start = Spring(duration: 0.4)
    #expect(near(start.value(target: 1, initialVelocity: 5, time: 0.05), 0.299953))
    #expect(near(start.velocity(target: 1, initialVelocity: 0, time: 0.08), 5.6179672))
    #expect(
      near(start.value(fromValue: 1, toValue: 2, initialVelocity: 0, time: 0.08), 1.357739556))
    #expect(
      near(start.velocity(fromValue: 1, toValue: 2, initialVelocity: 0, time: 0.08), 5.6179672))
    #expect(
      start.settlingDuration(target: 1, initialVelocity: 0, epsilon: 0.001)
        == start.settlingDuration)
    var (value, velocity) = (0.0, 0.0)
    for _ in 0..<4 {
      start.update(value: &value, velocity: &velocity, target: 1, deltaTime: 0.02)
    }
    #expect(near(value, 0.357739556))
  }

  @Test func transactionsAndCompletions() {
    let engine = AnimationEngine()
    let (scale, angle) = (engine.property(CGFloat(1)), engine.property(0.0))
    var calls: [String] = []
    withAnimation { scale.value = 2 }
    withAnimation(.linear(duration: 1)) {
      angle.value = 1
    } completion: {
      calls.append("logical at \(engine.time)")
    }
    withAnimation(.linear(duration: 2), completionCriteria: .removed) {
      scale.value = 4
    } completion: {
      calls.append("removed at \(engine.time)")
    }
    withAnimation(.easeInOut, completionCriteria: .logicallyComplete) {
    } completion: {
      calls.append("at once")
    }
    var transaction = Transaction(animation: .linear(duration: 4))
    transaction.disablesAnimations = false
    transaction.isContinuous = true
    transaction.tracksVelocity = false
    transaction.origin = "tap"
    transaction.addAnimationCompletion { calls.append("first") }
    transaction.addAnimationCompletion(criteria: .removed) { calls.append("second") }
    let origin = withTransaction(transaction) {
      withTransaction(\.animation, nil) { Transaction.current.origin }
    }
    #expect(origin == "tap")
    #expect(Transaction().origin == "code")
    #expect(calls == ["at once", "first", "second"])
    engine.advance(to: 0.5)
    #expect(angle.presentation == 0.5)
    engine.advance(to: 10)
    #expect(calls.dropFirst(3) == ["logical at 1.0", "removed at 2.0"])
  }

  @Test func timelines() {
    let start = Date(timeIntervalSince1970: 0)
    func seconds(_ dates: some Sequence<Date>) -> [Double] {
      dates.prefix(3).map { $0.timeIntervalSince1970 }
    }
    let now = Date(timeIntervalSince1970: 11)
    func entries<Schedule: TimelineSchedule>(
      _ schedule: Schedule, mode: TimelineScheduleMode = .normal
    ) -> [Double] {
      seconds(schedule.entries(from: now, mode: mode))
    }
    #expect(entries(.periodic(from: start, by: 4)) == [8, 12, 16])
    #expect(entries(.everyMinute) == [0, 60, 120])
    #expect(entries(.explicit([now, now + 5, now.addingTimeInterval(10)])) == [11, 16, 21])
    #expect(entries(.animation(minimumInterval: 0.25, paused: false)) == [11, 11.25, 11.5])
    #expect(entries(.animation(paused: true)) == [])
    #expect(entries(.animation).count == 3)
    #expect(entries(SlowingSchedule(start: start), mode: .lowFrequency) == [0, 60, 120])
    var player = TimelinePlayer(.periodic(from: start, by: 4))
    let context = player.update(at: now)
    #expect(context?.date == Date(timeIntervalSince1970: 8))
    #expect(context?.cadence == .live)
    #expect(TimelineViewDefaultContext.Cadence.seconds < .minutes)
  }

  @Test func effects() {
    let orbit = OrbitEffect(angle: .pi / 2, radius: 160)
    let moved = CGPoint.zero.applying(orbit.effectValue(size: CGSize(width: 1, height: 1)))
    #expect(near(moved.x, 0))
    #expect(moved.y == 160)
    var transform = ProjectionTransform(
      CGAffineTransform(scaleX: 2, y: 3).concatenating(.init(translationX: 1, y: 1)))
    #expect(transform.m11 == 2)
    #expect(transform.isAffine)
    #expect(!transform.isIdentity)
    let isInvertible = transform.invert()
    #expect(isInvertible)
    #expect(near(CGPoint(x: 3, y: 4).applying(transform).x, 1))
    let turned = CGAffineTransform(rotationAngle: .pi / 2).scaledBy(x: 2, y: 2).inverted()
    #expect(near(CGPoint(x: 0, y: 2).applying(turned).x, 1))
    #expect(CGAffineTransform.identity.translatedBy(x: 2, y: 0).rotated(by: 0).tx == 2)
  }

  @Test func transitions() {
    let size = CGSize(width: 90, height: 50)
    func hidden(_ transition: AnyTransition, _ phase: TransitionPhase = .didDisappear)
      -> TransitionValues
    {
      transition.values(phase: phase, progress: phase == .willAppear ? 0 : 1, size: size)
    }
    #expect(hidden(.identity) == .identity)
    #expect(hidden(.opacity).opacity == 0)
    #expect(hidden(.scale).matrix.a == 1e-5)
    #expect(hidden(.scale(scale: 0.5)).matrix.tx == 22.5)
    #expect(hidden(.scale(scale: 0.5, anchor: .topTrailing)).matrix.tx == 45)
    #expect(hidden(.move(edge: .bottom)).matrix.ty == 50)
    #expect(hidden(.slide).matrix.tx == 90)
    #expect(hidden(.slide, .willAppear).matrix.tx == -90)
    #expect(hidden(.push(from: .top), .willAppear).matrix.ty == -50)
    #expect(hidden(.offset(CGSize(width: 3, height: 4))).matrix.tx == 3)
    #expect(hidden(.offset(x: 3, y: 4)).matrix.ty == 4)
    #expect(hidden(AnyTransition(.blurReplace)).blur == 7)
    #expect(near(hidden(AnyTransition(.blurReplace(.upUp))).matrix.a, 1.1))
    #expect(hidden(.move(edge: .top).combined(with: .opacity)).opacity == 0)
    #expect(hidden(.asymmetric(insertion: .slide, removal: .opacity)).matrix == .identity)
    #expect(hidden(.opacity.animation(.linear(duration: 1))).opacity == 0)
    let half = AnyTransition.modifier(
      active: OrbitEffect(angle: .pi / 2, radius: 8), identity: OrbitEffect(radius: 8))
    #expect(hidden(half).matrix.ty == 8)
    let popUp = AnyTransition.popUp.values(
      phase: .willAppear, progress: 0.4, size: CGSize(width: 240, height: 160))
    #expect(near(popUp.matrix.tx, 115.2))
    #expect(near(popUp.matrix.ty, -49.92))
  }

  @Test func transitionsByType() {
    let size = CGSize(width: 90, height: 50)
    func hidden(_ transition: some Transition) -> TransitionValues {
      AnyTransition(transition).values(phase: .didDisappear, progress: 1, size: size)
    }
    #expect(hidden(Appearance()).opacity == 0.5)
    #expect(hidden(.identity) == .identity)
    #expect(hidden(.opacity).opacity == 0)
    #expect(hidden(.scale).matrix.d == 1e-5)
    #expect(hidden(.scale(0.5, anchor: .bottom)).matrix.ty == 25)
    #expect(hidden(.move(edge: .leading)).matrix.tx == -90)
    #expect(hidden(.slide).matrix.tx == 90)
    #expect(hidden(.push(from: .leading)).matrix.tx == 90)
    #expect(hidden(.offset(x: 1)).matrix.tx == 1)
    #expect(hidden(.offset(CGSize(width: 0, height: 2))).matrix.ty == 2)
    #expect(hidden(BlurReplaceTransition(configuration: .downUp)).blur == 7)
    #expect(hidden(AsymmetricTransition(insertion: .slide, removal: .opacity)).opacity == 0)
    #expect(hidden(OpacityTransition().combined(with: .slide)).matrix.tx == 90)
    #expect(hidden(MoveTransition(edge: .top).animation(.bouncy)).matrix.ty == -50)
    #expect(TransitionPhase.willAppear.value == -1)
    #expect(TransitionPhase.identity.isIdentity)
    #expect(Appearance.properties.hasMotion)
    #expect(!OpacityTransition.properties.hasMotion)
  }

  @Test func keyframesAndPhases() throws {
    let timeline = KeyframeTimeline(initialValue: Wobble(angle: 0, offset: .zero)) {
      KeyframeTrack(\.angle) {
        LinearKeyframe(8, duration: 0.4)
        LinearKeyframe(2, duration: 0.6, timingCurve: .linear)
        SpringKeyframe(9, duration: 0.4, spring: .bouncy)
        SpringKeyframe(4)
        SpringKeyframe(4, duration: 0.1, spring: Spring(duration: 0.1), startVelocity: 0)
      }
      KeyframeTrack(\.offset.width) {
        CubicKeyframe(20, duration: 0.8, startVelocity: 10, endVelocity: 0)
        CubicKeyframe(4, duration: 0.1)
        MoveKeyframe(5)
      }
    }
    #expect(near(timeline.value(time: 0.1).angle, 2))
    #expect(near(timeline.value(time: 0.7).angle, 5))
    #expect(near(timeline.value(time: 0.4).offset.width, 11))
    #expect(timeline.value(progress: 1).offset.width == 5)
    var wobble = Wobble(angle: 0, offset: .zero)
    timeline.update(value: &wobble, time: 0.1)
    timeline.update(value: &wobble, progress: 0)
    #expect(wobble.angle == 0)
    #expect(timeline.duration > 1.4)
    let plain = KeyframeTimeline(initialValue: 0.0) {
      MoveKeyframe(5.0)
      LinearKeyframe(9, duration: 0.4)
    }
    #expect(plain.value(time: 0) == 5)
    #expect(near(plain.value(time: 0.2), 7))

    var phases = PhasePlayer([1.0, 1.5, 0.8]) { _ in .linear(duration: 0.2) }
    phases.trigger(at: 0)
    var times: [Double] = []
    while let change = phases.nextChange(until: 10) { times.append(change.time) }
    try #require(times.count == 3)
    #expect(near(times[2], 0.4))
  }
}
