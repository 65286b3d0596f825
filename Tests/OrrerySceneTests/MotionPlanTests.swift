// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: repeated animations, moves of fields, keyframes and phases become what the batches move.
///
/// Method: plan them and compare specs and commands with values worked out by hand.
@Suite struct MotionPlanTests {
  private func tween(_ animation: Animation) throws -> TweenSpec? {
    let scene = Scene("s") { Row(cells: [.label("a")]).animation(from: -7, to: 3, animation) }
    return try ScenePlan(scene, text: FixedWidths()).tweens.first
  }

  @Test func repeatedCurvesMoveRows() throws {
    #expect(
      try tween(.linear(duration: 5).repeatForever(autoreverses: false))
        == TweenSpec(from: -7, to: 3, period: 5))
    #expect(
      try tween(.easeInOut(duration: 5).repeatForever())
        == TweenSpec(
          from: -7, to: 3, period: 10, cycle: TweenCycle(curve: .easeInOut, autoreverses: true)))
    #expect(
      try tween(.easeIn(duration: 3).delay(1).speed(2).repeatForever(autoreverses: false))
        == TweenSpec(from: -7, to: 3, period: 2, cycle: TweenCycle(curve: .easeIn, hold: 0.25)))
  }

  @Test(arguments: [
    "linear(duration: 5)", "easeIn.repeatCount(3)", "spring.repeatForever()",
    "linear.repeatForever().delay(1)", "linear(duration: 0).repeatForever()",
    "linear(duration: 3).delay(-1).repeatForever()",
    "linear(duration: 1e-17).delay(1).repeatForever()", "default",
  ])
  func otherAnimationsDoNotMoveRows(animation: String) {
    let row = "[[content]]\nkind = \"row\"\ncurrencies = [\"EUR\"]\n"
    let found = problems(row + "animation = { from = 0, to = 1, animation = \"\(animation)\" }")
    #expect(
      found == [
        "4:45: animation: not a curve that repeats for ever, such as "
          + "\"easeInOut(duration: 5).repeatForever()\""
      ])
  }

  // MARK: Fields

  private func plan(_ field: Field) throws -> ScenePlan {
    try ScenePlan(Scene("s", seed: 1) { field }, text: FixedWidths())
  }

  @Test func tweensOfAFieldStayInTheirRangesAndInThePicture() throws {
    let tween = FieldTween(
      .y, from: ValueRange(-20...20), end: .distance(ValueRange(50...90)),
      duration: ValueRange(1...3))
    let plan = try plan(.tweens(count: 2_000, tween))
    guard case .tween(_, .y) = plan.batches[0] else {
      Issue.record("\(plan.batches[0])")
      return
    }
    for (index, spec) in plan.tweens.enumerated() {
      #expect((-20...20).contains(spec.from))
      #expect((50...90).contains(spec.to - spec.from))
      #expect((2...6).contains(spec.period))
      #expect((0..<1).contains(spec.phase))
      let y = Double(plan.layout.batches[0].originY[index])
      #expect((-0.01...720.01).contains(y + spec.from))
      #expect((-0.01...720.01).contains(y + spec.to))
    }
    // One cycle for all, so that they share a table.
    #expect(plan.tweens.allSatisfy { $0.cycle === plan.tweens[0].cycle })
    #expect(plan.tweens[0].cycle == TweenCycle(curve: .easeInOut, autoreverses: true))
  }

  @Test func springsOfAFieldHaveTimeToSettle() throws {
    let spring = FieldSpring(
      .scale, end: .to(ValueRange(2...3)), response: ValueRange(0.2...1),
      dampingRatio: ValueRange(0.05...2), every: ValueRange(0.5...4))
    let specs = try plan(.springs(count: 2_000, spring)).springs
    for spec in specs {
      #expect(spec.from == 1)
      #expect((2...3).contains(spec.to))
      #expect(spec.period >= spec.spring.settlingBound)
      #expect(spec.period >= 0.5)
      #expect((0.2...1).contains(spec.spring.response))
      #expect((0..<2).contains(spec.phase))
    }
    #expect(specs.contains { $0.period <= 4 })
    #expect(specs.contains { $0.period > 4 })
  }

  /// A bounce is a damping ratio, and a duration a response.
  @Test func bounceIsAnotherWordForDamping() throws {
    func field(_ keys: String) throws -> Field? {
      let text =
        "[[content]]\nkind = \"field\"\ncount = 1\nspring = { distance = 1, every = 1, \(keys) }"
      guard case .field(let field) = try SceneFile.decode(text, file: "f").scene.content[0] else {
        return nil
      }
      return field
    }
    #expect(
      try field("duration = 2, bounce = [-0.5, 0.25]")
        == field("response = 2, damping-ratio = [0.75, 2]"))
  }

  /// Batches of one kind are apart where their properties are.
  @Test func eachPropertyHasABatch() throws {
    let fields = [ViewProperty.x, .opacity, .x].map { property in
      Field.tweens(
        count: 3,
        FieldTween(property, end: .to(ValueRange(0...1)), duration: ValueRange(1...2)))
    }
    let scene = Scene("s") { fields.map(SceneContent.field) }
    let plan = try ScenePlan(scene, text: FixedWidths())
    #expect(plan.batches.map(\.count) == [6, 3])
    #expect(plan.layout.batches.map(\.kind) == ["tween", "tween"])
    #expect(plan.layout.batches.map(\.firstEntity) == [0, 6])
  }

  // MARK: Keyframes and phases

  /// The commands of a view; those of tracks that repeat are what the tracks stand for.
  private func commands(_ view: AnimatedView) throws -> [CommandPlan] {
    guard let plan = try ScenePlan(Scene("s") { view }, text: FixedWidths()).views else {
      return []
    }
    return plan.tracks.flatMap { $0.course.commands(view: $0.view) } + plan.commands
  }

  private let disc = AnimatedView("v", .disc(radius: 1))

  /// [K-02] [K-03] 0 -> 8 in 0.4 -> 2 in 0.6, then a move: each keyframe begins where the last one
  /// ended.
  @Test func keyframesBecomeCommands() throws {
    let view = disc.keyframes(
      .x, .linear(8, duration: 0.4), .linear(2, duration: 0.6), .move(5))
    let found = try commands(view)
    #expect(found.map(\.time) == [0, 0, 0.4, 1])
    #expect(found.allSatisfy { $0.every == 1 })
    #expect(
      found.map(\.transaction.actions) == [0, 8, 2, 5].map { [.set(view: 0, .x, $0)] })
    let courses = found.map { $0.transaction.animation?.course() }
    #expect(courses[0] == nil)
    #expect(courses[3] == nil)
    // t = 0.1: 2; t = 0.7: 5.
    #expect(abs(8 * (courses[1]?.progress(at: 0.1) ?? 0) - 2) < 1e-9)
    #expect(abs(8 - 6 * (courses[2]?.progress(at: 0.3) ?? 0) - 5) < 1e-9)
  }

  /// [K-04] 0 -> 20 in 0.8, start velocity 10, end 0: 11 at t = 0.4.
  @Test func cubicKeyframesAreHermite() throws {
    let view = disc.keyframes(
      .x, repeats: false, .cubic(20, duration: 0.8, startVelocity: 10))
    let found = try commands(view)
    #expect(found.count == 1)
    #expect(found[0].every == nil)
    let course = try #require(found[0].transaction.animation?.course())
    #expect(abs(20 * course.progress(at: 0.4) - 11) < 1e-6)
  }

  /// [K-04] [D-03] Without velocities a scene's cubic keyframes are the library's.
  ///
  /// (10 in 0.5, 40 in 0.5, 50 in 1) at 0.25, 0.75 and 1.5 s is 2.5, 25.83, 48.33.
  @Test func cubicKeyframesHaveNoCorners() throws {
    let found = try commands(
      disc.keyframes(
        .x, repeats: false, .cubic(10, duration: 0.5), .cubic(40, duration: 0.5),
        .cubic(50, duration: 1)))
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      KeyframeTrack {
        CubicKeyframe(10.0, duration: 0.5)
        CubicKeyframe(40.0, duration: 0.5)
        CubicKeyframe(50.0, duration: 1)
      }
    }
    #expect(found.map(\.time) == [0, 0.5, 1])
    let ways = [(0.0, 10.0), (10, 40), (40, 50)]
    for (index, expected) in [2.5, 25.8333, 48.3333].enumerated() {
      let time = [0.25, 0.75, 1.5][index]
      let course = try #require(found[index].transaction.animation?.course())
      let (from, to) = ways[index]
      let value = from + (to - from) * course.progress(at: time - found[index].time)
      #expect(abs(value - expected) < 1e-3)
      #expect(abs(value - timeline.value(time: time)) < 1e-5)
    }
  }

  /// [K-04] A velocity that is given counts, 0 too.
  @Test func givenVelocitiesCount() throws {
    let found = try commands(
      disc.keyframes(
        .x, repeats: false, .cubic(10, duration: 0.5, endVelocity: 0), .cubic(40, duration: 0.5)))
    let course = try #require(found[0].transaction.animation?.course())
    #expect(abs(10 * course.progress(at: 0.25) - 5) < 1e-6)
  }

  /// A way out and back to where it began is two animations: Hermite, 0 -> 0 in 1 s, velocities
  /// ±4, has its peak 1 in the middle.
  @Test func cubicKeyframeBackToItsStartIsTwoAnimations() throws {
    let found = try commands(
      disc.keyframes(.y, repeats: false, .cubic(0, duration: 1, startVelocity: 4, endVelocity: -4)))
    #expect(found.map(\.time) == [0, 0.5])
    #expect(found.map(\.transaction.actions) == [[.set(view: 0, .y, 1)], [.set(view: 0, .y, 0)]])
    let course = try #require(found[0].transaction.animation?.course())
    // 4 t (1 - t) at a quarter.
    #expect(abs(course.progress(at: 0.25) - 0.75) < 1e-6)
    let back = try #require(found[1].transaction.animation?.course())
    #expect(abs(back.progress(at: 0.25) - 0.25) < 1e-6)
  }

  /// [K-06] [K-07] Three phases, linear(0.2) each, are a round of 0.6; equal neighbours are held.
  ///
  /// The next phase begins when the animation to the one before is complete.
  @Test(arguments: [[1.0, 2, 3], [1, 1, 2]])
  func phasesFollowEachOther(values: [Double]) throws {
    var view = disc
    view.phases = values.map { ViewPhase(scale: $0, animation: .linear(duration: 0.2)) }
    let found = try commands(view)
    #expect(found.map(\.time) == [0, 0, 0.2, 0.4])
    #expect(found.map(\.every) == [nil, 0.2 + 0.2 + 0.2, 0.2 + 0.2 + 0.2, 0.2 + 0.2 + 0.2])
    #expect(
      found.map(\.transaction.actions)
        == [values[0], values[1], values[2], values[0]].map { [.set(view: 0, .scale, $0)] })
    #expect(found[0].transaction.animation == nil)
    #expect(found[1].transaction.animation == .linear(duration: 0.2))
  }

  @Test func phasesGiveBackWhatTheyDoNotSet() throws {
    var view = disc.opacity(0.5)
    view.phases = [ViewPhase(scale: 2), ViewPhase(opacity: 1)]
    #expect(
      try commands(view).map(\.transaction.actions) == [
        [.set(view: 0, .opacity, 0.5), .set(view: 0, .scale, 2)],
        [.set(view: 0, .opacity, 1), .set(view: 0, .scale, 1)],
        [.set(view: 0, .opacity, 0.5), .set(view: 0, .scale, 2)],
      ])
  }

  /// A cubic keyframe begins where the one before has ended, whichever that is: to the same value there is
  /// nothing to do.
  @Test(
    arguments: [
      .move(5), .linear(5, duration: 1), .cubic(5, duration: 1), .spring(5, Spring(duration: 0.5)),
    ] as [KeyframeStep])
  func cubicKeyframesBeginWhereTheLastHasEnded(step: KeyframeStep) throws {
    let still = try commands(
      disc.keyframes(.x, repeats: false, step, .cubic(5, duration: 1, startVelocity: 0)))
    #expect(still.count == 1)
    let back = try commands(disc.keyframes(.x, repeats: false, step, .cubic(0, duration: 1)))
    #expect(back.map(\.transaction.actions) == [[.set(view: 0, .x, 5)], [.set(view: 0, .x, 0)]])
    let moving = try commands(
      disc.keyframes(.x, repeats: false, step, .cubic(5, duration: 1, startVelocity: 0), .move(7)))
    let seconds: Double =
      switch step {
      case .move: 0
      case .linear, .cubic: 1
      case .spring(_, let spring): spring.settlingBound
      }
    #expect(moving.map(\.time) == [0, seconds + 1])
  }

  /// A spring keyframe is the spring itself, and takes until it has settled.
  @Test func springKeyframesSettle() throws {
    let spring = Spring(mass: 2, stiffness: 144, damping: 12)
    let found = try commands(disc.keyframes(.y, .spring(3, spring), .linear(1, duration: 2)))
    #expect(
      found[1].transaction.animation
        == .interpolatingSpring(
          mass: spring.mass, stiffness: spring.stiffness, damping: spring.damping))
    #expect(found.map(\.time) == [0, 0, spring.settlingBound])
    #expect(found.allSatisfy { $0.every == spring.settlingBound + 2 })
    #expect(found[0].transaction.animation == nil)
    #expect(found[2].transaction.animation == .timingCurve(.linear, duration: 2))
  }

  /// Hermite, 0 -> 0 in 3 s, with a velocity at one end or both: out and back, in two pieces of the same
  /// curve.
  @Test(
    arguments: [(2, 2, 1), (2, 0, 1.5), (0, -2, 1.5), (4, -4, 1.5)] as [(Double, Double, Double)])
  func cubicKeyframesWithoutIntervalFollowTheirCurve(
    start: Double, end: Double, border: Double
  ) throws {
    let found = try commands(
      disc.keyframes(
        .x, repeats: false, .cubic(0, duration: 3, startVelocity: start, endVelocity: end)))
    #expect(found.map(\.time) == [0, border])
    var values = [0.0]
    for command in found {
      guard case .set(_, _, let value) = command.transaction.actions[0] else { continue }
      values.append(value)
    }
    #expect(values.last == 0)
    for sample in 1..<12 {
      let (seconds, s) = (Double(sample) / 4, Double(sample) / 12)
      let expected = 3 * (start * (s - 2 * s * s + s * s * s) + end * (s * s * s - s * s))
      let piece = seconds < border ? 0 : 1
      let course = try #require(found[piece].transaction.animation?.course())
      let progress = course.progress(at: seconds - found[piece].time)
      let value = values[piece] + (values[piece + 1] - values[piece]) * progress
      #expect(abs(value - expected) < 1e-6, "at \(seconds) s")
    }
  }

  /// One phase is there at the start, and nothing follows it.
  @Test func onePhaseStandsStill() throws {
    var view = disc.opacity(0.5)
    view.phases = [ViewPhase(x: 3, scale: 2, animation: .linear(duration: 1))]
    let found = try commands(view)
    #expect(found.map(\.time) == [0])
    #expect(found[0].every == nil)
    #expect(found[0].transaction.animation == nil)
    #expect(
      found[0].transaction.actions == [.set(view: 0, .x, 3), .set(view: 0, .scale, 2)])
    view.phases = []
    #expect(try commands(view).isEmpty)
  }

  /// Keyframes come before phases, and both before the scene's commands; each view has its own index.
  @Test func loopsComeBeforeCommands() throws {
    var second = AnimatedView("w", .disc(radius: 1)).keyframes(.x, repeats: false, .move(1))
    second.phases = [ViewPhase(scale: 2)]
    let scene = Scene("s") {
      disc
      second
    } commands: {
      Command(at: 0) { CommandAction.set("v", y: 4) }
    }
    let views = try #require(try ScenePlan(scene, text: FixedWidths()).views)
    #expect(
      views.commands.map(\.transaction.actions)
        == [[.set(view: 1, .x, 1)], [.set(view: 1, .scale, 2)], [.set(view: 0, .y, 4)]])
  }

  // MARK: Forms

  /// The way back begins at the middle of a cycle, with the start of its leg.
  @Test func formsTurnBackInTheMiddle() {
    let form = TweenCycle(curve: .steps(2, .jumpStart), autoreverses: true)
    #expect([0, 0.25, 0.5, 0.75].map { form.value(at: $0) } == [0.5, 1, 0.5, 0])
    let straight = TweenCycle(curve: .linear, autoreverses: true)
    #expect([0, 0.125, 0.5, 0.75].map { straight.value(at: $0) } == [0, 0.25, 1, 0.5])
  }

  @Test func formsHoldAtTheStartOfEachLeg() {
    let form = TweenCycle(curve: .linear, hold: 0.25)
    #expect([0, 0.1, 0.25, 0.625].map { form.value(at: $0) } == [0, 0, 0, 0.5])
    let back = TweenCycle(curve: .linear, autoreverses: true, hold: 0.25)
    #expect([0.125, 0.3125, 0.5, 0.625, 0.8125].map { back.value(at: $0) } == [0, 0.5, 1, 1, 0.5])
  }

  @Test func formsAreEqualIfTheirPartsAre() {
    let form = TweenCycle(curve: .easeIn, autoreverses: true, hold: 0.25)
    #expect(form == TweenCycle(curve: .easeIn, autoreverses: true, hold: 0.25))
    #expect(form != TweenCycle(curve: .easeOut, autoreverses: true, hold: 0.25))
    #expect(form != TweenCycle(curve: .easeIn, autoreverses: false, hold: 0.25))
    #expect(form != TweenCycle(curve: .easeIn, autoreverses: true, hold: 0.5))
    #expect(TweenCycle.linear == TweenCycle(curve: .linear))
  }
}
