// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import OrrerySim

/// Asks the sim's own batches, in a world that is made for each request.
///
/// Every asked time is an entity of its own, so that no time need be a tick's: what has a phase (curves, moons,
/// rows) gets that of its time and is placed at tick 0; what has a start (springs, animations, flows) starts
/// as much earlier than a common tick. A timer's row is placed at each asked tick.
package struct BatchKernels: KernelEvaluating {
  /// Entities of one world; more are asked for in several.
  private static let entitiesMax = 1 << 16

  /// Seconds and values that batches are asked for; others are the library's.
  private static let numberMax = 1e9

  /// Legs that a world may play through for one request.
  private static let legsMax = 1_000_000

  private static let rate = TickRate(numerator: 60) ?? TickRate(numerator: 1)

  /// Kernels of the best instruction set of this machine.
  package init() {}

  /// From a tween of one cycle a second, at the phase that is asked for.
  package func curve(_ curve: UnitCurve, at: [Double]) -> [Double]? {
    let form = TweenCycle(curve: curve)
    let values = Self.values(at) { inputs, _ in
      let specs = inputs.map { input in
        TweenSpec(from: 0, to: 1, period: 1, phase: input > 0 && input < 1 ? input : 0, form: form)
      }
      return (.tween(Specs(specs), .x), 0)
    }
    // A cycle ends before its end: there is what the table was made from.
    let end = Double(Float(curve.value(at: 1)))
    return values.map { zip(at, $0).map { input, value in input >= 1 ? end : value } }
  }

  /// A spring that is pulled there and back: its second pull there begins when it is to begin.
  package func spring(
    _ spring: Spring, from: Double, to: Double, velocity: Double, at: [Double]
  ) -> [Double]? {
    guard velocity == 0, spring.response > 0, spring.response < .infinity,
      spring.dampingRatio < .infinity, Self.fits([from, to])
    else { return nil }
    let values = Self.values(at) { times, last in
      let period = 2 * last
      let specs = times.map { time in
        SpringSpec(
          from: from, to: to, spring: spring, period: period,
          phase: min(2 - (last - max(0, time)) / period, 2.0.nextDown))
      }
      return (.spring(Specs(specs), .x), last)
    }
    let start = Double(Float(from))
    return values.map { zip(at, $0).map { time, value in time <= 0 ? start : value } }
  }

  /// From views that are set by a command each.
  package func animation(
    _ animation: Animation, from: Double, to: Double, at: [Double]
  ) -> [Double]? {
    guard let course = animation.course(), Self.fits([from, to]), !at.isEmpty else { return nil }
    // What cannot be placed directly is played leg by leg.
    if let time = course.legEnd(Self.legsMax / at.count), time <= at.max() ?? 0 { return nil }
    let initial = ViewProperty.allCases.map { $0 == .x ? from : $0.defaultValue }
    return Self.values(at) { times, last in
      let plan = ViewsPlan(
        views: times.indices.map { ViewPlan(name: "\($0)", initial: initial) },
        commands: times.enumerated().map { index, time in
          CommandPlan(
            time: last - time,
            transaction: TransactionPlan([.set(view: index, .x, to)], animation: animation))
        })
      return (.views(plan), last)
    }
  }

  /// From moons at the phases of the asked times.
  package func orbit(
    radius: Double, period: Double, phase: Double, at: [Double]
  ) -> [(x: Double, y: Double)]? {
    guard Self.fits([radius]) else { return nil }
    func places(_ field: OrrerySim.Field) -> [Double]? {
      Self.values(at, field) { times, _ in
        let specs = times.map { time in
          OrbitSpec(radius: radius, period: period, phase: Self.phase(phase, time, period))
        }
        return (.orbit(Specs(specs)), 0)
      }
    }
    guard let x = places(.x), let y = places(.y) else { return nil }
    return zip(x, y).map { ($0, $1) }
  }

  /// From rows at the phases of the asked times.
  package func marquee(
    period: Double, speed: Double, direction: MarqueeSpec.Direction, at: [Double]
  ) -> [Double]? {
    guard period > 0, Self.fits([period, speed]) else { return nil }
    return Self.values(at) { times, _ in
      let specs = times.map { time in
        MarqueeSpec(
          period: period, speed: speed, direction: direction,
          phase: Self.phase(0, speed * time, period))
      }
      return (.marquee(Specs(specs)), 0)
    }
  }

  /// From one row, at ticks as long as its timer's.
  package func timer(_ spec: TimerSpec, ticks: [UInt64]) -> [Double]? {
    guard Self.fits([spec.start, spec.resetAt]), spec.step > 0, spec.resetAt > spec.start,
      (spec.resetAt - spec.start) / spec.step < Self.numberMax
    else { return nil }
    let slow = TimerSpec(start: spec.start, step: spec.step, resetAt: spec.resetAt, interval: 1)
    guard let rate = TickRate(numerator: 1),
      let world = Self.world(.timer(Specs([slow])), rate: rate)
    else { return nil }
    return ticks.map { Double(Values(of: world, tick: $0).value(.x, entity: 0)) }
  }

  /// From tweens at the phases of the asked times.
  package func linear(
    from: Double, to: Double, duration: Double, at: [Double]
  ) -> [Double]? {
    guard duration > 0, Self.fits([from, to]) else { return nil }
    return Self.values(at) { times, _ in
      let specs = times.map { time in
        TweenSpec(from: from, to: to, period: duration, phase: Self.phase(0, time, duration))
      }
      return (.tween(Specs(specs), .x), 0)
    }
  }

  /// From flows that start before a common tick.
  package func flow(_ spec: FlowSpec, at: [Double]) -> [Double]? {
    guard Self.fits([spec.period, spec.speed, spec.start]) else { return nil }
    return Self.values(at) { times, last in
      let specs = times.map { time in
        FlowSpec(
          period: spec.period, speed: spec.speed, direction: spec.direction,
          start: last - time + spec.start)
      }
      return (.flow(Specs(specs), .x), last)
    }
  }

  private static func fits(_ numbers: [Double]) -> Bool {
    numbers.allSatisfy { abs($0) <= numberMax }
  }

  /// Turns that have passed: a phase and what was moved, in periods; in [0, 1).
  private static func phase(_ phase: Double, _ moved: Double, _ period: Double) -> Double {
    let turns = phase + moved.truncatingRemainder(dividingBy: period) / period
    let part = turns - turns.rounded(.down)
    return part < 1 ? part : 0
  }

  /// Values of a field of as many entities as there are times.
  ///
  /// Times of one order of magnitude are asked for together: what starts before a common tick then has its
  /// start to as many digits as its time.
  ///
  /// - Parameters:
  ///   - at: Seconds, or other arguments.
  ///   - field: The field.
  ///   - plan: Makes a batch for some times and says, in seconds, at which tick it is to be asked: it is
  ///     given whole seconds that are not before any of the times.
  /// - Returns: Nil if a time is too large.
  private static func values(
    _ at: [Double], _ field: OrrerySim.Field = .x,
    plan: (_ times: [Double], _ last: Double) -> (plan: BatchPlan, seconds: Double)
  ) -> [Double]? {
    guard fits(at), let rate else { return nil }
    let groups = Dictionary(grouping: at.indices) { index in
      abs(at[index]) <= 1 ? 0 : at[index].exponent / 8 + 1
    }
    var values = [Double](repeating: 0, count: at.count)
    for group in groups.values {
      for start in stride(from: 0, to: group.count, by: entitiesMax) {
        let indexes = group[start..<min(start + entitiesMax, group.count)]
        let times = indexes.map { at[$0] }
        let last = max(1, times.reduce(0, max).rounded(.up))
        let (plan, seconds) = plan(times, last)
        guard let world = world(plan, rate: rate) else { return nil }
        let placed = Values(of: world, tick: UInt64(seconds) * rate.numerator)
        for (entity, index) in indexes.enumerated() {
          values[index] = Double(placed.value(field, entity: entity))
        }
      }
    }
    return values
  }

  /// Nil if the system refuses a thread, which one alone does not need.
  private static func world(_ plan: BatchPlan, rate: TickRate) -> World? {
    let scene = ScenePlan(
      name: "eval", seed: 1, rate: rate, batches: plan.count > 0 ? [plan] : [],
      layout: Orrery_SceneLayout())
    return try? World(scene, instructionSet: .best, threadCount: 1)
  }
}
