// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrreryScene
import OrrerySim
import Testing

/// Goal: the hash kernel computes what docs/explained/determinism.md defines, and sees every change.
///
/// Method: a scalar implementation of the document; random columns; then one bit, one place or one
/// value at a time is changed.
@Suite struct HashKernelTests {
  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func kernelsComputeTheDefinition(set: InstructionSet, count: Int) {
    for seed in KernelColumns.seeds {
      let values = randomValues(count, seed: seed)
      for firstEntity: UInt32 in [0, 1, 4_096, 99_999_999, .max] {
        let key: UInt32 = 0x100b_05e5
        let expected = Self.definition(
          values.map(\.bitPattern), firstEntity: firstEntity, fieldKey: key)
        #expect(
          hash(values, firstEntity: firstEntity, fieldKey: key, set) == expected,
          "seed \(seed), first entity \(firstEntity)")
        let halves = values.map { UInt16(truncatingIfNeeded: $0.bitPattern) }
        #expect(
          hash(halves: halves, firstEntity: firstEntity, fieldKey: key, set)
            == Self.definition(
              halves.map(UInt32.init), firstEntity: firstEntity, fieldKey: key),
          "16 bits, seed \(seed), first entity \(firstEntity)")
      }
    }
  }

  @Test func emptyColumnIsZero() { #expect(hash([]) == 0) }

  @Test(arguments: KernelColumns.seeds)
  func partsAddUpToTheWhole(seed: UInt64) {
    let values = randomValues(333, seed: seed)
    let whole = hash(values)
    // Cuts between pairs: blocks have an even number of entities.
    for cut in stride(from: 0, through: values.count, by: 2) {
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

  /// The section "The state hash" of docs/explained/determinism.md, one pair at a time.
  private static func definition(
    _ words: [UInt32], firstEntity: UInt32, fieldKey: UInt32
  ) -> UInt64 {
    func keyed(_ index: Int) -> UInt64 {
      let entity = UInt64(firstEntity) + UInt64(index)
      let key = (entity &* 2_654_435_761 &+ UInt64(fieldKey)) & 0xffff_ffff
      return UInt64(index < words.count ? words[index] : 0) ^ key
    }
    return stride(from: 0, to: words.count, by: 2).reduce(0) { sum, index in
      let (first, second) = (keyed(index), keyed(index + 1))
      return sum &+ first &* second &+ (first << 32 | second)
    }
  }

  private func hash(
    _ values: [Float], firstEntity: UInt32 = 0, fieldKey: UInt32 = 1, _ set: InstructionSet = .best
  ) -> UInt64 {
    let column = Column<Float>(count: values.count, zero: 0)
    for index in values.indices { column.values[index] = values[index] }
    return hash(
      column.values, values.count, KERNEL_FLOAT32, firstEntity, fieldKey, set)
  }

  private func hash(
    halves values: [UInt16], firstEntity: UInt32, fieldKey: UInt32, _ set: InstructionSet
  ) -> UInt64 {
    let column = Column<UInt16>(count: values.count + 16, zero: 0xaaaa)
    for index in values.indices { column.values[index] = values[index] }
    return hash(column.values, values.count, KERNEL_FIXED16, firstEntity, fieldKey, set)
  }

  private func hash(
    _ column: UnsafeMutableRawPointer, _ count: Int, _ format: Int32, _ firstEntity: UInt32,
    _ fieldKey: UInt32, _ set: InstructionSet
  ) -> UInt64 {
    let tile = KernelTile()
    tile.pointer.pointee.count = UInt32(count)
    tile.pointer.pointee.format = UInt32(format)
    tile.pointer.pointee.first_entity = firstEntity
    tile.pointer.pointee.hash_ticks = 1
    kernel_set_field_key(tile.pointer, 0, fieldKey)
    kernel_set_column(tile.pointer, 0, 0, column)
    set.kernels().hash(tile.pointer, 1)
    return tile.pointer.hash(tick: 0)
  }

  /// Any bits at all: a hash is of bits.
  private func randomValues(_ count: Int, seed: UInt64) -> [Float] {
    let random = CounterRandom(seed: seed, use: .field, index: 0)
    return (0..<count).map {
      Float(bitPattern: UInt32(truncatingIfNeeded: random.bits($0, draw: 0)))
    }
  }
}
