// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Processor time that was taken, which a busy machine makes no longer.
///
/// - Parameter clock: Whose: `CLOCK_PROCESS_CPUTIME_ID`, or the calling thread's `CLOCK_THREAD_CPUTIME_ID`.
/// - Returns: Nanoseconds.
package func processorNs(_ clock: clockid_t = CLOCK_PROCESS_CPUTIME_ID) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Processor time that this process takes while the calling thread sleeps.
///
/// - Parameter ns: How long it sleeps, in nanoseconds.
/// - Returns: Nanoseconds.
package func processorNs(whileAsleepForNs ns: UInt64) -> UInt64 {
  let beganNs = processorNs()
  Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + ns)
  return processorNs() - beganNs
}
