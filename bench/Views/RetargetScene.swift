// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrrerySim

/// Views that all move to the right, and turn round while they move, once in two seconds.
///
///     tick 120 k         all begin to move, in one transaction
///     tick 120 k + 12    all turn round, in another: the timed tick
///     tick 120 k + 120   all have been at rest for long
package final class RetargetScene {
  /// Interruptions of one tick: the director's part of it.
  package let retarget: BenchRow

  private let world: World
  private let memory: FrameMemory
  private let cyclesPerRound: Int
  private var cycle: UInt64 = 0

  private static let (cycleTicks, retargetTicks): (UInt64, UInt64) = (120, 12)

  /// Makes the scene, and plays two cycles of it: memory is allocated then.
  ///
  /// - Parameters:
  ///   - count: Views in the scene.
  ///   - animation: How they move; at rest in a second and a half.
  ///   - isUniform: Whether all go the same way; otherwise each of 97 neighbours goes another distance.
  ///   - name: Of the row.
  /// - Throws: `SystemCallError` when a thread cannot be started.
  package init(
    count: Int, _ animation: Animation, isUniform: Bool = true, name: String
  ) throws(SystemCallError) {
    world = try World(
      Self.plan(count: count, animation, isUniform: isUniform), instructionSet: .best,
      threadCount: 1,
      records: .completions)
    let memory = FrameMemory(bytes: world.columns.map { $0.count * 4 }, destinations: 1)
    self.memory = memory
    world.keepDestinations(1) { memory.columns[$1] }
    cyclesPerRound = ViewScene.cyclesPerRound(count: count)
    retarget = BenchRow(.ours, name: name, family: "", count: count, traffic: nil)
    for _ in 0..<2 { _ = playCycle() }
  }

  private static func plan(count: Int, _ animation: Animation, isUniform: Bool) -> ScenePlan {
    let views = (0..<count).map { index in
      ViewPlan(name: "v\(index)", initial: [0, 0, 1, 1, 0, 0], transition: nil)
    }
    let seconds = Double(cycleTicks) / 60
    func command(at time: Double, x: Double) -> CommandPlan {
      let actions = (0..<count).map {
        ActionPlan.set(view: $0, .x, isUniform || x == 0 ? x : x + Double($0 % 97))
      }
      return CommandPlan(
        time: time, every: seconds,
        transaction: TransactionPlan(actions, animation: animation))
    }
    let turn = seconds + Double(retargetTicks) / 60
    let plan = ViewsPlan(
      views: views, commands: [command(at: seconds, x: 100), command(at: turn, x: 0)])
    return ScenePlan(
      name: "retargets", seed: 1, rate: 60, batches: [.views(plan)], layout: Orrery_SceneLayout())
  }

  /// Measures one round.
  package func measure() {
    var sum: UInt64 = 0
    for _ in 0..<cyclesPerRound { sum += playCycle() }
    retarget.add(ns: sum, calls: cyclesPerRound)
  }

  private func playCycle() -> UInt64 {
    cycle += 1
    let first = cycle * Self.cycleTicks
    for tick in [first, first + Self.retargetTicks - 1] {
      _ = world.evaluate(tick: tick, destination: 0)
    }
    let begin = Clock.monotonicNs()
    world.batches[0].prepare(tick: first + Self.retargetTicks)
    let ns = Clock.monotonicNs() - begin
    // At rest, so that nothing of this cycle is left for the next one.
    _ = world.evaluate(tick: first + Self.cycleTicks - 1, destination: 0)
    return ns
  }
}
