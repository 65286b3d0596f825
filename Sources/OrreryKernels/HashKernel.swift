// SPDX-License-Identifier: Apache-2.0

/// Sums the hash terms of a column of values.
///
///     term(v, entity, field) = mix(bits(v) ^ key) · (~key | 1)   in 64 bits
///     key = entity · 0x9E3779B1 + fieldKey                       in 32 bits
///
/// `mix` is a bijection of 32 bits and the factor is odd, so any change of a single value changes
/// the sum; the sum does not depend on the order or the grouping of its terms, so lanes, threads
/// and shards combine by addition. Per value: 4 bytes read; bound by arithmetic.
func hashColumn(
  count: UInt32, values: UnsafePointer<Float>, firstEntity: UInt32, fieldKey: UInt32
) -> UInt64 {
  let lanes = Words.scalarCount
  let words = groups(UnsafeRawPointer(values).assumingMemoryBound(to: UInt32.self))
  var key = Words(repeating: firstEntity &* keyStep &+ fieldKey)
  for lane in 0..<lanes { key[lane] &+= UInt32(lane) &* keyStep }
  let groupStep = Words(repeating: UInt32(lanes) &* keyStep)

  var sum = SIMD8<UInt64>(repeating: 0)
  let wholeGroups = Int(count) / lanes
  for i in 0..<wholeGroups {
    sum &+= terms(words[i], key)
    key &+= groupStep
  }
  var total = sum.wrappedSum()
  for lane in 0..<(Int(count) % lanes) {
    total &+= term(values[wholeGroups * lanes + lane].bitPattern, key[lane])
  }
  return total
}

/// 2^32 divided by the golden ratio, made odd: keys of neighbours differ in many bits.
private let keyStep: UInt32 = 0x9e37_79b1

/// The terms of sixteen values, added in pairs.
@inline(__always)
private func terms(_ values: Words, _ key: Words) -> SIMD8<UInt64> {
  var mixed = values ^ key
  mixed ^= mixed &>> 16
  mixed = mixed &* 0x85eb_ca6b
  mixed ^= mixed &>> 13
  mixed = mixed &* 0xc2b2_ae35
  mixed ^= mixed &>> 16
  let factors = unsafeBitCast(~key | 1, to: SIMD8<UInt64>.self)
  let products = unsafeBitCast(mixed, to: SIMD8<UInt64>.self)
  let even = (products & 0xffff_ffff) &* (factors & 0xffff_ffff)
  let odd = (products &>> 32) &* (factors &>> 32)
  return even &+ odd
}

/// The term of one value.
private func term(_ bits: UInt32, _ key: UInt32) -> UInt64 {
  var mixed = bits ^ key
  mixed ^= mixed >> 16
  mixed = mixed &* 0x85eb_ca6b
  mixed ^= mixed >> 13
  mixed = mixed &* 0xc2b2_ae35
  mixed ^= mixed >> 16
  return UInt64(mixed) &* UInt64(~key | 1)
}
