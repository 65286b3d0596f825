// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport
import Testing

/// Goal: however far a world looks ahead, in whatever order ticks are asked for, nobody can tell from
/// the values.
///
/// Method: destinations in a ring, stepped and jumped through, against values computed directly.
@Suite struct LookAheadTests {
  /// All kinds that look ahead, views that do so on keyframes and views that do not; blocks of every place in their
  /// tiles.
  static func plan() throws -> ScenePlan {
    var script = ViewScript(Array(repeating: 0, count: 3_000))
    script.add((0..<3_000).map { .set(view: $0, .x, 1) }, at: 0.1, .linear(duration: 0.5))
    let cycles = [TweenCycle(curve: .easeInOut), TweenCycle(curve: .easeIn, autoreverses: true)]
    let batches: [BatchPlan] = try [
      .orbit(
        Specs(count: 20_011) {
          OrbitSpec(radius: Double($0 % 500), period: 0.3 + Double($0 % 97), phase: 0.1)
        }),
      .marquee(
        Specs(count: 5_001) {
          MarqueeSpec(period: 438, speed: Double($0), direction: .left, phase: 0)
        }),
      .tween(
        Specs(count: 4_100) { TweenSpec(from: 5, to: 9, period: 3, cycle: cycles[$0 % 2]) }, .y),
      .flow(
        Specs(count: 4_100) {
          FlowSpec(period: 100, speed: 30, direction: .left, start: Double($0 % 100) / 50)
        }, .x),
      .spring(
        Specs(count: 4_100) {
          SpringSpec(
            from: 0, to: 1, spring: Spring(response: 0.5, dampingRatio: 0.4 + Double($0 % 7) / 5),
            period: 1.5, phase: Double($0 % 300) / 150)
        }, .x),
      .views(script.plan), .views(tracks().plan),
    ]
    return ScenePlan(
      name: "test", seed: 1, rate: 60, batches: batches, layout: Orrery_SceneLayout())
  }

  /// Views in ten blocks on tracks of keyframes, of which some are hidden and some have no track; in some blocks
  /// something else happens now and then, in the last one at every other tick.
  static func tracks() throws -> ViewScript {
    var script = ViewScript((0..<9 * 2_048 + 17).map { Double($0 % 7) })
    let courses = try [0.5, 1, 1.7, 3].map { seconds in
      let steps: [KeyframeStep] = [
        .cubic(50, duration: seconds), .move(-9), .linear(3, duration: seconds / 4),
        .linear(0, duration: seconds, timingCurve: .easeIn),
      ]
      return try #require(KeyframeCourse(KeyframeLoop(property: .x, steps: steps), initial: 0))
    }
    for view in script.plan.views.indices where view % 5 > 0 {
      let properties: [ViewProperty] = view % 3 == 0 ? [.x, .opacity] : [.x]
      script.plan.tracks += properties.map {
        KeyframeTrackPlan(view: view, property: $0, course: courses[view / 11 % 4])
      }
      script.plan.views[view].isShown = view % 700 != 1
    }
    // Tick 24 is a border of some tiles, tick 27 is not; later, a block of each kind of change.
    for (block, time) in [(1, 0.4), (2, 0.45), (3, 5.0), (4, 5.05), (5, 12.3)] {
      let view = block * 2_048 + 11
      script.set(view, to: 5, at: time, block == 4 ? nil : .linear(duration: 0.3))
      script.set(view + 1, .opacity, to: 1, at: time + 0.1, .bouncy)
    }
    script.add([.hide(view: 6 * 2_048)], at: 0.3)
    script.add([.show(view: 6 * 2_048)], at: 0.7, .linear(duration: 0.2))
    script.add([.toggle(view: 7 * 2_048 + 5)], at: 0.2, every: 0.75)
    script.add([.destroy(view: 8 * 2_048 + 3)], at: 0.35)
    for (index, value) in [0.0, 9].enumerated() {
      script.add([.set(view: 9 * 2_048 + 16, .x, value)], at: Double(index) / 30, every: 1.0 / 15)
    }
    return script
  }

  static func world(
    set: InstructionSet = .best, threads: Int = 1, output: ColumnFormat.Kind = .float32,
    hashMode: HashMode = .full
  ) throws -> World {
    try World(
      try plan(), instructionSet: set, threadCount: threads, output: output, hashMode: hashMode)
  }

  @Test(arguments: [(0, 1), (0, 2), (1, 2), (3, 4), (7, 8), (7, 9), (7, 64)], [1, 2])
  func ticksInTurnAreRight(ring: (ahead: Int, count: Int), threads: Int) throws {
    let (world, direct) = (try Self.world(threads: threads), try Self.world())
    let memory = (0..<ring.count).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    for tick in UInt64(1)...40 {
      let slot = Int(tick) % ring.count
      let hash = world.evaluate(tick: tick, destination: slot, ahead: ring.ahead)
      let expected = Memory(direct)
      #expect(hash == direct.evaluate(tick: tick) { expected.columns[$0] }, "tick \(tick)")
      try #require(memory[slot].difference(from: expected) == nil, "tick \(tick)")
    }
  }

  /// However many threads are tried on the way.
  @Test(arguments: [2, 3, 4]) func chosenThreadsGiveTheSameValues(threads: Int) throws {
    let world = try World(stress: 60_000, threads: threads, choosesThreads: true)
    let direct = try World(stress: 60_000)
    let memory = (0..<8).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    #expect(world.threadCount == threads)
    #expect(world.threadsMean == 1, "nothing was evaluated")
    for tick in UInt64(1)...400 {
      let hash = world.evaluate(tick: tick, destination: Int(tick % 8), ahead: 7)
      if tick % 10 == 0 { try #require(hash == direct.hash(tick), "tick \(tick)") }
    }
    #expect(world.threadsMean > 1)
    #expect(world.threadsMean <= Double(threads))
  }

  /// No thread is started that never has a block.
  @Test func threadsAreNoMoreThanBlocks() throws {
    #expect(try World(stress: 1_000, threads: 8).threadCount == 2)
    #expect(try World(stress: 2 * 2_048 + 2, threads: 8).threadCount == 4)
    #expect(try World(threads: 8).threadCount == 1, "an empty world")
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func anyOrderIsRight(seed: UInt64) throws {
    let (world, direct) = (try Self.world(), try Self.world())
    let memory = (0..<9).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    var walk = TickWalk(seed: seed, slotCount: 9)
    for _ in 0..<150 {
      walk.step()
      let (tick, slot, ahead) = (walk.tick, walk.slot, walk.ahead)
      let hash = world.evaluate(tick: tick, destination: slot, ahead: ahead)
      let expected = Memory(direct)
      #expect(hash == direct.evaluate(tick: tick) { expected.columns[$0] }, "seed \(seed), \(tick)")
      try #require(memory[slot].difference(from: expected) == nil, "seed \(seed), tick \(tick)")
    }
  }

  /// The work of a tick is even: about an eighth of the blocks that look ahead begin a tile.
  @Test func tilesTakeTurns() throws {
    let world = try World(
      .orbit(Specs(count: 64 * 2_048) { _ in OrbitSpec(radius: 1, period: 10, phase: 0) }))
    let memory = (0..<8).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    for tick in UInt64(1)...40 {
      _ = world.evaluate(tick: tick, destination: Int(tick % 8), ahead: 7)
      #expect(world.evaluatedBlockCount == (tick == 1 ? 64 : 8), "tick \(tick)")
    }
  }

  /// Blocks that move on keyframes alone are computed once in eight ticks, from eight ticks after their last change.
  @Test func blocksOnKeyframesLookAhead() throws {
    var script = try Self.tracks()
    script.plan.commands = []
    let world = try script.world()
    let memory = (0..<8).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    for tick in UInt64(1)...200 {
      _ = world.evaluate(tick: tick, destination: Int(tick % 8), ahead: 7)
      // The first tick that is asked for begins them.
      #expect(tick < 10 ? world.evaluatedBlockCount == 10 : world.evaluatedBlockCount <= 4)
    }
  }

  @Test(arguments: [false, true]) func changesFromOutsideReachTicksAhead(isOnTracks: Bool) throws {
    var script = isOnTracks ? try Self.tracks() : ViewScript([0, 0])
    if isOnTracks { script.plan.commands = [] }
    script.set(0, to: 10, at: 0, .linear(duration: 9))
    let (world, direct) = (try script.world(), try script.world())
    let memory = (0..<8).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    for tick in UInt64(1)...20 {
      _ = world.evaluate(tick: tick, destination: Int(tick % 8), ahead: 7)
    }
    let tap = TransactionPlan([.set(view: 1, .x, 5)])
    #expect(world.apply(tap, at: 21, batch: 0))
    #expect(direct.apply(tap, at: 21, batch: 0))
    for tick in UInt64(21)...30 {
      #expect(world.evaluate(tick: tick, destination: Int(tick % 8), ahead: 7) == direct.hash(tick))
    }
  }

  @Test(arguments: InstructionSet.supported)
  func sixteenBitsAreTheNearestUnits(set: InstructionSet) throws {
    let (exact, world) = (try Self.world(), try Self.world(set: set, output: .fixed16))
    let formats = world.columns.map(\.format)
    #expect(formats[0] == .fixed16(unit: 0x1p-6))
    #expect(formats[1] == formats[0])
    #expect(formats[2] == .fixed16(unit: 0x1p-6))
    #expect(formats[3] == .fixed16(unit: 0x1p-11))
    #expect(formats[4] == .fixed16(unit: 0x1p-8))
    #expect(formats[5] == .fixed16(unit: 0x1p-14))
    #expect(formats.last == .float32)
    for tick in [UInt64(1), 7, 8, 100, 5_003] {
      let expected = Values(of: exact, tick: tick)
      let found = Values(of: world, tick: tick)
      for (column, format) in formats.enumerated() {
        guard case .fixed16(let unit) = format else { continue }
        let info = world.columns[column]
        let end = info.firstEntity + info.count
        for entity in Array(stride(from: info.firstEntity, to: end, by: 7)) + [end - 1] {
          let value = expected.value(info.field, entity: entity)
          #expect(
            found.value(info.field, entity: entity)
              == (value / unit).rounded(.toNearestOrEven) * unit, "entity \(entity)")
        }
      }
    }
  }

  /// Hashes of 16 bits do not depend on how ticks are come by either.
  @Test func sixteenBitsLookAhead() throws {
    let (world, direct) = (
      try Self.world(output: .fixed16), try Self.world(set: .baseline, output: .fixed16)
    )
    let memory = (0..<8).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    for tick in UInt64(1)...30 {
      #expect(
        world.evaluate(tick: tick, destination: Int(tick % 8), ahead: 7) == direct.hash(tick))
    }
  }

  @Test func boundsThatNoUnitFitsStayFloats() throws {
    let world = try World(
      .orbit(Specs([OrbitSpec(radius: 2_047, period: 1, phase: 0)])),
      .orbit(Specs([OrbitSpec(radius: 2_048, period: 1, phase: 0)])),
      .tween(Specs([TweenSpec(from: 0, to: 1, period: 1)]), .opacity),
      .tween(Specs([TweenSpec(from: 0, to: 40, period: 1)]), .scale),
      .tween(
        Specs([
          TweenSpec(from: 0, to: 1, period: 1, cycle: TweenCycle(curve: .circularEaseIn))
        ]), .x),
      output: .fixed16)
    #expect(
      world.columns.map(\.format) == [
        .fixed16(unit: 0x1p-4), .fixed16(unit: 0x1p-4), .float32, .float32,
        .fixed16(unit: 0x1p-14), .float32, .float32,
      ])
  }

  /// Half a unit is kept for rounding: of 32,767.5 units some would be 32,768, which 16 bits do not hold.
  @Test func largestBoundOfAUnitIs32767Units() throws {
    func unit(rising to: Double) throws -> ColumnFormat? {
      try World(.tween(Specs([TweenSpec(from: 0, to: to, period: 1)]), .x), output: .fixed16)
        .columns.first?.format
    }
    #expect(try unit(rising: 32_767 * 0x1p-14) == .fixed16(unit: 0x1p-14))
    #expect(try unit(rising: 32_767.5 * 0x1p-14) == .fixed16(unit: 0x1p-13))
    #expect(try unit(rising: 32_767 * 0x1p-4) == .fixed16(unit: 0x1p-4))
    #expect(try unit(rising: 32_767.5 * 0x1p-4) == .float32)
    // What moves nowhere and is nowhere has a unit, too.
    #expect(try unit(rising: 0) == .fixed16(unit: 0x1p-14))
  }

  @Test func lookingAheadOfAllDestinationsTraps() async {
    await #expect(processExitsWith: .failure) {
      let world = try World.small()
      let memory = [Memory(world), Memory(world)]
      world.keepDestinations(memory)
      _ = world.evaluate(tick: 0, destination: 0, ahead: 2)
    }
  }
}
