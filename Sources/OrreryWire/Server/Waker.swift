// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import Synchronization

/// Wakes one thread that sleeps in `poll`; a system call only if it sleeps.
package final class Waker: Sendable {
  private let event: FileDescriptor
  private let isAsleep = Atomic(false)
  private let isPending = Atomic(false)

  package init(path: String) throws(SystemCallError) {
    event = FileDescriptor(owning: try systemCall("eventfd", path) { linux_wake_descriptor() })
  }

  /// Becomes readable when somebody wakes the sleeper.
  package var descriptor: CInt { event.number }

  /// Makes the sleeper look at what has changed.
  package func wake() {
    // Pairs with `beginSleep`: of two threads that each store one flag and then look at the other's, at
    // least one sees the other's.
    isPending.store(true, ordering: .sequentiallyConsistent)
    guard isAsleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
    var one: UInt64 = 1
    _ = write(event.number, &one, 8)
  }

  /// To be called before sleeping.
  ///
  /// - Returns: False if there is something to look at, and no time to sleep.
  package func beginSleep() -> Bool {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    guard isPending.load(ordering: .sequentiallyConsistent) else { return true }
    isAsleep.store(false, ordering: .relaxed)
    return false
  }

  /// To be called after sleeping, or not, and before looking.
  ///
  /// - Parameter isSignalled: Whether the descriptor was found readable: it stays so until then.
  package func endSleep(isSignalled: Bool) {
    isAsleep.store(false, ordering: .sequentiallyConsistent)
    isPending.store(false, ordering: .sequentiallyConsistent)
    guard isSignalled else { return }
    var count: UInt64 = 0
    _ = read(event.number, &count, 8)
  }
}
