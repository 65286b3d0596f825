// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Goal: a spring that takes over, and a curve that goes on beside others, show the same, whether or not a history of the
/// changes is kept.
///
/// Method: random scripts, from seeds that are printed on failure. A world that records all events keeps a history of
/// each interruption; one that records completions, or nothing, does so only where it needs one.
@Suite struct TakeoverTests {
  /// The animations of most changes.
  enum Usual: CaseIterable {
    case springs, curves
  }

  private static func curve(_ random: inout SeededRandom) -> Animation {
    let seconds = random.number(in: 0.02...1.5)
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: .easeInOut(duration: seconds)
    case 1: .linear(duration: seconds)
    // Most end before it does.
    case 2: .easeOut(duration: 3)
    // It is beyond its end before it ends.
    default: .timingCurve(0.3, -0.5, 0.4, 1.8, duration: seconds)
    }
  }

  private static func script(
    _ repertoire: DirectorOracleTests.Repertoire, _ usual: Usual, _ random: inout SeededRandom
  ) -> ViewScript {
    var script = ViewScript((0..<4).map { _ in random.number(in: -100...100) })
    let fade = TransitionHalf(x: [10], opacity: [-1])
    script.plan.views[0].transition = TransitionPlan(insertion: fade, removal: fade)
    for time in (0..<120).map({ _ in random.number(in: 0...6) }).sorted() {
      let view = Int.random(in: 0..<4, using: &random)
      let animation: Animation? =
        switch Int.random(in: 0..<(usual == .curves ? 40 : 12), using: &random) {
        case 0: nil
        case 1, 2, 3: repertoire.animation(&random)
        // Equal springs share their coefficients.
        case 4, 5: .spring(duration: 0.4, bounce: 0.2)
        case 6: .spring(duration: 0.4, bounce: 0.2, blendDuration: 0.2)
        case _ where usual == .curves: curve(&random)
        default:
          .spring(
            duration: random.number(in: 0.02...1.5), bounce: random.number(in: -0.5...0.8))
        }
      var completion: Int?
      if Int.random(in: 0..<(usual == .curves ? 20 : 8), using: &random) == 0 {
        completion = script.plan.completions.count
        script.plan.completions.append("c\(script.plan.completions.count)")
      }
      let action: ActionPlan =
        view == 0 && Bool.random(using: &random)
        ? .toggle(view: 0) : .set(view: view, .x, random.number(in: -100...100))
      script.add(
        [action], at: time, animation, completion: completion,
        criteria: Bool.random(using: &random) ? .removed : .logicallyComplete)
    }
    return script
  }

  @Test(arguments: DirectorOracleTests.Repertoire.allCases, Array(UInt64(1)...16))
  func springsShowWhatHistoriesShow(
    repertoire: DirectorOracleTests.Repertoire, seed: UInt64
  ) throws {
    try valuesAreThoseOfHistories(repertoire, .springs, seed: seed)
  }

  @Test(arguments: DirectorOracleTests.Repertoire.allCases, Array(UInt64(1)...16))
  func curvesShowWhatHistoriesShow(
    repertoire: DirectorOracleTests.Repertoire, seed: UInt64
  ) throws {
    try valuesAreThoseOfHistories(repertoire, .curves, seed: seed)
  }

  private func valuesAreThoseOfHistories(
    _ repertoire: DirectorOracleTests.Repertoire, _ usual: Usual, seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let script = Self.script(repertoire, usual, &random)
    let kept = try script.world(records: .all)
    let worlds = try [RecordedEvents.completions, .none].map { try script.world(records: $0) }
    var hashes: [UInt64] = []
    for tick in UInt64(0)...560 {
      hashes.append(kept.hash(tick))
      for world in worlds {
        try #require(world.hash(tick) == hashes[Int(tick)], "seed \(seed), tick \(tick)")
      }
    }
    let completions = kept.takeEvents().filter {
      if case .completed = $0.kind { true } else { false }
    }
    #expect(worlds[0].takeEvents() == completions, "seed \(seed)")
    // Any tick, whatever was computed before.
    for _ in 0..<20 {
      let tick = UInt64.random(in: 0...560, using: &random)
      #expect(worlds[1].hash(tick) == hashes[Int(tick)], "seed \(seed), tick \(tick)")
    }
  }

  /// What a row costs does not grow with its past.
  @Test(arguments: [Animation.spring(duration: 0.7, bounce: 0.25), .easeInOut(duration: 0.7)])
  func thousandsOfInterruptionsLeaveNothing(_ animation: Animation) throws {
    var script = ViewScript()
    script.add([.set(view: 0, .x, 100)], at: 0, every: 0.2, animation)
    script.add([.set(view: 0, .x, 0)], at: 0.1, every: 0.2, animation)
    let world = try script.world(records: .none)
    _ = world.hash(600)
    let before = world.viewLoad
    _ = world.hash(60_000)
    let after = world.viewLoad
    #expect(after.events <= before.events + 2)
    #expect(after.layers == before.layers)
  }
}
