// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import Synchronization

/// Wakes one thread that sleeps in `poll`; a system call only if it sleeps.
package final class Waker: Sendable {
  private let event: FileDescriptor
  private let isAsleep = Atomic(false)
  private let isPending = Atomic(false)

  package init(path: String) throws(SystemCallError) {
    event = try .wakeDescriptor(path)
  }

  /// Becomes readable when the sleeping thread is woken.
  package var descriptor: CInt { event.number }

  /// Wakes the thread if it sleeps; otherwise its next `beginSleep` returns false.
  package func wake() {
    // Pairs with `beginSleep`: each thread stores its own flag and then loads the other's, so at
    // least one of them sees the other's store.
    isPending.store(true, ordering: .sequentiallyConsistent)
    guard isAsleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
    event.signal()
  }

  /// Announces a sleep; called before it.
  ///
  /// - Returns: False if a wake is pending, so that the caller must not sleep.
  package func beginSleep() -> Bool {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    guard isPending.load(ordering: .sequentiallyConsistent) else { return true }
    isAsleep.store(false, ordering: .relaxed)
    return false
  }

  /// Clears pending wakes; called before each look for work, whether the thread slept or not.
  ///
  /// - Parameter isSignalled: Whether the descriptor was found readable; this call resets it.
  package func endSleep(isSignalled: Bool) {
    isAsleep.store(false, ordering: .sequentiallyConsistent)
    isPending.store(false, ordering: .sequentiallyConsistent)
    if isSignalled { event.drain() }
  }
}
