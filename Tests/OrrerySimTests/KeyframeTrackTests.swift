// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport
import Testing

/// Goal: a track of keyframes that lanes evaluate shows what its commands would, also where something interrupts it;
/// it has no events, jumps exactly at its ticks, and is as exact a billion ticks away.
///
/// Method: random tracks of all kinds of keyframes, played both ways; tracks of jumps whose values are known.
@Suite struct KeyframeTrackTests {
  /// A random track of up to eight keyframes, at eighths of a second: no sum of them is rounded.
  ///
  /// Some follow curves, of which not all have a table, if `hasCurves`.
  private static func loop(
    _ random: inout SeededRandom, hasCurves: Bool = true
  ) -> KeyframeLoop {
    let steps = (0..<Int.random(in: 1...8, using: &random)).map { _ -> KeyframeStep in
      let goal = Double(Int.random(in: -100...100, using: &random))
      let duration = Double(Int.random(in: 1...16, using: &random)) / 8
      switch Int.random(in: hasCurves ? 0..<5 : 1..<5, using: &random) {
      case 1: return .move(goal)
      case 2: return .linear(goal, duration: duration)
      case 0:
        let curves: [UnitCurve] = [.easeInOut, .easeIn, .easeOut, .circularEaseInOut]
        return .linear(
          goal, duration: duration, timingCurve: curves.randomElement(using: &random) ?? .linear)
      case 3:
        return .cubic(
          goal, duration: duration, startVelocity: .random(in: -300...300, using: &random),
          endVelocity: .random(in: -300...300, using: &random))
      default: return .cubic(goal, duration: duration)
      }
    }
    return KeyframeLoop(property: .x, steps: steps + [.linear(7, duration: 0.5)])
  }

  /// The same track as a track, and as commands.
  private static func both(
    _ loop: KeyframeLoop, initial: Double = 3
  ) throws -> (track: ViewScript, commands: ViewScript) {
    let course = try #require(KeyframeCourse(loop, initial: initial))
    var (track, commands) = (ViewScript([initial]), ViewScript([initial]))
    track.plan.tracks = [KeyframeTrackPlan(view: 0, property: .x, course: course)]
    commands.plan.commands = course.commands(view: 0)
    return (track, commands)
  }

  /// Two scripts show the same at the ticks.
  private static func expectEqual(
    _ scripts: (track: ViewScript, commands: ViewScript), ticks: some Sequence<UInt64>,
    seed: UInt64
  ) throws {
    let (track, commands) = (try scripts.track.world(), try scripts.commands.world())
    for tick in ticks {
      let found = Double(Values(of: track, tick: tick).value(.x, entity: 0))
      let expected = Double(Values(of: commands, tick: tick).value(.x, entity: 0))
      // Both round phases, at up to some thousand points a second.
      #expect(abs(found - expected) < 0.005, "seed \(seed), tick \(tick): \(found), \(expected)")
    }
  }

  @Test(arguments: Array(UInt64(1)...40))
  func trackShowsWhatItsCommandsWould(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    try Self.expectEqual(Self.both(Self.loop(&random)), ticks: 0...1200, seed: seed)
  }

  @Test func springsAndShortStepsAreTracksToo() throws {
    let loop = KeyframeLoop(
      property: .x,
      steps: [.spring(50, Spring(duration: 0.5, bounce: 0.3)), .move(-20), .linear(9, duration: 1)])
    try Self.expectEqual(Self.both(loop), ticks: 0...1200, seed: 0)
  }

  /// Keyframes that stand on no grid are commands from the start.
  @Test func keyframesOnNoGridArePlayed() throws {
    let loop = KeyframeLoop(
      property: .x,
      steps: [.linear(50, duration: 0.123_456_789), .cubic(9, duration: 3.0.squareRoot())])
    try Self.expectEqual(Self.both(loop), ticks: 0...1200, seed: 0)
  }

  /// Changes by commands and from outside, some of them exactly at a keyframe or at the start of a round.
  @Test(arguments: Array(UInt64(1)...40))
  func interruptedTrackGoesOnAsItsCommandsWould(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let loop = Self.loop(&random)
    var scripts = try Self.both(loop)
    let course = try #require(KeyframeCourse(loop, initial: 3))
    let times = [
      Double.random(in: 0...8, using: &random),
      (course.parts.randomElement(using: &random)?.start ?? 0) + course.duration,
      2 * course.duration, 0,
    ].shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
    for time in times.sorted() {
      let animations: [Animation?] = [nil, .linear(duration: 0.7), .bouncy]
      let animation = animations.randomElement(using: &random) ?? nil
      scripts.track.set(to: 40, at: time, animation)
      scripts.commands.set(to: 40, at: time, animation)
    }
    try Self.expectEqual(scripts, ticks: 0...1200, seed: seed)
  }

  /// A change from outside stops a track, and its ticks can be computed in any order.
  @Test func liveChangeInterruptsAndTicksAreDirect() throws {
    var random = SeededRandom(seed: 5)
    let scripts = try Self.both(Self.loop(&random))
    let change = TransactionPlan([.set(view: 0, .x, 500)], animation: .linear(duration: 1))
    let worlds = try [scripts.track, scripts.commands].map { try $0.world() }
    for world in worlds { #expect(world.apply(change, at: 100, batch: 0)) }
    let forward = (0...300).map { worlds[0].hash($0) }
    for tick in [300, 99, 100, 101, 0, 250] as [UInt64] {
      #expect(worlds[0].hash(tick) == forward[Int(tick)], "tick \(tick)")
      let values = worlds.map { Double(Values(of: $0, tick: tick).value(.x, entity: 0)) }
      #expect(abs(values[0] - values[1]) < 0.005, "tick \(tick): \(values)")
    }
  }

  @Test func destroyedViewIsLikeOneThatCommandsMoved() throws {
    var random = SeededRandom(seed: 6)
    var scripts = try Self.both(Self.loop(&random))
    scripts.track.add([.destroy(view: 0)], at: 1.05)
    scripts.commands.add([.destroy(view: 0)], at: 1.05)
    try Self.expectEqual(scripts, ticks: 0...200, seed: 6)
  }

  /// Sixty jumps, one at each tick of a second, and 999 at each of 16.65 s: the value names the tick.
  @Test(arguments: [60, 999], [0, 1_000_000, 3_600_000_000] as [UInt64])
  func jumpsAreExactlyAtTheirTicks(count: Int, first: UInt64) throws {
    let steps = (0..<count).flatMap { index -> [KeyframeStep] in
      [.move(Double(index)), .linear(Double(index), duration: 1.0 / 60)]
    }
    let script = try Self.both(KeyframeLoop(property: .x, steps: steps), initial: 0).track
    let start = first / UInt64(count) * UInt64(count)
    let world = try script.world()
    for tick in start..<start + 2500 {
      let found = Values(of: world, tick: tick).value(.x, entity: 0)
      // Rounded once, as the product of a progress and a span.
      #expect(abs(found - Float((tick - start) % UInt64(count))) < 1e-3, "tick \(tick)")
    }
  }

  @Test func everyInstructionSetAndEveryRoundHasTheSameBits() throws {
    var random = SeededRandom(seed: 9)
    var script = ViewScript((0..<2100).map { _ in 0 })
    for view in 0..<2100 where view % 3 != 1 {
      let course = try #require(KeyframeCourse(Self.loop(&random, hasCurves: false), initial: 0))
      script.plan.tracks.append(KeyframeTrackPlan(view: view, property: .x, course: course))
    }
    let ticks: [UInt64] = [0, 1, 77, 255, 256, 3000, 1_000_000_007]
    let expected = try ticks.map { try script.world(set: .baseline).hash($0) }
    for set in InstructionSet.allCases.filter(\.isSupported) {
      let world = try script.world(set: set, threads: 2)
      #expect(ticks.reversed().map { world.hash($0) } == expected.reversed(), "\(set)")
    }
  }

  /// A view whose x has two tracks, one of them too long for a table.
  private static func worldOfTwoTracks() throws -> World {
    var script = ViewScript()
    for duration in [1, 1e30] {
      let loop = KeyframeLoop(property: .x, steps: [.linear(5, duration: duration)])
      let course = try #require(KeyframeCourse(loop, initial: 0))
      script.plan.tracks.append(KeyframeTrackPlan(view: 0, property: .x, course: course))
    }
    return try script.world()
  }

  /// No scene has two tracks of one property: the check of a world's state finds them.
  @Test func twoTracksOfOnePropertyContradictEachOther() async throws {
    _ = try Self.worldOfTwoTracks()
    await #expect(processExitsWith: .failure) { try Self.worldOfTwoTracks().checkInvariants() }
  }

  /// A tick of a billion costs what a tick costs: nothing happens on the way there.
  @Test func trackHasNoEvents() throws {
    var random = SeededRandom(seed: 10)
    let world = try Self.both(Self.loop(&random, hasCurves: false)).track.world()
    _ = world.hash(1_000_000_000)
    #expect(world.takeEvents() == [])
  }
}
