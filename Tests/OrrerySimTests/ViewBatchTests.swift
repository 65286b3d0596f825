// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport
import Testing

/// Goal: what views show at a tick is a function of the plan and the tick.
///
/// Method: random plans with everything in them, played by different ways to a tick, with different threads
/// and instruction sets; overlapping changes with the numbers of docs/explained/semantics.md.
@Suite struct ViewBatchTests {
  /// Views of more than one block, with transitions, reactions and an accordion.
  static func everything(seed: UInt64, views: Int = 5_000) -> ViewScript {
    var random = SeededRandom(seed: seed)
    var script = ViewScript(
      (0..<views).map { _ in random.number(in: -100...100) }, completions: ["a", "b", "c"])
    for view in stride(from: 0, to: views, by: 3) {
      script.plan.views[view].transition = TransitionTests.planet
      script.plan.views[view].isShown = Bool.random(using: &random)
    }
    script.plan.accordions = [
      AccordionPlan(panels: [0, 3, 6], panelHeights: [40, 50, 60], members: [[1], [2], [4]])
    ]
    for _ in 0..<300 {
      let view = Int.random(in: 0..<views, using: &random)
      let property = ViewProperty.allCases.randomElement(using: &random) ?? .x
      let actions: [ActionPlan] = [
        .set(view: view, property, random.number(in: -1...100)), .toggle(view: view / 3 * 3),
        .toggle(view: view), .tap(accordion: 0, row: Int.random(in: 0..<3, using: &random)),
      ]
      var animation: Animation? = DirectorOracleTests.Repertoire.everything.animation(&random)
      if Int.random(in: 0..<8, using: &random) == 0 { animation = nil }
      script.add(
        Array(actions.shuffled(using: &random).prefix(2)), at: random.number(in: 0...5),
        every: Int.random(in: 0..<6, using: &random) == 0 ? random.number(in: 0.2...2) : nil,
        animation, completion: Int.random(in: 0..<6, using: &random) == 0 ? 0 : nil)
    }
    script.add([.destroy(view: 9)], at: 2)
    script.react(to: 0, after: 0.3, [.toggle(view: 12)], .bouncy, completion: 1)
    script.react(to: 1, [.set(view: 4, .rotation, 2)], .linear(duration: 0.4).repeatCount(4))
    return script
  }

  static let ticks: [UInt64] = [0, 29, 30, 59, 60, 61, 200, 299, 420, 600]

  @Test(arguments: Array(UInt64(1)...4))
  func anyOrderOfTicksGivesTheSameBits(seed: UInt64) throws {
    let script = Self.everything(seed: seed)
    let stepped = try script.world()
    var expected: [UInt64: UInt64] = [:]
    for tick in UInt64(0)...600 {
      let hash = stepped.hash(tick)
      if Self.ticks.contains(tick) { expected[tick] = hash }
    }
    for tick in Self.ticks {
      #expect(try script.world().hash(tick) == expected[tick], "seed \(seed), tick \(tick)")
    }
    for tick in Self.ticks.reversed() + [300, 599, 600, 30] where expected[tick] != nil {
      #expect(stepped.hash(tick) == expected[tick], "seed \(seed), back to \(tick)")
    }
    #expect(Set(expected.values).count == expected.count)
  }

  /// [N-08] 600 ticks, with 1 and with 8 threads, have the same hashes, on every instruction set.
  @Test func threadsAndSetsGiveOneHash() throws {
    let script = Self.everything(seed: 11)
    var worlds = try InstructionSet.supported.map { try script.world(set: $0) }
    worlds.append(try script.world(threads: 8))
    let expected = try script.world(threads: 1)
    for tick in UInt64(0)...600 {
      let hash = expected.hash(tick)
      for world in worlds { #expect(world.hash(tick) == hash, "tick \(tick)") }
    }
    let events = expected.takeEvents()
    #expect(events.count > 300)
    #expect(worlds.allSatisfy { $0.takeEvents() == events })
  }

  /// Destinations that keep what was written see the same as fresh memory.
  @Test func keptMemoryShowsTheSame() throws {
    let script = Self.everything(seed: 5)
    let (world, direct) = (try script.world(threads: 2), try script.world())
    let memory = (0..<4).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    var random = SeededRandom(seed: 5)
    var tick: UInt64 = 0
    for _ in 0..<400 {
      // Mostly forward.
      tick = Int.random(in: 0..<40, using: &random) == 0 ? tick / 2 : tick + 1
      let slot = Int.random(in: 0..<4, using: &random)
      let hash = world.evaluate(tick: tick, destination: slot)
      let expected = Memory(direct)
      #expect(hash == direct.evaluate(tick: tick) { expected.columns[$0] }, "tick \(tick)")
      try #require(memory[slot].difference(from: expected) == nil, "tick \(tick)")
    }
  }

  /// linear(2): 0 -> 60 at 0, -> 90 at 0.5; at 1.5 both add up to 60.
  @Test func curvesAdd() throws {
    var script = ViewScript()
    script.set(to: 60, at: 0, .linear(duration: 2))
    script.set(to: 90, at: 0.5, .linear(duration: 2))
    let values = try script.values(rate: 10, ticks: [5, 15, 20, 25, 26])
    #expect(isNear(values[0], 15, within: 9e-4))
    #expect(isNear(values[1], 60, within: 9e-4))
    #expect(isNear(values[2], 60 + 22.5, within: 9e-4))
    #expect(values[3] == 90)
    #expect(values[4] == 90)
  }

  /// spring(0.4): 0 -> 100, at 0.1 (46.55839) -> 40; 0.1 s later 54.167518.
  @Test func springsMerge() throws {
    var script = ViewScript()
    script.set(to: 100, at: 0, .spring(duration: 0.4))
    script.set(to: 40, at: 0.1, .spring(duration: 0.4))
    let values = try script.values(rate: 100, ticks: [10, 20, 1_000])
    #expect(isNear(values[0], 46.55839, within: 2e-2))
    #expect(isNear(values[1], 54.167518, within: 2e-2))
    #expect(values[2] == 40)
  }

  /// What is shown does not jump where the target does.
  @Test func retargetingDoesNotJump() throws {
    for animation in [Animation.linear(duration: 2), .spring(duration: 0.4)] {
      var script = ViewScript()
      script.set(to: 60, at: 0, animation)
      script.set(to: 90, at: 0.5, animation)
      // A microsecond apart, at no more than 2,000 points per second.
      let values = try script.values(rate: 1_000_000, ticks: [499_999, 500_000, 500_001])
      #expect(abs(values[1] - values[0]) < 0.005)
      #expect(abs(values[2] - values[1]) < 0.005)
    }
  }

  /// linear(5), then at 0.1 linear(0.5): at 0.7 it is still moving.
  @Test func longerAnimationGoesOnAfterALaterOne() throws {
    var script = ViewScript()
    script.set(to: 10, at: 0, .linear(duration: 5))
    script.set(to: 20, at: 0.1, .linear(duration: 0.5))
    let values = try script.values(rate: 10, ticks: [6, 7, 8, 49, 50])
    let expected = [11.2, 11.4, 11.6, 19.8, 20]
    #expect(zip(values, expected).allSatisfy { isNear($0, $1, within: 2e-4) })
    #expect(values[4] == 20)
  }

  /// [N-06] A target that is no number, among 1000 views: the other 999 are unchanged.
  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func oddTargetTouchesNoOtherView(target: Double) throws {
    var plain = ViewScript(Array(repeating: 1, count: 1_000))
    for view in 0..<1_000 {
      let animation = view % 2 == 0 ? Animation.spring : .easeIn
      plain.set(view, to: Double(view), at: Double(view % 7) / 10, animation)
    }
    var odd = plain
    odd.plan.commands[500].transaction.actions = [.set(view: 500, .x, target)]
    odd.plan.commands[501].transaction.actions = [.set(view: 501, .x, target)]
    odd.set(500, to: 1, at: 0.9, .spring)
    let (before, after) = (try plain.world(), try odd.world())
    for tick in [0, 10, 30, 60, 600] as [UInt64] {
      let a = Values(of: before, tick: tick)
      let b = Values(of: after, tick: tick)
      let changed = (0..<1_000).filter {
        a.value(.x, entity: $0).bitPattern != b.value(.x, entity: $0).bitPattern
      }
      #expect(Set(changed).isSubset(of: [500, 501]), "tick \(tick): \(changed)")
    }
  }

  /// [N-09] Of a million finished tweens and one that runs, a tick places one block.
  @Test func finishedAnimationsArePlacedNoMore() throws {
    let count = 1_000_000
    var script = ViewScript(Array(repeating: 0, count: count))
    script.add((1..<count).map { .set(view: $0, .x, 1) }, at: 0, .linear(duration: 0.1))
    script.set(0, to: 1, at: 0, .linear(duration: 1).repeatForever())
    let world = try World(.views(script.plan))
    let memory = (0..<3).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    var counts: [Int] = []
    for tick in UInt64(0)...20 {
      let slot = Int(tick % 3)
      _ = world.evaluate(tick: tick, destination: slot)
      counts.append(world.evaluatedBlockCount)
    }
    // Moving until tick 6, and once more into each slot; then the block of the one that runs.
    #expect(counts[..<9].allSatisfy { $0 == 489 })
    #expect(counts[9...].allSatisfy { $0 == 1 })
    #expect(memory[2][0][777_777] == 1)
  }

  @Test func stillViewsHaveExactlyTheirValues() throws {
    let targets = [0.1, -1e9, 1.0 / 3, 12_345.678]
    var script = ViewScript(Array(repeating: 7, count: targets.count))
    for (view, target) in targets.enumerated() {
      let animation = view % 2 == 0 ? Animation.spring : .linear(duration: 0.3).speed(2)
      script.set(view, to: target, at: 0.1, animation)
    }
    let values = Values(of: try script.world(), tick: 600)
    for (view, target) in targets.enumerated() {
      #expect(values.value(.x, entity: view) == Float(target))
    }
  }

  @Test func fieldsAreThoseThatCanChange() throws {
    #expect(try ViewScript([0]).world().columns.map(\.field) == [.x])
    #expect(try ViewScript([1]).world().columns.map(\.field) == [.x])
    var script = ViewScript([0])
    script.set(0, .blur, to: 1, at: 3)
    #expect(try script.world().columns.map(\.field) == [.blur])
    script.add([.hide(view: 0)], at: 3)
    #expect(try script.world().columns.map(\.field) == [.opacity, .blur])
    script.plan.views[0].transition = TransitionTests.planet
    #expect(try script.world().columns.map(\.field) == [.y, .opacity, .scale, .blur])
  }

  @Test func transactionsFromOutsideAreReplayed() throws {
    var script = ViewScript([0, 0])
    script.set(0, to: 10, at: 0, .linear(duration: 2))
    script.add([.hide(view: 1)], at: 9)
    let world = try script.world()
    let memory = Memory(world)
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations([memory])
    let place = { (tick: UInt64) -> UInt64 in
      world.evaluate(tick: tick, destination: 0)
    }
    let untouched = try script.world()
    #expect(place(60) == untouched.hash(60))
    let tap = TransactionPlan([.toggle(view: 1), .set(view: 0, .x, 0)])
    #expect(world.apply(tap, at: 90, batch: 0))
    #expect(place(89) == untouched.hash(89))
    let after = place(90)
    #expect(after != untouched.hash(90))
    #expect(place(10) == untouched.hash(10))
    #expect(place(90) == after)
    let values = Values(of: world, tick: 90)
    #expect(values.value(.x, entity: 0) == 0)
    #expect(values.value(.opacity, entity: 1) == 0)
    // In the past: what was placed there is placed anew.
    #expect(world.apply(TransactionPlan([.set(view: 0, .x, 3)]), at: 30, batch: 0))
    #expect(place(30) != untouched.hash(30))
    #expect(place(29) == untouched.hash(29))

    // And so is what stood still.
    let still = try ViewScript([1]).world()
    let kept = Memory(still)
    defer { withExtendedLifetime(kept) {} }
    still.keepDestinations([kept])
    let before = still.evaluate(tick: 60, destination: 0)
    #expect(still.apply(TransactionPlan([.set(view: 0, .x, 3)]), at: 60, batch: 0))
    #expect(still.evaluate(tick: 60, destination: 0) != before)
    #expect(kept[0][0] == 3)

    let impossible: [ActionPlan] = [
      .set(view: 2, .x, 1), .set(view: 0, .blur, 1), .tap(accordion: 0, row: 0), .show(view: -1),
    ]
    for action in impossible {
      #expect(!world.apply(TransactionPlan([action]), at: 100, batch: 0))
    }
    #expect(!world.apply(tap, at: 100, batch: 1))
    #expect(!world.apply(TransactionPlan([], completion: -1), at: 100, batch: 0))
  }
}
