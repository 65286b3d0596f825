// SPDX-License-Identifier: Apache-2.0

import Glibc

/// State that threads share under a lock, with a way to wait for a change of it.
///
/// A POSIX mutex and condition variable: `Synchronization.Mutex` has no condition variable, and the
/// thread sanitizer does not see it.
package final class Monitor<State>: @unchecked Sendable {
  /// Both have their own memory, because they must not move.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  /// Accessed only while `mutex` is held.
  private var state: State

  /// Puts this state under a lock.
  package init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    var attributes = pthread_condattr_t()
    var failure = pthread_condattr_init(&attributes)
    failure = max(failure, pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC))
    failure = max(failure, pthread_mutex_init(mutex, nil))
    failure = max(failure, pthread_cond_init(changed, &attributes))
    pthread_condattr_destroy(&attributes)
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

  /// Changes the state and wakes all waiters.
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let result = body(&state)
    pthread_cond_broadcast(changed)
    return result
  }

  /// Sleeps until `body` has a result, then wakes the other waiters.
  ///
  /// `body` runs now and after each change. It must not change the state when it returns nil.
  package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = attempt(body) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// The same, with a timeout.
  ///
  /// - Parameters:
  ///   - ns: The longest wait.
  ///   - body: As above.
  /// - Returns: The result of `body`, or nil after the timeout.
  package func wait<Result>(atMostNs ns: UInt64, _ body: (inout State) -> Result?) -> Result? {
    let end = Clock.monotonicNs() + ns
    var deadline = timespec(
      tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = attempt(body) { return result }
      if Clock.monotonicNs() >= end { return nil }
      pthread_cond_timedwait(changed, mutex, &deadline)
    }
  }

  /// Runs `body` with the lock held; a result wakes the other waiters.
  private func attempt<Result>(_ body: (inout State) -> Result?) -> Result? {
    guard let result = body(&state) else { return nil }
    pthread_cond_broadcast(changed)
    return result
  }
}
