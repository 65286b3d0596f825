// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrrerySim
import Testing

/// Goal: every kernel places every lane where the formula of its kind says.
///
/// Method: random columns of sizes around lane groups and blocks, each value compared with
/// `ScalarOracle`; for orbits also every phase that a kernel can tell apart.
@Suite struct PlacementKernelTests {
  /// Half of the last bit of the turn fraction, and half of the last bit of the product.
  static let turnTolerance = 0x1p-24 + 0x1p-24

  /// As docs/explained/kernels.md derives it, at a border of tiles.
  static let orbitTolerance = 5e-7

  /// The same at the last tick of a tile, seven turns later.
  static let turnedOrbitTolerance = 1.2e-6

  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func marqueesMatchTheOracle(set: InstructionSet, count: Int) {
    for seed in KernelColumns.seeds {
      for elapsed: UInt32 in [0, 1, 255] {
        let columns = KernelColumns(count: count, seed: seed)
        KernelKind.marquee.evaluate(columns, elapsed: elapsed, set)
        let wrong = (0..<count).first { entity in
          let span = Double(columns.size.values[entity])
          let turns = turns(columns, entity, elapsed)
          let expected = ScalarOracle.marquee(
            turns: turns, period: abs(span), movesLeft: span < 0)
          let found = Double(columns.x.values[entity])
          let error = ScalarOracle.distance(found, expected, onLoopOf: span)
          return !(error <= Self.turnTolerance * abs(span)) || !(abs(found) < abs(span))
        }
        #expect(wrong == nil, "seed \(seed), elapsed \(elapsed)")
      }
    }
  }

  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func tweensMatchTheOracle(set: InstructionSet, count: Int) {
    for seed in KernelColumns.seeds {
      for elapsed: UInt32 in [0, 1, 255] {
        let columns = KernelColumns(count: count, seed: seed)
        KernelKind.tween.evaluate(columns, elapsed: elapsed, set)
        let wrong = (0..<count).first { entity in
          let (from, span) = (
            Double(columns.start.values[entity]), Double(columns.size.values[entity])
          )
          let expected = ScalarOracle.tween(
            progress: turns(columns, entity, elapsed), from: from, to: from + span)
          let found = Double(columns.x.values[entity])
          let error = ScalarOracle.distance(found, expected, onLoopOf: span)
          let sumTolerance = 0x1p-24 * (abs(from) + abs(span))
          return !(error <= Self.turnTolerance * abs(span) + sumTolerance)
        }
        #expect(wrong == nil, "seed \(seed), elapsed \(elapsed)")
      }
    }
  }

  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func orbitsMatchTheOracle(set: InstructionSet, count: Int) {
    for seed in KernelColumns.seeds {
      for elapsed: UInt32 in [0, 1, 255] {
        let columns = KernelColumns(count: count, seed: seed)
        KernelKind.orbit.evaluate(columns, elapsed: elapsed, set)
        let wrong = (0..<count).first { entity in
          let radius = Double(columns.size.values[entity])
          let expected = ScalarOracle.orbit(
            turns: turns(columns, entity, elapsed), radius: radius)
          let bound = Self.orbitTolerance * abs(radius)
          return !(abs(Double(columns.x.values[entity]) - expected.x) <= bound)
            || !(abs(Double(columns.y.values[entity]) - expected.y) <= bound)
        }
        #expect(wrong == nil, "seed \(seed), elapsed \(elapsed)")
      }
    }
  }

  @Test(arguments: InstructionSet.supported)
  func turnedOrbitsMatchTheOracle(set: InstructionSet) {
    for seed in KernelColumns.seeds {
      let columns = KernelColumns(count: 10_000, seed: seed)
      let tile = KernelTile()
      tile.pointer.pointee.elapsed = 3
      tile.pointer.pointee.skipped = 7
      kernel_set_column(tile.pointer, 0, 0, columns.x.values)
      kernel_set_column(tile.pointer, 1, 0, columns.y.values)
      KernelKind.orbit.evaluate(columns, in: tile.pointer, set)
      var errorMax = 0.0
      for entity in 0..<columns.count {
        let radius = Double(columns.size.values[entity])
        let expected = ScalarOracle.orbit(turns: turns(columns, entity, 10), radius: radius)
        let (x, y) = (Double(columns.x.values[entity]), Double(columns.y.values[entity]))
        errorMax = max(errorMax, abs(x - expected.x) / abs(radius))
        errorMax = max(errorMax, abs(y - expected.y) / abs(radius))
      }
      #expect(errorMax <= Self.turnedOrbitTolerance, "seed \(seed)")
    }
  }

  /// The kernel tells 2^23 places in each quarter turn apart, each 2^7 wide: the first phase of
  /// every other place and the last phase of the others.
  @Test func everyPhaseOfATurnStaysOnItsCircle() {
    let count = 1 << 16
    let columns = KernelColumns(count: count, seed: 1)
    for entity in 0..<count { columns.size.values[entity] = 1 }
    var (errorMax, offCircleMax) = (0.0, 0.0)
    for chunk in 0..<UInt32(1 << 9) {
      for entity in 0..<count {
        let index = chunk << 16 | UInt32(entity)
        columns.phase.values[entity] = index << 7 | (index & 1) * 127
      }
      KernelKind.orbit.evaluate(columns, elapsed: 0, .best)
      for entity in 0..<count {
        let turns = Double(columns.phase.values[entity]) * 0x1p-32
        let (x, y) = (Double(columns.x.values[entity]), Double(columns.y.values[entity]))
        let expected = ScalarOracle.orbit(turns: turns, radius: 1)
        errorMax = max(errorMax, abs(x - expected.x), abs(y - expected.y))
        offCircleMax = max(offCircleMax, abs((x * x + y * y).squareRoot() - 1))
      }
    }
    #expect(errorMax <= Self.orbitTolerance)
    #expect(offCircleMax <= 2e-7)
  }

  @Test(arguments: InstructionSet.supported)
  func quartersOfATurnAreExact(set: InstructionSet) {
    let columns = KernelColumns(count: 4, seed: 1)
    for entity in 0..<4 {
      columns.phase.values[entity] = UInt32(entity) << 30
      columns.size.values[entity] = 250
    }
    KernelKind.orbit.evaluate(columns, elapsed: 0, set)
    #expect((0..<4).map { columns.x.values[$0] } == [250, 0, -250, 0])
    #expect((0..<4).map { columns.y.values[$0] } == [0, 250, 0, -250])
  }

  @Test(arguments: InstructionSet.supported)
  func leftwardMarqueeStartsAtPlusZero(set: InstructionSet) {
    let columns = KernelColumns(count: 17, seed: 1)
    for entity in 0..<17 {
      columns.phase.values[entity] = 0
      columns.size.values[entity] = -438
    }
    KernelKind.marquee.evaluate(columns, elapsed: 0, set)
    #expect((0..<17).allSatisfy { columns.x.values[$0].bitPattern == 0 })
  }

  private func turns(_ columns: KernelColumns, _ entity: Int, _ elapsed: UInt32) -> Double {
    ScalarOracle.turns(
      phase: columns.phase.values[entity], step: columns.step.values[entity], elapsed: elapsed)
  }
}
