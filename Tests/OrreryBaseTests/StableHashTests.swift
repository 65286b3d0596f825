// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import Testing

/// Goal: the hash is the same for ever, and sees every word and its place.
///
/// Method: constants computed by another program, and SplitMix64's published first outputs.
@Suite struct StableHashTests {
  private static func hash(_ words: [UInt64]) -> UInt64 {
    var hash = StableHash()
    for word in words { hash.combine(word) }
    return hash.value
  }

  @Test(
    arguments: [
      ([], 0x9e37_79b9_7f4a_7c15),
      ([0], 0x6e78_9e6a_a1b9_65f4),
      ([1], 0xbeeb_8da1_658e_ec67),
      ([1, 2], 0x53a9_c5fd_cef6_68d7),
      ([2, 1], 0x3ecd_0574_33cf_b281),
      ([.max], 0x738b_10af_1713_67ff),
    ] as [([UInt64], UInt64)])
  func hashIsTheConstant(words: [UInt64], expected: UInt64) {
    #expect(Self.hash(words) == expected)
  }

  @Test func mixIsTheFinaliserOfSplitMix64() {
    // The first three outputs for seed 0, whose state goes up by the golden ratio.
    let golden: UInt64 = 0x9e37_79b9_7f4a_7c15
    #expect(StableHash.mix(golden) == 0xe220_a839_7b1d_cdaf)
    #expect(StableHash.mix(golden &* 2) == 0x6e78_9e6a_a1b9_65f4)
    #expect(StableHash.mix(golden &* 3) == 0x06c4_5d18_8009_454f)
  }

  @Test func everyBitOfAWordMatters() {
    let hashes = (0..<64 as Range<UInt64>).map { Self.hash([1 << $0]) } + [Self.hash([0])]
    #expect(Set(hashes).count == 65)
  }

  @Test func orderAndCountOfWordsMatter() {
    let hashes = [[], [0], [0, 0], [0, 1], [1, 0], [1]].map(Self.hash)
    #expect(Set(hashes).count == 6)
  }
}
