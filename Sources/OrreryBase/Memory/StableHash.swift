// SPDX-License-Identifier: Apache-2.0

/// A 64-bit hash that is the same in every process and version, unlike `Hasher`.
///
/// For small tables, not for values of a tick: each word passes through the finaliser of SplitMix64.
@usableFromInline package struct StableHash: Sendable {
  /// The hash of all words so far.
  package private(set) var value: UInt64 = 0x9e37_79b9_7f4a_7c15

  package init() {}

  /// Adds one more word; the order of words matters.
  package mutating func combine(_ word: UInt64) {
    value = Self.mix(value &+ 0x9e37_79b9_7f4a_7c15 ^ word)
  }

  /// The finaliser of SplitMix64: a bijection that spreads every bit over all.
  ///
  /// Inlinable because each disc of a field draws up to seven numbers, with two calls for each.
  @inlinable package static func mix(_ word: UInt64) -> UInt64 {
    var mixed = word
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
