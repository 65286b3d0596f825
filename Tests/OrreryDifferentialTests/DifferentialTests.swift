// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport
import Testing

/// Goal: whoever is asked, the answer is the same: the library, `orrery eval` by the library and by kernels,
/// `orrery sample`, and a run that is stepped.
///
/// Method: random scenes of every kind of motion, from seeds that are printed on failure. Bounds are those of
/// docs/explained/semantics.md, N-10, and of the section "Where paths differ" there; a run and a sample have the same bits.
/// A million values with `ORRERY_TEST_EFFORT=40`.
@Suite struct DifferentialTests {
  static let seeds = Array(UInt64(1)...UInt64(6 * testEffort))
  static let rates: [TickRate] = [60, 24, 120, 50, 30]

  // MARK: Views that commands change

  /// [D-01] Properties that are set while they move, in an engine, in a script and in a scene.
  @Test(arguments: seeds)
  func interruptedViews(seed: UInt64) throws {
    try compareViews(seed: seed) { $0.animation() }
  }

  /// [D-07] [A-25] [A-30] The same with spinners that are stopped, and changes that take no time.
  @Test(arguments: seeds)
  func stoppedViews(seed: UInt64) throws {
    try compareViews(seed: seed) { $0.endlessOrInstantAnimation() }
  }

  /// Compares views that are changed nine times in three seconds.
  private func compareViews(
    seed: UInt64, _ animation: (inout RandomMotion) -> Animation
  ) throws {
    var random = RandomMotion(seed: seed)
    let rate = random.pick(Self.rates)
    var comparison = Comparison("seed \(seed)")
    let views = 3
    var plan = ViewsPlan()
    plan.views = (0..<views).map {
      ViewPlan(name: "v\($0)", initial: [random.way(), 0, 1, 1, 0, 0])
    }
    let initial = plan.views.map { $0.initial[0] }
    var steps: [String] = []
    for time in (0..<9).map({ _ in random.number(0...3) }).sorted() {
      let (view, goal) = (random.count(0...views - 1), random.way())
      let animation = random.count(0...9) == 0 ? nil : animation(&random)
      plan.commands.append(
        CommandPlan(
          time: time,
          transaction: TransactionPlan([.set(view: view, .x, goal)], animation: animation)))
      let text = animation.map { "\"\($0)\"" } ?? "null"
      steps.append(#"{"at":\#(time),"set":{"v\#(view)":\#(goal)},"animation":\#(text)}"#)
    }
    let paths = try Paths([.views(plan)], rate: rate)
    let ticks = Array(UInt64(0)...UInt64(rate.seconds(tick: 1) > 0 ? 5 / rate.seconds(tick: 1) : 0))
    let times = paths.seconds(ticks)
    let played = Self.engineValues(plan, initial, at: times)
    let found = paths.values(
      at: ticks, of: (0..<views).map { (.x, $0) }, &random, &comparison)
    let start = initial.enumerated().map { "\"v\($0)\":\($1)" }.joined(separator: ",")
    let request =
      #"{"script":[\#(steps.joined(separator: ","))],"initial":{\#(start)},"sample":["#
      + (0..<views).map { "\"v\($0)\"" }.joined(separator: ",") + #"],"times":\#(times)}"#
    for view in 0..<views {
      let script = try Eval.numbers(request, "samples", "v\(view)")
      comparison.add(script, played[view], within: 1e-9, "eval and engine, v\(view)")
      // Up to 800 points a way, and a few ways at a time.
      comparison.add(found[view], played[view], within: 0.2, "scene and engine, v\(view)")
    }
    #expect(comparison.count > 700)
  }

  /// The values of an engine's properties, by view and time.
  private static func engineValues(
    _ plan: ViewsPlan, _ initial: [Double], at times: [Double]
  ) -> [[Double]] {
    let engine = AnimationEngine()
    let properties = initial.enumerated().map { engine.property($1, name: "\($0)") }
    var values = initial.map { _ in [Double]() }
    var commands = plan.commands[...]
    for time in times {
      while let command = commands.first, command.time <= time {
        commands = commands.dropFirst()
        engine.advance(to: command.time)
        withAnimation(command.transaction.animation) {
          for case .set(let view, _, let goal) in command.transaction.actions {
            properties[view].value = goal
          }
        }
      }
      engine.advance(to: time)
      for (view, property) in properties.enumerated() { values[view].append(property.presentation) }
    }
    return values
  }

  /// [D-02] One change from rest: the library's course, eval, its kernel path, a scene.
  @Test(arguments: seeds)
  func changesFromRest(seed: UInt64) throws {
    var random = RandomMotion(seed: seed)
    let rate = random.pick(Self.rates)
    for _ in 0..<3 {
      let animation = random.animation()
      let (from, to) = (random.way(4000), random.way(4000))
      var comparison = Comparison("seed \(seed), \(animation), \(from) to \(to)")
      var plan = ViewsPlan()
      plan.views = [ViewPlan(name: "v", initial: [from, 0, 1, 1, 0, 0])]
      plan.commands = [
        CommandPlan(
          time: 0, transaction: TransactionPlan([.set(view: 0, .x, to)], animation: animation))
      ]
      let paths = try Paths([.views(plan)], rate: rate)
      let ticks = Array(UInt64(0)..<180)
      let times = paths.seconds(ticks)
      let found = paths.values(at: ticks, of: [(.x, 0)], &random, &comparison)[0]
      var track = AnimationTrack(from)
      track.set(to, animation: animation, at: 0, id: 1)
      let library = times.map { track.value(at: $0) }
      let request = #"{"animation":"\#(animation)","from":\#(from),"to":\#(to),"at":\#(times)}"#
      let bound = 2e-4 * abs(to - from) + 1e-3
      comparison.add(try Eval.numbers(request), library, within: 1e-9, "eval and library")
      comparison.add(
        try Eval.numbers(request, "values", nil, Eval.kernel), library, within: bound,
        "eval's kernels and library")
      comparison.add(found, library, within: bound, "scene and library")
    }
  }

  // MARK: Keyframes and transitions

  /// [D-03] [K-04] A track of keyframes: a timeline, eval, a scene; cubic ones with and without velocities.
  @Test(arguments: seeds)
  func keyframes(seed: UInt64) throws {
    var random = RandomMotion(seed: seed)
    var comparison = Comparison("seed \(seed)")
    let start = random.way()
    var (steps, requests): ([KeyframeStep], [String]) = ([], [])
    var content: [any KeyframeTrackContent<Double>] = []
    var (value, farthest) = (start, 1.0)
    for _ in 0..<random.count(1...6) {
      let (goal, duration) = (random.way(), random.number(0.1...1))
      farthest = max(farthest, abs(goal - value))
      switch random.count(0...5) {
      case 0:
        steps.append(.move(goal))
        content.append(MoveKeyframe(goal))
        requests.append(#"{"move":\#(goal)}"#)
      case 1:
        let curve = random.gentleCurve()
        steps.append(.linear(goal, duration: duration, timingCurve: curve))
        content.append(LinearKeyframe(goal, duration: duration, timingCurve: curve))
        requests.append(#"{"linear":\#(goal),"duration":\#(duration),"timingCurve":"\#(curve)"}"#)
      default:
        let first = random.flip() ? random.way(100) : nil
        let last = random.flip() ? random.way(100) : nil
        steps.append(
          .cubic(goal, duration: duration, startVelocity: first, endVelocity: last))
        content.append(
          CubicKeyframe(goal, duration: duration, startVelocity: first, endVelocity: last))
        let velocities =
          (first.map { #","startVelocity":\#($0)"# } ?? "")
          + (last.map { #","endVelocity":\#($0)"# } ?? "")
        requests.append(#"{"cubic":\#(goal),"duration":\#(duration)\#(velocities)}"#)
      }
      value = goal
    }
    var view = AnimatedView("v", .disc(radius: 5)).offset(x: start)
    view.keyframes = [KeyframeLoop(property: .x, repeats: false, steps: steps)]
    var scene = Scene("differential") {}
    scene.content = [.view(view)]
    let plan = try ScenePlan(scene, text: NoTexts())
    let paths = try Paths(plan.batches, rate: 60)
    let ticks = Array(UInt64(0)..<300)
    let times = paths.seconds(ticks)
    let timeline = KeyframeTimeline(initialValue: start) {
      KeyframeTrack { for keyframe in content { AnyKeyframe(keyframe) } }
    }
    let library = times.map { timeline.value(time: $0) }
    let request =
      #"{"keyframes":[\#(requests.joined(separator: ","))],"initial":\#(start),"at":\#(times)}"#
    comparison.add(try Eval.numbers(request), library, within: 1e-9, "eval and timeline")
    let found = paths.values(at: ticks, of: [(.x, 0)], &random, &comparison)[0]
    // A velocity of 100 points in a second is part of the way.
    comparison.add(found, library, within: 2e-5 * (farthest + 200), "scene and timeline")
  }

  /// [D-04] [R-04] [R-05] A view that is shown and hidden: a player and a scene, with animations of the
  /// transition's own and of the transaction, and with neither.
  @Test(arguments: seeds)
  func transitions(seed: UInt64) throws {
    var random = RandomMotion(seed: seed)
    let rate = random.pick(Self.rates)
    for _ in 0..<2 {
      var transition = random.pick([
        AnyTransition.opacity, .move(edge: .top), .move(edge: .trailing), .slide, .scale,
        .scale(scale: 0.3), .push(from: .leading), .offset(x: 30, y: -900),
        AnyTransition(.blurReplace),
        .move(edge: .bottom).combined(with: .opacity),
        .asymmetric(insertion: .opacity, removal: .move(edge: .top)),
      ])
      if random.flip() { transition = transition.animation(random.finiteAnimation()) }
      var comparison = Comparison("seed \(seed), \(transition)")
      var scene = Scene("differential") {}
      scene.rate = rate
      scene.content = [
        .view(
          AnimatedView("v", .box(width: 120, height: 80, cornerRadius: 0, color: .black))
            .transition(transition).hidden())
      ]
      var player = TransitionPlayer(transition)
      var moments: [(time: Double, animation: Animation?)] = []
      var time = random.number(0...0.3)
      for _ in 0..<3 {
        let animation = random.count(0...3) == 0 ? nil : random.finiteAnimation()
        moments.append((time, animation))
        var command = Command(.at(time), actions: [.toggle("v")])
        command.animation = animation
        scene.commands.append(command)
        // Each is over before the next one: a scene and a player turn back differently.
        time += 21
      }
      let paths = try Paths(try ScenePlan(scene, text: NoTexts()).batches, rate: rate)
      let perSecond = Int(1 / rate.seconds(tick: 1))
      let ticks = moments.flatMap { moment in
        (0..<2 * perSecond).map {
          UInt64(moment.time.rounded(.down)) * UInt64(perSecond) + UInt64($0)
        }
      }
      let fields: [ViewProperty] = [.x, .y, .opacity, .scale, .blur]
      let found = paths.values(at: ticks, of: fields.map { ($0, 0) }, &random, &comparison)
      var next = moments[...]
      for (index, tick) in ticks.enumerated() {
        let now = rate.seconds(tick: tick)
        while let moment = next.first, moment.time <= now {
          next = next.dropFirst()
          player.advance(to: moment.time)
          if player.isInserted {
            player.remove(animation: moment.animation, at: moment.time)
          } else {
            player.insert(animation: moment.animation, at: moment.time)
          }
        }
        let what = "tick \(tick)"
        guard player.isPresent(at: now) else {
          comparison.add(found[2][index], 0, within: 0, "opacity of a view that is gone, \(what)")
          continue
        }
        let values = player.values(at: now, size: CGSize(width: 120, height: 80))
        let m = values.matrix
        // The view's origin is its centre.
        let x = m.a * 60 + m.c * 40 + m.tx - 60
        let y = m.b * 60 + m.d * 40 + m.ty - 40
        comparison.add(found[0][index], x, within: 0.25, "x, \(what)")
        comparison.add(found[1][index], y, within: 0.25, "y, \(what)")
        comparison.add(found[2][index], values.opacity, within: 3e-4, "opacity, \(what)")
        comparison.add(found[3][index], m.a, within: 3e-4, "scale, \(what)")
        comparison.add(found[4][index], values.blur, within: 3e-3, "blur, \(what)")
      }
    }
  }

  // MARK: Endless motions

  /// [D-05] Rows, moons, flows, tweens and springs of fields, timers: the library's closed forms, eval, a scene.
  @Test(arguments: seeds)
  func endlessMotions(seed: UInt64) throws {
    var random = RandomMotion(seed: seed)
    let rate = random.pick(Self.rates)
    var comparison = Comparison("seed \(seed)")
    let perSecond = 1 / rate.seconds(tick: 1)
    let first = UInt64(random.pick([0, 3_600, 1e6]) * perSecond)
    let ticks = (0..<150).map { first + UInt64($0) }

    let labels = (0..<random.count(1...4)).map { _ in random.number(10...90) }
    let speed = random.number(1...300)
    let isLeft = random.flip()
    let row = MarqueeMotion(labels: labels, speed: speed, direction: isLeft ? .left : .right)
    let length = random.number(20...400)
    let flow = FlowMotion(
      length: length, loopSeconds: random.number(1...20), direction: isLeft ? .left : .right,
      start: random.number(0...2))
    let (moons, index) = (6, random.count(1...6))
    let system = OrbitSystemMotion(height: 400, moonCount: moons)
    let turns = random.number(0...0.99)
    let orbit = OrbitMotion(
      radius: system.radius(moon: index), period: random.number(0.5...30), phase: turns * 2 * .pi)
    let cycle = TweenCycle(curve: random.curve(), autoreverses: true)
    let tween = TweenSpec(
      from: random.way(), to: random.way(), period: random.number(0.3...9), cycle: cycle)
    let spring = random.spring()
    let (low, high) = (random.way(3000), random.way(3000))
    let pull = SpringSpec(
      from: low, to: high, spring: spring,
      period: spring.restBound(length: abs(high - low)) + random.number(0...1), phase: 0)
    let paths = try Paths(
      [
        .marquee(
          Specs([
            MarqueeSpec(
              period: row.period, speed: speed, direction: isLeft ? .left : .right, phase: 0)
          ])),
        .orbit(Specs([OrbitSpec(radius: orbit.radius, period: orbit.period, phase: turns)])),
        .flow(
          Specs([
            FlowSpec(
              period: length, speed: length / flow.loopSeconds, direction: isLeft ? .left : .right,
              start: flow.start)
          ]), .x),
        .tween(Specs([tween]), .x), .spring(Specs([pull]), .x),
      ], rate: rate)
    let times = paths.seconds(ticks)
    let found = paths.values(
      at: ticks, of: [(.x, 0), (.x, 1), (.y, 1), (.x, 2), (.x, 3), (.x, 4)], &random, &comparison)

    // At the seam one path may already be in the next round.
    func addLoop(_ found: [Double], _ expected: [Double], _ period: Double, _ what: String) {
      for (index, pair) in zip(found, expected).enumerated() {
        let turn = ((pair.0 - pair.1) / period).rounded()
        comparison.add(
          pair.0 - turn * period, pair.1, within: 2e-6 * period, "\(what) at \(times[index]) s")
      }
    }
    let rows = times.map { row.offset(at: $0) }
    addLoop(found[0], rows, row.period, "row")
    let direction = isLeft ? "left" : "right"
    let rowRequest =
      #"{"marquee":{"labels":\#(labels),"speed":\#(speed),"direction":"\#(direction)"},"at":\#(times)}"#
    addLoop(try Eval.numbers(rowRequest, "offsets"), rows, row.period, "row of eval")
    addLoop(
      try Eval.numbers(rowRequest, "offsets", nil, Eval.kernel), rows, row.period,
      "row of eval's kernels")
    let moonPoints = times.map { orbit.offset(at: $0) }
    comparison.add(found[1], moonPoints.map { Double($0.x) }, within: 2e-5 * orbit.radius, "moon x")
    comparison.add(found[2], moonPoints.map { Double($0.y) }, within: 2e-5 * orbit.radius, "moon y")
    let flows = times.map { flow.offset(at: $0) }
    addLoop(found[3], flows, length, "flow")
    let flowRequest =
      #"{"flow":{"width":\#(length),"direction":"\#(direction)","start":\#(flow.start),"#
      + #""loopSeconds":\#(flow.loopSeconds)},"at":\#(times)}"#
    addLoop(try Eval.numbers(flowRequest, "offsets"), flows, length, "flow of eval")
    addLoop(
      try Eval.numbers(flowRequest, "offsets", nil, Eval.kernel), flows, length,
      "flow of eval's kernels")
    for (index, time) in times.enumerated() {
      let phase = (time / tween.period) - (time / tween.period).rounded(.down)
      let expected = tween.from + (tween.to - tween.from) * cycle.value(at: phase)
      // A vertical tangent turns an error of a millionth of a turn into a thousandth of the way.
      let steep = abs(cycle.value(at: min(phase + 3e-8, 1)) - cycle.value(at: max(phase - 3e-8, 0)))
      comparison.add(
        found[4][index], expected, within: abs(tween.to - tween.from) * (1e-5 + steep) + 1e-4,
        "tween \(cycle.curve) at \(time) s")
      let round = (time / pull.period).rounded(.down)
      let isBack = round.truncatingRemainder(dividingBy: 2) == 1
      let elapsed = time - round * pull.period
      let value = spring.value(
        fromValue: isBack ? high : low, toValue: isBack ? low : high, initialVelocity: 0,
        time: elapsed)
      if min(elapsed, pull.period - elapsed) > 1e-9 * time {
        comparison.add(
          found[5][index], value, within: 2e-4 * abs(high - low) + 1e-3, "spring at \(time) s")
      }
    }
  }

  /// [D-06] [U-01] Curves: the library, eval, and eval's kernels, at random inputs and near both ends.
  @Test(arguments: seeds)
  func curves(seed: UInt64) throws {
    var random = RandomMotion(seed: seed)
    for _ in 0..<4 {
      let curve = random.curve()
      var comparison = Comparison("seed \(seed), \(curve)")
      let at =
        (0..<60).map { _ in random.number(0...1) }
        + [0, -1, 1, 2, 0.999_999_940_395_355_2, 0.999_999_97, 1e-9, 1e-13]
      let library = at.map { curve.value(at: $0) }
      let request = #"{"curve":"\#(curve)","at":\#(at)}"#
      comparison.add(try Eval.numbers(request), library, within: 1e-12, "eval and library")
      let kernels = try Eval.numbers(request, "values", nil, Eval.kernel)
      for (index, input) in at.enumerated() {
        comparison.add(
          kernels[index], library[index], within: 1e-5, "kernels and library at \(input)")
      }
    }
  }
}

/// A keyframe of any kind.
private struct AnyKeyframe: KeyframeTrackContent {
  private let keyframe: any KeyframeTrackContent<Double>

  init(_ keyframe: any KeyframeTrackContent<Double>) { self.keyframe = keyframe }

  var body: some KeyframeTrackContent<Double> {
    if let move = keyframe as? MoveKeyframe<Double> { move }
    if let linear = keyframe as? LinearKeyframe<Double> { linear }
    if let cubic = keyframe as? CubicKeyframe<Double> { cubic }
  }
}

/// Measures no text: the scenes have none.
struct NoTexts: TextMeasuring {
  func size(of text: String, font: String, language: String) -> MeasuredText {
    preconditionFailure("'\(text)' is measured")
  }

  func draws(flag: String) -> Bool { preconditionFailure("\(flag) is asked for") }

  func aspect(ofFlag flag: String) -> Double { preconditionFailure("\(flag) is asked for") }
}
