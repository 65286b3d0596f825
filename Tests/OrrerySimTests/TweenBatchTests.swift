// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import Testing

/// Goal: repeated tweens of every cycle are where their formula says, alone and among others.
///
/// Method: worlds of random tweens of several cycles, also without a table, against the cycle in `Double`;
/// bits of the same tweens in blocks of one cycle and of many.
@Suite struct TweenBatchTests {
  private static let cycles: [TweenCycle] = [
    .linear, TweenCycle(curve: .easeInOut), TweenCycle(curve: .easeInOut, autoreverses: true),
    TweenCycle(curve: .easeIn), TweenCycle(curve: .circularEaseIn, autoreverses: true),
    TweenCycle(curve: .steps(5)), TweenCycle(curve: .linear, autoreverses: true, hold: 0.3),
  ]

  private static func specs(
    _ count: Int, seed: UInt64, cycle: @escaping @Sendable (Int) -> TweenCycle
  ) -> Specs<TweenSpec> {
    let random = CounterRandom(seed: seed, use: .field, index: 0)
    return Specs(count: count) {
      TweenSpec(
        from: random.value(ValueRange(-900...0), $0, draw: 0),
        to: random.value(ValueRange(0...900), $0, draw: 1),
        period: random.value(ValueRange(1...60), $0, draw: 2), phase: random.unit($0, draw: 3),
        cycle: cycle($0))
    }
  }

  /// Distance of a value from the formula; at the end of a cycle the next one's start is as good.
  private static func error(_ spec: TweenSpec, _ seconds: Double, _ found: Float) -> Double {
    let turns = (spec.phase + seconds.truncatingRemainder(dividingBy: spec.period) / spec.period)
      .truncatingRemainder(dividingBy: 1)
    // Within 10^-7 turns of a jump, either side.
    return [-1e-7, 0, 1e-7].map { turn in
      let progress = spec.cycle.value(at: (turns + turn + 1).truncatingRemainder(dividingBy: 1))
      return abs(Double(found) - (spec.from + (spec.to - spec.from) * progress))
    }.min() ?? .infinity
  }

  /// Positions are right to 0.01 point after 24 h of ticks, whatever the curve.
  @Test func mixedFormsAreInPlaceAfterADay() throws {
    let specs = Self.specs(6_000, seed: 1) { Self.cycles[$0 % Self.cycles.count] }
    let world = try World(.tween(specs, .x))
    let day: UInt64 = 86_400 * 60
    for tick in [0, 1, 100, day, day + 12_345] {
      let values = Values(of: world, tick: tick)
      for entity in 0..<6_000 {
        let error = Self.error(specs[entity], Double(tick) / 60, values.value(.x, entity: entity))
        #expect(error <= 0.01, "entity \(entity), tick \(tick)")
      }
    }
  }

  /// The numbers of the named curves, through the batch.
  @Test(arguments: InstructionSet.supported)
  func namedCurvesHaveTheirNumbers(set: InstructionSet) throws {
    let curves: [(UnitCurve, [Double])] = [
      (.easeIn, [0.062282, 0.214861, 0.429120]), (.easeOut, [0.308366, 0.570880, 0.785139]),
      (.easeInOut, [0.081660, 0.331884, 0.668116]),
    ]
    let specs = Specs(
      curves.map { TweenSpec(from: 0, to: 1, period: 1, cycle: TweenCycle(curve: $0.0)) })
    let world = try World(.tween(specs, .opacity), set: set)
    for (index, tick) in [12, 24, 36].enumerated() as EnumeratedSequence<[UInt64]> {
      let values = Values(of: world, tick: tick)
      for (entity, curve) in curves.enumerated() {
        let found = Double(values.value(.opacity, entity: entity))
        #expect(abs(found - curve.1[index]) <= 2.5e-6, "\(curve.0), tick \(tick)")
      }
    }
  }

  /// [N-01] A tween has the same bits in a block of its own cycle and among others.
  @Test(arguments: InstructionSet.supported)
  func otherFormsChangeNothing(set: InstructionSet) throws {
    let mixed = Self.specs(5_000, seed: 2) { Self.cycles[$0 % Self.cycles.count] }
    for (index, cycle) in Self.cycles.enumerated() {
      let uniform = Self.specs(5_000, seed: 2) { _ in cycle }
      let (a, b) = (
        try World(.tween(mixed, .x), set: set), try World(.tween(uniform, .x), set: set)
      )
      for tick in [0, 1, 300, 1 << 30] as [UInt64] {
        let values = Values(of: a, tick: tick)
        let others = Values(of: b, tick: tick)
        let differing = stride(from: index, to: 5_000, by: Self.cycles.count).first {
          values.value(.x, entity: $0).bitPattern != others.value(.x, entity: $0).bitPattern
        }
        #expect(differing == nil, "cycle \(index), tick \(tick)")
      }
    }
  }

  /// [N-08] One hash on every instruction set and number of threads, by any way to a tick.
  @Test func hashesAreEqualEverywhere() throws {
    let specs = Self.specs(9_000, seed: 3) { Self.cycles[$0 / 3_000 + $0 % 3] }
    let baseline = try World(.tween(specs, .y), set: .baseline)
    for set in InstructionSet.supported {
      let world = try World(.tween(specs, .y), set: set, threads: 2)
      for tick in [600, 0, 1, 255, 256, 1 << 40] as [UInt64] {
        #expect(world.hash(tick) == baseline.hash(tick), "\(set), tick \(tick)")
      }
    }
  }

  @Test func propertyIsTheField() throws {
    let fields: [ViewProperty] = [.x, .y, .opacity, .scale, .rotation, .blur]
    for (property, field) in zip(ViewProperty.allCases, fields) {
      let specs = Specs([TweenSpec(from: 2, to: 4, period: 1, phase: 0.5)])
      let world = try World(.tween(specs, property))
      #expect(world.columns.map(\.field) == [field])
      #expect(Values(of: world, tick: 0).value(field, entity: 0) == 3)
    }
  }

  @Test func stepsAreTakenAtTheirTicks() throws {
    for count in [3, 4, 5, 60] {
      let specs = Specs([
        TweenSpec(from: 0, to: 1, period: 7, cycle: TweenCycle(curve: .steps(count)))
      ])
      let world = try World(.tween(specs, .x))
      let day: UInt64 = 86_400 * 60
      for tick in Array(0..<500) + Array(day..<day + 500) {
        let expected = Double(tick % 420 * UInt64(count) / 420) / Double(count)
        let found = Double(Values(of: world, tick: tick).value(.x, entity: 0))
        if abs(found - expected) > 1e-6 {
          Issue.record("\(count) steps, tick \(tick): \(found)")
          break
        }
      }
    }
  }
}
