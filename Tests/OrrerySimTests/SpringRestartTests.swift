// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import Testing

/// Goal: springs restart where they should within a tick, and the way in which ticks are computed changes no
/// bit, for springs of every regime and far from any that a scene has.
///
/// Method: restarts at every 256th of a tick against the library; tiles of any size, jumps and threads
/// against single ticks.
@Suite struct SpringRestartTests {
  /// Springs whose second pull, back from `to` to `from`, begins at given fractions of a tick after tick 10.
  private static func restarting(
    _ spring: Spring, rate: Double, fractions: [Double]
  ) -> Specs<SpringSpec> {
    let period = 300 / rate
    return Specs(
      fractions.map {
        SpringSpec(from: -1, to: 1, spring: spring, period: period, phase: 1 - (10 + $0) / 300)
      })
  }

  /// Within 1e-6 of the interval in the first ticks after a restart at any fraction of a tick.
  @Test(
    arguments: [0.001, 0.03, 0.1, 0.5, 5, 100], [0, 0.01, 0.5, 0.999_999, 1, 1.000_001, 3, 100])
  func springsRestartAtEveryFractionOfATick(response: Double, dampingRatio: Double) throws {
    let spring = Spring(response: response, dampingRatio: dampingRatio)
    let fractions = (0..<256).map { Double($0) / 256 }
    let world = try World(.spring(Self.restarting(spring, rate: 60, fractions: fractions), .x))
    for tick in [11, 12, 13, 20] as [UInt64] {
      let values = Values(of: world, tick: tick)
      for (entity, fraction) in fractions.enumerated() {
        let expected = spring.value(
          fromValue: 1.0, toValue: -1, initialVelocity: 0, time: (Double(tick) - 10 - fraction) / 60
        )
        let found = Double(values.value(.x, entity: entity))
        try #require(abs(found - expected) <= 2e-6, "fraction \(fraction), tick \(tick): \(found)")
      }
    }
  }

  /// Springs of every regime, from far too quick to far too slow, with periods from less than a tick on.
  private static func wild(_ count: Int, seed: UInt64) -> Specs<SpringSpec> {
    let random = CounterRandom(seed: seed, use: .field, index: 0)
    let ratios = [0, 0.01, 0.3, 0.999_999, 1, 1.000_001, 2, 100]
    let periods = [0.7, 1, 1.5, 3, 7.25, 8, 120, 150.4, 255, 256, 257, 1_000.3, 1e9]
    return Specs(count: count) {
      SpringSpec(
        from: random.value(ValueRange(-500...0), $0, draw: 0),
        to: random.value(ValueRange(0...500), $0, draw: 1),
        spring: Spring(
          response: 0.001 * 10_000 * (random.unit($0, draw: 2) * random.unit($0, draw: 3)),
          dampingRatio: ratios[random.index(ratios.count, $0, draw: 4)]),
        period: periods[random.index(periods.count, $0, draw: 5)] / 60,
        phase: random.value(ValueRange(0...1.999), $0, draw: 6))
    }
  }

  /// [N-03] Tiles of any size, from any tick on, whatever was computed before.
  @Test(arguments: InstructionSet.supported, [1, 2])
  func tilesAndJumpsGiveTheBitsOfSingleTicks(set: InstructionSet, threads: Int) throws {
    let plans = [
      BatchPlan.spring(Self.wild(3_000, seed: 4), .x), .spring(Self.wild(700, seed: 5), .y),
    ]
    let single = try World(plans[0], plans[1], set: .baseline)
    let world = try World(plans[0], plans[1], set: set, threads: threads)
    let memory = (0..<8).map { _ in
      (0..<2).map { _ in
        UnsafeMutableRawPointer.allocate(byteCount: 4 * 3_072, alignment: 64)
      }
    }
    defer { memory.joined().forEach { $0.deallocate() } }
    world.keepDestinations(8) { memory[$0][$1] }
    var tick: UInt64 = 0
    for (round, step) in [0, 1, 1, 8, 5, 300, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 90, 255].enumerated()
    {
      tick += UInt64(step)
      // Backwards, too.
      if round % 5 == 4 { tick /= 2 }
      for ahead in 0...UInt64(7) {
        let hash = world.evaluate(
          tick: tick + ahead, destination: Int((tick + ahead) % 8), ahead: 7 - Int(ahead))
        #expect(hash == single.hash(tick + ahead), "tick \(tick + ahead), seed 4")
      }
    }
  }

  /// Values are as near to the library's as a float allows, however quick or slow a spring is for the rate.
  @Test(arguments: [24, 60, 240] as [TickRate])
  func extremeSpringsMatchTheLibrary(rate: TickRate) throws {
    let responses = [0.001, 0.002, 0.01, 0.04, 0.05, 1 / 12.0, 0.1, 0.2, 1, 10, 100, 1e4]
    let ratios = [0, 0.001, 0.01, 0.1, 0.5, 1, 1.5, 10, 100]
    let springs = responses.flatMap { response in
      ratios.map { Spring(response: response, dampingRatio: $0) }
    }
    let specs = Specs(
      springs.map { SpringSpec(from: 0, to: 1, spring: $0, period: 10_000, phase: 0) })
    let world = try World(.spring(specs, .scale), rate: rate)
    for tick in Array(0..<600) + [5_000, 5_255, 100_000] as [UInt64] {
      let values = Values(of: world, tick: tick)
      for (entity, spring) in springs.enumerated() {
        let expected = spring.value(
          fromValue: 0.0, toValue: 1, initialVelocity: 0,
          time: Double(tick) / rate.ticksPerSecond)
        let found = Double(values.value(.scale, entity: entity))
        #expect(abs(found - expected) <= 2e-5, "\(spring), tick \(tick): \(found), \(expected)")
      }
    }
  }

  /// A bound of values holds, and a spring comes near it.
  @Test(arguments: [0, 0.1, 0.7, 1, 3])
  func boundOfValuesIsWhereSpringsGo(dampingRatio: Double) throws {
    let specs = Specs([
      SpringSpec(
        from: 10, to: 110, spring: Spring(response: 1, dampingRatio: dampingRatio), period: 4,
        phase: 0)
    ])
    let batch = SpringBatch(specs, property: .x, rate: 240)
    let world = try World(.spring(specs, .x), rate: 240)
    let bound = try #require(batch.valueBound(.x))
    let most = (0..<2_000).map { abs(Double(Values(of: world, tick: $0).value(.x, entity: 0))) }
      .max()
    let reached = try #require(most)
    #expect(reached <= bound, "\(reached), \(bound)")
    #expect(reached >= 0.99 * bound, "\(reached), \(bound)")
  }
}
