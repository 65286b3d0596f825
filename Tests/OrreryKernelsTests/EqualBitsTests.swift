// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySim
import Testing

/// Goal: all instruction sets give the same bits, whatever the input, and a lane touches no other.
///
/// Method: the same columns through every set that the machine has; random bits as phases; sizes of
/// every magnitude that a float has, denormal and infinite ones among them.
@Suite struct EqualBitsTests {
  @Test(arguments: KernelKind.allCases, KernelColumns.counts)
  func everySetGivesTheSameBits(kind: KernelKind, count: Int) {
    for seed in KernelColumns.seeds {
      for elapsed: UInt32 in [0, 1, 97, 255, .max] {
        let bits = InstructionSet.supported.map { set in
          let columns = KernelColumns(count: count, seed: seed)
          kind.evaluate(columns, elapsed: elapsed, set)
          return columns.bits
        }
        #expect(bits.allSatisfy { $0 == bits[0] }, "seed \(seed), elapsed \(elapsed)")
      }
    }
  }

  @Test(arguments: KernelKind.allCases)
  func extremeSizesGiveTheSameBits(kind: KernelKind) {
    for seed in KernelColumns.seeds {
      let bits = InstructionSet.supported.map { set in
        let columns = KernelColumns(count: 10_000, seed: seed)
        let random = CounterRandom(seed: seed, use: .field, index: 1)
        for entity in 0..<columns.count {
          columns.start.values[entity] = Self.extreme(random.bits(entity, draw: 0))
          columns.size.values[entity] = Self.extreme(random.bits(entity, draw: 1))
        }
        kind.evaluate(columns, elapsed: 200, set)
        return columns.bits
      }
      #expect(bits.allSatisfy { $0 == bits[0] }, "seed \(seed)")
    }
  }

  @Test(arguments: KernelKind.allCases, InstructionSet.supported)
  func oddLaneTouchesNoOther(kind: KernelKind, set: InstructionSet) {
    let odd: [Float] = [.infinity, -.infinity, .nan, .leastNonzeroMagnitude, 3e38]
    for lane in 0..<33 {
      for value in odd {
        let (plain, touched) = (
          KernelColumns(count: 33, seed: 1), KernelColumns(count: 33, seed: 1)
        )
        touched.size.values[lane] = value
        touched.start.values[lane] = value
        kind.evaluate(plain, elapsed: 7, set)
        kind.evaluate(touched, elapsed: 7, set)
        let (before, after) = (plain.bits, touched.bits)
        let changed = before.indices.filter { before[$0] != after[$0] && $0 % 33 != lane }
        #expect(changed == [], "\(value) in lane \(lane)")
      }
    }
  }

  @Test(arguments: KernelKind.allCases, InstructionSet.supported)
  func nothingBehindTheEndIsWritten(kind: KernelKind, set: InstructionSet) {
    for count in KernelColumns.counts + Array(2..<15) {
      let columns = KernelColumns(count: count, seed: 1)
      kind.evaluate(columns, elapsed: 3, set)
      #expect(columns.guardsHold, "\(count) entities")
    }
  }

  /// Any float but a NaN: which payload comes out of two NaNs is not promised.
  private static func extreme(_ bits: UInt64) -> Float {
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
    return value.isNaN ? .infinity : value
  }
}
