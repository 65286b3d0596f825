// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import TestSupport
import Testing

/// Goal: who waits gets what was waited for, or learns in time that it has not come.
///
/// Method: a thread that changes the state while another waits.
@Suite struct MonitorTests {
  @Test func waitEndsAfterItsTime() {
    let monitor = Monitor(0)
    let beganNs = Clock.monotonicNs()
    let result: Int? = monitor.wait(atMostNs: 30_000_000) { $0 > 0 ? $0 : nil }
    #expect(result == nil)
    #expect(Clock.monotonicNs() - beganNs >= 30_000_000)
  }

  @Test func waitEndsWithWhatWasWaitedFor() throws {
    let monitor = Monitor(0)
    let thread = try TestThread("two changes") {
      // Not yet, and then.
      monitor.change { $0 = 1 }
      monitor.change { $0 = 2 }
    }
    let result = monitor.wait(atMostNs: endlessNs) { state in
      guard state == 2 else { return nil as Int? }
      state = 3
      return 2
    }
    try thread.join()
    #expect(result == 2)
    #expect(monitor.read { $0 } == 3)
  }

  @Test func whatIsThereIsNotWaitedFor() {
    let monitor = Monitor(5)
    #expect(monitor.wait(atMostNs: 0) { $0 } == 5)
  }
}
