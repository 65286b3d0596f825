// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrrerySim

/// Views that all begin a transition in one tick, and all end it in another, once a second.
///
///     tick 60 k           all views begin to leave, or to come back, in one transaction
///     60 k + 1 … 60 k + 30    under way
///     60 k + 30           all of them end: logical completion and removal
///
/// Each transition moves its view and fades it, by one tween of half a second.
package final class ViewScene {
  /// Views in the scene.
  package let count: Int

  /// Changes of one tick: the director's part of it.
  package let begin: BenchRow
  /// Evaluating a tick, with its hash, while all views are in transition.
  package let underWay: BenchRow
  /// Completions of one tick: the director's part of it.
  package let end: BenchRow

  /// Events that were recorded.
  package private(set) var eventCount = 0

  private let world: World
  private let memory: FrameMemory
  private let cyclesPerRound: Int
  private var cycle: UInt64 = 0

  /// Ticks from one start to the next, ticks of a transition, and the timed ticks among them.
  private static let (cycleTicks, transitionTicks, timedTicks): (UInt64, UInt64, UInt64) = (
    60, 30, 16
  )

  /// Cycles of one round: at least 100,000 views are changed in it.
  static func cyclesPerRound(count: Int) -> Int { max(100_000 / count, 1) }

  /// Makes the scene, and plays two cycles of it: memory is allocated then.
  ///
  /// - Parameters:
  ///   - count: Views in the scene.
  ///   - records: The events that are recorded.
  /// - Throws: `SystemCallError` when a thread cannot be started.
  package init(count: Int, records: RecordedEvents) throws(SystemCallError) {
    self.count = count
    world = try World(
      Self.plan(count: count), instructionSet: .best, threadCount: 1, records: records)
    let memory = FrameMemory(bytes: world.columns.map { $0.count * 4 }, destinations: 1)
    self.memory = memory
    world.keepDestinations(1) { memory.columns[$1] }
    cyclesPerRound = Self.cyclesPerRound(count: count)
    let suffix = records == .all ? ", events recorded" : ""
    begin = Self.row("begin" + suffix, count, .begin)
    underWay = Self.row("under way, hashed", count, .underWay)
    end = Self.row("end" + suffix, count, .end)
    underWay.hashes = true
    underWay.isa = world.instructionSet.rawValue
    for _ in 0..<2 { _ = playCycle() }
  }

  private static func row(_ name: String, _ count: Int, _ traffic: Traffic) -> BenchRow {
    BenchRow(.ours, name: name, family: "", count: count, traffic: traffic)
  }

  /// A checked scene has fewer views, so the plan is made by hand.
  private static func plan(count: Int) -> ScenePlan {
    let half = TransitionHalf(x: [-400], opacity: [-1])
    let transition = TransitionPlan(insertion: half, removal: half)
    let views = (0..<count).map { index in
      ViewPlan(
        name: "v\(index)", initial: [Double(index % 1280), 0, 1, 1, 0, 0], transition: transition)
    }
    let all = TransactionPlan(
      (0..<count).map { .toggle(view: $0) }, animation: .easeInOut(duration: 0.5), completion: 0)
    let plan = ViewsPlan(
      views: views, commands: [CommandPlan(time: 1, every: 1, transaction: all)],
      completions: ["all"])
    return ScenePlan(
      name: "views", seed: 1, rate: 60, batches: [.views(plan)], layout: Orrery_SceneLayout())
  }

  /// Measures one round of all three rows.
  package func measure() {
    var sum = (begin: UInt64(0), underWay: UInt64(0), end: UInt64(0))
    for _ in 0..<cyclesPerRound {
      let ns = playCycle()
      sum = (sum.begin + ns.begin, sum.underWay + ns.underWay, sum.end + ns.end)
    }
    begin.add(ns: sum.begin, calls: cyclesPerRound)
    underWay.add(ns: sum.underWay, calls: cyclesPerRound * Int(Self.timedTicks))
    end.add(ns: sum.end, calls: cyclesPerRound)
  }

  private func playCycle() -> (begin: UInt64, underWay: UInt64, end: UInt64) {
    cycle += 1
    let first = cycle * Self.cycleTicks
    let begin = ns { world.batches[0].prepare(tick: first) }
    // The first tick after a change computes phases anew.
    _ = world.evaluate(tick: first, destination: 0)
    takeEvents()
    let underWay = ns {
      for tick in first + 1...first + Self.timedTicks {
        _ = world.evaluate(tick: tick, destination: 0)
      }
    }
    let end = ns { world.batches[0].prepare(tick: first + Self.transitionTicks) }
    takeEvents()
    return (begin, underWay, end)
  }

  private func takeEvents() { eventCount += world.takeEventChunks(batch: 0)?.count ?? 0 }

  private func ns(_ work: () -> Void) -> UInt64 {
    let begin = Clock.monotonicNs()
    work()
    return Clock.monotonicNs() - begin
  }
}

/// Bytes of a view that must move, by the columns that `OrrerySim` keeps of it.
extension Traffic {
  /// Written are an episode (64 bytes), and the view's columns in a layer of tweens (92) and in its lane (12); changed
  /// are its model's value (8), its episode's index (4), its state (3), the half of its transition and the tween's
  /// generation (4 each).
  ///
  /// The action is read from the plan, and the animation of the transition from a table. All ends together are one entry
  /// of the queue.
  fileprivate static var begin: Traffic {
    Traffic(reads: Double(MemoryLayout<ActionPlan>.stride + 4), updates: 23, writes: 168)
  }

  /// Four bytes each for the resting values of two columns and for `away`, for three columns of its tween,
  /// for a transition's twenty coefficients, and for its number in the block.
  ///
  /// Six values are gathered for the kernel, which changes five of them in place.
  fileprivate static let underWay = Traffic(reads: 112, updates: 28, writes: 8)

  /// An episode (64), a tween with its generation (68) and a value at rest (8) are read; the view's state and the half
  /// of its transition are changed; the episode's index and number, the resting value and the tween's span are written.
  fileprivate static let end = Traffic(reads: 140, updates: 7, writes: 20)
}
