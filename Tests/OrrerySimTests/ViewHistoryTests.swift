// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import Testing

/// Goal: what a view costs does not grow with what has happened to it.
///
/// Method: a spinner that is started and stopped 500 times a second, by each kind of change; what waits and
/// what lanes hold after a second, and after many. Values are compared with those of a single start or stop.
@Suite struct ViewHistoryTests {
  static let spin = Animation.linear(duration: 0.21875).repeatForever(autoreverses: false)

  /// Starts at each even millisecond, and changes back at each odd one.
  static func script(
    start: Animation = spin, stop: Animation, completion: Bool = false
  ) -> ViewScript {
    var script = ViewScript(completions: completion ? ["stopped"] : [])
    script.add([.set(view: 0, .x, 7)], at: 0, every: 0.002, start)
    script.add(
      [.set(view: 0, .x, 0)], at: 0.001, every: 0.002, stop, completion: completion ? 0 : nil)
    return script
  }

  /// A spinner ends with a later change of each kind, whose target shows from then on.
  @Test(
    arguments: [
      .linear(duration: 0.5), .easeInOut(duration: 0.25).delay(0.5), .linear(duration: 0),
      .linear(duration: 0.25).repeatCount(3), .linear(duration: 0).delay(0.25), .linear.delay(-1),
      .linear.speed(1e300), .interpolatingSpring(duration: 0.5, bounce: 0.3),
      .spring(duration: 0.5),
      .spring(duration: 0.5).delay(0.25), .spring(response: 0, dampingFraction: 1),
    ] as [Animation])
  func laterChangeEndsASpinner(animation: Animation) throws {
    var script = ViewScript(completions: ["spun", "stopped"])
    script.set(to: 7, at: 0, Self.spin, completion: 0)
    script.set(to: 2, at: 2.5, animation, completion: 1, criteria: .removed)
    let world = try script.world(rate: 1000)
    _ = world.hash(60_000)
    let events = world.takeEvents()
    let end = try #require(events.times(of: 1).first)
    #expect(events.times(of: 1) == [end])
    #expect(events.times(of: 0) == [end])
    let course = try #require(animation.course())
    let takesOver = animation == .spring(duration: 0.5)
    if !takesOver { #expect(end == 2.5 + course.end) }
    let first = UInt64((end * 1000).rounded(.up))
    let ticks = [first - 1, first, first + 1, 5000, 60_000]
    let values = try script.values(rate: 1000, ticks: ticks)
    for value in values.dropFirst() { #expect(abs(value - 2) <= (course.movesAtEnd ? 0.01 : 0)) }
    #expect(values[4] == 2)
    // One tick before, the spinner still runs.
    if !takesOver { #expect(abs(values[0] - 2) > 0.1, "\(values)") }
  }

  /// In a transition too: a view that pulses while it is shown is gone when its removal is over.
  @Test func pulsingViewGoes() throws {
    var script = ViewScript()
    script.plan.views[0].transition = TransitionPlan(
      insertion: TransitionHalf(opacity: [-1]), removal: TransitionHalf(opacity: [-1]))
    script.plan.views[0].isShown = false
    script.add([.show(view: 0)], at: 0, .linear(duration: 1).repeatForever())
    script.add([.hide(view: 0)], at: 4.25, .linear(duration: 0.5))
    script.add([.show(view: 0)], at: 6, .linear(duration: 1).repeatForever())
    script.add([.hide(view: 0)], at: 6.5, .linear(duration: 0))
    let ticks: [UInt64] = [25, 425, 475, 500, 625, 650, 9000]
    let values = try script.values(.opacity, rate: 100, ticks: ticks)
    let expected = [0.25, 0.25, 0, 0, 0.25, 0, 0]
    #expect(zip(values, expected).allSatisfy { isNear($0, $1, within: 1e-6) }, "\(values)")
  }

  /// [N-12] Started and stopped for minutes.
  @Test(
    arguments: [
      .linear(duration: 0), .linear(duration: 0).delay(0.0005), .linear(duration: 0.0205),
      .spring(duration: 0.05), .spring(duration: 0.05).delay(0.0105), spin,
      .interpolatingSpring(duration: 0.02), .linear(duration: 0.0105).repeatCount(2),
      .linear.speed(0),
    ] as [Animation])
  func costDoesNotGrow(stop: Animation) throws {
    let world = try Self.script(stop: stop, completion: true).world(rate: 1000)
    var loads: [(events: Int, layers: Int)] = []
    for seconds in [2, 4, 20] as [UInt64] {
      _ = world.hash(seconds * 1000)
      _ = world.takeEvents()
      loads.append(world.viewLoad)
    }
    #expect(loads[2].events <= loads[1].events + 8, "\(loads)")
    #expect(loads[2].layers <= loads[1].layers + 1, "\(loads)")
  }

  /// [N-12] A change that takes no time leaves nothing: the state is that of the last start.
  @Test func stoppedSpinnerIsForgotten() throws {
    var once = ViewScript()
    once.set(to: 7, at: 60, Self.spin)
    once.set(to: 0, at: 60.001, .linear(duration: 0))
    let ticks: [UInt64] = [60_000, 60_001]
    let values = try Self.script(stop: .linear(duration: 0)).values(rate: 1000, ticks: ticks)
    #expect(try values == once.values(rate: 1000, ticks: ticks))
    #expect(values[1] == 0)
  }

  /// [N-12] Neither do ends that lie an hour ahead.
  @Test func interruptedMotionsLeaveNoEvents() throws {
    let script = Self.script(start: .linear(duration: 3600), stop: .linear(duration: 0))
    let world = try script.world(rate: 1000)
    _ = world.hash(400_000)
    #expect(world.viewLoad.events < 70_000)
    #expect(world.viewLoad.layers <= 2)
  }

  /// The same bits whichever ticks were evaluated before, with many motions at a time.
  @Test(
    arguments: [.linear(duration: 0.2), .spring(duration: 0.2).delay(0.01), spin] as [Animation])
  func statesDoNotDependOnSteps(stop: Animation) throws {
    var script = Self.script(stop: stop)
    for step in 0..<40 {
      script.set(
        to: Double(step), at: Double(step) * 0.0125,
        .spring(duration: 0.1).delay(0.02).repeatCount(3, autoreverses: false))
      script.set(
        to: 1, at: Double(step) * 0.0125 + 0.004, .interpolatingSpring(duration: 0.1).delay(0.03))
    }
    let stepped = try script.world(rate: 500)
    let hashes = (0..<600).map { stepped.hash(UInt64($0)) }
    for tick in [599, 7, 100, 313, 480] as [UInt64] {
      #expect(try script.world(rate: 500).hash(tick) == hashes[Int(tick)], "tick \(tick)")
    }
  }
}
