// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: clocks run forward, sleeps do not end early, and threads run once.
@Suite struct ClockTests {
  @Test func monotonicClockRunsForward() throws {
    var last = Clock.monotonicNs()
    for _ in 0..<10_000 {
      let now = Clock.monotonicNs()
      try #require(now >= last)
      last = now
    }
  }

  @Test func wallClockIsNearTheSystemsOwn() {
    let seconds = UInt64(time(nil))
    let wallSeconds = Clock.wallNs() / 1_000_000_000
    #expect((seconds...(seconds + 60)).contains(wallSeconds))
  }

  @Test func clockThatIsSetBackGoesOnFromWhereItWas() {
    let clock = RisingClock()
    let day: UInt64 = 86_400_000_000_000
    #expect(clock.timeNs(clockNs: 10 * day) == 10 * day)
    // The same reading again, and one that another thread took a moment before.
    #expect(clock.timeNs(clockNs: 10 * day) == 10 * day + 1)
    #expect(clock.timeNs(clockNs: 10 * day - 500) == 10 * day + 2)
    #expect(clock.timeNs(clockNs: 10 * day + 100) == 10 * day + 100)
    // Set back by three days: no time is lost, and later readings are as far apart as the clock says.
    #expect(clock.timeNs(clockNs: 7 * day) == 10 * day + 101)
    #expect(clock.timeNs(clockNs: 7 * day + 5_000) == 10 * day + 5_100)
    // Set forward: it is followed.
    #expect(clock.timeNs(clockNs: 8 * day) == 11 * day + 100)
  }

  @Test
  func sleepDoesNotEndEarly() {
    let deadline = Clock.monotonicNs() + 5_000_000
    Clock.sleep(untilMonotonicNs: deadline)
    #expect(Clock.monotonicNs() >= deadline)
    // A deadline that has passed returns at once; a hang would end the run.
    Clock.sleep(untilMonotonicNs: 1)
  }

  @Test
  func waitLooksUntilTheConditionHoldsOrItsTimeIsOver() {
    var looks = 0
    let holds = Clock.wait(seconds: 60) {
      looks += 1
      return looks == 3
    }
    #expect(holds)
    #expect(looks == 3)
    #expect(Clock.wait(seconds: 0) { true })
    let beginNs = Clock.monotonicNs()
    #expect(!Clock.wait(seconds: 0.005) { false })
    #expect(Clock.monotonicNs() - beginNs >= 5_000_000)
  }

  @Test
  func backgroundThreadRunsOnceWithSignalsBlocked() throws {
    var before = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &before)
    let runs = Monitor(0)
    let isBlocked = Monitor(false)
    let caller = pthread_self()
    let isOther = Monitor(false)
    let isOver = Flag()
    let thread = try BackgroundThread {
      runs.change { $0 += 1 }
      var mask = sigset_t()
      pthread_sigmask(SIG_SETMASK, nil, &mask)
      isBlocked.change {
        $0 = sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGTERM) == 1
      }
      isOther.change { $0 = pthread_equal(caller, pthread_self()) == 0 }
      isOver.set()
    }
    // Waited for by its end first: a thread that never runs would be joined for ever.
    try waitUntil("a thread to run") { isOver.isSet }
    thread.join()
    #expect(runs.read { $0 } == 1)
    #expect(isBlocked.read { $0 })
    #expect(isOther.read { $0 })
    // The caller's own mask is as it was.
    var after = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &after)
    for signal in 1..<65 as Range<CInt> {
      #expect(sigismember(&after, signal) == sigismember(&before, signal), "signal \(signal)")
    }
  }
}
