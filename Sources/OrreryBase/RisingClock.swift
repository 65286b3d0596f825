// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A clock that others may set back, made one that only rises.
///
/// Any thread may ask it.
package final class RisingClock: Sendable {
  /// What it said last, and what is added to the clock since it was set back, both in nanoseconds.
  private let last = Atomic<UInt64>(0)
  private let added = Atomic<UInt64>(0)

  /// The clock is taken for set back if it is behind by more: threads that have just read it do not tell it
  /// in the order in which they read it.
  private static let setBackNs: UInt64 = 1_000_000

  package init() {}

  /// What to say when the clock reads `clockNs`: more than ever before.
  package func timeNs(clockNs: UInt64) -> UInt64 {
    while true {
      let before = last.load(ordering: .relaxed)
      let added = self.added.load(ordering: .relaxed)
      var time = clockNs &+ added
      if time <= before {
        let behind = before - time
        time = before + 1
        if behind > Self.setBackNs {
          _ = self.added.compareExchange(
            expected: added, desired: added &+ behind, ordering: .relaxed)
        }
      }
      if last.compareExchange(expected: before, desired: time, ordering: .relaxed).exchanged {
        return time
      }
    }
  }
}
