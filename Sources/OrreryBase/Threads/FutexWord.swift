// SPDX-License-Identifier: Apache-2.0

import CLinux
import Synchronization

/// A word on which threads of this process sleep until another one changes it and wakes them.
package struct FutexWord: ~Copyable, @unchecked Sendable {
  /// The word, at an address that the kernel can be given; valid as long as this value.
  package let atomic: UnsafeMutablePointer<Atomic<UInt32>>

  /// A word that is 0.
  package init() {
    atomic = .allocate(capacity: 1)
    atomic.initialize(to: Atomic(0))
  }

  deinit {
    atomic.deinitialize(count: 1)
    atomic.deallocate()
  }

  private var address: UnsafePointer<UInt32> {
    UnsafeRawPointer(atomic).assumingMemoryBound(to: UInt32.self)
  }

  /// Sleeps while the word has a value: until it is woken, a signal arrives, or `ns` nanoseconds have passed.
  package func wait(while value: UInt32, ns: UInt64) { linux_futex_wait(address, value, ns) }

  /// Wakes every thread that sleeps on the word.
  package func wakeAll() { linux_futex_wake_all(address) }
}
