// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Goal: what changes of one instant share (a takeover, a spring's solution, a step of it, memory that is asked for ahead)
/// changes no bit of what each view shows.
///
/// Method: random scripts, from seeds that are printed on failure, in which many views are interrupted at the same times
/// by few animations and few distances; each view of the world against a world that has this view alone.
@Suite struct ChangedTogetherTests {
  private static let viewCount = 24

  /// More springs than a layer compares with one that begins, and curves.
  private static let animations: [Animation] = {
    let springs = (0..<11).map { (number: Int) -> Animation in
      let bounce = Double(number % 4) / 5
      return .spring(duration: 0.3 + Double(number) / 20, bounce: bounce)
    }
    let others: [Animation] = [
      .spring(duration: 0.5, bounce: 0.2, blendDuration: 0.3), .easeInOut(duration: 0.5),
      .interpolatingSpring(stiffness: 170, damping: 15), .spring(duration: 0.02),
    ]
    return springs + others
  }()

  /// Commands of one time come in any order of views, so that they make no runs.
  private static func commands(_ random: inout SeededRandom) -> [CommandPlan] {
    var commands: [CommandPlan] = []
    var time = 0.0
    for _ in 0..<40 {
      time += Double(Int.random(in: 1...9, using: &random)) / 60 + random.number(in: 0...0.001)
      let few = (0..<2).map { _ in animations.randomElement(using: &random) }
      for view in (0..<viewCount).shuffled(using: &random) {
        if Int.random(in: 0..<4, using: &random) == 0 { continue }
        let value = Double(Int.random(in: -2...2, using: &random) * 50)
        let animation = few[Int.random(in: 0..<2, using: &random)]
        commands.append(
          CommandPlan(
            time: time, every: Bool.random(using: &random) ? 7 : nil,
            transaction: TransactionPlan(
              [.set(view: view, .x, value)], animation: animation)))
      }
    }
    return commands
  }

  private static func alone(_ view: Int, _ commands: [CommandPlan]) -> ViewScript {
    var script = ViewScript([start(view)])
    script.plan.commands = commands.compactMap { command in
      guard case .set(view, let property, let value)? = command.transaction.actions.first else {
        return nil
      }
      return CommandPlan(
        time: command.time, every: command.every,
        transaction: TransactionPlan(
          [.set(view: 0, property, value)], animation: command.transaction.animation))
    }
    return script
  }

  /// Some views start at one value, and are moved by equal distances.
  private static func start(_ view: Int) -> Double { Double(view % 3) * 50 }

  @Test(arguments: Array(UInt64(1)...12))
  func viewShowsWhatItShowsAlone(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let commands = Self.commands(&random)
    var script = ViewScript((0..<Self.viewCount).map(Self.start))
    script.plan.commands = commands
    let together = try script.world(records: .none)
    let alone = try (0..<Self.viewCount).map { try Self.alone($0, commands).world(records: .none) }
    for tick in stride(from: UInt64(0), through: 900, by: seed % 2 == 0 ? 1 : 7) {
      let values = Values(of: together, tick: tick)
      together.checkInvariants()
      for view in 0..<Self.viewCount {
        let own = Values(of: alone[view], tick: tick).value(.x, entity: 0)
        try #require(
          values.value(.x, entity: view).bitPattern == own.bitPattern,
          "seed \(seed), tick \(tick), view \(view)")
      }
    }
  }

  /// What happens to a row of each copy.
  private struct Change {
    let row: Int
    let time: Double
    let every: Double?
    let x: Double
    let animation: Animation
  }

  /// Copies of a few rows: the same row of all copies is interrupted at one time, and some of them by something else.
  private static func copies(_ count: Int, _ random: inout SeededRandom) -> ViewsPlan {
    let rowCount = Int.random(in: 2...5, using: &random)
    let views = (0..<count * rowCount).map { view in
      let isOther = Int.random(in: 0..<200, using: &random) == 0
      return ViewPlan(name: "v\(view)", initial: [isOther ? 7 : 0, 0, 1, 1, 0, 0])
    }
    var changes: [Change] = []
    for index in 0..<24 {
      changes.append(
        Change(
          row: Int.random(in: 0..<rowCount, using: &random), time: Double(index) / 10 + 0.05,
          every: index % 3 > 0 ? 2.5 : nil,
          x: Double(Int.random(in: -2...2, using: &random) * 50),
          animation: animations[Int.random(in: 0..<4, using: &random)]))
    }
    var commands: [CommandPlan] = []
    for copy in 0..<count {
      for change in changes {
        let view = copy * rowCount + change.row
        let action: ActionPlan =
          switch Int.random(in: 0..<2000, using: &random) {
          case 0: .destroy(view: view)
          case 1...3: .set(view: view, .x, 33)
          case 4...6: .set(view: view, .y, 33)
          default: .set(view: view, .x, change.x)
          }
        commands.append(
          CommandPlan(
            time: change.time, every: change.every,
            transaction: TransactionPlan(
              [action],
              animation: Int.random(in: 0..<500, using: &random) == 0 ? nil : change.animation)))
      }
    }
    return ViewsPlan(views: views, commands: commands)
  }

  @Test(arguments: Array(UInt64(1)...8))
  func rowsOfCopiesAreWhatEachIs(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let plan = Self.copies(seed % 2 == 0 ? 300 : 1200, &random)
    let together = try BurstTests.world(plan, .none)
    let apart = try BurstTests.world(BurstTests.separated(plan), .none)
    for tick in stride(from: UInt64(1), through: 480, by: seed % 4 == 0 ? 1 : 7) {
      let hash = apart.hash(tick)
      try #require(together.hash(tick) == hash, "seed \(seed), tick \(tick)")
      together.checkInvariants()
    }
    #expect(BurstTests.counts(together) == BurstTests.counts(apart), "seed \(seed)")
    #expect(together.viewCounts.retargets > 1000)
  }

  /// A thousand springs, one after another, leave no more than a few: `checkInvariants` counts them.
  @Test func springsThatAreOverAreForgotten() throws {
    var script = ViewScript([0, 0])
    for index in 0..<1000 {
      script.set(
        index % 2, to: Double(index % 7), at: Double(index) / 100,
        .spring(duration: 0.4 + Double(index) / 3000))
    }
    let world = try script.world(records: .none)
    for tick in stride(from: UInt64(0), through: 660, by: 5) { _ = world.hash(tick) }
  }
}
