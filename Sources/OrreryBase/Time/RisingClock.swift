// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Turns a clock that can be set back into one that only rises.
///
/// Any thread may call it.
package final class RisingClock: Sendable {
  /// The last time returned, and the correction since the clock was set back, in nanoseconds.
  private let last = Atomic<UInt64>(0)
  private let added = Atomic<UInt64>(0)

  /// Larger steps back mean that the clock was set back.
  ///
  /// Smaller ones come from threads that call in another order than they read the clock.
  private static let setBackNs: UInt64 = 1_000_000

  package init() {}

  /// The time for the clock reading `clockNs`: always later than all times before.
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
