// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import Testing

/// Goal: what happens at one time has one order, whoever caused it, and nothing is told twice or lost.
///
/// Method: small scripts whose order follows from the numbers of their changes; transactions from outside at
/// and around the ticks that were played; more events than a log keeps.
@Suite struct DirectorOrderTests {
  private static func plan(_ scripts: ViewScript..., rate: TickRate = 60) -> ScenePlan {
    ScenePlan(
      name: "test", seed: 1, rate: rate, batches: scripts.map { .views($0.plan) },
      layout: Orrery_SceneLayout())
  }

  private func world(
    _ plan: ScenePlan, records: RecordedEvents = .all
  ) throws -> World {
    try World(plan, instructionSet: .best, threadCount: 1, records: records)
  }

  private func removals(_ script: ViewScript) throws -> [ViewChannel] {
    try script.events(to: 60).compactMap { event -> ViewChannel? in
      guard case .removed(view: _, let channel, isFinished: false) = event.kind else { return nil }
      return channel
    }
  }

  // MARK: Destroying

  /// Episodes end in the order of the changes that began them, and not of their channels.
  @Test func destroyingEndsWhatBeganFirstFirst() throws {
    var script = ViewScript()
    script.set(0, .blur, to: 1, at: 0, .linear(duration: 5))
    script.set(0, .x, to: 1, at: 0.05, .linear(duration: 5))
    script.set(0, .rotation, to: 1, at: 0.1, .linear(duration: 5))
    script.add([.destroy(view: 0)], at: 0.5)
    #expect(try removals(script) == [.blur, .x, .rotation])
  }

  /// Of an episode with several changes, the first one counts of which a motion is left.
  @Test(arguments: [(0.15, [ViewChannel.y, .x]), (0.5, [.x, .y])])
  func destroyingCountsTheMotionsThatAreLeft(time: Double, order: [ViewChannel]) throws {
    var script = ViewScript()
    script.set(0, .y, to: 1, at: 0, .linear(duration: 0.2))
    script.set(0, .x, to: 1, at: 0.05, .linear(duration: 5))
    script.set(0, .y, to: 2, at: 0.1, .linear(duration: 5))
    script.add([.destroy(view: 0)], at: time)
    #expect(try removals(script) == order)
  }

  /// What is destroyed is not there, and takes no more changes.
  @Test func destroyedViewsStayGone() throws {
    var script = ViewScript([7, 7])
    script.add([.destroy(view: 0)], at: 0.5)
    script.add([.show(view: 0), .set(view: 0, .x, 9), .toggle(view: 0)], at: 0.75)
    #expect(try script.values(.opacity, 0, ticks: [29, 30, 60]) == [1, 0, 0])
    #expect(try script.values(.x, 0, ticks: [29, 60]) == [7, 7])
    #expect(try script.values(.opacity, 1, ticks: [29, 60]) == [1, 1])
  }

  // MARK: Changes of one instant

  /// The second change's events are recorded and not the first one's, whose completion waits for it.
  @Test(arguments: [Animation.linear(duration: 5), .linear(duration: 0.5), .linear.repeatForever()])
  func replacedChangeCompletesWithTheOtherOne(first: Animation) throws {
    for criteria in [AnimationCompletionCriteria.logicallyComplete, .removed] {
      var script = ViewScript([0], completions: ["a"])
      script.set(to: 10, at: 0, first, completion: 0, criteria: criteria)
      script.set(to: 20, at: 0, .linear(duration: 1))
      let events = try script.events(to: 600)
      #expect(events.allSatisfy { $0.time == 1 })
      var expected: [DirectorEvent.Kind] = [
        .legEnded(view: 0, .x, index: 0), .logicallyComplete(view: 0, .x),
        .removed(view: 0, .x, isFinished: true),
      ]
      expected.insert(.completed(0), at: criteria == .removed ? 3 : 2)
      #expect(events.map(\.kind) == expected)
      // The same without records of the changes themselves.
      let world = try world(Self.plan(script), records: .completions)
      _ = world.hash(600)
      #expect(world.takeEvents() == [DirectorEvent(time: 1, .completed(0))])
    }
  }

  /// [C-06] Other members of the group count as before.
  @Test func groupOfAReplacedChangeWaitsForAllOfItsMembers() throws {
    for (seconds, expected) in [(3.0, 3.0), (1, 2)] {
      var script = ViewScript([0, 0], completions: ["a"])
      script.add(
        [.set(view: 0, .x, 1), .set(view: 1, .x, 1)], at: 0, .linear(duration: 2), completion: 0)
      script.set(0, to: 2, at: 0, .linear(duration: seconds))
      #expect(try script.events(to: 600).times(of: 0) == [expected])
    }
  }

  /// A change that is over at once, or leads back, releases what waits for the change that it replaces.
  @Test(arguments: [AnimationCompletionCriteria.logicallyComplete, .removed])
  func replacedChangeOfWhichNothingIsLeftCompletesAtOnce(
    criteria: AnimationCompletionCriteria
  ) throws {
    var short = ViewScript([0], completions: ["a"])
    short.set(to: 10, at: 0.25, .linear(duration: 5), completion: 0, criteria: criteria)
    short.set(to: 20, at: 0.25, .linear(duration: 0))
    #expect(try short.events(to: 600).times(of: 0) == [0.25])

    var back = ViewScript([0], completions: ["a", "b"])
    back.set(to: 10, at: 0, .linear(duration: 1))
    back.set(to: 20, at: 0.5, .linear(duration: 5), completion: 0, criteria: criteria)
    back.set(to: 10, at: 0.5, .linear(duration: 5), completion: 1, criteria: criteria)
    #expect(
      try back.events(to: 600) == [
        DirectorEvent(time: 0.5, .completed(0)), DirectorEvent(time: 0.5, .completed(1)),
        DirectorEvent(time: 1, .legEnded(view: 0, .x, index: 0)),
        DirectorEvent(time: 1, .logicallyComplete(view: 0, .x)),
        DirectorEvent(time: 1, .removed(view: 0, .x, isFinished: true)),
      ])
  }

  // MARK: Changes from outside

  /// Transactions of one tick are played in the order in which they came, those of earlier ticks first.
  @Test func transactionsOfOneTickKeepTheirOrder() throws {
    let world = try ViewScript([0, 0]).world()
    func set(_ value: Double, at tick: UInt64) -> Bool {
      world.apply(TransactionPlan([.set(view: 0, .x, value)]), at: tick, batch: 0)
    }
    func x(_ tick: UInt64) -> Float { Values(of: world, tick: tick).value(.x, entity: 0) }
    #expect(x(30) == 0)
    #expect(set(1, at: 50))
    #expect(set(2, at: 50))
    #expect(x(49) == 0)
    #expect(x(50) == 2)
    // At the tick that was played last, and before it.
    #expect(set(9, at: 50))
    #expect(x(50) == 9)
    #expect(set(3, at: 40))
    #expect(set(7, at: 49))
    #expect([39, 40, 45, 49, 50, 51].map(x) == [0, 3, 3, 7, 9, 9])
    #expect([51, 45, 39].map(x) == [9, 3, 0])
    #expect(set(4, at: 51))
    #expect([50, 51].map(x) == [9, 4])
  }

  /// A change between two ticks is what a command of its time is: an animation begins there, in any order of ticks.
  @Test func transactionsBetweenTicksAreAsCommands() throws {
    var script = ViewScript([0])
    let world = try script.world()
    script.set(to: 5, at: 0.51, .linear(duration: 0.3))
    script.set(to: -2, at: 0.7049, .linear(duration: 0.4))
    let commanded = try script.world()
    func set(_ value: Double, at seconds: Double, _ animation: Animation) -> Bool {
      world.apply(
        TransactionPlan([.set(view: 0, .x, value)], animation: animation), atSeconds: seconds,
        batch: 0)
    }
    #expect(set(-2, at: 0.7049, .linear(duration: 0.4)))
    #expect(set(5, at: 0.51, .linear(duration: 0.3)))
    for tick in [20, 30, 31, 32, 40, 42, 43, 50, 90, 41, 31, 30, 60] as [UInt64] {
      let value = Values(of: world, tick: tick).value(.x, entity: 0)
      #expect(value == Values(of: commanded, tick: tick).value(.x, entity: 0), "tick \(tick)")
    }
    #expect(Values(of: world, tick: 40).value(.x, entity: 0) > 2)
  }

  /// A change from outside comes after everything that the plan has at its tick.
  @Test func transactionsFromOutsideComeLast() throws {
    var script = ViewScript()
    script.set(to: 5, at: 0.5)
    let world = try script.world()
    #expect(world.apply(TransactionPlan([.set(view: 0, .x, 6)]), at: 30, batch: 0))
    #expect(Values(of: world, tick: 60).value(.x, entity: 0) == 6)
  }

  @Test func ticksBehindTheLastAreRefused() throws {
    let world = try ViewScript([0, 0]).world()
    let change = TransactionPlan([.set(view: 0, .x, 1)])
    #expect(world.apply(change, at: 1 << 62, batch: 0))
    #expect(!world.apply(change, at: 1 << 63, batch: 0))
    #expect(!world.apply(change, atSeconds: -0.1, batch: 0))
    #expect(!world.apply(change, atSeconds: .nan, batch: 0))
    #expect(Values(of: world, tick: 1 << 62).value(.x, entity: 0) == 1)
  }

  @Test func whatIsNotThereIsRefused() throws {
    var script = ViewScript([0, 0])
    script.plan.accordions = [AccordionPlan(panels: [1], panelHeights: [9], members: [[0]])]
    let world = try World(
      .marquee(Specs([MarqueeSpec(period: 9, speed: 1, direction: .left, phase: 0)])),
      .views(script.plan))
    #expect(world.columns.map(\.field) == [.x, .y, .opacity])
    func isTaken(_ action: ActionPlan, batch: Int = 1) -> Bool {
      world.apply(TransactionPlan([action]), at: 5, batch: batch)
    }
    #expect(isTaken(.tap(accordion: 0, row: 0)))
    #expect(!isTaken(.tap(accordion: 0, row: 1)))
    #expect(!isTaken(.tap(accordion: 0, row: -1)))
    #expect(!isTaken(.tap(accordion: 1, row: 0)))
    #expect(!isTaken(.tap(accordion: -1, row: 0)))
    #expect(isTaken(.set(view: 1, .y, 1)))
    #expect(!isTaken(.set(view: 2, .y, 1)))
    #expect(!isTaken(.set(view: 1, .x, 1)))
    for action in [ActionPlan.show(view: 1), .hide(view: 1), .toggle(view: 1), .destroy(view: 1)] {
      #expect(isTaken(action), "\(action)")
      #expect(!isTaken(action, batch: 0), "\(action)")
      #expect(!isTaken(action, batch: 2), "\(action)")
      #expect(!isTaken(action, batch: -1), "\(action)")
    }
    // Without a column for it, nobody would see that a view goes.
    let plain = try ViewScript([1]).world()
    #expect(!plain.apply(TransactionPlan([.hide(view: 0)]), at: 5, batch: 0))
    #expect(plain.apply(TransactionPlan([.set(view: 0, .x, 2)]), at: 5, batch: 0))
  }

  /// Completions beyond the plan's are the caller's: told, and nothing follows.
  @Test func completionsOfTheCallerAreTold() throws {
    var script = ViewScript([0], completions: ["a"])
    script.react(to: 0, [.set(view: 0, .x, 5)])
    let world = try script.world()
    let change = TransactionPlan(
      [.set(view: 0, .x, 1)], animation: .linear(duration: 0.5), completion: 7)
    #expect(world.apply(change, at: 30, batch: 0))
    #expect(Values(of: world, tick: 90).value(.x, entity: 0) == 1)
    #expect(world.takeEvents().times(of: 7) == [1])
  }

  // MARK: Several batches

  /// Events of several batches are told by time, and at one time batch by batch.
  @Test func eventsOfSeveralBatchesAreToldByTime() throws {
    var first = ViewScript([0], completions: ["a"])
    first.set(to: 1, at: 1, completion: 0)
    first.set(to: 2, at: 0.5, completion: 0)
    var second = ViewScript([0], completions: ["b", "c"])
    for time in [1, 0.75, 0.25] { second.set(to: time, at: time, completion: 1) }
    let both = try world(Self.plan(first, second))
    _ = both.hash(60)
    let events = both.takeEvents()
    #expect(events.map(\.time) == [0.25, 0.5, 0.75, 1, 1])
    #expect(events.map(\.kind) == [1, 0, 1, 0, 1].map { DirectorEvent.Kind.completed($0) })
    #expect(both.takeEvents().isEmpty)

    both.replayEvents(from: 0)
    _ = both.hash(0)
    _ = both.hash(60)
    #expect(both.takeEventChunks(batch: 0)?.count == 2)
    #expect(both.takeEventChunks(batch: 0) == nil)
    #expect(both.takeEventChunks(batch: 1)?.count == 3)
    #expect(try World.small().takeEventChunks(batch: 0) == nil)
  }

  /// What is cut is counted in every batch, and counted anew when it is played anew.
  @Test func droppedReactionsAddUp() throws {
    var script = ViewScript([0], completions: ["a"])
    script.set(to: 1, at: 0.5, completion: 0)
    script.react(to: 0, [], completion: 0)
    let both = try world(Self.plan(script, script), records: .none)
    _ = both.hash(29)
    #expect(both.droppedReactionCount == 0)
    for tick in [30, 60, 40] as [UInt64] {
      _ = both.hash(tick)
      #expect(both.droppedReactionCount == 2, "tick \(tick)")
    }
    #expect(both.lostEventCount == 0)
    _ = both.hash(0)
    #expect(both.droppedReactionCount == 0)
  }

  @Test func onlyWhatIsWantedIsRecorded() throws {
    var script = ViewScript([0], completions: ["a"])
    script.set(to: 1, at: 0, .linear(duration: 0.5), completion: 0)
    let expected: [RecordedEvents: [DirectorEvent.Kind]] = [
      .none: [], .completions: [.completed(0)],
      .all: [
        .legEnded(view: 0, .x, index: 0), .logicallyComplete(view: 0, .x), .completed(0),
        .removed(view: 0, .x, isFinished: true),
      ],
    ]
    for records in RecordedEvents.allCases {
      let world = try world(Self.plan(script), records: records)
      _ = world.hash(60)
      #expect(world.takeEvents().map(\.kind) == expected[records], "\(records)")
    }
  }

  // MARK: Logs

  /// A command that completes every millisecond.
  private static var metronome: ViewScript {
    var script = ViewScript([0], completions: ["a"])
    script.add([], at: 0, every: 0.001, completion: 0)
    return script
  }

  /// Few events are copied and many are handed over, in chunks of 4096; they are the same.
  @Test(arguments: [1, 2, 511, 512, 513, 4_095, 4_096, 4_097, 8_192, 9_000])
  func eventsInChunksAreTheEvents(count: Int) throws {
    // Half a millisecond after the last event.
    let tick = UInt64(2 * count - 1)
    let rate: TickRate = 2_000
    let (list, chunks) = (
      try world(Self.plan(Self.metronome, rate: rate)),
      try world(Self.plan(Self.metronome, rate: rate))
    )
    for (round, tick) in [tick, tick + 6].enumerated() {
      _ = list.hash(tick)
      _ = chunks.hash(tick)
      let expected = list.takeEvents()
      try #require(expected.count == (round == 0 ? count : 3))
      let found = try #require(chunks.takeEventChunks(batch: 0))
      #expect(found.count == expected.count)
      let difference = expected.indices.first { found[$0] != expected[$0] }
      #expect(difference == nil, "round \(round)")
      #expect(chunks.takeEventChunks(batch: 0) == nil)
    }
  }

  /// Of more than 2^20 events, and eight for each view, that nobody takes, the oldest are lost.
  @Test(arguments: [false, true])
  func oldestEventsAreLost(inChunks: Bool) throws {
    let world = try world(Self.plan(Self.metronome, rate: 1))
    let kept = 1 << 20 + 8
    _ = world.hash(1_048)
    #expect(world.lostEventCount == 0)
    _ = world.hash(1_100)
    let count = (1_099_000...1_101_000).first { Double($0) * 0.001 > 1_100 } ?? 0
    let lost = count - kept
    #expect(world.lostEventCount == UInt64(lost))
    var events: [DirectorEvent] = []
    if inChunks {
      let chunks = try #require(world.takeEventChunks(batch: 0))
      events = (0..<chunks.count).map { chunks[$0] }
    } else {
      events = world.takeEvents()
    }
    try #require(events.count == kept)
    let wrong = events.indices.first { events[$0].time != Double(lost + $0) * 0.001 }
    #expect(wrong == nil)
    // And then the log is empty and takes more.
    _ = world.hash(1_101)
    let more = world.takeEvents()
    #expect(more.first?.time == Double(count) * 0.001)
    #expect((999...1_001).contains(more.count))
    #expect(world.lostEventCount == UInt64(lost))
  }

  // MARK: Times

  /// A leg of exactly a tenth of a millisecond is told.
  @Test func shortestLegIsTold() throws {
    var script = ViewScript()
    script.set(to: 1, at: 0, .linear(duration: 1e-4))
    let events = try script.events(to: 60)
    #expect(events.first == DirectorEvent(time: 1e-4, .legEnded(view: 0, .x, index: 0)))
    var repeated = ViewScript()
    repeated.set(to: 1, at: 0, .linear(duration: 1e-4).repeatCount(2))
    #expect(try repeated.events(to: 60).first == events.first)
  }

  /// Reactions that come too late for any time do not come, those that come in no time come at once.
  @Test func reactionsComeWhenTheyCan() throws {
    for (delay, expected) in [(Double.infinity, 0.0), (1e-300, 3), (.nan, 3), (-1, 3), (0.25, 3)] {
      var script = ViewScript([0, 0], completions: ["a"])
      script.set(1, to: 1, at: 0.5, completion: 0)
      script.react(to: 0, after: delay, [.set(view: 0, .x, 3)])
      #expect(try script.values(.x, 0, ticks: [29, 600]) == [0, expected], "\(delay)")
    }
  }

  /// Values that a view does not name are the properties' own.
  @Test func viewsMayNameFewerValues() throws {
    var script = ViewScript([5])
    script.plan.views[0].initial = [5]
    script.set(0, .y, to: 4, at: 0, .linear(duration: 1))
    script.set(0, .scale, to: 3, at: 0, .linear(duration: 1))
    #expect(try script.values(.x, ticks: [0, 30, 60]) == [5, 5, 5])
    #expect(try script.values(.y, ticks: [0, 60]) == [0, 4])
    #expect(try script.values(.scale, ticks: [0, 60]) == [1, 3])
    // In an accordion, too.
    script.plan.accordions = [AccordionPlan(panels: [], panelHeights: [], members: [[0]])]
    #expect(try script.values(.y, ticks: [60]) == [4])
  }

  /// Only what something can change has a column.
  @Test func columnsAreThoseOfTransitionsAndAccordions() throws {
    func fields(_ change: (inout ViewsPlan) -> Void) throws -> [ViewProperty] {
      var script = ViewScript([0])
      change(&script.plan)
      return try script.world().columns.map(\.field)
    }
    func transition(_ insertion: TransitionHalf, _ removal: TransitionHalf) -> TransitionPlan {
      TransitionPlan(insertion: insertion, removal: removal)
    }
    #expect(try fields { _ in } == [.x])
    #expect(
      try fields {
        $0.views[0].transition = transition(TransitionHalf(x: [0, 0]), TransitionHalf())
      }
        == [.opacity])
    #expect(
      try fields {
        $0.views[0].transition = transition(TransitionHalf(), TransitionHalf(blur: [0, 1]))
      }
        == [.opacity, .blur])
    #expect(
      try fields {
        $0.views[0].transition = transition(
          TransitionHalf(x: [1]), TransitionHalf(y: [1], scale: [1]))
      } == [.x, .y, .opacity, .scale])
    #expect(try fields { $0.views[0].isShown = false } == [.opacity])
    #expect(
      try fields { $0.accordions = [AccordionPlan(panels: [], panelHeights: [], members: [])] }
        == [.y, .opacity])
    #expect(try fields { $0.shownProperties = [.rotation, .x] } == [.x, .rotation])
    #expect(
      try fields {
        $0.completions = ["a"]
        $0.reactions = [
          ReactionPlan(completion: 0, transaction: TransactionPlan([.set(view: 0, .blur, 1)]))
        ]
      } == [.blur])
    #expect(
      try fields {
        $0.commands = [
          CommandPlan(time: 1, transaction: TransactionPlan([.tap(accordion: 0, row: 0)]))
        ]
      } == [.y, .opacity])
  }
}
