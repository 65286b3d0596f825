// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Goal: a director shows and tells what the library's engine does.
///
/// Method: random scripts, from seeds that are printed on failure, played by a world and by an
/// `AnimationEngine` in `Double`; values at every tick, events with their times and their order.
@Suite struct DirectorOracleTests {
  /// What a random script is made of.
  enum Repertoire: CaseIterable {
    case curves, springs, everything
    /// Motions that never end by themselves, and changes that take no time.
    case endless

    /// Parts of the interval that values may be off: docs/explained/semantics.md, N-10.
    var tolerance: Double { self == .curves ? 1e-5 : 2e-4 }

    func animation(_ random: inout SeededRandom) -> Animation {
      switch self {
      case .curves: modified(curve(&random), &random)
      case .springs: spring(&random)
      case .everything:
        modified(Bool.random(using: &random) ? curve(&random) : spring(&random), &random)
      case .endless: endless(&random)
      }
    }

    private func endless(_ random: inout SeededRandom) -> Animation {
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1: curve(&random).repeatForever(autoreverses: Bool.random(using: &random))
      case 2: spring(&random).repeatForever()
      case 3: curve(&random).delay(0.1).repeatForever(autoreverses: false).delay(0.1)
      case 4: .interpolatingSpring(stiffness: 100, damping: 0)
      case 5: .linear.speed(0)
      case 6: .linear(duration: 0)
      case 7: .linear(duration: 0).delay(random.number(in: 0...0.5))
      case 8: .spring(response: 0, dampingFraction: 1).delay(0.2)
      case 9: curve(&random).speed(1e300)
      default: modified(Bool.random(using: &random) ? curve(&random) : spring(&random), &random)
      }
    }

    private func curve(_ random: inout SeededRandom) -> Animation {
      let seconds = random.number(in: 0.05...2)
      return switch Int.random(in: 0..<5, using: &random) {
      case 0: .linear(duration: seconds)
      case 1: .easeIn(duration: seconds)
      case 2: .easeOut(duration: seconds)
      case 3: .timingCurve(0.3, -0.4, 0.6, 1.5, duration: seconds)
      default: .easeInOut(duration: seconds)
      }
    }

    private func spring(_ random: inout SeededRandom) -> Animation {
      let seconds = random.number(in: 0.1...1)
      let bounce = random.number(in: -0.5...0.6)
      return switch Int.random(in: 0..<5, using: &random) {
      case 0: .spring(duration: seconds, bounce: bounce)
      case 1: .interpolatingSpring(duration: seconds, bounce: bounce)
      case 2: .spring(duration: seconds, bounce: bounce, blendDuration: 0.3)
      case 3: .interpolatingSpring(stiffness: 144, damping: 12, initialVelocity: 5)
      default: .smooth(duration: seconds)
      }
    }

    private func modified(_ animation: Animation, _ random: inout SeededRandom) -> Animation {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: animation.delay(random.number(in: 0...0.5))
      case 1: animation.speed(random.number(in: 0.3...3))
      case 2: animation.repeatCount(3)
      case 3: animation.repeatCount(2, autoreverses: true).delay(0.2)
      case 4: animation.delay(0.1).repeatCount(2, autoreverses: false).speed(1.5)
      case 5: animation.repeatForever()
      case 6: animation.logicallyComplete(after: 0.07)
      default: animation
      }
    }
  }

  /// A random script, and the library's account of it.
  struct Scenario {
    var script: ViewScript
    let tolerance: Double

    init(seed: UInt64, _ repertoire: Repertoire, views: Int, commands: Int) {
      var random = SeededRandom(seed: seed)
      script = ViewScript(
        (0..<views).map { _ in random.number(in: -100...100) },
        completions: (0..<commands).map { "c\($0)" })
      tolerance = repertoire.tolerance
      // In the plan's order at equal times, as the engine is told of them.
      let times = (0..<commands).map { _ in random.number(in: 0...4) }.sorted()
      for (index, time) in times.enumerated() {
        let isAnimated = Int.random(in: 0..<10, using: &random) > 0
        let animation = isAnimated ? repertoire.animation(&random) : nil
        script.set(
          Int.random(in: 0..<views, using: &random), to: random.number(in: -100...100), at: time,
          animation, completion: index,
          criteria: Bool.random(using: &random) ? .removed : .logicallyComplete)
      }
    }

    /// A random script of one view, with several changes at each of some instants.
    init(seed: UInt64, _ repertoire: Repertoire, instants: Int) {
      var random = SeededRandom(seed: seed)
      // Sums of such numbers are exact, so a change back to a number leads back to it.
      func value() -> Double { (random.number(in: -100...100) * 1024).rounded() / 1024 }
      var model = value()
      script = ViewScript([model])
      tolerance = repertoire.tolerance
      for time in (0..<instants).map({ _ in random.number(in: 0...4) }).sorted() {
        let before = model
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let isAnimated = Int.random(in: 0..<10, using: &random) > 0
          let animation = isAnimated ? repertoire.animation(&random) : nil
          let values = (0..<Int.random(in: 1...2, using: &random)).map { _ in
            Int.random(in: 0..<4, using: &random) == 0 ? before : value()
          }
          model = values.last ?? model
          let completion = script.plan.completions.count
          script.plan.completions.append("c\(completion)")
          script.add(
            values.map { .set(view: 0, .x, $0) }, at: time, animation, completion: completion,
            criteria: Bool.random(using: &random) ? .removed : .logicallyComplete)
        }
      }
    }

    /// Plays the script in `Double`.
    ///
    /// - Returns: Values of all views at each time, and what was told.
    func played(at times: [Double]) -> (values: [[Double]], events: [DirectorEvent]) {
      let engine = AnimationEngine()
      let properties = script.plan.views.enumerated().map {
        engine.property($1.initial[0], name: "\($0)")
      }
      var events: [DirectorEvent] = []
      engine.onEvent = { event in
        guard let view = Int(event.name) else { return }
        let kind: DirectorEvent.Kind =
          switch event.kind {
          case .legEnded(let index): .legEnded(view: view, .x, index: index)
          case .logicallyComplete: .logicallyComplete(view: view, .x)
          case .removed(let removal):
            .removed(view: view, .x, isFinished: removal == .finished)
          }
        events.append(DirectorEvent(time: event.time, kind))
      }
      var commands = script.plan.commands[...]
      let values = times.map { time in
        while let command = commands.first, command.time <= time {
          commands = commands.dropFirst()
          engine.advance(to: command.time)
          let transaction = command.transaction
          withAnimation(transaction.animation, completionCriteria: transaction.criteria) {
            for case .set(let view, _, let value) in transaction.actions {
              properties[view].value = value
            }
          } completion: {
            guard let completion = transaction.completion else { return }
            events.append(DirectorEvent(time: engine.time, .completed(completion)))
          }
        }
        engine.advance(to: time)
        return properties.map(\.presentation)
      }
      return (values, events)
    }
  }

  @Test(arguments: Repertoire.allCases, Array(UInt64(1)...12))
  func valuesAndEventsAreThoseOfTheEngine(repertoire: Repertoire, seed: UInt64) throws {
    try compare(Scenario(seed: seed, repertoire, views: 5, commands: 25), seed: seed)
  }

  /// Changes of one instant; some lead back, some jump, some follow a spring that took over.
  @Test(arguments: Repertoire.allCases, Array(UInt64(1)...24))
  func changesOfOneInstantAreThoseOfTheEngine(repertoire: Repertoire, seed: UInt64) throws {
    try compare(Scenario(seed: seed, repertoire, instants: 6), seed: seed)
  }

  /// Compares a world's values and events with those of an engine.
  private func compare(_ scenario: Scenario, seed: UInt64) throws {
    let rate: TickRate = 60
    let ticks = Array(UInt64(0)...420)
    let expected = scenario.played(at: ticks.map { rate.seconds(tick: $0) })
    let world = try scenario.script.world(rate: rate)
    for (tick, values) in zip(ticks, expected.values) {
      let found = Values(of: world, tick: tick)
      for (view, value) in values.enumerated() {
        let error = abs(Double(found.value(.x, entity: view)) - value)
        // 25 changes of up to 200 points; a few run at one time.
        #expect(
          error <= scenario.tolerance * 200 + 1e-4, "seed \(seed), tick \(tick), view \(view)")
      }
    }
    let events = world.takeEvents()
    #expect(events.count == expected.events.count, "seed \(seed)")
    for (event, other) in zip(events, expected.events) where event != other {
      Issue.record("seed \(seed): \(event), expected \(other)")
      break
    }
  }
}
