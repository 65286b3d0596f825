// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import Testing

/// Goal: what an entity does, does not depend on the others of its batch.
///
/// Method: entity 777,777 of a million, and entities elsewhere, against the same spec alone.
@Suite struct NeighbourTests {
  /// Blocks are re-anchored at different ticks, so the rounded step is multiplied by different
  /// times: at most 2^-25 turns off, on either side.
  static let turnTolerance = 0x1p-24

  static let ticks: [UInt64] = [0, 1, 77, 256, 1_000, 86_400 * 60]

  private func orbits(_ count: Int) -> Specs<OrbitSpec> {
    let random = CounterRandom(seed: 1, use: .field, index: 0)
    return Specs(count: count) {
      OrbitSpec(
        radius: random.value(ValueRange(4...60), $0, draw: 0),
        period: random.value(ValueRange(10...100), $0, draw: 1),
        phase: random.unit($0, draw: 2))
    }
  }

  @Test func entityAloneIsWhereItIsInAMillion() throws {
    let (specs, number) = (orbits(1_000_000), 777_777)
    let (million, alone) = (try World(.orbit(specs)), try World(.orbit(Specs([specs[number]]))))
    for tick in Self.ticks {
      let many = Values(of: million, tick: tick)
      let one = Values(of: alone, tick: tick)
      // Twice: the last bit of the phase may fall to either side where the kernel cuts it.
      let bound = specs[number].radius * 2 * .pi * 2 * Self.turnTolerance
      for field in [ViewProperty.x, .y] {
        let error = many.value(field, entity: number) - one.value(field, entity: 0)
        #expect(Double(abs(error)) <= bound, "tick \(tick)")
      }
    }
  }

  /// Blocks 0 and 1024 take their turns at the same ticks.
  @Test func blocksWithOneTurnHaveTheSameBits() throws {
    let number = 1024 * Blocks.entityCount + 1_234
    let specs = orbits(number + 10)
    let (many, alone) = (try World(.orbit(specs)), try World(.orbit(Specs([specs[number]]))))
    for tick in Self.ticks {
      let whole = Values(of: many, tick: tick)
      let one = Values(of: alone, tick: tick)
      #expect(whole.value(.x, entity: number) == one.value(.x, entity: 0), "tick \(tick)")
      #expect(whole.value(.y, entity: number) == one.value(.y, entity: 0), "tick \(tick)")
    }
  }

  /// Within a block, number and neighbours change nothing at all.
  @Test func lanesAndBatchSizesGiveTheSameBits() throws {
    let specs = orbits(2_000)
    let whole = try World(.orbit(specs))
    for number in [0, 1, 15, 16, 1_345, 1_999] {
      let alone = try World(.orbit(Specs([specs[number]])))
      for tick in Self.ticks {
        let many = Values(of: whole, tick: tick)
        let one = Values(of: alone, tick: tick)
        #expect(many.value(.x, entity: number) == one.value(.x, entity: 0), "tick \(tick)")
        #expect(many.value(.y, entity: number) == one.value(.y, entity: 0), "tick \(tick)")
      }
    }
  }

  @Test(arguments: 496..<512)
  func oddEntityAmongAThousandTouchesNoOther(number: Int) throws {
    let plain = orbits(1_000)
    let odd = Specs(count: 1_000) {
      $0 == number ? OrbitSpec(radius: .infinity, period: 10, phase: 0) : plain[$0]
    }
    let (before, after) = (try World(.orbit(plain)), try World(.orbit(odd)))
    for tick in Self.ticks {
      let a = Values(of: before, tick: tick)
      let b = Values(of: after, tick: tick)
      let changed = (0..<1_000).filter {
        a.value(.x, entity: $0) != b.value(.x, entity: $0)
          || a.value(.y, entity: $0) != b.value(.y, entity: $0)
      }
      #expect(changed == [number], "tick \(tick)")
    }
  }
}
