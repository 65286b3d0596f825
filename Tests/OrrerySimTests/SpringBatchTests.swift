// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import Testing

/// Goal: springs that restart every period are where the library's springs are.
///
/// Method: worlds of random springs against `Spring.value` at the time since the last restart, at many
/// ticks and after a day; bits by any way to a tick; numbers by hand.
@Suite struct SpringBatchTests {
  private static func specs(_ count: Int, seed: UInt64) -> Specs<SpringSpec> {
    let random = CounterRandom(seed: seed, use: .field, index: 0)
    return Specs(count: count) {
      let spring = Spring(
        response: random.value(ValueRange(0.1...1.5), $0, draw: 0),
        dampingRatio: random.value(ValueRange(0.2...2), $0, draw: 1))
      return SpringSpec(
        from: random.value(ValueRange(-500...0), $0, draw: 2),
        to: random.value(ValueRange(0...500), $0, draw: 3), spring: spring,
        period: spring.settlingBound + random.value(ValueRange(0...3), $0, draw: 4),
        phase: random.value(ValueRange(0...1.999), $0, draw: 5))
    }
  }

  private static func expected(_ spec: SpringSpec, _ seconds: Double) -> Double {
    let periods = spec.phase + seconds / spec.period
    let whole = periods.rounded(.down)
    let isBack = whole.truncatingRemainder(dividingBy: 2) == 1
    return spec.spring.value(
      fromValue: isBack ? spec.to : spec.from, toValue: isBack ? spec.from : spec.to,
      initialVelocity: 0, time: (periods - whole) * spec.period)
  }

  /// [N-10] Within 2e-4 of the interval, and within 2e-5 in fact; also after a day.
  @Test func springsMatchTheLibrary() throws {
    let specs = Self.specs(2_000, seed: 1)
    let world = try World(.spring(specs, .x))
    let day: UInt64 = 86_400 * 60
    var worst = 0.0
    for tick in Array(stride(from: 0, to: 700, by: 13)) + [day, day + 1, day + 255, day + 300] {
      let values = Values(of: world, tick: tick)
      for entity in 0..<2_000 {
        let spec = specs[entity]
        let found = Double(values.value(.x, entity: entity))
        let error = abs(found - Self.expected(spec, Double(tick) / 60)) / (spec.to - spec.from)
        // Just before a restart what is left of the motion is dropped a tick early or late.
        let periods = spec.phase + Double(tick) / 60 / spec.period
        if abs(periods - periods.rounded()) * spec.period > 1e-6 { worst = max(worst, error) }
      }
    }
    #expect(worst <= 2e-5, "\(worst)")
  }

  /// [P-04] The numbers of springs of every regime, there and back.
  @Test(arguments: InstructionSet.supported)
  func springsHaveTheirNumbers(set: InstructionSet) throws {
    let expected: [(duration: Double, bounce: Double, tick: UInt64, value: Double)] = [
      (0.4, 0, 4, 0.357739556), (0.4, 0, 15, 0.948683947), (0.4, 0.2, 4, 0.399251268),
      (0.4, 0.2, 15, 1.01242695), (0.6, -0.2, 15, 0.723449712), (0.6, -0.2, 45, 0.988022281),
      (0.7, 0.15, 45, 1.00196854),
    ]
    let specs = Specs(
      expected.map {
        SpringSpec(
          from: 0, to: 1, spring: Spring(duration: $0.duration, bounce: $0.bounce), period: 4,
          phase: 0)
      })
    let world = try World(.spring(specs, .scale), rate: 50, set: set)
    for (entity, spring) in expected.enumerated() {
      for (tick, value) in [
        (spring.tick, spring.value), (200 + spring.tick, 1 - spring.value),
        (400 + spring.tick, spring.value),
      ] {
        let found = Double(Values(of: world, tick: tick).value(.scale, entity: entity))
        #expect(abs(found - value) <= 2e-6, "\(spring), tick \(tick): \(found)")
      }
    }
  }

  /// Periods of whole ticks, whose step 64 bits round up or down, and a spring that is still far from its
  /// end when it restarts.
  @Test(arguments: [60, 90, 120, 210, 330] as [UInt64])
  func restartsAreAtTheirTicks(ticks: UInt64) throws {
    let spring = Spring(duration: 5, bounce: 0)
    let specs = Specs(
      [0, 1.5].map {
        SpringSpec(from: 3, to: 7, spring: spring, period: Double(ticks) / 60, phase: $0)
      })
    let world = try World(.spring(specs, .x))
    for round in [0, 1, 2, 100, 43_200] as [UInt64] {
      let values = Values(of: world, tick: ticks * round)
      #expect(values.value(.x, entity: 0) == (round % 2 == 0 ? 3 : 7), "round \(round)")
      let other = Values(of: world, tick: ticks * round + ticks / 2)
      #expect(other.value(.x, entity: 1) == (round % 2 == 0 ? 3 : 7), "round \(round)")
    }
  }

  /// [N-03] The way to a tick changes no bit, on every instruction set, with any number of threads.
  @Test func anyWayToATickGivesItsBits() throws {
    let specs = Self.specs(9_000, seed: 2)
    let stepped = try World(.spring(specs, .x), set: .baseline)
    let hashes = (0..<UInt64(600)).map { stepped.hash($0) }
    #expect(Set(hashes).count == 600)
    for set in InstructionSet.supported {
      let world = try World(.spring(specs, .x), set: set, threads: 2)
      for tick in [599, 1, 300, 301, 255, 256, 0, 400, 390, 512, 511] {
        #expect(world.hash(UInt64(tick)) == hashes[tick], "\(set), tick \(tick)")
      }
    }
  }

  /// [N-01] A spring alone has the bits that it has among others.
  @Test func neighboursChangeNothing() throws {
    let specs = Self.specs(4_000, seed: 3)
    let whole = try World(.spring(specs, .x))
    for entity in [0, 777, 3_999] {
      let alone = try World(.spring(Specs([specs[entity]]), .x))
      for tick in [0, 1, 100, 300, 5_184_000] as [UInt64] {
        #expect(
          Values(of: whole, tick: tick).value(.x, entity: entity)
            == Values(of: alone, tick: tick).value(.x, entity: 0), "\(entity), tick \(tick)")
      }
    }
  }

  /// What no scene has is no trap either: periods shorter than a tick, or longer than any run.
  @Test(arguments: [1e-6, 1.0 / 60, 1.0 / 120, 0.013, 1e12, 1e300])
  func oddPeriodsAreNoTrap(period: Double) throws {
    let specs = Specs([
      SpringSpec(from: 0, to: 1, spring: .smooth, period: period, phase: 0.25)
    ])
    let world = try World(.spring(specs, .x))
    for tick in [0, 1, 5, 300] as [UInt64] {
      #expect(Values(of: world, tick: tick).value(.x, entity: 0).isFinite)
    }
  }
}
