// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrrerySim

/// Evaluates requests with the sim's own batches, in a world made for each request.
///
/// Each requested time is an entity of its own, so that times need not fall on ticks. An entity with a phase
/// (curve, moon, row) gets the phase of its time and is evaluated at tick 0. An entity with a start (spring,
/// animation, flow) starts before a common tick, by its requested time. A timer's row is evaluated at each
/// requested tick.
package struct BatchKernels: KernelEvaluating {
  /// Entities of one world; larger requests use several worlds.
  private static let entitiesMax = 1 << 16

  /// Absolute seconds and values that batches evaluate; the library evaluates larger ones.
  private static let numberMax = 1e9

  /// Legs that a world may play through for one request.
  private static let legsMax = 1_000_000

  private static let rate = TickRate(numerator: 60) ?? TickRate(numerator: 1)

  /// Kernels of the best instruction set of this machine.
  package init() {}

  /// From a tween with a cycle of one second, at the phase of each input.
  package func curve(_ curve: UnitCurve, at: [Double]) -> [Double]? {
    let cycle = TweenCycle(curve: curve)
    let values = Self.values(at) { inputs, _ in
      let specs = inputs.map { input in
        TweenSpec(
          from: 0, to: 1, period: 1, phase: input > 0 && input < 1 ? input : 0, cycle: cycle)
      }
      return (.tween(Specs(specs), .x), 0)
    }
    // A cycle does not include its end; the value there is the curve's own. A phase within 2^-24 turns of
    // the end rounds to the next cycle's start, unless the curve is too steep for a table.
    let end = Double(Float(curve.value(at: 1)))
    return values.map { values in
      zip(at, values).map { input, value in
        if input >= 1 { return end }
        guard input >= 1 - 0x1p-24 else { return value }
        return abs(curve.value(at: input) - end) <= CurveTable.errorMax ? end : value
      }
    }
  }

  /// From springs that are pulled to the target and back; the second pull to the target starts before the
  /// common tick, by the requested time.
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

  /// From views, each set by a command of its own.
  package func animation(
    _ animation: Animation, from: Double, to: Double, at: [Double]
  ) -> [Double]? {
    guard let course = animation.course(), Self.fits([from, to]), !at.isEmpty else { return nil }
    // Some animations cannot be evaluated directly: the world plays them leg by leg.
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

  /// From moons at the phases of the requested times.
  package func orbit(
    radius: Double, period: Double, phase: Double, at: [Double]
  ) -> [(x: Double, y: Double)]? {
    guard Self.fits([radius]) else { return nil }
    func coordinates(_ field: ViewProperty) -> [Double]? {
      Self.values(at, field) { times, _ in
        let specs = times.map { time in
          OrbitSpec(radius: radius, period: period, phase: Self.phase(phase, time, period))
        }
        return (.orbit(Specs(specs)), 0)
      }
    }
    guard let x = coordinates(.x), let y = coordinates(.y) else { return nil }
    return zip(x, y).map { ($0, $1) }
  }

  /// From rows at the phases of the requested times.
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

  /// From one row, in a world whose ticks are timer ticks.
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

  /// From tweens at the phases of the requested times.
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

  /// From views, each set by a command of its own.
  package func changes(_ changes: [KernelChange]) -> [Double]? {
    guard changes.allSatisfy({ Self.fits([$0.from, $0.to]) }), !changes.isEmpty else { return nil }
    return Self.values(count: changes.count, at: { changes[$0].elapsed }) { indexes, last in
      let views = indexes.map { index in
        ViewPlan(
          name: "\(index)",
          initial: ViewProperty.allCases.map { $0 == .x ? changes[index].from : $0.defaultValue })
      }
      let commands = indexes.enumerated().map { view, index in
        CommandPlan(
          time: last - changes[index].elapsed,
          transaction: TransactionPlan(
            [.set(view: view, .x, changes[index].to)], animation: changes[index].animation))
      }
      return (.views(ViewsPlan(views: views, commands: commands)), last)
    }
  }

  /// From a view that appears: the half serves as its insertion, even if it is a removal.
  package func transition(_ half: TransitionHalf, away: Double) -> [Double]? {
    guard away >= 0, away <= 1, let rate = Self.rate,
      Self.fits(half.x + half.y + half.opacity + half.scale + half.blur)
    else { return nil }
    let view = ViewPlan(
      name: "0", initial: ViewProperty.allCases.map(\.defaultValue),
      transition: TransitionPlan(insertion: half, removal: half), isShown: false)
    let command = CommandPlan(
      time: away,
      transaction: TransactionPlan([.show(view: 0)], animation: .linear(duration: 1)))
    let plan = BatchPlan.views(ViewsPlan(views: [view], commands: [command]))
    guard let world = Self.world(plan, rate: rate) else { return nil }
    let frame = Values(of: world, tick: rate.numerator)
    return ViewProperty.allCases.map { Double(frame.value($0, entity: 0)) }
  }

  private static func fits(_ numbers: [Double]) -> Bool {
    numbers.allSatisfy { abs($0) <= numberMax }
  }

  /// A phase advanced by a distance, as a part of the period; in turns, in [0, 1).
  private static func phase(_ phase: Double, _ distance: Double, _ period: Double) -> Double {
    let turns = phase + distance.truncatingRemainder(dividingBy: period) / period
    let part = turns - turns.rounded(.down)
    return part < 1 ? part : 0
  }

  /// Values of one field, with an entity for each time.
  ///
  /// Times of one order of magnitude are evaluated together, so that a start before the common tick is as
  /// exact as its time.
  ///
  /// - Parameters:
  ///   - at: Seconds, or other arguments.
  ///   - field: The field.
  ///   - plan: Makes a batch for some times, and returns the tick to evaluate it at, in seconds.
  ///     `last` are whole seconds not before any of the times.
  /// - Returns: The values; nil if a time is too large.
  private static func values(
    _ at: [Double], _ field: ViewProperty = .x,
    plan: (_ times: [Double], _ last: Double) -> (plan: BatchPlan, seconds: Double)
  ) -> [Double]? {
    values(count: at.count, at: { at[$0] }, field) { indexes, last in
      plan(indexes.map { at[$0] }, last)
    }
  }

  /// Values of one field, with an entity for each index, in a batch that is made for some of the indexes.
  private static func values(
    count: Int, at: (Int) -> Double, _ field: ViewProperty = .x,
    plan: (_ indexes: ArraySlice<Int>, _ last: Double) -> (plan: BatchPlan, seconds: Double)
  ) -> [Double]? {
    guard let rate, (0..<count).allSatisfy({ abs(at($0)) <= numberMax }) else { return nil }
    let groups = Dictionary(grouping: 0..<count) { index in
      abs(at(index)) <= 1 ? 0 : at(index).exponent / 8 + 1
    }
    var values = [Double](repeating: 0, count: count)
    for group in groups.values {
      for start in stride(from: 0, to: group.count, by: entitiesMax) {
        let indexes = group[start..<min(start + entitiesMax, group.count)]
        let last = max(1, indexes.reduce(0) { max($0, at($1)) }.rounded(.up))
        let (plan, seconds) = plan(indexes, last)
        guard let world = world(plan, rate: rate) else { return nil }
        let frame = Values(of: world, tick: UInt64(seconds) * rate.numerator)
        for (entity, index) in indexes.enumerated() {
          values[index] = Double(frame.value(field, entity: entity))
        }
      }
    }
    return values
  }

  /// A world with one batch; nil if the system refuses a thread, which a single thread never needs.
  private static func world(_ plan: BatchPlan, rate: TickRate) -> World? {
    let scene = ScenePlan(
      name: "eval", seed: 1, rate: rate, batches: plan.count > 0 ? [plan] : [],
      layout: Orrery_SceneLayout())
    return try? World(scene, instructionSet: .best, threadCount: 1)
  }
}
