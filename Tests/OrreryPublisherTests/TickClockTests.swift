// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryPublisher
import TestSupport
import Testing

/// Goal: ticks are due when exact arithmetic says, late ones are counted, a long stop moves the
/// schedule once instead of being hurried after, and no change of speed and no jump of the clock makes
/// ticks come in a burst.
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
    #expect(clock.lateTicks == 0)
    #expect(clock.scheduleShifts == 0)
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
    let due = clock.dueNs(2)
    #expect(clock.begin(2, atNs: stopped) == due)
    #expect(clock.lateTicks == 1)
    #expect(clock.scheduleShifts == 1)
    #expect(clock.dueNs(3) == stopped + Self.tickNs)
    for tick in UInt64(3)...100 { clock.begin(tick, atNs: clock.dueNs(tick)) }
    #expect(clock.lateTicks == 1)
    #expect(clock.scheduleShifts == 1)
  }

  @Test func fiveTicksFollowEachOtherAndMoreDoNot() {
    var (caught, moved) = (clock(), clock())
    caught.begin(1, atNs: caught.dueNs(1) + 5 * Self.tickNs - 1)
    moved.begin(1, atNs: moved.dueNs(1) + 5 * Self.tickNs)
    #expect(caught.scheduleShifts == 0)
    #expect(moved.scheduleShifts == 1)
  }

  /// No maximum: how late a sleep ends is the machine's affair.
  @Test func waitingEndsNotBeforeTheTickIsDue() {
    var clock = TickClock(rate: 1_000, startNs: Clock.monotonicNs())
    for tick in UInt64(1)...20 {
      let due = clock.dueNs(tick)
      while let until = clock.wake(atNs: Clock.monotonicNs()) {
        Clock.sleep(untilMonotonicNs: until)
      }
      let now = Clock.monotonicNs()
      #expect(now >= due)
      clock.begin(tick, atNs: now)
    }
  }

  @Test func beginningBeforeTheTickIsDueTraps() async {
    await #expect(processExitsWith: .failure) {
      var clock = TickClock(rate: 100, startNs: 0)
      clock.begin(1, atNs: 9_999_999)
    }
  }

  @Test(arguments: [0.01, 0.25, 1, 3, 100])
  func speedScalesTheTimeBetweenTicks(speed: Double) throws {
    var clock = clock()
    for tick in UInt64(1)...7 { clock.begin(tick, atNs: clock.dueNs(tick)) }
    let last = clock.dueNs(7)
    clock.continues(at: speed, nowNs: last)
    for tick in UInt64(1)...1_000 {
      try #require(clock.dueNs(7 + tick) == last + UInt64(Double(tick * Self.tickNs) / speed))
    }
  }

  @Test func pauseIsNotCaughtUpWith() {
    var clock = clock()
    clock.begin(1, atNs: clock.dueNs(1))
    let resumed = clock.dueNs(2) + 3_600_000_000_000
    clock.continues(at: 1, nowNs: resumed)
    #expect(clock.wake(atNs: resumed) == nil)
    clock.begin(2, atNs: resumed)
    #expect(clock.wake(atNs: resumed) == resumed + Self.tickNs)
    #expect(clock.lateTicks == 0)
    #expect(clock.scheduleShifts == 0)
  }

  @Test func changingTheSpeedAgainAndAgainNeitherHurriesNorHoldsUp() {
    var clock = clock()
    clock.begin(1, atNs: clock.dueNs(1))
    let due = clock.dueNs(2)
    for part in UInt64(1)...100 {
      clock.continues(at: 1, nowNs: due - Self.tickNs + part * Self.tickNs / 100)
      #expect(clock.dueNs(2) == due)
    }
    clock.continues(at: 0.01, nowNs: due - 10)
    clock.continues(at: 1, nowNs: due - 5)
    #expect(clock.dueNs(2) == due)
  }

  /// A clock that a virtual machine, or a test's library, sets back.
  @Test func clockThatIsSetBackHoldsNobodyUp() {
    var clock = clock()
    for tick in UInt64(1)...3_600 { clock.begin(tick, atNs: clock.dueNs(tick)) }
    let before = clock.dueNs(3_600)
    let after = before - 30_000_000_000
    #expect(clock.wake(atNs: after) == after + Self.tickNs)
    #expect(clock.scheduleShifts == 1)
    #expect(clock.lateTicks == 0)
  }

  @Test func fault18JumpsOfTheClockMakeNoBurstAndNoNegativeTime() throws {
    let rounds = 200 * testEffort
    for seed in 0..<UInt64(rounds) {
      var random = SeededRandom(seed: seed)
      var clock = clock(startNs: 1_000_000_000_000)
      var (now, tick, began) = (UInt64(1_000_000_000_000), UInt64(0), [UInt64]())
      var (sawTime, waits) = (now, 0)
      for _ in 0..<500 {
        switch random.next(upperBound: UInt64(20)) {
        case 0: now += random.next(upperBound: UInt64(86_400)) * 1_000_000_000
        case 1: now -= min(random.next(upperBound: UInt64(3_600)) * 1_000_000_000, now / 2)
        case 2:
          let speed = [0.01, 0.5, 1, 7, 100][Int(random.next(upperBound: UInt64(5)))]
          clock.continues(at: speed, nowNs: now)
          // What was not due before may be now, once.
          began = []
        default: now += random.next(upperBound: 2 * Self.tickNs)
        }
        if now < sawTime { began = [] }
        sawTime = now
        while clock.wake(atNs: now) == nil {
          tick += 1
          try #require(began.count <= 100_000, "seed \(seed): ticks without an end")
          clock.begin(tick, atNs: now)
          began.append(now)
          // Without a wait, at one time: a burst.
          try #require(began.suffix(6).filter { $0 == now }.count <= 5, "seed \(seed) tick \(tick)")
        }
        guard let until = clock.wake(atNs: now) else { continue }
        try #require(until > now, "seed \(seed) tick \(tick)")
        try #require(until - now <= 100 * Self.tickNs, "seed \(seed) tick \(tick)")
        waits += 1
      }
      #expect(waits > 0)
    }
  }
}

// MARK: - To the nanosecond

extension TickClockTests {
  @Test func speedsHaveLimits() async {
    #expect(TickClock.speeds == 0.01...100)
    await #expect(processExitsWith: .failure) {
      var clock = TickClock(rate: 100, startNs: 0)
      clock.continues(at: 0.0099, nowNs: 5)
    }
    await #expect(processExitsWith: .failure) {
      var clock = TickClock(rate: 100, startNs: 0)
      clock.continues(at: 100.5, nowNs: 5)
    }
  }

  @Test func newClockIsAtRealTime() {
    var clock = clock()
    #expect(clock.speed == 1)
    #expect(clock.lateTicks == 0)
    #expect(clock.scheduleShifts == 0)
    #expect(clock.dueNs(0) == 5_000)
    #expect(clock.dueNs(1) == 5_000 + Self.tickNs)
    let due = clock.dueNs(1)
    #expect(clock.wake(atNs: due - 1) == due)
    #expect(clock.wake(atNs: due) == nil)
    // The same time again is no step back.
    #expect(clock.wake(atNs: due) == nil)
    #expect(clock.scheduleShifts == 0)
  }

  /// The schedule goes back as far as the clock did since it was looked at last.
  @Test func smallestStepBackMovesTheSchedule() {
    var clock = clock()
    let due = clock.dueNs(1)
    #expect(clock.wake(atNs: due - 100) == due)
    #expect(clock.wake(atNs: due - 101) == due - 1)
    #expect(clock.scheduleShifts == 1)
    #expect(clock.wake(atNs: due - 40) == due - 1)
    #expect(clock.wake(atNs: due - 60) == due - 21)
    #expect(clock.scheduleShifts == 2)
    // A change of speed is a look at the clock too.
    var changed = self.clock()
    changed.begin(1, atNs: due)
    changed.continues(at: 1, nowNs: due + 500)
    #expect(changed.wake(atNs: due + 400) == due + Self.tickNs - 100)
    #expect(changed.scheduleShifts == 1)
  }

  /// The clock was set back between the look at it and the tick.
  @Test func tickThatIsDueBeginsThoughTheClockWentBack() {
    var clock = clock()
    let due = clock.dueNs(1)
    #expect(clock.wake(atNs: due + 7) == nil)
    clock.begin(1, atNs: due - 3)
    #expect(clock.lateTicks == 0)
    #expect(clock.scheduleShifts == 0)
    #expect(clock.dueNs(2) == due + Self.tickNs)
  }

  /// What is late and how late a schedule may be follow the speed.
  @Test(arguments: [(0.5, 20_000_000), (1, 10_000_000), (4, 2_500_000)] as [(Double, UInt64)])
  func latenessIsCountedInTicksOfTheSpeed(speed: Double, tickNs: UInt64) {
    for (lateNs, lateTicks, shifts) in [
      (tickNs, 0, 0), (tickNs + 1, 1, 0), (5 * tickNs - 1, 1, 0), (5 * tickNs, 1, 1),
    ] as [(UInt64, UInt64, UInt64)] {
      var clock = clock()
      clock.begin(1, atNs: clock.dueNs(1))
      clock.continues(at: speed, nowNs: clock.dueNs(1))
      #expect(clock.speed == speed)
      let due = clock.dueNs(2)
      #expect(due == 5_000 + Self.tickNs + tickNs)
      clock.begin(2, atNs: due + lateNs)
      #expect(clock.lateTicks == lateTicks, "\(lateNs) ns late")
      #expect(clock.scheduleShifts == shifts, "\(lateNs) ns late")
      #expect(clock.dueNs(3) == due + tickNs + (shifts == 1 ? lateNs : 0), "\(lateNs) ns late")
    }
  }

  /// Ticks of a nanosecond are the shortest, at every speed.
  @Test(arguments: [1.0, 100.0])
  func shortestTickIsANanosecond(speed: Double) {
    for (lateNs, lateTicks, shifts) in [(0, 0, 0), (1, 0, 0), (2, 1, 0), (4, 1, 0), (5, 1, 1)]
      as [(UInt64, UInt64, UInt64)]
    {
      var clock = TickClock(rate: 1_000_000_000, startNs: 1_000)
      if speed != 1 { clock.continues(at: speed, nowNs: 1_000) }
      clock.begin(1, atNs: clock.dueNs(1) + lateNs)
      #expect(clock.lateTicks == lateTicks, "\(lateNs) ns late")
      #expect(clock.scheduleShifts == shifts, "\(lateNs) ns late")
    }
  }

  /// The next tick is due one tick length after the last one was, but not before now.
  @Test(
    arguments: [
      (0, 10_000_000), (5, 10_000_000), (10_000_000, 10_000_000), (25_000_000, 25_000_000),
    ]
      as [(UInt64, UInt64)])
  func tickAfterAPauseIsDueByTheLastOne(nowNs: UInt64, dueNs: UInt64) {
    var clock = TickClock(rate: 100, startNs: 0)
    clock.continues(at: 1, nowNs: nowNs)
    #expect(clock.dueNs(1) == dueNs)
    #expect(clock.scheduleShifts == 0)
  }
}
