// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import Testing

/// Goal: entities are where the formulas of their kinds say, after a second and after centuries.
///
/// Method: worlds asked for one tick directly, against `ScalarOracle` and against numbers that were
/// worked out by hand. Tolerance: 0.01 point, unless a test states another.
@Suite struct AccuracyTests {
  @Test(arguments: InstructionSet.supported)
  func handWorkedPlacesAreMet(set: InstructionSet) throws {
    let values = Values(of: try .small(set: set), tick: 600)
    #expect(abs(values.value(.x, entity: 0) + 162) < 1e-3)
    #expect(abs(values.value(.x, entity: 1) - 12) < 1e-3)
    #expect(abs(values.value(.x, entity: 2) + 547.5) < 1e-3)
    let world = try World.small(rate: 100, set: set)
    #expect(Values(of: world, tick: 250).value(.x, entity: 3) == -800)
    #expect(Values(of: world, tick: 700).value(.x, entity: 3) == -1_331)
    let orbit = Values(of: try .small(set: set), tick: 7 * 60)
    #expect(abs(orbit.value(.x, entity: 4) + 123.146630) < 1e-4)
    #expect(abs(orbit.value(.y, entity: 4) - 102.151395) < 1e-4)
  }

  @Test func millionLoopsOfAMarqueeEndWhereTheyBegan() throws {
    // 438 points at 60 a second: 7.3 s a loop.
    let values = Values(of: try .small(), tick: 7_300_000 * 60)
    #expect(abs(values.value(.x, entity: 0)) < 1e-6)
  }

  @Test func thousandMillionPeriodsOfAnOrbitKeepItsPlace() throws {
    let values = Values(of: try .small(), tick: (20_000_000_000 + 7) * 60)
    #expect(abs(values.value(.x, entity: 4) + 123.146630) < 1e-3)
    #expect(abs(values.value(.y, entity: 4) - 102.151395) < 1e-3)
  }

  @Test(arguments: [60, 120] as [TickRate], [UInt64(1), 2, 3])
  func placesAfterADayAreRight(rate: TickRate, seed: UInt64) throws {
    let (count, random) = (5_000, CounterRandom(seed: seed, use: .field, index: 0))
    let marquees = Specs(count: count) {
      MarqueeSpec(
        period: random.value(ValueRange(40...40_000), $0, draw: 0),
        speed: random.value(ValueRange(10...1_000), $0, draw: 1),
        direction: random.index(2, $0, draw: 2) == 0 ? .left : .right,
        phase: random.unit($0, draw: 3))
    }
    let tweens = Specs(count: count) {
      TweenSpec(
        from: random.value(ValueRange(-2_000...0), $0, draw: 4),
        to: random.value(ValueRange(0...2_000), $0, draw: 5),
        period: random.value(ValueRange(1...60), $0, draw: 6))
    }
    let orbits = Specs(count: count) {
      OrbitSpec(
        radius: random.value(ValueRange(0...20_000), $0, draw: 7),
        period: random.value(ValueRange(1...100), $0, draw: 8),
        phase: random.unit($0, draw: 9))
    }
    let world = try World(.marquee(marquees), .tween(tweens, .x), .orbit(orbits), rate: rate)
    let day = 86_400 * rate.numerator / rate.denominator
    for tick in [1, day - 1, day, day + 12_345] {
      let values = Values(of: world, tick: tick)
      let seconds = ScalarOracle.seconds(tick, rate)
      var errorMax = 0.0
      for index in 0..<count {
        let (marquee, tween) = (marquees[index], tweens[index])
        let marqueeError = ScalarOracle.distance(
          Double(values.value(.x, entity: index)),
          ScalarOracle.marquee(marquee, seconds: seconds), onLoopOf: marquee.period)
        let tweenError = ScalarOracle.distance(
          Double(values.value(.x, entity: count + index)),
          ScalarOracle.tween(tween, seconds: seconds), onLoopOf: tween.to - tween.from)
        let orbit = ScalarOracle.orbit(orbits[index], seconds: seconds)
        let xError = abs(Double(values.value(.x, entity: 2 * count + index)) - orbit.x)
        let yError = abs(Double(values.value(.y, entity: 2 * count + index)) - orbit.y)
        errorMax = max(errorMax, marqueeError, tweenError, xError, yError)
      }
      #expect(errorMax < 0.01, "seed \(seed), tick \(tick)")
    }
  }

  /// A 10 ms timer at rates that meet it exactly at every tick, at some, and at hardly any.
  @Test(arguments: ["100", "60", "50", "120", "30000/1001", "1000"])
  func timersFireWhenTheyAreDue(rateText: String) throws {
    let rate = try #require(TickRate(rateText))
    let spec = TimerSpec(start: -1_550, step: 7, resetAt: 330, interval: 0.01)
    let world = try World(.timer(Specs([spec])), rate: rate)
    for tick in UInt64(0)..<3_000 {
      let found = Double(Values(of: world, tick: tick).value(.x, entity: 0))
      if found != ScalarOracle.timer(spec, tick: tick, rate: rate) {
        Issue.record("rate \(rate), tick \(tick): \(found)")
        return
      }
    }
  }
}
