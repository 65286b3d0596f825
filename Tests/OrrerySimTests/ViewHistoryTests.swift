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
