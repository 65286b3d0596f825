// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Foundation
import Orrery
import OrreryScene
import OrrerySim
import Testing

/// Goal: bounds of values are as large as the values become, and no larger than need be; and what a world says
/// of itself is so.
///
/// Method: batches of few entities, whose bounds are worked out by hand; formats, columns and runs of
/// destinations at their limits.
@Suite struct ValueBoundTests {
  /// The part of its distance by which a spring overshoots.
  private func overshoot(_ ratio: Double) -> Double {
    ratio < 1 ? exp(-.pi * ratio / (1 - ratio * ratio).squareRoot()) : 0
  }

  private func springs(_ springs: [(from: Double, to: Double, spring: Spring)]) -> SpringBatch {
    let specs = springs.map {
      SpringSpec(from: $0.from, to: $0.to, spring: $0.spring, period: 100, phase: 0)
    }
    return SpringBatch(Specs(specs), property: .x, rate: 60)
  }

  /// The farther end, and the distance as often as the spring swings beyond it.
  @Test(
    arguments: [
      (-3, 1, 0.2), (0, 5, 2), (0, 5, 1), (0, 2, 0), (7, 8, 0.5), (8, 7, 0.5), (-4, -9, 0.7),
      (3, 3, 0.1),
    ] as [(Double, Double, Double)])
  func springsHaveTheirBound(from: Double, to: Double, ratio: Double) throws {
    let spring = Spring(response: 0.5, dampingRatio: ratio)
    let bound = try #require(springs([(from, to, spring)]).valueBound(.x))
    let expected = max(abs(from), abs(to)) + abs(to - from) * (overshoot(ratio) + 2e-5)
    #expect(abs(bound - expected) < 1e-5)
    // On the way back as well.
    let back = try #require(springs([(to, from, spring)]).valueBound(.x))
    #expect(back == bound)
    // Among others, the largest counts.
    let far = springs([(from, to, spring), (0, 100, .smooth), (0, 1, .smooth)])
    #expect(abs((far.valueBound(.x) ?? 0) - 100 * (1 + 2e-5)) < 1e-3)
  }

  /// What is over at once swings nowhere.
  @Test func springsThatSnapDoNotOvershoot() throws {
    let snap = Spring(response: 0, dampingRatio: 0.1)
    let bound = try #require(springs([(0, 5, snap)]).valueBound(.x))
    #expect(abs(bound - 5 * (1 + 2e-5)) < 1e-9)
  }

  /// No value is beyond its bound, whatever the spring.
  @Test func valuesStayWithinTheirBound() throws {
    for ratio in [0, 0.05, 0.3, 0.9, 1, 3] {
      let spec = SpringSpec(
        from: -2, to: 3, spring: Spring(response: 0.5, dampingRatio: ratio), period: 4, phase: 0)
      let world = try World(.spring(Specs([spec]), .x))
      let batch = SpringBatch(Specs([spec]), property: .x, rate: 60)
      let bound = try #require(batch.valueBound(.x))
      var farthest: Float = 0
      for tick in UInt64(0)..<240 {
        farthest = max(farthest, abs(Values(of: world, tick: tick).value(.x, entity: 0)))
      }
      #expect(Double(farthest) <= bound, "ratio \(ratio)")
      #expect(Double(farthest) >= bound - 0.1, "ratio \(ratio)")
    }
  }

  @Test func otherKindsHaveTheirBounds() {
    let marquees = MarqueeBatch(
      Specs([
        MarqueeSpec(period: 100, speed: 1, direction: .right, phase: 0),
        MarqueeSpec(period: 250, speed: 1, direction: .left, phase: 0),
        MarqueeSpec(period: 30, speed: 1, direction: .left, phase: 0),
      ]), rate: 60)
    #expect(marquees.valueBound(.x) == 250)
    let flows = FlowBatch(
      Specs([
        FlowSpec(period: 100, speed: 1, direction: .down, start: 0),
        FlowSpec(period: 300, speed: 1, direction: .up, start: 0),
        FlowSpec(period: 900, speed: 0, direction: .up, start: 0),
      ]), property: .y, rate: 60)
    #expect(flows.valueBound(.y) == 300)
    let orbits = OrbitBatch(
      Specs([
        OrbitSpec(radius: 160, period: 1, phase: 0), OrbitSpec(radius: 20, period: 1, phase: 0),
      ]), rate: 60)
    #expect(orbits.valueBound(.y) == 160 * (1 + 0x1p-18))
  }

  @Test func tweensHaveTheirBound() throws {
    func bound(_ specs: TweenSpec...) -> Double? {
      TweenBatch(Specs(specs), property: .x, rate: 60).valueBound(.x)
    }
    #expect(bound(TweenSpec(from: -7, to: 3, period: 1)) == 7)
    #expect(bound(TweenSpec(from: 3, to: -7, period: 1)) == 7)
    #expect(
      bound(TweenSpec(from: 1, to: 2, period: 1), TweenSpec(from: 4, to: 9, period: 1)) == 9)
    #expect(
      bound(TweenSpec(from: 4, to: 9, period: 1), TweenSpec(from: 1, to: 2, period: 1)) == 9)
    let circular = TweenCycle(curve: .circularEaseIn)
    #expect(
      bound(
        TweenSpec(from: 4, to: 9, period: 1),
        TweenSpec(from: 0, to: 1, period: 1, cycle: circular)) == nil)
    // A curve that goes beyond both ends.
    let wide = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: 0.68, y: -0.6), endControlPoint: UnitPoint(x: 0.32, y: 1.6))
    let ends = (0...1_000).map { wide.value(at: Double($0) / 1_000) }
    let most = try #require(ends.max())
    let found = try #require(
      bound(TweenSpec(from: 0, to: 10, period: 1, cycle: TweenCycle(curve: wide))))
    #expect(found >= 10 * most - 1e-4)
    #expect(found <= 10 * most + 0.5)
  }

  // MARK: Formats

  @Test func batchesWithoutBoundsStayFloats() throws {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    let clock = ClockSpec(
      schedule: .animation(minimumInterval: nil, paused: false), start: start, zero: start, unit: 1,
      base: 10, digitHeight: 1)
    let world = try World(
      .timer(Specs([TimerSpec(start: 0, step: 1, resetAt: 9, interval: 1)])),
      .clock(Specs([clock])),
      .views(ViewScript([1]).plan),
      .orbit(Specs([OrbitSpec(radius: .infinity, period: 1, phase: 0)])),
      .marquee(Specs([MarqueeSpec(period: 9, speed: 1, direction: .left, phase: 0)])),
      output: .fixed16)
    #expect(
      world.columns.map(\.format) == [
        .float32, .float32, .float32, .float32, .float32, .fixed16(unit: 0x1p-11),
      ])
    #expect(world.columns.map(\.format.valueBytes) == [4, 4, 4, 4, 4, 2])
  }

  /// Whole numbers of 16 bits give the values of both ends of their range.
  @Test func sixteenBitsHoldBothEnds() throws {
    let specs = Specs([
      TweenSpec(from: 32_767 * 0x1p-4, to: 0, period: 100),
      TweenSpec(from: -32_767 * 0x1p-4, to: 0, period: 100),
    ])
    let world = try World(.tween(specs, .x), output: .fixed16)
    #expect(world.columns.map(\.format) == [.fixed16(unit: 0x1p-4)])
    let values = Values(of: world, tick: 0)
    #expect((0..<2).map { values.value(.x, entity: $0) } == [2_047.9375, -2_047.9375])
  }

  // MARK: Columns and runs

  @Test func columnsAreFoundByBatchAndField() throws {
    let values = Values(of: try .small(), tick: 60)
    #expect(values.column(batch: 0, field: 1)?.count == 2)
    #expect(values.column(batch: 3, field: 2)?.count == 1)
    #expect(values.column(batch: 3, field: 2)?[0] == values.value(.y, entity: 4))
    #expect(values.column(batch: 0, field: 1)?[1] == values.value(.x, entity: 1))
    #expect(values.column(batch: 2, field: 2) == nil)
    #expect(values.column(batch: 4, field: 1) == nil)
    #expect(values.value(.x, entity: 5) == 0)
    #expect(values.value(.scale, entity: 5) == 1)
  }

  @Test(arguments: [(0, 0, 0), (1, 1, 1), (2_048, 1, 2_048), (2_049, 2, 1), (6_000, 3, 1_904)])
  func blocksHold2048Entities(entities: Int, count: Int, last: Int) {
    #expect(Blocks.count(entities: entities) == count)
    guard count > 0 else { return }
    let range = Blocks.range(count - 1, entities: entities)
    #expect(range.count == last)
    #expect(range.upperBound == entities)
    #expect(range.lowerBound == (count - 1) * 2_048)
  }

  @Test func runsOfDestinationsGoRound() {
    let run = DestinationRun(3, ahead: 2, of: 5)
    #expect(run.count == 3)
    #expect(run.before == 2)
    #expect(DestinationRun(0, ahead: 0, of: 4).before == 3)
    #expect(DestinationRun(0, ahead: 0, of: 1).before == 0)
    var single = DestinationRun(6)
    #expect(single.count == 1)
    #expect(single.before == nil)
    single.append(2)
    #expect(single.count == 2)
  }

  @Test func bestSetIsTheLastThatThisMachineHas() {
    let level = kernel_processor_level()
    #expect(InstructionSet.allCases.map(\.level) == [0, 3, 4])
    #expect(InstructionSet.baseline.isSupported)
    #expect(InstructionSet.avx2.isSupported == (level >= 3))
    #expect(InstructionSet.avx512.isSupported == (level >= 4))
    #expect(InstructionSet.best == InstructionSet.supported.last)
    #expect(InstructionSet.allCases.map(\.rawValue) == ["baseline", "avx2", "avx512"])
  }

  /// Numbers that are too small count as zero in a block, and nowhere else.
  @Test(arguments: InstructionSet.supported)
  func smallestNumbersAreZeroInBlocksOnly(set: InstructionSet) throws {
    let small = Double(Float.leastNormalMagnitude)
    let world = try World(
      .tween(Specs([TweenSpec(from: 0, to: small / 8, period: 2)]), .x),
      .tween(Specs([TweenSpec(from: 0, to: small, period: 2)]), .x), set: set)
    for tick in [30, 60] as [UInt64] {
      let values = Values(of: world, tick: tick)
      #expect(values.value(.x, entity: 0) == 0)
      #expect(values.value(.x, entity: 1) == 0)
    }
    // Not known before the run, so it is computed here.
    let half = Float.leastNormalMagnitude / Float(world.entityCount)
    #expect(half > 0)
    #expect(half * Float(world.entityCount) == .leastNormalMagnitude)
  }

  // MARK: Short times

  /// An interval of no time is a nanosecond.
  @Test func timersOfNoIntervalTickEachNanosecond() throws {
    let world = try World(
      .timer(
        Specs([0, 1e-12].map { TimerSpec(start: 0, step: 1, resetAt: 10, interval: $0) })))
    // 16,666,666 and 1,000,000,000 timer ticks.
    for (tick, x) in [(0, 0), (1, 6), (60, 0)] as [(UInt64, Float)] {
      let values = Values(of: world, tick: tick)
      #expect(values.value(.x, entity: 0) == x, "tick \(tick)")
      #expect(values.value(.x, entity: 1) == x, "tick \(tick)")
    }
  }

  /// A digit's step counts as reached half a microsecond early, but not by more than an eighth of it.
  @Test func digitsOfMicrosecondsStepInTime() throws {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    let spec = ClockSpec(
      schedule: .animation(minimumInterval: nil, paused: false), start: start, zero: start,
      unit: 1e-6, base: 10, digitHeight: 1)
    let world = try World(.clock(Specs([spec])), rate: 2_000_000)
    let digits = (UInt64(0)..<24).map { -Values(of: world, tick: $0).value(.y, entity: 0) }
    #expect(digits == (0..<24).map { Float($0 / 2 % 10) })
  }
}
