// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryPublisher
import Testing

/// Goal: ticks are due when exact arithmetic says, late ones are counted, and a long stop moves the
/// schedule once instead of being hurried after.
///
/// Method: times handed in, without waiting; one short wait on the real clock.
@Suite struct TickClockTests {
  /// An exact number of nanoseconds a tick.
  static let tickNs: UInt64 = 10_000_000

  private func clock(startNs: UInt64 = 5_000) -> TickClock {
    TickClock(rate: 100, startNs: startNs)
  }

  @Test func dueTimesDoNotDriftOverADay() throws {
    let rate = try #require(TickRate(numerator: 30_000, denominator: 1_001))
    let clock = TickClock(rate: rate, startNs: 0)
    // 30,000 ticks take 1,001 s exactly.
    for rounds in UInt64(0)...87 {
      #expect(clock.dueNs(rounds * 30_000) == rounds * 1_001 * 1_000_000_000)
    }
    var previous: UInt64 = 0
    for tick in UInt64(1)...2_589_411 {
      let due = clock.dueNs(tick)
      // 1,001,000,000 / 30 is 33,366,666 and two thirds.
      let gap = due - previous
      if gap != 33_366_666 && gap != 33_366_667 {
        Issue.record("tick \(tick) is due \(gap) ns after the one before")
        return
      }
      previous = due
    }
    #expect(previous == 2_589_411 * 1_001_000_000 / 30)
  }

  @Test func ticksInTimeAreNotLate() {
    var clock = clock()
    for tick in UInt64(1)...1_000 {
      // The last one is as late as a tick may be.
      clock.begin(tick, atNs: clock.dueNs(tick) + tick * Self.tickNs / 1_000)
    }
    #expect(clock.lateTicks == 0 && clock.scheduleShifts == 0)
  }

  @Test func lateTicksAreCountedAndCaughtUp() {
    var clock = clock()
    let due = clock.dueNs(1)
    // Tick 1 begins 4 ticks late; those after it follow without a pause.
    let begin = due + 4 * Self.tickNs
    for tick in UInt64(1)...5 { clock.begin(tick, atNs: begin) }
    #expect(clock.lateTicks == 3)
    #expect(clock.scheduleShifts == 0)
    #expect(clock.dueNs(6) == due + 5 * Self.tickNs)
  }

  @Test func longStopMovesTheSchedule() {
    var clock = clock()
    clock.begin(1, atNs: clock.dueNs(1))
    let stopped = clock.dueNs(2) + 3_600_000_000_123
    clock.begin(2, atNs: stopped)
    #expect(clock.lateTicks == 1 && clock.scheduleShifts == 1)
    #expect(clock.dueNs(3) == stopped + Self.tickNs)
    for tick in UInt64(3)...100 { clock.begin(tick, atNs: clock.dueNs(tick)) }
    #expect(clock.lateTicks == 1 && clock.scheduleShifts == 1)
  }

  @Test func fiveTicksAreCaughtUpAndMoreAreNot() {
    var (caught, moved) = (clock(), clock())
    caught.begin(1, atNs: caught.dueNs(1) + 5 * Self.tickNs)
    moved.begin(1, atNs: moved.dueNs(1) + 5 * Self.tickNs + 1)
    #expect(caught.scheduleShifts == 0 && moved.scheduleShifts == 1)
  }

  /// No maximum: how late a sleep ends is the machine's affair.
  @Test func waitingEndsNotBeforeTheTickIsDue() {
    var clock = TickClock(rate: 1_000, startNs: Clock.monotonicNs())
    for tick in UInt64(1)...20 {
      let due = clock.dueNs(tick)
      clock.wait(for: tick)
      #expect(Clock.monotonicNs() >= due)
    }
  }

  @Test func beginningBeforeTheTickIsDueTraps() async {
    await #expect(processExitsWith: .failure) {
      var clock = TickClock(rate: 100, startNs: 0)
      clock.begin(1, atNs: 9_999_999)
    }
  }
}
