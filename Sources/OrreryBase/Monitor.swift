// SPDX-License-Identifier: Apache-2.0

import Glibc

/// State that threads share under a lock, and sleep on until it is what they wait for.
///
/// A POSIX lock and condition, not `Synchronization.Mutex`, which has nothing to wait on and which the
/// thread sanitizer does not see.
package final class Monitor<State>: @unchecked Sendable {
  /// Both in memory of their own: they must not move.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  /// Touched under `mutex` only.
  private var state: State

  /// A lock around this state.
  package init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    let failure = max(pthread_mutex_init(mutex, nil), pthread_cond_init(changed, nil))
    precondition(failure == 0, "a lock cannot be made: errno \(failure)")
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Reads the state.
  package func read<Result>(_ body: (State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(state)
  }

  /// Changes the state and wakes whoever waits for a change.
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let result = body(&state)
    pthread_cond_broadcast(changed)
    return result
  }

  /// Sleeps until `body` has a result; what it changes then wakes others too.
  ///
  /// `body` runs now and after each change, and must leave the state alone when it returns nil.
  package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) {
        pthread_cond_broadcast(changed)
        return result
      }
      pthread_cond_wait(changed, mutex)
    }
  }
}
