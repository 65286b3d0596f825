// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySim
import Testing

/// Goal: the hash kernel computes what docs/determinism.md defines, and sees every change.
///
/// Method: a scalar implementation of the document; random columns; then one bit, one place or one
/// value at a time is changed.
@Suite struct HashKernelTests {
  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func kernelsComputeTheDefinition(set: InstructionSet, count: Int) {
    for seed in KernelColumns.seeds {
      let values = randomValues(count, seed: seed)
      for firstEntity: UInt32 in [0, 1, 4_096, 99_999_999, .max] {
        let expected = Self.definition(values, firstEntity: firstEntity, fieldKey: 0x100b_05e5)
        #expect(
          hash(values, firstEntity: firstEntity, fieldKey: 0x100b_05e5, set) == expected,
          "seed \(seed), first entity \(firstEntity)")
      }
    }
  }

  @Test func emptyColumnIsZero() { #expect(hash([]) == 0) }

  @Test(arguments: KernelColumns.seeds)
  func partsAddUpToTheWhole(seed: UInt64) {
    let values = randomValues(333, seed: seed)
    let whole = hash(values)
    for cut in 0...values.count {
      let (head, tail) = (Array(values[..<cut]), Array(values[cut...]))
      let sum = hash(head) &+ hash(tail, firstEntity: UInt32(cut))
      #expect(sum == whole, "cut at \(cut)")
    }
  }

  @Test(arguments: KernelColumns.seeds)
  func anyFlippedBitChangesTheHash(seed: UInt64) {
    var values = randomValues(65, seed: seed)
    let whole = hash(values)
    for index in values.indices {
      for bit in 0..<32 {
        let original = values[index]
        values[index] = Float(bitPattern: original.bitPattern ^ 1 << UInt32(bit))
        #expect(hash(values) != whole, "value \(index), bit \(bit)")
        values[index] = original
      }
    }
  }

  @Test(arguments: KernelColumns.seeds)
  func exchangedValuesChangeTheHash(seed: UInt64) {
    var values = randomValues(100, seed: seed)
    let whole = hash(values)
    for first in 0..<99 {
      for second in (first + 1)..<100 {
        values.swapAt(first, second)
        #expect(hash(values) != whole, "\(first) and \(second)")
        values.swapAt(first, second)
      }
    }
  }

  @Test func fieldsAndPlacesOfEqualValuesDiffer() {
    let values = [Float](repeating: 1, count: 100)
    let hashes = [
      hash(values), hash(values, firstEntity: 100), hash(values, fieldKey: 2),
      hash(values + [0]), hash(values.map { -$0 }),
    ]
    #expect(Set(hashes).count == hashes.count)
  }

  @Test func zerosOfBothSignsDiffer() { #expect(hash([0]) != hash([-0.0])) }

  /// The section "The state hash" of docs/determinism.md, one value at a time.
  private static func definition(
    _ values: [Float], firstEntity: UInt32, fieldKey: UInt32
  ) -> UInt64 {
    var sum: UInt64 = 0
    for (index, value) in values.enumerated() {
      let entity = UInt64(firstEntity) + UInt64(index)
      let key = (entity &* 2_654_435_761 &+ UInt64(fieldKey)) & 0xffff_ffff
      var word = UInt64(value.bitPattern) ^ key
      word ^= word >> 16
      word = word &* 2_246_822_507 & 0xffff_ffff
      word ^= word >> 13
      word = word &* 3_266_489_909 & 0xffff_ffff
      word ^= word >> 16
      let factor = (0xffff_ffff - key) | 1
      sum = sum &+ word &* factor
    }
    return sum
  }

  private func hash(
    _ values: [Float], firstEntity: UInt32 = 0, fieldKey: UInt32 = 1, _ set: InstructionSet = .best
  ) -> UInt64 {
    let column = Column<Float>(count: values.count, zero: 0)
    for index in values.indices { column.values[index] = values[index] }
    return set.kernels().hash(UInt32(values.count), column.values, firstEntity, fieldKey)
  }

  /// Any bits at all: a hash is of bits.
  private func randomValues(_ count: Int, seed: UInt64) -> [Float] {
    let random = CounterRandom(seed: seed, use: .field, index: 0)
    return (0..<count).map {
      Float(bitPattern: UInt32(truncatingIfNeeded: random.bits($0, draw: 0)))
    }
  }
}
