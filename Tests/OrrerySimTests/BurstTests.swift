// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport
import Testing

/// Goal: commands that run together do what they would do one by one, whatever their completions cause between them.
///
/// Method: random bursts, from seeds that are printed on failure, with reactions at once and later; beside the same
/// commands with others between them that change nothing, so that no two of them run together.
@Suite struct BurstTests {
  private static let viewCount = 20

  /// Seeds of tests with thousands of views; one where a sanitizer slows each by minutes.
  private static func seeds(_ count: UInt64) -> [UInt64] { Array(1...(isSanitized ? 1 : count)) }

  /// Views with a transition, and three bursts of commands, one for each view and burst.
  private static func plan(_ random: inout SeededRandom) -> ViewsPlan {
    let transition = TransitionPlan(
      insertion: TransitionHalf(x: [-40], opacity: [-1]),
      removal: TransitionHalf(x: [60], opacity: [-1]),
      removalAnimation: Bool.random(using: &random) ? .linear(duration: 0.2) : nil)
    let views = (0..<viewCount).map {
      ViewPlan(
        name: "v\($0)", initial: [0, 0, 1, 1, 0, 0], transition: $0 % 5 == 4 ? nil : transition)
    }
    func transaction(_ view: Int, completion: Int?) -> TransactionPlan {
      let actions: [ActionPlan] =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: [.show(view: view)]
        case 1: [.hide(view: view)]
        case 2: [.set(view: view, .x, random.number(in: -9...9)), .toggle(view: viewCount - 1)]
        case 3: [.set(view: view, .x, Double(view % 3))]
        default: [.toggle(view: view)]
        }
      let animations: [Animation?] = [
        .easeInOut(duration: 0.25), .easeInOut(duration: 0.25), .easeInOut(duration: 0.25),
        .linear(duration: 0), .spring(duration: 0.3, bounce: 0.2), nil,
      ]
      return TransactionPlan(
        actions, animation: animations[Int.random(in: 0..<6, using: &random)],
        completion: completion,
        criteria: Int.random(in: 0..<4, using: &random) == 0 ? .removed : .logicallyComplete)
    }
    var commands: [CommandPlan] = []
    var reactions: [ReactionPlan] = []
    for burst in 0..<3 {
      let every: Double? = burst == 2 ? nil : Double(burst + 1) * 0.25
      for view in 0..<viewCount {
        let own = Int.random(in: 0..<6, using: &random) == 0 ? 0.3 : every
        commands.append(
          CommandPlan(
            time: Double(burst) * 0.25, every: own,
            transaction: transaction(view, completion: commands.count)))
      }
    }
    for completion in commands.indices where Int.random(in: 0..<4, using: &random) == 0 {
      reactions.append(
        ReactionPlan(
          completion: completion, delay: Bool.random(using: &random) ? 0 : 0.05,
          transaction: transaction(
            Int.random(in: 0..<viewCount, using: &random), completion: nil)))
    }
    return ViewsPlan(
      views: views, commands: commands, reactions: reactions,
      completions: commands.indices.map { "c\($0)" })
  }

  /// The same, with a command after each at its times that hides the idle view of `world`, which is hidden.
  static func separated(_ plan: ViewsPlan) -> ViewsPlan {
    var plan = plan
    plan.commands = plan.commands.flatMap { command in
      [
        command,
        CommandPlan(
          time: command.time, every: command.every,
          transaction: TransactionPlan([.hide(view: plan.views.count)])),
      ]
    }
    return plan
  }

  /// A world with these views and a hidden one more.
  static func world(
    _ plan: ViewsPlan, _ records: RecordedEvents, threads: Int = 1
  ) throws -> World {
    var plan = plan
    let idle = plan.views.count
    plan.views.append(ViewPlan(name: "idle", initial: [0, 0, 1, 1, 0, 0], isShown: false))
    // So that the same fields are shown whether or not commands hide it.
    plan.commands.append(CommandPlan(time: 1e9, transaction: TransactionPlan([.hide(view: idle)])))
    return try World(
      ScenePlan(
        name: "test", seed: 1, rate: 60, batches: [.views(plan)], layout: Orrery_SceneLayout()),
      instructionSet: .best, threadCount: threads, records: records)
  }

  /// What happened, without the number of events: those of `separated` are more.
  static func counts(_ world: World) -> DirectorCounts {
    var counts = world.viewCounts
    counts.queued = 0
    return counts
  }

  @Test(arguments: Array(UInt64(1)...24), [RecordedEvents.completions, .all])
  func burstIsWhatItsCommandsAreOneByOne(seed: UInt64, records: RecordedEvents) throws {
    var random = SeededRandom(seed: seed)
    let plan = Self.plan(&random)
    let (together, apart) = (
      try Self.world(plan, records), try Self.world(Self.separated(plan), records)
    )
    for tick in stride(from: UInt64(0), through: 300, by: seed % 3 == 0 ? 1 : 11) {
      try #require(together.hash(tick) == apart.hash(tick), "seed \(seed), tick \(tick)")
      try #require(together.takeEvents() == apart.takeEvents(), "seed \(seed), tick \(tick)")
      together.checkInvariants()
    }
    #expect(Self.counts(together) == Self.counts(apart))
    #expect(together.viewCounts.completions > 20)
  }
}

// MARK: - Many at a time

extension BurstTests {
  /// Views of three blocks, most of which do the same at the same times: all in one transaction, then each by a
  /// command of its own, once or every half second.
  private static func manyPlan(_ random: inout SeededRandom, hasReactions: Bool) -> ViewsPlan {
    let count = 5000
    let half = TransitionHalf(x: [-40], opacity: [-1])
    let views = (0..<count).map { view in
      ViewPlan(
        name: "v\(view)", initial: [Double(view), 0, 1, 1, 0, 0],
        transition: view % 499 == 3 ? nil : TransitionPlan(insertion: half, removal: half))
    }
    let (ease, spring) = (Animation.easeInOut(duration: 0.25), Animation.spring(duration: 0.2))
    var commands = [
      CommandPlan(
        time: 0.1,
        transaction: TransactionPlan(
          (0..<count).map { .toggle(view: $0) }, animation: ease, completion: 0))
    ]
    for burst in 0..<3 {
      let rarely = [100, 1000, 100_000][burst]
      for view in 0..<count where burst > 0 || view % 3 > 0 {
        let isOdd = Int.random(in: 0..<rarely, using: &random) == 0
        let action: ActionPlan = burst == 1 ? .set(view: view, .x, -1) : .toggle(view: view)
        commands.append(
          CommandPlan(
            time: 0.5 + Double(burst) * 0.3, every: isOdd ? nil : 0.5,
            transaction: TransactionPlan(
              [isOdd ? .set(view: view, .x, 9) : action],
              animation: isOdd && view % 2 == 0 ? spring : ease,
              completion: view % 7 == 0 ? nil : commands.count,
              criteria: burst == 2 ? .removed : .logicallyComplete)))
      }
    }
    let reactions =
      hasReactions
      ? [
        ReactionPlan(
          completion: 1000, transaction: TransactionPlan([.set(view: 7, .y, 5)], animation: ease))
      ] : []
    return ViewsPlan(
      views: views, commands: commands, reactions: reactions,
      completions: commands.indices.map { "c\($0)" })
  }

  /// The plan of one view: a world that has no bursts.
  private static func alone(_ view: Int, _ plan: ViewsPlan) -> ViewsPlan {
    let commands = plan.commands.compactMap { command -> CommandPlan? in
      let own = command.transaction.actions.compactMap { action -> ActionPlan? in
        switch action {
        case .set(view, let property, let value): .set(view: 0, property, value)
        case .toggle(view): .toggle(view: 0)
        default: nil
        }
      }
      var command = command
      command.transaction.actions = own
      return own.isEmpty ? nil : command
    }
    return ViewsPlan(
      views: [plan.views[view]], commands: commands, completions: plan.completions)
  }

  /// On one thread and on three, and beside commands that do not run together and views alone.
  @Test(arguments: seeds(3), [false, true])
  func manyAtATimeAreWhatEachIs(seed: UInt64, hasReactions: Bool) throws {
    var random = SeededRandom(seed: seed)
    let plan = Self.manyPlan(&random, hasReactions: hasReactions)
    let together = try Self.world(plan, .completions)
    let shared = try Self.world(plan, .completions, threads: 3)
    let apart = try Self.world(Self.separated(plan), .completions)
    let watched = [0, 3, 7, 63, 2047, 2048, 4096, 4999]
    let alone = try watched.map { try Self.world(Self.alone($0, plan), .none) }
    for tick in stride(from: UInt64(3), through: 200, by: 7) {
      let values = Values(of: together, tick: tick)
      let hash = together.hash(tick)
      try #require(shared.hash(tick) == hash, "seed \(seed), tick \(tick), threads")
      try #require(apart.hash(tick) == hash, "seed \(seed), tick \(tick)")
      let events = together.takeEvents()
      try #require(events == apart.takeEvents(), "seed \(seed), tick \(tick)")
      try #require(events == shared.takeEvents(), "seed \(seed), tick \(tick), threads")
      together.checkInvariants()
      shared.checkInvariants()
      for (view, world) in zip(watched, alone) {
        let own = Values(of: world, tick: tick)
        for property in view == 3 ? [ViewProperty.x] : [.x, .opacity] {
          try #require(
            values.value(property, entity: view) == own.value(property, entity: 0),
            "seed \(seed), tick \(tick), \(property) of view \(view)")
        }
      }
    }
    #expect(Self.counts(together) == Self.counts(apart))
    #expect(together.viewCounts == shared.viewCounts)
  }

  /// Views that do the same at the same times, one by one or all in one transaction, and commands that interrupt some of
  /// them: on their way, at their ends, and for ever.
  private static func interruptedPlan(_ random: inout SeededRandom) -> ViewsPlan {
    let count = 4500
    let half = TransitionHalf(x: [-40], opacity: [-1])
    let views = (0..<count).map { view in
      ViewPlan(
        name: "v\(view)", initial: [3, 0, 1, 1, 0, 0],
        transition: TransitionPlan(insertion: half, removal: half))
    }
    let ease = Animation.easeInOut(duration: 0.25)
    var commands: [CommandPlan] = []
    func add(
      _ actions: [ActionPlan], at time: Double, every: Double? = nil, _ animation: Animation?,
      _ criteria: AnimationCompletionCriteria = .logicallyComplete, completes: Bool = true
    ) {
      commands.append(
        CommandPlan(
          time: time, every: every,
          transaction: TransactionPlan(
            actions, animation: animation, completion: completes ? commands.count : nil,
            criteria: criteria)))
    }
    let isRemoval = Bool.random(using: &random)
    for view in 0..<count {
      add(
        [.toggle(view: view)], at: 0.5, every: 0.5, ease, isRemoval ? .removed : .logicallyComplete)
    }
    for view in 100..<count {
      add([.set(view: view, .x, 8)], at: 0.6, .linear(duration: 0.3), completes: view < 2100)
    }
    add((0..<count).map { .set(view: $0, .y, 5) }, at: 0.7, ease)
    for _ in 0..<60 {
      let view = Int.random(in: 0..<count, using: &random)
      let action: ActionPlan =
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .destroy(view: view)
        case 1: .set(view: view, .x, random.number(in: -9...9))
        case 2: .set(view: view, .y, 1)
        default: .toggle(view: view)
        }
      let times = [0.5, 0.55, 0.6, 0.7, 0.75, 0.85, 0.9, 0.95, 1.1, 1.25, 1.6]
      let animations: [Animation?] = [ease, .spring(duration: 0.3), .linear(duration: 0.1), nil]
      add(
        [action], at: times[Int.random(in: 0..<times.count, using: &random)],
        animations[Int.random(in: 0..<4, using: &random)])
    }
    return ViewsPlan(
      views: views, commands: commands, completions: commands.indices.map { "c\($0)" })
  }

  /// Members of a cohort that are interrupted, and those beside them, do what each would do by itself.
  @Test(arguments: seeds(6), [RecordedEvents.completions, .none])
  func cohortsAreWhatEachIs(seed: UInt64, records: RecordedEvents) throws {
    var random = SeededRandom(seed: seed)
    let plan = Self.interruptedPlan(&random)
    let together = try Self.world(plan, records)
    let shared = try Self.world(plan, records, threads: 3)
    let apart = try Self.world(Self.separated(plan), records)
    for tick in stride(from: UInt64(3), through: 130, by: seed % 2 == 0 ? 1 : 7) {
      let hash = apart.hash(tick)
      try #require(together.hash(tick) == hash, "seed \(seed), tick \(tick)")
      try #require(shared.hash(tick) == hash, "seed \(seed), tick \(tick), threads")
      let events = apart.takeEvents()
      try #require(together.takeEvents() == events, "seed \(seed), tick \(tick)")
      try #require(shared.takeEvents() == events, "seed \(seed), tick \(tick), threads")
      together.checkInvariants()
      shared.checkInvariants()
    }
    #expect(Self.counts(together) == Self.counts(apart))
    #expect(together.viewCounts == shared.viewCounts)
    // A change from outside, in the middle of cohorts, is played again with them.
    let change = TransactionPlan([.toggle(view: 2050)], animation: .easeInOut(duration: 0.2))
    for world in [together, apart] { #expect(world.apply(change, at: 36, batch: 0)) }
    for tick: UInt64 in [40, 45, 60, 130] {
      try #require(together.hash(tick) == apart.hash(tick), "seed \(seed), tick \(tick), changed")
      together.checkInvariants()
    }
    // Where none is interrupted, 4500 commands wait while as many views move.
    var quiet = plan
    quiet.commands.removeLast(60)
    let world = try Self.world(quiet, records)
    // Ends that are not evaluated yet keep their lanes.
    for tick: UInt64 in [46, 62] { _ = world.hash(tick) }
    #expect((4501..<4510).contains(world.viewLoad.events), "\(world.viewLoad)")
  }

  /// Views, and commands that set `x` of some of them, one after the other.
  private static func settingPlan(
    _ count: Int, _ changes: [(time: Double, view: Int, x: Double)],
    reactions: [ReactionPlan] = []
  ) -> ViewsPlan {
    let commands = changes.enumerated().map { index, change in
      CommandPlan(
        time: change.time,
        transaction: TransactionPlan(
          [.set(view: change.view, .x, change.x)], animation: .easeInOut(duration: 0.25),
          completion: index))
    }
    return ViewsPlan(
      views: (0..<count).map { ViewPlan(name: "v\($0)", initial: [0, 0, 1, 1, 0, 0]) },
      commands: commands, reactions: reactions,
      completions: changes.indices.map { "c\($0)" })
  }

  /// A first burst finds its layers: to make them takes longer than the burst.
  @Test func layersOfBurstsAreThereBefore() throws {
    let changes = (0..<5000).map { (time: 0.1, view: $0, x: 8.0) }
    let world = try Self.world(Self.settingPlan(5000, changes), .none)
    let before = world.viewLoad.layers
    _ = world.hash(12)
    #expect(before == 3 && world.viewLoad.layers == before)
  }

  /// The second change of a view finds the first one, though both are in a burst of several blocks.
  @Test func blockThatComesTwiceIsChangedTwice() throws {
    let changes =
      (0..<4096).map { (time: 0.1, view: $0, x: 8.0) }
      + (0..<4096).map { (time: 0.5, view: $0, x: 1.0) }
      + (2048..<4096).map { (time: 0.5, view: $0, x: 3.0) }
    let plan = Self.settingPlan(4096, changes)
    // One thread examines one block at a time.
    let together = try Self.world(plan, .completions, threads: 3)
    let apart = try Self.world(Self.separated(plan), .completions)
    for tick in stride(from: UInt64(6), through: 60, by: 4) {
      try #require(together.hash(tick) == apart.hash(tick), "tick \(tick)")
      try #require(together.takeEvents() == apart.takeEvents(), "tick \(tick)")
      together.checkInvariants()
    }
    #expect(Self.counts(together) == Self.counts(apart))
    #expect(together.viewCounts.begins == 2 * 4096 && together.viewCounts.retargets == 2048)
  }

  /// A reaction at once comes before the next end: what it changes is still moving.
  @Test func reactionComesBetweenEnds() throws {
    let changes = (0..<200).map { (time: 0.1, view: $0, x: 8.0) }
    let reaction = ReactionPlan(
      completion: 100,
      transaction: TransactionPlan([.set(view: 150, .x, 3)], animation: .easeInOut(duration: 0.25)))
    for reactions in [[], [reaction]] {
      let world = try Self.world(
        Self.settingPlan(200, changes, reactions: reactions), .completions)
      _ = world.hash(60)
      #expect(world.viewCounts.begins == 200)
      #expect(world.viewCounts.retargets == UInt64(reactions.count))
      world.checkInvariants()
    }
  }
}
