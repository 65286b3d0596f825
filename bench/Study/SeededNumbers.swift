// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Random numbers of a seed: the same in every run, so that an interval is computed again as it was.
package struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// Numbers of a seed.
  package init(seed: UInt64) { state = seed }

  /// The next number (SplitMix64).
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return StableHash.mix(state)
  }
}
