// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Goal: completions are told once each, in order, with their exact times, however ticks are played.
///
/// Method: scripts with the numbers of docs/explained/semantics.md; the events of whole worlds.
@Suite struct DirectorEventTests {
  private let legs = { (view: Int, index: Int) in
    DirectorEvent.Kind.legEnded(view: view, .x, index: index)
  }
  private let removed = { (view: Int, isFinished: Bool) in
    DirectorEvent.Kind.removed(view: view, .x, isFinished: isFinished)
  }

  /// [S2-18] linear(0.8) three times, in steps of 1/7 s: legs end at 0.8, 1.6 and 2.4, in this order.
  @Test func legsAreToldWithTheirExactTimes() throws {
    var script = ViewScript()
    script.set(to: 1, at: 0, .linear(duration: 0.8).repeatCount(3))
    let world = try script.world(rate: 7)
    var told: [(tick: UInt64, events: [DirectorEvent])] = []
    for tick in UInt64(0)...21 {
      _ = world.hash(tick)
      let events = world.takeEvents()
      if !events.isEmpty { told.append((tick, events)) }
    }
    #expect(told.map(\.tick) == [6, 12, 17])
    let events = told.flatMap(\.events)
    #expect(
      events.map(\.kind) == [
        legs(0, 0), legs(0, 1), legs(0, 2), .logicallyComplete(view: 0, .x), removed(0, true),
      ])
    let times = [0.8, 1.6, 2.4, 2.4, 2.4]
    #expect(zip(events, times).allSatisfy { isNear($0.time, $1, within: 1e-12) })
  }

  /// [S2-19] One step of 10 s tells the three legs, then the removal.
  @Test func oneLargeStepTellsEverythingInOrder() throws {
    var script = ViewScript()
    script.set(to: 1, at: 0, .linear(duration: 0.8).repeatCount(3))
    let stepped = try script.world(rate: 7)
    for tick in UInt64(0)...70 { _ = stepped.hash(tick) }
    let events = try script.events(rate: 7, to: 70)
    #expect(events == stepped.takeEvents())
    #expect(events.count == 5)
    #expect(events.last?.kind == removed(0, true))
  }

  /// What happens is counted where it happens, whether or not events are recorded, and again after a step back.
  @Test(arguments: [RecordedEvents.all, .none]) func beginsAndEndsAreCounted(
    records: RecordedEvents
  ) throws {
    var script = ViewScript([0, 0, 0], completions: ["done"])
    script.set(to: 10, at: 0.5, .linear(duration: 1))
    script.set(to: 20, at: 1, .linear(duration: 1))
    script.set(1, to: 5, at: 0.5, .linear(duration: 1))
    script.set(1, to: 7, at: 1, nil)
    script.set(2, to: 5, at: 3, .linear(duration: 1), completion: 0)
    let world = try script.world(rate: 10, records: records)
    func counts(_ tick: UInt64) -> DirectorCounts {
      _ = world.hash(tick)
      var counts = world.viewCounts
      #expect((counts.queued > 0) == (tick > 4))
      counts.queued = 0
      return counts
    }
    var expected = DirectorCounts()
    #expect(counts(4) == expected)
    expected.begins = 2
    #expect(counts(6) == expected)
    (expected.retargets, expected.cuts) = (1, 1)
    #expect(counts(11) == expected)
    expected.ends = 1
    #expect(counts(29) == expected)
    (expected.begins, expected.ends, expected.completions) = (3, 2, 1)
    #expect(counts(41) == expected)
    (expected.begins, expected.retargets, expected.ends) = (2, 0, 0)
    (expected.cuts, expected.completions) = (0, 0)
    #expect(counts(6) == expected)
  }

  /// A motion that rests at its end leaves nothing to handle: its command and its end are all.
  @Test(arguments: [RecordedEvents.all, .none]) func motionIsHandledTwice(
    records: RecordedEvents
  ) throws {
    var script = ViewScript([0], completions: ["gone"])
    script.set(to: 10, at: 0.5, .linear(duration: 1), completion: 0, criteria: .removed)
    let world = try script.world(rate: 10, records: records)
    _ = world.hash(30)
    #expect(world.viewCounts.queued == 2)
    #expect(world.viewCounts.ends == 1 && world.viewCounts.completions == 1)
  }

  /// [S2-20] A group completes when its last member does: durations 0.8 and 3 -> 3.
  @Test func groupCompletesWithItsLastMember() throws {
    var script = ViewScript([0], completions: ["both"])
    script.plan.views[0].transition = TransitionPlan(
      insertion: TransitionHalf(), removal: TransitionHalf(opacity: [-1]),
      removalAnimation: .linear(duration: 3))
    for criteria in [AnimationCompletionCriteria.logicallyComplete, .removed] {
      script.plan.commands = []
      script.add(
        [.set(view: 0, .x, 1), .hide(view: 0)], at: 0, .linear(duration: 0.8), completion: 0,
        criteria: criteria)
      #expect(try script.events(to: 600).times(of: 0) == [3])
    }
  }

  /// Changes of one instant that lead back to the old value leave nothing that runs, and nobody waiting.
  @Test(arguments: [AnimationCompletionCriteria.logicallyComplete, .removed])
  func changesThatCancelEachOtherEndAtOnce(criteria: AnimationCompletionCriteria) throws {
    var script = ViewScript([3], completions: ["done"])
    script.add(
      [.set(view: 0, .x, 10), .set(view: 0, .x, 3)], at: 0.5, .linear(duration: 2), completion: 0,
      criteria: criteria)
    let events = try script.events(to: 600)
    #expect(events.times(of: 0) == [0.5])
    #expect(events.map(\.kind).filter { $0 == removed(0, false) }.count == 1)
    #expect(try script.values(ticks: [29, 30, 31, 60]) == [3, 3, 3, 3])
  }

  /// [S2-21] No completion of repeatForever, but its legs: 1 s legs until 2.5 -> 1 and 2.
  @Test func endlessAnimationTellsLegsOnly() throws {
    var script = ViewScript([0], completions: ["never"])
    script.set(to: 1, at: 0, .linear(duration: 1).repeatForever(), completion: 0)
    let events = try script.events(rate: 10, to: 25)
    #expect(events == [DirectorEvent(time: 1, legs(0, 0)), DirectorEvent(time: 2, legs(0, 1))])
    #expect(try script.events(rate: 1, to: 10_000).times(of: 0).isEmpty)
  }

  /// [S2-22] linear(1) re-targeted at 0.5: one "finished" at 1.5, none at 1; destroying cancels, once.
  @Test func retargetingIsNoCompletion() throws {
    var script = ViewScript()
    script.set(to: 1, at: 0, .linear(duration: 1), completion: nil, criteria: .removed)
    script.set(to: 2, at: 0.5, .linear(duration: 1), completion: nil, criteria: .removed)
    let events = try script.events(to: 600)
    #expect(events.filter { $0.kind == removed(0, true) }.map(\.time) == [1.5])
    #expect(!events.contains { $0.kind == removed(0, false) })

    var destroyed = ViewScript()
    destroyed.set(to: 1, at: 0, .linear(duration: 1))
    for time in [0.25, 0.5] { destroyed.add([.destroy(view: 0)], at: time) }
    #expect(
      try destroyed.events(to: 600) == [DirectorEvent(time: 0.25, removed(0, false))])
  }

  /// [C-05] Removed or logically complete, once; at once if nothing was animated.
  @Test func transactionWithoutAnimationsCompletesAtOnce() throws {
    for criteria in [AnimationCompletionCriteria.logicallyComplete, .removed] {
      var script = ViewScript([5], completions: ["done"])
      // 5 -> 5 is no change.
      script.set(to: 5, at: 0.5, .linear(duration: 1), completion: 0, criteria: criteria)
      #expect(try script.events(to: 600) == [DirectorEvent(time: 0.5, .completed(0))])
      script.plan.commands[0].transaction.actions = []
      #expect(try script.events(to: 600) == [DirectorEvent(time: 0.5, .completed(0))])
      script.plan.commands[0].transaction.actions = [.set(view: 0, .x, 6)]
      #expect(try script.events(to: 600).times(of: 0) == [1.5])
    }
    var spring = ViewScript([0], completions: ["logical", "removed"])
    spring.set(to: 1, at: 0, .spring(duration: 0.4), completion: 0)
    spring.set(to: 2, at: 2, .spring(duration: 0.4), completion: 1, criteria: .removed)
    let events = try spring.events(to: 600)
    #expect(events.times(of: 0) == [0.4])
    let last = events.times(of: 1)
    try #require(last.count == 1)
    #expect(last[0] > 2.4)
    #expect(last[0] < 3.5)
  }

  /// [C-06] One callback, after all animations: linear(0.8), and linear(0.8) after 0.4 -> 1.2.
  @Test func oneCallbackAfterAllAnimations() throws {
    var script = ViewScript([0], completions: ["all"])
    script.plan.views[0].transition = TransitionPlan(
      insertion: TransitionHalf(), removal: TransitionHalf(x: [10]),
      removalAnimation: .linear(duration: 0.8).delay(0.4))
    script.add(
      [.set(view: 0, .x, 1), .hide(view: 0)], at: 0, .linear(duration: 0.8), completion: 0)
    let times = try script.events(to: 600).times(of: 0)
    try #require(times.count == 1)
    #expect(isNear(times[0], 1.2, within: 1e-12))
  }

  /// [C-08] linear(1) at 0 and at 0.6: logical callbacks at 1 and 1.6, removed ones both at 1.6.
  @Test func logicalCallbacksKeepTheirTimeAndRemovedOnesWait() throws {
    for (criteria, expected) in [
      (AnimationCompletionCriteria.logicallyComplete, [1, 1.6]), (.removed, [1.6, 1.6]),
    ] {
      var script = ViewScript([0], completions: ["a", "b"])
      script.set(to: 1, at: 0, .linear(duration: 1), completion: 0, criteria: criteria)
      script.set(to: 2, at: 0.6, .linear(duration: 1), completion: 1, criteria: criteria)
      let events = try script.events(to: 600)
      #expect(events.times(of: 0) == [expected[0]])
      #expect(events.times(of: 1) == [expected[1]])
    }
  }

  /// [C-09] linear(5), destroyed at 0.7: one call at 0.7.
  @Test func destroyingReportsRemovalAtOnce() throws {
    for criteria in [AnimationCompletionCriteria.logicallyComplete, .removed] {
      var script = ViewScript([0], completions: ["a"])
      script.set(to: 1, at: 0, .linear(duration: 5), completion: 0, criteria: criteria)
      script.add([.destroy(view: 0)], at: 0.7)
      // What comes later changes nothing any more.
      script.set(to: 7, at: 0.8, .linear(duration: 1))
      let events = try script.events(to: 600)
      #expect(events.times(of: 0) == [0.7])
      #expect(events.count == 2)
    }
  }

  /// [N-04] No time: nothing changes and nothing is told; a tick before the last one is played anew.
  @Test func noTimeTellsNothing() throws {
    var script = ViewScript()
    script.set(to: 1, at: 0, .linear(duration: 1))
    let world = try script.world()
    let hash = world.hash(30)
    _ = world.takeEvents()
    for _ in 0..<10 { #expect(world.hash(30) == hash) }
    #expect(world.takeEvents().isEmpty)
    let before = world.hash(29)
    #expect(before != hash)
    #expect(world.hash(30) == hash)
    #expect(world.takeEvents().isEmpty)
    #expect(world.hash(600) == (try script.world().hash(600)))
    #expect(world.takeEvents().map(\.time) == [1, 1, 1])
  }

  /// [N-05] A reaction that destroys what completed, and one that begins another, is safe.
  @Test func reactionsMayDestroyWhatCompleted() throws {
    var script = ViewScript([0, 0], completions: ["a", "b"])
    script.set(0, to: 1, at: 0, .linear(duration: 0.5), completion: 0, criteria: .removed)
    script.react(
      to: 0, [.destroy(view: 0), .set(view: 1, .x, 1)], .linear(duration: 0.5), completion: 1)
    let events = try script.events(to: 600)
    #expect(
      events == [
        DirectorEvent(time: 0.5, legs(0, 0)),
        DirectorEvent(time: 0.5, .logicallyComplete(view: 0, .x)),
        DirectorEvent(time: 0.5, removed(0, true)), DirectorEvent(time: 0.5, .completed(0)),
        DirectorEvent(time: 1, legs(1, 0)),
        DirectorEvent(time: 1, .logicallyComplete(view: 1, .x)),
        DirectorEvent(time: 1, .completed(1)), DirectorEvent(time: 1, removed(1, true)),
      ])
  }

  /// [N-07] Ends 0.31, 0.30 and 0.305 within one tick are told as 0.30, 0.305, 0.31.
  @Test func completionsOfOneTickAreInTheOrderOfTheirEnds() throws {
    var script = ViewScript([0, 0, 0, 0], completions: ["a", "b", "c", "d"])
    for (view, end) in [0.31, 0.30, 0.305, 0.30].enumerated() {
      script.set(view, to: 1, at: 0, .linear(duration: end), completion: view, criteria: .removed)
    }
    let world = try script.world(rate: 20)
    _ = world.hash(5)
    #expect(world.takeEvents().isEmpty)
    _ = world.hash(7)
    let names = world.takeEvents().compactMap { event -> Int? in
      if case .completed(let name) = event.kind { name } else { nil }
    }
    #expect(names == [1, 3, 2, 0])
  }

  /// [N-11] 5 -> 5, no duration, no views: complete at once, and nothing runs.
  @Test func nothingToAnimateCompletesAtOnce() throws {
    for animation in [
      Animation.linear(duration: 0), .linear(duration: -1), .linear(duration: .nan),
      .spring(response: 0, dampingFraction: 1), .linear(duration: 0).repeatForever(),
    ] {
      var script = ViewScript([5], completions: ["a"])
      script.set(to: 6, at: 0.1, animation, completion: 0, criteria: .removed)
      #expect(try script.events(to: 600).times(of: 0) == [0.1], "\(animation)")
      #expect(try script.values(ticks: [0, 6, 7]) == [5, 6, 6], "\(animation)")
    }
    #expect(try ViewScript([]).world().hash(100) == 0)
  }

  @Test func eventsAreToldOnceHoweverTicksAreAskedFor() throws {
    var script = ViewScript([0, 0], completions: ["a"])
    script.add([.set(view: 0, .x, 1)], at: 0.1, every: 0.25, .linear(duration: 0.1))
    script.set(1, to: 1, at: 0.3, .spring, completion: 0)
    let direct = try script.events(to: 300)
    let world = try script.world()
    var told: [DirectorEvent] = []
    for tick in [0, 7, 3, 100, 40, 41, 99, 120, 0, 300, 12, 300] as [UInt64] {
      _ = world.hash(tick)
      told += world.takeEvents()
    }
    #expect(told == direct)
    #expect(!told.isEmpty)
  }

  /// At one time: what animations come to, then commands, then reactions with a delay.
  @Test func thingsOfOneTimeHaveAnOrder() throws {
    var script = ViewScript([0], completions: ["first", "second", "late", "own"])
    script.set(to: 2, at: 1, .linear(duration: 1), completion: 1)
    script.set(to: 1, at: 0, .linear(duration: 1), completion: 0)
    script.set(to: 0.5, at: 0.5, completion: 3)
    script.plan.commands[2].transaction.actions = []
    script.react(to: 3, after: 0.5, [], completion: 2)
    let events = try script.events(to: 60)
    #expect(
      events.map(\.kind) == [
        .completed(3), legs(0, 0), .logicallyComplete(view: 0, .x), .completed(0),
        removed(0, true), .completed(2),
      ])
    #expect(events.map(\.time) == [0.5, 1, 1, 1, 1, 1])
    #expect(try script.values(ticks: [59, 60, 90, 120]).last == 2)
  }

  @Test func commandsRepeat() throws {
    var script = ViewScript([0], completions: ["tick"])
    script.add([], at: 0.5, every: 0.25, completion: 0)
    let times = try script.events(to: 120).times(of: 0)
    #expect(times == [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2])
  }

  @Test func reactionsFollowAfterTheirDelay() throws {
    var script = ViewScript([0], completions: ["a", "b"])
    script.set(to: 1, at: 0, .linear(duration: 0.5), completion: 0)
    script.react(to: 0, after: 0.25, [.set(view: 0, .x, 2)], .linear(duration: 0.5), completion: 1)
    let events = try script.events(to: 600)
    #expect(events.times(of: 0) == [0.5])
    #expect(events.times(of: 1) == [1.25])
    #expect(try script.values(rate: 8, ticks: [2, 4, 6, 8, 10]) == [0.5, 1, 1, 1.5, 2])
  }

  /// What would never end: a completion whose reaction completes at once.
  @Test func endlessLoopsAtOneInstantAreCut() throws {
    var script = ViewScript([0], completions: ["a"])
    script.set(to: 1, at: 0.5, completion: 0)
    script.react(to: 0, [.set(view: 0, .x, 1)], completion: 0)
    let world = try script.world()
    _ = world.hash(600)
    let count = world.takeEvents().times(of: 0).count
    #expect(count == 10_002)
    #expect(world.droppedReactionCount == 1)
    #expect(world.hash(601) == (try script.world().hash(601)))
  }

  @Test func commandsWithoutASensibleTimeAreHarmless() throws {
    var script = ViewScript([0], completions: ["a"])
    for time in [Double.nan, .infinity, -3] {
      script.add([.set(view: 0, .x, 1)], at: time, completion: 0)
    }
    script.add([], at: 0, every: 1e-9, completion: 0)
    script.add([], at: 0, every: .nan, completion: 0)
    script.add([], at: 0, every: -1, completion: 0)
    let times = try script.events(to: 60).times(of: 0)
    // Once for -3, once each for what is no repetition, and 1,001 times every millisecond.
    #expect(times.filter { $0 == 0 }.count == 4)
    #expect(times.count == 1_004)
  }

  @Test func whatIsNotThereIsPassedOver() throws {
    var script = ViewScript([0], completions: ["a"])
    script.add(
      [
        .set(view: 9, .x, 1), .show(view: -1), .hide(view: 7), .toggle(view: 7),
        .tap(accordion: 0, row: 0), .destroy(view: 3), .set(view: 0, .x, 4),
      ], at: 0, completion: 0)
    script.react(to: 5, [.set(view: 0, .x, 9)])
    #expect(try script.values(ticks: [0, 1]) == [4, 4])
    #expect(try script.events(to: 5).times(of: 0) == [0])
  }

  @Test func unrecordedEventsCostNothing() throws {
    var script = ViewScript([0], completions: ["a"])
    script.set(to: 1, at: 0, .linear(duration: 1).repeatForever(), completion: 0)
    let world = try World(.views(script.plan))
    _ = world.hash(1 << 40)
    #expect(world.takeEvents().isEmpty)
  }

  /// What a completion leads to without delay is played before the removal, and may prevent it.
  @Test func reactionsWithoutDelayComeBeforeTheRemoval() throws {
    for next in [nil, Animation.linear(duration: 1)] {
      var script = ViewScript([0, 0], completions: ["a"])
      script.add(
        [.set(view: 0, .x, 1), .set(view: 1, .x, 1)], at: 0, .linear(duration: 0.5), completion: 0)
      script.react(to: 0, [.set(view: 1, .x, 3)], next)
      let events = try script.events(to: 60).filter { $0.time == 0.5 }.map(\.kind)
      let first: [DirectorEvent.Kind] = [
        legs(0, 0), .logicallyComplete(view: 0, .x), removed(0, true), legs(1, 0),
        .logicallyComplete(view: 1, .x), .completed(0),
      ]
      #expect(events == first + (next == nil ? [removed(1, false)] : []))
    }
  }

  /// Hundreds of thousands of ends within one tick, in the order of their times, and at one time of the
  /// changes that began the animations.
  @Test(arguments: [UInt64(1), 2])
  func manyEndsOfOneTickAreInOrder(seed: UInt64) throws {
    let count = 200_000
    var random = SeededRandom(seed: seed)
    var script = ViewScript(Array(repeating: 0, count: count), completions: ["a"])
    var views = Array(0..<count)
    views.shuffle(using: &random)
    // Of many transactions, each with a time of its own or that of another.
    var expected: [(time: Double, change: Int, view: Int)] = []
    for part in stride(from: 0, to: count, by: 500) {
      let seconds = 0.5 + Double(Int.random(in: 0..<300, using: &random)) * 5e-5
      let some = views[part..<min(part + 500, count)]
      script.add(some.map { .set(view: $0, .x, 1) }, at: 0, .linear(duration: seconds))
      expected += some.enumerated().map { (seconds, part + $0.offset, $0.element) }
    }
    expected.sort { ($0.time, $0.change) < ($1.time, $1.change) }
    let world = try script.world(rate: 60)
    _ = world.hash(30)
    let early = world.takeEvents()
    _ = world.hash(31)
    let events = early + world.takeEvents()
    #expect(events.count == 3 * count)
    #expect(early.count < count)
    for (index, end) in expected.enumerated() {
      let kinds = [
        legs(end.view, 0), .logicallyComplete(view: end.view, .x), removed(end.view, true),
      ]
      let found = events[3 * index..<3 * index + 3]
      if found.map(\.kind) != kinds || found.contains(where: { $0.time != end.time }) {
        Issue.record("seed \(seed): \(Array(found)), expected \(end)")
        return
      }
    }
    let values = Values(of: world, tick: 31)
    #expect(values.value(.x, entity: views[0]) == 1)
  }

  /// Whoever seeks to the tick of a completion is told of it; who seeks to the tick after it, is not.
  @Test func goingBackTellsFromThatTickOn() throws {
    for (first, expected) in [(UInt64(59), [1, 1.5]), (60, [1, 1.5]), (61, [1.5])] {
      var script = ViewScript([0], completions: ["a", "b"])
      script.set(to: 1, at: 0, .linear(duration: 1), completion: 0)
      script.set(to: 2, at: 1.5, completion: 1)
      let world = try script.world()
      _ = world.hash(100)
      #expect(world.takeEvents().completionTimes == [1, 1.5])
      // Played again, but not to be told again.
      for tick in first...100 { _ = world.hash(tick) }
      #expect(world.takeEvents().isEmpty)
      world.replayEvents(from: first)
      for tick in first...100 { _ = world.hash(tick) }
      #expect(world.takeEvents().completionTimes == expected, "from tick \(first)")
    }
  }

  @Test func goingBackToTheBeginningTellsEverything() throws {
    var script = ViewScript([0], completions: ["at once"])
    script.set(to: 1, at: 0, completion: 0)
    let world = try script.world()
    _ = world.hash(5)
    #expect(world.takeEvents().completionTimes == [0])
    world.replayEvents(from: 1)
    _ = world.hash(1)
    #expect(world.takeEvents().isEmpty)
    world.replayEvents(from: 0)
    _ = world.hash(0)
    #expect(world.takeEvents().completionTimes == [0])
  }

  /// A tick that was not come to yet holds nothing that was told before; the last one does.
  @Test func goingAheadTellsNothingTwiceAndLeavesNothingOut() throws {
    var script = ViewScript([0], completions: ["early", "late"])
    script.set(to: 1, at: 0.5, completion: 0)
    script.set(to: 2, at: 1, completion: 1)
    let world = try script.world()
    _ = world.hash(30)
    #expect(world.takeEvents().completionTimes == [0.5])
    world.replayEvents(from: 100)
    _ = world.hash(100)
    #expect(world.takeEvents().completionTimes == [1])
    world.replayEvents(from: 31)
    _ = world.hash(60)
    #expect(world.takeEvents().completionTimes == [1])
    world.replayEvents(from: 60)
    _ = world.hash(0)
    _ = world.hash(60)
    #expect(world.takeEvents().completionTimes == [1])
  }

  /// Legs shorter than a tenth of a millisecond are not told, whenever they are and wherever they begin.
  @Test func shortLegsAreNotTold() throws {
    for (duration, count) in [(5e-5, 0), (2e-4, 3)] {
      var script = ViewScript()
      script.set(to: 1, at: 1, .linear(duration: duration).repeatCount(3))
      let legs = try script.events(to: 120).filter {
        if case .legEnded = $0.kind { true } else { false }
      }
      #expect(legs.count == count, "\(duration) s")
    }
  }
}
