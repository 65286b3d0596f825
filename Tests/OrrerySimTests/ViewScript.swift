// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport

/// Views and what happens to them, for tests: built in code, played by a director.
struct ViewScript {
  var plan = ViewsPlan()

  /// Views named v0, v1 and so on, each with its x; all else is as by default.
  init(_ values: [Double] = [0], completions: [String] = []) {
    plan.views = values.enumerated().map { index, value in
      ViewPlan(name: "v\(index)", initial: [value, 0, 1, 1, 0, 0])
    }
    plan.completions = completions
  }

  /// Adds a command that sets a property.
  mutating func set(
    _ view: Int = 0, _ property: ViewProperty = .x, to value: Double,
    at time: Double, _ animation: Animation? = nil, completion: Int? = nil,
    criteria: AnimationCompletionCriteria = .logicallyComplete
  ) {
    add(
      [.set(view: view, property, value)], at: time, animation, completion: completion,
      criteria: criteria)
  }

  /// Adds a command.
  mutating func add(
    _ actions: [ActionPlan], at time: Double, every: Double? = nil, _ animation: Animation? = nil,
    completion: Int? = nil, criteria: AnimationCompletionCriteria = .logicallyComplete
  ) {
    plan.commands.append(
      CommandPlan(
        time: time, every: every,
        transaction: TransactionPlan(
          actions, animation: animation, completion: completion, criteria: criteria)))
  }

  /// Adds a reaction.
  mutating func react(
    to completion: Int, after delay: Double = 0, _ actions: [ActionPlan],
    _ animation: Animation? = nil, completion own: Int? = nil
  ) {
    plan.reactions.append(
      ReactionPlan(
        completion: completion, delay: delay,
        transaction: TransactionPlan(actions, animation: animation, completion: own)))
  }

  /// A world of these views alone.
  func world(
    rate: TickRate = 60, set: InstructionSet = .best, threads: Int = 1,
    records: RecordedEvents = .all
  ) throws -> World {
    let plan = ScenePlan(
      name: "test", seed: 1, rate: rate, batches: [.views(plan)], layout: Orrery_SceneLayout())
    return try World(
      plan, instructionSet: set, threadCount: threads, records: records)
  }

  /// Events up to a tick, played at once.
  func events(rate: TickRate = 60, to tick: UInt64) throws -> [DirectorEvent] {
    let world = try world(rate: rate)
    _ = world.hash(tick)
    return world.takeEvents()
  }

  /// The values of one field of one view at some ticks.
  func values(
    _ field: ViewProperty = .x, _ view: Int = 0, rate: TickRate = 60, ticks: [UInt64]
  ) throws -> [Double] {
    let world = try world(rate: rate)
    return ticks.map { Double(Values(of: world, tick: $0).value(field, entity: view)) }
  }
}

extension [DirectorEvent] {
  /// Times at which any completion was called.
  var completionTimes: [Double] {
    compactMap { if case .completed = $0.kind { $0.time } else { nil } }
  }

  /// Times at which a completion was called.
  func times(of completion: Int) -> [Double] {
    filter { $0.kind == .completed(completion) }.map(\.time)
  }
}

/// Whether a value is within a distance of another one.
func isNear(_ value: Double, _ expected: Double, within distance: Double) -> Bool {
  abs(value - expected) <= distance
}
