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
      if let result = settle(body) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// The same, but not for longer than a time.
  ///
  /// - Parameters:
  ///   - ns: How long.
  ///   - body: As above.
  /// - Returns: Its result, or nil if it had none by then.
  package func wait<Result>(atMostNs ns: UInt64, _ body: (inout State) -> Result?) -> Result? {
    let end = Clock.monotonicNs() + ns
    var deadline = timespec(
      tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = settle(body) { return result }
      if Clock.monotonicNs() >= end { return nil }
      pthread_cond_timedwait(changed, mutex, &deadline)
    }
  }

  /// What `body` makes of the state, under the lock; a result wakes others.
  private func settle<Result>(_ body: (inout State) -> Result?) -> Result? {
    guard let result = body(&state) else { return nil }
    pthread_cond_broadcast(changed)
    return result
  }
}
