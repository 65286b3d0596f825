// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: files written for SwiftUI compile after `import Orrery`, in Swift 5 and in Swift 6 mode.
///
/// Method: that the vocabulary's files compile is the test. Each use is made once, too.
@Suite struct VocabularyTests {
  private let size = CGSize(width: 100, height: 60)

  private func isClose(_ found: [Double], _ expected: [Double], _ bound: Double = 1e-9) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < bound }
  }

  private func image(_ x: CGFloat, _ y: CGFloat, of view: some View) -> [Double] {
    let point = CGPoint(x: x, y: y).applying(view.drawnValues(size: size).transform)
    return [point.x, point.y]
  }

  @Test func everyUseMeansSomething() {
    #expect(isClose(ValuesVocabulary.angles(), [190, 380, 10, 380 * .pi / 180]))
    let geometry: [Double] = [2, 0, 1, 1, 3, 2, 3, 0.5, 12, 4, 2]
    #expect(isClose(ValuesVocabulary.geometry().map { Double($0) }, geometry))
    #expect(isClose(ValuesVocabulary.vectors(), [32, 14, 0, 6, 30, 0, 5, 3]))
    let maps = ValuesVocabulary.maps().map { Double($0) }
    #expect(isClose(maps, [3, 1, 1, 0, 0, 1, 0.5, 1, 1, 0, 1, -1, 1]))
    #expect(MotionVocabulary.animations.count + MotionVocabulary.springs.count == 50)
    #expect(Set(MotionVocabulary.animations).count == 21)
    #expect(MotionVocabulary.springNumbers().allSatisfy { !$0.isNaN })
    #expect(MotionVocabulary.curves().allSatisfy { $0.isFinite })
    #expect(
      MotionVocabulary.transactions() == [
        "body", "body", "complete", "removed", "logical", "drag", "first", "second", "code",
      ])
    #expect(MotionVocabulary.entries() == [3, 3, 2, 3, 3, 0, 0, 3, 3, 3, 1, 3])
    #expect(MotionVocabulary.environment() == [2, 1, 0.5, 1])
    #expect(ViewVocabulary.transitions.count == 36)
    #expect(ViewVocabulary.contentTransitions.count == 6)
  }

  /// [V-01] Angles are radians; turns count, and animations move them.
  @Test func anglesAreRadians() {
    #expect(abs(Angle.degrees(180).radians - .pi) < 1e-15)
    #expect(Angle.degrees(370) > .degrees(10))
    var angle = Angle.zero
    angle.animatableData = Angle.zero.animatableData
      .interpolated(towards: Angle.degrees(720).animatableData, amount: 0.75)
    #expect(abs(angle.degrees - 540) < 1e-12)
    let spring = Spring(duration: 0.4)
    let turned = spring.value(
      fromValue: Angle.zero, toValue: .degrees(90), initialVelocity: .zero, time: 0.08)
    #expect(abs(turned.degrees - 90 * spring.value(target: 1.0, time: 0.08)) < 1e-12)
  }

  /// [V-02] 90° about the upper left corner takes (10, 0) to (0, 10); right to left it is mirrored.
  @Test func viewsRotateAboutAnAnchor() {
    let view = Leaf().rotationEffect(.degrees(90), anchor: .topLeading)
    #expect(isClose(image(10, 0, of: view), [0, 10]))
    #expect(isClose(image(60, 30, of: Leaf().rotationEffect(.degrees(90))), [50, 40]))
    let mirrored = view.drawnValues(size: size, layoutDirection: .rightToLeft).transform
    let point = CGPoint(x: 90, y: 0).applying(mirrored)
    #expect(isClose([point.x, point.y], [100, 10]))
  }

  /// [V-03] A turn about the upright axis of a 100 x 60 view: the eye is 100 points away.
  @Test func perspectiveIsOfTheLargerSide() {
    let view = Leaf().rotation3DEffect(.degrees(60), axis: (x: 0, y: 2, z: 0))
    let depth = 50 * 3.0.squareRoot() / 2
    #expect(isClose(image(100, 30, of: view), [50 + 25 / (1 + depth / 100), 30]))
    #expect(isClose(image(0, 30, of: view), [50 - 25 / (1 - depth / 100), 30]))
    let flat = Leaf()
      .rotation3DEffect(.degrees(60), axis: (x: 0, y: 1, z: 0), perspective: 0)
    #expect(isClose(image(100, 30, of: flat), [75, 30]))
    let still = Leaf().rotation3DEffect(.degrees(60), axis: (x: 0, y: 0, z: 0))
    #expect(isClose(image(100, 30, of: still), [100, 30]))
    // As a card's flip is written by hand.
    let flip = Leaf().modifier(FlipEffect(angle: 60, axis: (0, 1)))
    #expect(isClose(image(100, 30, of: flip), image(100, 30, of: view)))
  }

  /// [V-04] Red, green and blue of half-bright red under each modifier of colours.
  @Test func coloursAreMapped() {
    func red(_ view: some View) -> [Double] {
      let m = view.drawnValues(size: size).colors
      return [m.r1 / 2 + m.r4 + m.r5, m.g1 / 2 + m.g4 + m.g5, m.b1 / 2 + m.b4 + m.b5]
        .map { Double($0) }
    }
    #expect(isClose(red(Leaf()), [0.5, 0, 0], 1e-6))
    #expect(isClose(red(Leaf().brightness(0.25)), [0.75, 0.25, 0.25], 1e-6))
    #expect(isClose(red(Leaf().contrast(2)), [0.5, -0.5, -0.5], 1e-6))
    #expect(isClose(red(Leaf().contrast(-1)), [0.5, 0.5, 0.5], 1e-6))
    #expect(isClose(red(Leaf().saturation(0)), [0.1063, 0.1063, 0.1063], 1e-6))
    #expect(isClose(red(Leaf().grayscale(0.5)), [0.30315, 0.05315, 0.05315], 1e-6))
    #expect(isClose(red(Leaf().hueRotation(.degrees(360))), [0.5, 0, 0], 1e-4))
    #expect(isClose(red(Leaf().hueRotation(.degrees(90))), [0, 0.1778, -0.28735], 1e-4))
    // The inner one first.
    #expect(
      isClose(red(Leaf().brightness(0.25).contrast(2)), [1, 0, 0], 1e-6))
    #expect(
      isClose(red(Leaf().contrast(2).brightness(0.25)), [0.75, -0.25, -0.25], 1e-6))
  }

  /// [V-05] The forms of scale, and a position: the centre of a 100 x 60 view at (10, 20).
  @Test func scaleAndPosition() {
    #expect(isClose(image(0, 0, of: Leaf().scaleEffect(x: 2)), [-50, 0]))
    #expect(isClose(image(0, 0, of: Leaf().scaleEffect(2, anchor: .bottom)), [-50, -60]))
    #expect(isClose(image(0, 0, of: Leaf().scaleEffect(y: 0.5, anchor: .top)), [0, 0]))
    #expect(isClose(image(50, 30, of: Leaf().position(x: 10, y: 20)), [10, 20]))
    #expect(Leaf().hidden().drawnValues(size: size).opacity == 0)
    #expect(Leaf().scaleEffect(0).drawnValues(size: size).matrix.a == ScaleEffect.scaleMin)
  }

  /// [V-06] The modifiers of a body apply to the content, the first one innermost.
  @Test func bodiesAreEvaluated() {
    struct Twice: ViewModifier {
      func body(content: Content) -> some View {
        content.offset(x: 10).modifier(Pop(isActive: true))
      }
    }
    let values = Leaf().opacity(0.5).modifier(Twice()).drawnValues(size: size)
    #expect(values.opacity == 0)
    #expect(isClose(image(50, 30, of: Leaf().modifier(Twice())), [55, 30]))
    #expect(isClose(image(0, 0, of: Tilted(.degrees(180)) { Leaf().offset(x: 10) }), [90, 60]))
    #expect(Twice().drawnValues(size: size).matrix.a == 0.5)
    #expect(Dimmed(Leaf()).view.drawnValues(size: size).opacity == 0)
    let both = Leaf().modifier(Pop(isActive: true).concat(Twice()))
    #expect(both.drawnValues(size: size).matrix.a == 0.25)
    struct Gone: ViewModifier {
      func body(content: Content) -> some View { EmptyView() }
    }
    #expect(Gone().drawnValues(size: size).opacity == 0)
    #expect(ViewVocabulary.everything(true).drawnValues(size: size).transform.inverse != nil)
    for number in [nil, 0, 1, 2] {
      let values = ViewVocabulary.branches(number).drawnValues(size: size)
      #expect(values.opacity == (number == 1 ? 0.5 : 1))
      #expect((values.matrix.b != 0) == (number == nil))
    }
  }

  /// [V-07] Animatable data move, and the body follows: sin(2π · 0.625) · 5, not half of the way.
  @Test func animatableModifiersFollowTheirData() {
    let middle = AnyTransition.shaking.values(phase: .willAppear, progress: 0.5, size: size)
    #expect(abs(middle.matrix.tx - 5 * sin(2 * .pi * 0.625)) < 1e-12)
    let end = AnyTransition.shaking.values(phase: .willAppear, progress: 0, size: size)
    #expect(abs(end.matrix.tx - 5) < 1e-12)
    let flip = AnyTransition.flip.values(phase: .didDisappear, progress: 0.5, size: size)
    let half = Leaf().modifier(FlipEffect(angle: 45, axis: (0, 1))).drawnValues(size: size)
    #expect(flip == half)
    // What is not animatable in it is interpolated in the body.
    struct Mixed: ViewModifier, Animatable {
      var share: Double
      let shift: CGFloat
      var animatableData: Double {
        get { share }
        set { share = newValue }
      }
      func body(content: Content) -> some View {
        content.opacity(share * share).offset(x: shift)
      }
    }
    let mixed = AnyTransition.modifier(
      active: Mixed(share: 0, shift: 8), identity: Mixed(share: 1, shift: 0))
    let values = mixed.values(phase: .didDisappear, progress: 0.25, size: size)
    #expect(isClose([values.opacity, values.matrix.tx], [0.5625, 2]))
    let property = AnimationEngine()
    let shake = property.property(Shake(shakes: 0))
    withAnimation(.linear(duration: 1)) { shake.value = Shake(shakes: 1) }
    property.advance(to: 0.125)
    let shown = shake.presentation.drawnValues(size: size)
    #expect(abs(shown.matrix.tx - 5 * sin(2 * .pi / 8)) < 1e-12)
  }

  /// [V-08] A modifier without animatable data: those in its body move.
  @Test func plainModifiersMoveTheirBodies() {
    let values = AnyTransition.pop.values(phase: .willAppear, progress: 0.25, size: size)
    #expect(isClose([values.matrix.a, values.opacity], [0.625, 0.25]))
    #expect(AnyTransition.pop.description == "ModifierTransition<Pop>")
  }

  /// [V-09] Transitions with `some View` bodies.
  @Test func transitionsHaveBodies() {
    let twirl = AnyTransition(Twirl())
    let coming = twirl.values(phase: .willAppear, progress: 0.5, size: size)
    #expect(isClose([coming.opacity, coming.blur], [0.5, 5]))
    #expect(isClose([coming.matrix.a, coming.matrix.b], [-0.75, 0], 1e-9))
    #expect(abs(coming.colors.r5 - 0.5) < 1e-6)
    let going = twirl.values(phase: .didDisappear, progress: 0.25, size: size)
    #expect(isClose([going.matrix.a, going.matrix.b], [0, -0.875], 1e-9))
    let flip = AnyTransition(FlipIn()).values(phase: .willAppear, progress: 1 / 3, size: size)
    let turned = Leaf().rotation3DEffect(.degrees(-60), axis: (x: 0, y: 1, z: 0))
    #expect(abs(flip.transform.m13 - turned.drawnValues(size: size).transform.m13) < 1e-15)
    let blink = AnyTransition(Blink())
    #expect(blink.values(phase: .didDisappear, progress: 0.25, size: size).opacity == 0.75)
    let applied = ViewVocabulary.applied(.didDisappear).drawnValues(size: size)
    #expect(applied.blur == 10)
    struct Lost: Transition {
      func body(content: Content, phase: TransitionPhase) -> some View {
        if phase.isIdentity { content }
      }
    }
    let lost = AnyTransition(Lost()).values(phase: .didDisappear, progress: 1, size: size)
    #expect(lost.opacity == 0)
    var player = TransitionPlayer(of: Leaf().transition(.slide).opacity(0.5))
    player.insert(animation: .linear(duration: 1), at: 0)
    #expect(player.values(at: 0.75, size: size).matrix.tx == -25)
    #expect(TransitionPlayer(of: Leaf()).transition == .opacity)
  }

  @Test func bodiesOfTransitionsAreTheSameAtEveryTime() async {
    await #expect(processExitsWith: .failure) {
      struct Timed: Transition {
        func body(content: Content, phase: TransitionPhase) -> some View {
          content.phaseAnimator([0.0, 1]) { content, phase in content.opacity(phase) }
        }
      }
      _ = AnyTransition(Timed())
    }
  }

  /// [V-10] Implicit animations govern the modifiers before them, and only for changes of their value.
  @Test func implicitAnimationsGovernWhatIsInside() {
    func view(_ isOn: Bool, _ other: Int) -> some View {
      Leaf().opacity(isOn ? 1 : 0).animation(.linear(duration: 1), value: isOn)
        .offset(x: CGFloat(other)).animation(.linear(duration: 4), value: other)
        .blur(radius: isOn ? 4 : 0)
    }
    var player = ViewPlayer(view(false, 0))
    withAnimation(.linear(duration: 2)) { player.update(view(true, 8), at: 0) }
    let values = player.values(at: 0.5, size: size)
    // The innermost animation counts; the blur has the transaction's.
    #expect(isClose([values.opacity, values.matrix.tx, values.blur], [0.5, 1, 1]))
    #expect(player.isMoving(at: 3.9))
    player.update(view(true, 16), at: 10)
    let later = player.values(at: 11, size: size)
    #expect(isClose([later.opacity, later.matrix.tx, later.blur], [1, 10, 4]))
    player.update(view(false, 16), at: 20, transaction: Transaction(animation: nil))
    #expect(isClose([player.values(at: 20.25, size: size).opacity], [0.75]))
    #expect(player.values(at: 20.25, size: size).blur == 0)

    var scoped = ViewPlayer(ViewVocabulary.animated(Leaf(), false))
    scoped.update(ViewVocabulary.animated(Leaf(), true), at: 0)
    #expect(scoped.values(at: 0.01, size: size).opacity < 1)
    #expect(scoped.values(at: 0, size: size).matrix.ty == 1)

    struct Slow: Transition {
      func body(content: Content, phase: TransitionPhase) -> some View {
        content.opacity(phase.isIdentity ? 1 : 0).animation(.linear(duration: 4), value: phase)
          .offset(x: phase.isIdentity ? 0 : 8)
      }
    }
    var slow = TransitionPlayer(AnyTransition(Slow()).animation(.linear(duration: 2)))
    slow.insert(animation: .linear(duration: 1), at: 0)
    let coming = slow.values(at: 1, size: size)
    #expect(isClose([coming.opacity, coming.matrix.tx], [0.25, 4]))
  }

  /// [V-11] An affine map that is given is not animated; springs take over, other shapes jump.
  @Test func statesFollowEachOther() {
    func view(_ x: CGFloat) -> some View {
      Leaf().transformEffect(CGAffineTransform(translationX: x, y: 0)).offset(y: x)
    }
    var player = ViewPlayer(view(0))
    withAnimation(.spring(duration: 0.5)) { player.update(view(10), at: 0) }
    #expect(player.values(at: 0.1, size: size).matrix.tx == 10)
    let engine = AnimationEngine()
    let y = engine.property(0.0)
    withAnimation(.spring(duration: 0.5)) { y.value = 10 }
    engine.advance(to: 0.1)
    withAnimation(.spring(duration: 0.3)) {
      y.value = -5
      player.update(view(-5), at: 0.1)
    }
    engine.advance(to: 0.2)
    #expect(abs(player.values(at: 0.2, size: size).matrix.ty - y.presentation) < 1e-12)
    #expect(y.presentation > -5)
    player.advance(to: 9)
    #expect(!player.isMoving(at: 9))
    #expect(player.values(at: 9, size: size).matrix.ty == -5)

    var branches = ViewPlayer(AnyView(Leaf().opacity(0.5)))
    withAnimation { branches.update(AnyView(Leaf().blur(radius: 2)), at: 0) }
    #expect(branches.values(at: 0, size: size).blur == 2)
    let given = AnyTransition(Given())
    #expect(given.values(phase: .didDisappear, progress: 0.5, size: size).matrix.tx == 10)
    #expect(given.values(phase: .willAppear, progress: 0.5, size: size).matrix.tx == 0)
  }

  private struct Given: Transition {
    func body(content: Content, phase: TransitionPhase) -> some View {
      content.transformEffect(
        CGAffineTransform(translationX: phase.isIdentity ? 0 : 10, y: 0))
    }
  }

  /// [V-12] Phases: 1 to 1.5 in 1 s and back in 0.5 s for ever; a trigger plays one round.
  @Test func phaseAnimatorsPlay() {
    let pulse = AnimatorVocabulary.pulse()
    let scales = [0, 0.5, 1, 1.25, 1.5, 2, 1500].map {
      Double(pulse.values(at: $0, size: size).matrix.a)
    }
    #expect(isClose(scales, [1, 1.25, 1.5, 1.25, 1, 1.25, 1], 1e-9))
    #expect(pulse.phase(at: 0.5) == .loud)
    #expect(pulse.content(at: 0.5) != nil)
    var tap = AnimatorVocabulary.tap(0)
    #expect(tap.values(at: 5, size: size).matrix.a == 1)
    tap.trigger(0, at: 5)
    #expect(tap.phase(at: 5) == 1)
    tap.trigger(1, at: 6)
    #expect(tap.phase(at: 6) == 2)
    #expect(tap.phase(at: 6.54) == 2)
    #expect(tap.phase(at: 6.56) == 1)
    // The first spring still settles when the second begins.
    let value = Double(tap.values(at: 6.7, size: size).matrix.a)
    let engine = AnimationEngine(time: 6)
    let scale = engine.property(1.0)
    withAnimation(.default) { scale.value = 2 }
    engine.advance(to: 6.55)
    withAnimation(.default) { scale.value = 1 }
    engine.advance(to: 6.7)
    #expect(abs(value - scale.presentation) < 1e-9)
    #expect(value > 1.45)
    let none = PhaseAnimator([Int]()) { _ in Leaf() }
    #expect(none.phase(at: 1) == nil)
    let modified = Leaf().phaseAnimator([0.0, 1]) { content, phase in
      content.opacity(phase)
    } animation: { _ in
      .linear(duration: 1)
    }
    #expect(modified.values(at: 0.25, size: size).opacity == 0.25)
    #expect(modified.drawnValues(size: size, at: 1.25).opacity == 0.75)
  }

  /// [V-13] Keyframes from the initial value, again at each trigger; the closure gets the current value.
  @Test func keyframeAnimatorsPlay() {
    let fall = KeyframeAnimator(initialValue: 0.0) { y in
      Leaf().offset(y: y)
    } keyframes: { _ in
      LinearKeyframe(40, duration: 0.5)
    }
    let heights = [0, 0.25, 0.75].map { Double(fall.values(at: $0, size: size).matrix.ty) }
    #expect(isClose(heights, [0, 20, 20]))
    var swing = AnimatorVocabulary.swing(0)
    #expect(swing.value(at: 9).angle == .zero)
    swing.trigger(1, at: 10)
    #expect(abs(swing.value(at: 10.5).angle.degrees - 45) < 1e-12)
    swing.trigger(1, at: 10.6)
    swing.trigger(2, at: 11)
    // From 0 again, to 90° more than the current 90°.
    #expect(abs(swing.value(at: 11.5).angle.degrees - 90) < 1e-12)
    #expect(abs(swing.value(at: 99).angle.degrees - 180) < 1e-12)
    let last = AnimatorVocabulary.modified(0).drawnValues(size: size, at: 99)
    #expect(last.matrix.ty == 40)
    let timeline = AnimatorVocabulary.timeline(true)
    #expect(abs(timeline.value(time: 0.5).angle.degrees - 180) < 1e-12)
    #expect(timeline.value(time: 2).scale == 3)
    #expect(abs(timeline.value(time: 2.3).scale - 2) < 1e-9)
    #expect(AnimatorVocabulary.timeline(false).value(time: 1).scale == 3)
    #expect(timeline.value(time: 0.25).load.kilograms == 2)
    #expect(abs(timeline.value(time: 0.4).offset.width - 2) < 1e-12)
    #expect(isClose(AnimatorVocabulary.plain(), [45, 1, 90, 45, 0.5]))
    let tall = KeyframeTimeline(initialValue: Pose()) { tracks(true) }
    let flat = KeyframeTimeline(initialValue: Pose()) { tracks(false) }
    #expect(
      isClose([tall.value(time: 0.25).scale, flat.value(time: 0.5).angle.degrees], [1.5, 45]))
  }

  /// [V-14] A timeline's content gets the entry's date; slower cadences are greater.
  @Test func timelinesShowTheirEntries() {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    var clock = AnimatorVocabulary.clock(start)
    #expect(clock.content == nil)
    let shown = clock.update(at: start + 15.5)
    #expect(abs((shown?.drawnValues(size: size).matrix.b ?? 0) - 1) < 1e-12)
    #expect(clock.update(at: start + 15.9) == nil)
    #expect(clock.context?.date == start + 15)
    #expect(clock.nextEntry == start + 16)
    clock.mode = .lowFrequency
    #expect(clock.update(at: start + 16)?.drawnValues(size: size).opacity == 0.5)
    #expect(AnimatorVocabulary.cadences() == [.live, .seconds, .minutes])
    let values = AnimatorVocabulary.clock(start).drawnValues(size: size, at: 15.5)
    #expect(abs(values.matrix.b - 1) < 1e-12)
    // A player goes with the timeline in its view.
    let player = ViewPlayer(AnimatorVocabulary.clock(start))
    #expect(abs(player.values(at: 30.2, size: size).matrix.a + 1) < 1e-12)
  }

  /// [V-15] Insets move as four numbers: top, leading, bottom, trailing.
  @Test func insetsAreAnimatable() {
    var insets = EdgeInsets(top: 0, leading: 4, bottom: 8, trailing: 12)
    let data = insets.animatableData
    insets.animatableData = data.interpolated(towards: .zero, amount: 0.25)
    #expect(insets == EdgeInsets(top: 0, leading: 3, bottom: 6, trailing: 9))
    #expect(data.magnitudeSquared == 224)
    #expect(Edge.Set.all == [.horizontal, .vertical])
    #expect(Edge.Set(.leading).rawValue == 2)
    #expect(Axis.Set([.horizontal, .vertical]).rawValue == 3)
  }

  /// [V-16] A map of space in the plane: z is dropped, perspective stays.
  @Test func mapsOfSpaceAreProjected() {
    var eye = CATransform3DIdentity
    eye.m34 = -1 / 500
    let turned = CATransform3DRotate(eye, .pi / 3, 0, 1, 0)
    let point = CGPoint(x: 100, y: 30).applying(ProjectionTransform(turned))
    let w = 1 + 100 * sin(Double.pi / 3) / 500
    #expect(isClose([point.x, point.y], [50 / w, 30 / w]))
    let back = CATransform3DConcat(turned, CATransform3DInvert(turned))
    #expect(isClose([back.m11, back.m34, back.m13, back.m44].map { Double($0) }, [1, 0, 0, 1]))
    #expect(CATransform3DInvert(CATransform3D()).m11 == 0)
    let moved = CATransform3DTranslate(CATransform3DMakeScale(2, 2, 2), 1, 1, 1)
    #expect([moved.m41, moved.m42, moved.m43] == [2, 2, 2])
    #expect(!CATransform3DIsAffine(turned))
    #expect(CATransform3DIsIdentity(CATransform3DMakeRotation(1, 0, 0, 0)))
  }

  /// [V-17] Content transitions are values; a view without one interpolates, and appears with opacity.
  @Test func contentTransitionsAreValues() {
    #expect(ContentTransition.numericText() == .numericText(countsDown: false))
    #expect(ContentTransition.numericText(countsDown: true) != .numericText())
    #expect(ContentTransition.numericText(value: 1) != .numericText(value: 2))
    #expect(Leaf().attachedContentTransition == .interpolate)
    #expect(
      Leaf().contentTransition(.opacity).contentTransition(.identity).opacity(0.5)
        .attachedContentTransition == .opacity)
    #expect(Leaf().transition(.slide).transition(.scale).attachedTransition == .scale)
    #expect(Leaf().modifier(Pop(isActive: true)).attachedTransition == .opacity)
  }

  /// [V-18] A custom animation reads the engine's environment; a change reaches it while it runs.
  @Test func animationsReadTheEngineSEnvironment() {
    let engine = AnimationEngine()
    engine.environment.pace = 2
    let x = engine.property(0.0)
    withAnimation(.stepwise(duration: 4)) { x.value = 8 }
    engine.advance(to: 1)
    #expect(x.presentation == 4)
    engine.environment.pace = 1
    engine.advance(to: 1.5)
    #expect(x.presentation == 2)
    engine.environment.accessibilityReduceMotion = true
    engine.advance(to: 1.6)
    #expect(x.presentation == 8)
    #expect(!x.isAnimating)
  }

  /// [V-19] Several vectors as one, without nesting.
  @Test func vectorsOfManyParts() {
    var values = AnimatableValues(3.0, CGFloat(4), AnimatablePair(0.0, Float(12)))
    #expect(values.magnitudeSquared == 169)
    values.interpolate(towards: .zero, amount: 0.5)
    #expect(values.value.0 == 1.5)
    #expect(values.value.2.second == 6)
    #expect(values == AnimatableValues(1.5, 2, AnimatablePair(0, 6)))
    #expect(values != .zero)
  }

  /// [P-09] [U-07] SwiftUI's own estimates, and the numbers that hold.
  @Test func estimatesAreSwiftUIs() {
    let settling = [
      Spring(duration: 0.6, bounce: 0.25), .bouncy, .snappy, Spring(duration: 0.5, bounce: 1),
      .smooth,
      Spring(duration: 0, bounce: 0), Spring(duration: 0.5, bounce: -0.5), Spring(duration: 99),
    ].map(\.settlingDuration)
    #expect(isClose(Array(settling[..<3]), [1.157199, 1.045, 0.877], 5e-4))
    #expect(settling[3] == .infinity)
    #expect(isClose(Array(settling[4...]), [0.8, 0, 2.1, 0], 1e-9))
    #expect(abs(Spring(duration: 0.6, bounce: 0.25).settlingBound - 0.976028) < 1e-6)
    let vector = Spring.bouncy.settlingDuration(
      target: AnimatablePair(3.0, -4.0), initialVelocity: .zero, epsilon: 0.001)
    #expect(vector == Spring.bouncy.settlingDuration(target: 5.0, epsilon: 0.001))
    #expect(UnitCurve.easeOut.velocity(at: 0, ends: .swiftUI) == 1)
    #expect(UnitCurve.easeIn.velocity(at: 1, ends: .swiftUI) == 0)
    #expect(UnitCurve.easeIn.velocity(at: 1, ends: .limit) == UnitCurve.easeIn.velocity(at: 1))
    for x in [0, 0.3, 1] {
      #expect(
        UnitCurve.easeInOut.velocity(at: x, ends: .swiftUI) == UnitCurve.easeInOut.velocity(at: x))
      #expect(UnitCurve.linear.velocity(at: x, ends: .swiftUI) == 1)
    }
  }
}
