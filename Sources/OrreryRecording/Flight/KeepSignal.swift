// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Counts SIGUSR1, by which a user asks a flight recorder to keep what it has.
///
/// The signal is blocked in every thread and looked for twenty times a second, so that it interrupts nothing.
package final class KeepSignal {
  private var count = 0
  private var nextPollNs: UInt64 = 0

  /// Time between two polls.
  private static let pollNs: UInt64 = 50_000_000

  /// Blocks the signal in this thread, and in those that it starts later.
  ///
  /// Call it before the process has other threads.
  package init() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Signals that were seen so far; some that follow each other closely are one.
  package func look() -> Int {
    let nowNs = Clock.monotonicNs()
    guard nowNs >= nextPollNs else { return count }
    nextPollNs = nowNs + Self.pollNs
    var signals = Self.signals
    var atOnce = timespec()
    while sigtimedwait(&signals, nil, &atOnce) == SIGUSR1 { count += 1 }
    return count
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    return signals
  }
}
