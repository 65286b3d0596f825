// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// The terms of the state hash: see docs/explained/determinism.md.
///
///     w(i)   value i as its column holds it, as a word of 32 bits
///     m(i) = w(i) ^ key(i),  key(i) = (firstEntity + i) · 0x9E3779B1 + fieldKey       modulo 2^32
///     term of the values 2j and 2j + 1 = m(2j) · m(2j+1) + (m(2j) · 2^32 | m(2j+1))   modulo 2^64
///
/// Changing one value changes its pair's term: by the difference times the partner, plus the difference
/// in the term's other half, so the two cannot cancel out. The sum does not depend on the order or the
/// grouping of pairs, so lanes, threads and shards combine by addition. Per value: five operations of a
/// lane.
enum HashTerms {
  /// 2^32 divided by the golden ratio, made odd: the keys of neighbours differ in many bits.
  static var keyStep: UInt32 { 0x9e37_79b1 }

  /// The keys of sixteen entities of a field.
  @inline(__always)
  static func keys(first: UInt32, field: UInt32) -> Words {
    let lanes = Words(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    return lanes &* keyStep &+ (first &* keyStep &+ field)
  }

  /// The terms of the pairs of sixteen keyed words.
  @inline(__always)
  static func terms(_ words: Words) -> SIMD8<UInt64> {
    let pairs = unsafeBitCast(words, to: SIMD8<UInt64>.self)
    let swapped = unsafeBitCast(kernel_swap(words), to: SIMD8<UInt64>.self)
    return (pairs & 0xffff_ffff) &* (swapped & 0xffff_ffff) &+ swapped
  }

  /// The terms of the first `valueCount` of sixteen words, with their keys.
  ///
  /// A missing partner counts as the word 0; a pair of two missing words has no term.
  @inline(__always)
  static func terms(_ words: Words, keys: Words, valueCount: Int) -> SIMD8<UInt64> {
    var known = words
    for lane in valueCount..<Words.scalarCount { known[lane] = 0 }
    var sum = terms(known ^ keys)
    for pair in (valueCount + 1) / 2..<SIMD8<UInt64>.scalarCount { sum[pair] = 0 }
    return sum
  }
}
