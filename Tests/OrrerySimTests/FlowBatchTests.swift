// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import Testing

/// Goal: flows stand until their start and then flow seamlessly for ever.
///
/// Method: numbers by hand; random flows against the formula, also after a day; whether a block stands.
@Suite struct FlowBatchTests {
  private static func flow(
    _ direction: FlowSpec.Direction, period: Double = 250, speed: Double = 25, start: Double = 1
  ) -> FlowSpec {
    FlowSpec(period: period, speed: speed, direction: direction, start: start)
  }

  /// [S1-05] A picture of 250 points, a tenth of it a second from second 1 on.
  @Test(arguments: InstructionSet.supported)
  func flowHasItsNumbers(set: InstructionSet) throws {
    let specs = Specs([Self.flow(.right), Self.flow(.left)])
    let world = try World(.flow(specs, .x), rate: 10, set: set)
    for (tick, x) in [(0, 0), (5, 0), (9, 0), (10, 0), (42, 80), (112, 5)] as [(UInt64, Float)] {
      let values = Values(of: world, tick: tick)
      #expect(abs(values.value(.x, entity: 0) - x) <= 1e-4, "tick \(tick)")
      #expect(abs(values.value(.x, entity: 1) + x) <= 1e-4, "tick \(tick)")
    }
  }

  @Test func directionsAreSigns() throws {
    let specs = Specs([Self.flow(.down, start: 0), Self.flow(.up, start: 0)])
    let values = Values(of: try World(.flow(specs, .y)), tick: 60)
    #expect(abs(values.value(.y, entity: 0) - 25) <= 1e-4)
    #expect(abs(values.value(.y, entity: 1) + 25) <= 1e-4)
  }

  /// Positions are right to 0.01 point, also after a day of ticks, in any order of ticks.
  @Test func flowsFollowTheirFormula() throws {
    let random = CounterRandom(seed: 1, use: .field, index: 0)
    let specs = Specs(count: 6_000) {
      FlowSpec(
        period: random.value(ValueRange(10...2_000), $0, draw: 0),
        speed: random.value(ValueRange(0...500), $0, draw: 1),
        direction: random.index(2, $0, draw: 2) == 0 ? .left : .right,
        start: random.value(ValueRange(0...20), $0, draw: 3))
    }
    let world = try World(.flow(specs, .x))
    let day: UInt64 = 86_400 * 60
    for tick in [700, 0, 1, 600, 1_300, day, day + 77, 300] {
      let values = Values(of: world, tick: tick)
      for entity in 0..<6_000 {
        let spec = specs[entity]
        let seconds = max(0, Double(tick) / 60 - spec.start)
        let offset = (spec.speed * seconds).truncatingRemainder(dividingBy: spec.period)
        let found = Double(values.value(.x, entity: entity))
        let error = ScalarOracle.distance(
          found, spec.direction == .left ? -offset : offset, onLoopOf: spec.period)
        #expect(error <= 0.01, "entity \(entity), tick \(tick)")
        #expect(abs(found) < spec.period, "entity \(entity), tick \(tick)")
        if seconds == 0 { #expect(found == 0) }
      }
    }
  }

  @Test func whatCannotFlowStands() throws {
    let specs = Specs([
      Self.flow(.left, period: 0), Self.flow(.right, speed: 0), Self.flow(.left, period: .nan),
      Self.flow(.left, period: 1e-300), Self.flow(.left, speed: .infinity),
      Self.flow(.left, start: 1e300),
    ])
    let batch = FlowBatch(specs, property: .x, rate: 60)
    let values = Values(of: try World(.flow(specs, .x)), tick: 1 << 40)
    #expect((0..<6).allSatisfy { values.value(.x, entity: $0) == 0 })
    #expect(batch.unchangedSince(block: 0, tick: 1 << 40) == 0)
  }

  @Test func blockStandsUntilItsFirstStart() {
    let specs = Specs([Self.flow(.left, start: 9), Self.flow(.left, start: 2.01)])
    let batch = FlowBatch(specs, property: .x, rate: 60)
    #expect(batch.unchangedSince(block: 0, tick: 120) == 0)
    #expect(batch.unchangedSince(block: 0, tick: 121) == nil)
  }

  /// [N-02] What starts at 10^9 s flows as what starts at 0.
  @Test func lateStartsAreAsExactAsEarlyOnes() throws {
    let specs = Specs([Self.flow(.right, start: 0), Self.flow(.right, start: 1e9)])
    let world = try World(.flow(specs, .x))
    for tick in [0, 1, 50, 300, 600] as [UInt64] {
      let early = Values(of: world, tick: tick).value(.x, entity: 0)
      let late = Values(of: world, tick: 60_000_000_000 + tick).value(.x, entity: 1)
      #expect(abs(early - late) <= 1e-4, "tick \(tick)")
    }
  }
}
