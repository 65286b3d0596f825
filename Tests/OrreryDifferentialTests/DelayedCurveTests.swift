// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport
import Testing

/// Goal: while a delay runs a property has its value at the start, also where the curve does not begin at 0:
/// steps that jump at their start, and CSS's `linear()`; on every path, outside and inside of repetitions.
///
/// Method: animations whose times are whole ticks, and their progress by counting ticks.
@Suite struct DelayedCurveTests {
  /// Animations with delays at every depth, by their modifiers from the innermost.
  static let delayed: [[TickedAnimation.Modifier]] = [
    [.delay(60)], [.delay(18)], [.twice, .delay(7)], [.delay(7), .twice],
    [.delay(18), .repeats(3, autoreverses: false)], [.delay(18), .repeats(4, autoreverses: true)],
    [.delay(6), .repeats(nil, autoreverses: false)],
    [.delay(6), .repeats(nil, autoreverses: true)],
    [.repeats(nil, autoreverses: false), .delay(21)],
    [.repeats(3, autoreverses: true), .delay(21)],
    [.delay(18), .repeats(3, autoreverses: true), .delay(9)],
    [.delay(6), .twice, .repeats(nil, autoreverses: true), .delay(2)],
    [.delay(6), .repeats(2, autoreverses: true), .delay(9), .repeats(3, autoreverses: true)],
    [.repeats(2, autoreverses: false), .delay(13), .repeats(nil, autoreverses: true)],
    [.delay(-6)], [.delay(-6), .delay(12)],
  ]

  /// [A-07] The library, eval by the library and by kernels, a stepped run, and ticks by themselves.
  @Test(arguments: delayed, [StepJump.jumpStart, .jumpBoth])
  func pathsHoldTheStart(modifiers: [TickedAnimation.Modifier], jump: StepJump) throws {
    var random = RandomMotion(seed: 1)
    for (count, duration) in [(4, 60), (1, 42), (3, 12)] {
      let ticked = TickedAnimation(
        curve: .steps(count, jump), steps: count, duration: duration, modifiers: modifiers)
      let animation = ticked.animation
      let (from, to) = (30.0, 270.0)
      var comparison = Comparison("\(animation)")
      var plan = ViewsPlan()
      plan.views = [ViewPlan(name: "v", initial: [from, 0, 1, 1, 0, 0])]
      plan.commands = [
        CommandPlan(
          time: 0, transaction: TransactionPlan([.set(view: 0, .x, to)], animation: animation))
      ]
      let paths = try Paths([.views(plan)], rate: 60)
      let ticks = Array(UInt64(0)..<300)
      let times = paths.seconds(ticks)
      let asked = ticks.indices.filter { ticked.isSure(at: $0) }
      func pick(_ values: [Double]) -> [Double] { asked.map { values[$0] } }
      let expected = asked.map { from + (to - from) * ticked.progress(at: $0) }
      let found = paths.values(at: ticks, of: [(.x, 0)], &random, &comparison)[0]
      var track = AnimationTrack(from)
      track.set(to, animation: animation, at: 0, id: 1)
      let request = #"{"animation":"\#(animation)","from":\#(from),"to":\#(to),"at":\#(times)}"#
      comparison.add(pick(times.map { track.value(at: $0) }), expected, within: 1e-9, "library")
      comparison.add(pick(try Eval.numbers(request)), expected, within: 1e-9, "eval")
      comparison.add(
        pick(try Eval.numbers(request, "values", nil, Eval.kernel)), expected, within: 1e-4,
        "eval's kernels")
      comparison.add(pick(found), expected, within: 1e-4, "scene")
      #expect(asked.count > 150)
    }
  }

  /// [A-07] Tweens of rows and fields, in which a delay inside a repetition is a share of a leg.
  @Test(arguments: [StepJump.jumpStart, .jumpBoth], [false, true])
  func tweensHoldTheStart(jump: StepJump, autoreverses: Bool) throws {
    var random = RandomMotion(seed: 2)
    for (delay, duration) in [(18, 42), (20, 20), (6, 12), (1, 60)] {
      let ticked = TickedAnimation(
        curve: .steps(1, jump), steps: 1, duration: duration,
        modifiers: [.delay(delay), .repeats(nil, autoreverses: autoreverses)])
      let leg = Double(delay + duration) / 60
      let spec = TweenSpec(
        from: 30, to: 270, period: autoreverses ? 2 * leg : leg,
        cycle: TweenCycle(
          curve: .steps(1, jump), autoreverses: autoreverses,
          hold: Double(delay) / Double(delay + duration)))
      let paths = try Paths([.tween(Specs([spec]), .x)], rate: 60)
      var comparison = Comparison("\(ticked.animation)")
      let ticks = Array(UInt64(0)..<300)
      let found = paths.values(at: ticks, of: [(.x, 0)], &random, &comparison)[0]
      comparison.add(
        found, ticks.map { 30 + 240 * ticked.progress(at: Int($0)) }, within: 1e-4, "tween")
    }
  }

  /// [A-07] `linear()` with a first stop above 0; and shortly before the end of the delay.
  @Test func stopsHoldTheStart() throws {
    let at = [0, 0.5, 0.999, 0.999_999_999, 1, 1.5, 2]
    let animation = "timingCurve(linear(0.5, 1), duration: 1).delay(1)"
    let request = #"{"animation":"\#(animation)","to":100,"at":"#
    for evaluator in [Eval.library, Eval.kernel] {
      #expect(
        try Eval.numbers("\(request)\(at)}", "values", nil, evaluator)
          == [0, 0, 0, 0, 50, 75, 100])
    }
  }

  /// [A-07] Where a phase, a transition or a formula moves the value.
  @Test func startsAreHeldInPhasesAndTransitions() throws {
    let animation = Animation.timingCurve(.steps(4, .jumpStart), duration: 1).delay(1)
    let ticks: [UInt64] = [0, 30, 59, 60, 78, 119, 120]
    let expected = [0, 0, 0, 0.25, 0.5, 1, 1]
    let times = ticks.map { Double($0) / 60 }

    let phases = #"{"phases":[0,100],"animation":"\#(animation)","at":\#(times)}"#
    #expect(try Eval.numbers(phases) == [0, 0, 0, 25, 50, 100, 100])
    let formula = #"{"formula":"value * (0.5 + time)","duration":0.25,"delay":1}"#
    #expect(
      try Eval.numbers(#"{"animation":\#(formula),"to":100,"at":[0,0.5,0.999,1,1.125,1.25]}"#)
        == [0, 0, 0, 50, 62.5, 100])

    var player = TransitionPlayer(.opacity)
    player.insert(animation: animation, at: 0)
    #expect(times.map { player.values(at: $0, size: .zero).opacity } == expected)

    var scene = Scene("delayed") {}
    var view = AnimatedView("phases", .disc(radius: 5))
    view.phases = [
      ViewPhase(x: 0, animation: animation), ViewPhase(x: 100, animation: animation),
    ]
    scene.content = [
      .view(AnimatedView("shown", .disc(radius: 5)).transition(.opacity).hidden()), .view(view),
    ]
    scene.commands = [Command(.at(0), actions: [.show("shown")])]
    scene.commands[0].animation = animation
    let paths = try Paths(try ScenePlan(scene, text: NoTexts()).batches, rate: 60)
    var (random, comparison) = (RandomMotion(seed: 3), Comparison("phases and a transition"))
    let found = paths.values(at: ticks, of: [(.opacity, 0), (.x, 1)], &random, &comparison)
    #expect(found[0] == expected)
    #expect(found[1] == [0, 0, 0, 25, 50, 100, 100])
  }
}

/// An animation of equal steps whose times are whole sixtieths of a second.
struct TickedAnimation: CustomTestStringConvertible {
  /// A modifier; times in sixtieths of a second.
  enum Modifier {
    case delay(Int)
    /// Speed 2.
    case twice
    case repeats(Int?, autoreverses: Bool)
  }

  let curve: UnitCurve
  let steps: Int
  let duration: Int

  /// From the innermost.
  let modifiers: [Modifier]

  var testDescription: String { "\(animation)" }

  var animation: Animation {
    modifiers.reduce(.timingCurve(curve, duration: Double(duration) / 60)) { animation, modifier in
      switch modifier {
      case .delay(let ticks): animation.delay(Double(ticks) / 60)
      case .twice: animation.speed(2)
      case .repeats(let count?, let autoreverses):
        animation.repeatCount(count, autoreverses: autoreverses)
      case .repeats(nil, let autoreverses): animation.repeatForever(autoreverses: autoreverses)
      }
    }
  }

  /// The moved share at a tick: after the end all of it.
  func progress(at tick: Int) -> Double {
    // Half ticks, as speed 2 halves times.
    if let end = length(modifiers.count), 2 * tick > end { return 1 }
    return progress(2 * tick, modifiers.count)
  }

  /// Whether no rounded time decides: nothing jumps at this tick, or all that does is the end of a delay, and
  /// one repetition at most is around it.
  func isSure(at tick: Int) -> Bool {
    if tick == 0 { return true }
    if let end = length(modifiers.count), 2 * tick == end { return false }
    if progress(at: tick) == progress(at: tick - 1) { return true }
    let repetitions = modifiers.count { if case .repeats = $0 { true } else { false } }
    return repetitions < 2 && isHeld(2 * tick - 2, modifiers.count)
      && !isHeld(2 * tick, modifiers.count)
  }

  private func isHeld(_ time: Int, _ depth: Int) -> Bool {
    guard depth > 0 else { return false }
    switch modifiers[depth - 1] {
    case .delay(let ticks): return time < 2 * ticks || isHeld(time - 2 * ticks, depth - 1)
    case .twice: return isHeld(2 * time, depth - 1)
    case .repeats(let count, _):
      guard let leg = length(depth - 1) else { return isHeld(time, depth - 1) }
      return isHeld(time - min(time / leg, (count ?? .max) - 1) * leg, depth - 1)
    }
  }

  /// The end of the animation with some of its modifiers, in half ticks; nil if it has none.
  private func length(_ depth: Int) -> Int? {
    guard depth > 0 else { return 2 * duration }
    guard let inner = length(depth - 1) else { return nil }
    switch modifiers[depth - 1] {
    case .delay(let ticks): return max(0, inner + 2 * ticks)
    case .twice: return inner / 2
    case .repeats(let count, _): return count.map { $0 * inner }
    }
  }

  private func progress(_ time: Int, _ depth: Int) -> Double {
    guard depth > 0 else { return curve.value(at: Double(time) / Double(2 * duration)) }
    switch modifiers[depth - 1] {
    case .delay(let ticks):
      return time < 2 * ticks ? 0 : progress(time - 2 * ticks, depth - 1)
    case .twice: return progress(2 * time, depth - 1)
    case .repeats(let count, let autoreverses):
      guard let leg = length(depth - 1) else { return progress(time, depth - 1) }
      let index = min(time / leg, (count ?? .max) - 1)
      let moved = progress(time - index * leg, depth - 1)
      return autoreverses && index % 2 == 1 ? 1 - moved : moved
    }
  }
}
