// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many pages could take a frame now: nothing is encoded that nobody takes.
///
/// The server's thread writes it, and the thread that reads frames reads it.
package final class FrameDemand: Sendable {
  private let compact = Atomic<Int>(0)
  private let exact = Atomic<Int>(0)

  /// Nobody wants a frame yet.
  package init() {}

  /// Says how many pages could take a frame.
  package func set(compact: Int, exact: Int) {
    self.compact.store(compact, ordering: .relaxed)
    self.exact.store(exact, ordering: .relaxed)
  }

  /// Whether somebody could take a frame in one of the two encodings.
  package func has(isExact: Bool) -> Bool {
    0 < (isExact ? exact.load(ordering: .relaxed) : compact.load(ordering: .relaxed))
  }
}
