// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Adds the hash terms of the values in a tile's columns that no kernel hashed when it stored them.
///
/// Per value: 4 or 2 bytes read, five operations of a lane.
func hashTile(_ tile: UnsafeMutablePointer<kernel_tile>, fieldCount: UInt32) {
  let count = Int(tile.pointee.count)
  for field in 0..<Int(fieldCount) {
    let firstKeys = HashTerms.keys(
      first: tile.pointee.first_entity, field: kernel_field_key(tile, field))
    for tick in 0..<Int(tile.pointee.ticks) {
      guard tile.pointee.hash_ticks >> UInt32(tick) & 1 != 0,
        let column = kernel_column(tile, field, tick)
      else { continue }
      let sum: SIMD8<UInt64>
      if tile.pointee.format == KERNEL_FIXED16 {
        sum = hashSum(count, firstKeys) { kernel_load_halves(column + $0 * 32) }
      } else {
        let words = column.assumingMemoryBound(to: Words.self)
        sum = hashSum(count, firstKeys) { words[$0] }
      }
      UnsafeMutableRawPointer(kernel_hash_sums(tile, tick))
        .assumingMemoryBound(to: SIMD8<UInt64>.self).pointee &+= sum
    }
  }
}

/// The sum over lane groups of words; the last one may be partial.
@inline(__always)
private func hashSum(
  _ count: Int, _ firstKeys: Words, _ words: (_ group: Int) -> Words
) -> SIMD8<UInt64> {
  var keys = firstKeys
  let groupStep = Words(repeating: UInt32(Words.scalarCount) &* HashTerms.keyStep)
  var sum = SIMD8<UInt64>(repeating: 0)
  let whole = count / Words.scalarCount
  for group in 0..<whole {
    sum &+= HashTerms.terms(words(group) ^ keys)
    keys &+= groupStep
  }
  let tailCount = count % Words.scalarCount
  if tailCount != 0 {
    sum &+= HashTerms.terms(words(whole), keys: keys, valueCount: tailCount)
  }
  return sum
}
