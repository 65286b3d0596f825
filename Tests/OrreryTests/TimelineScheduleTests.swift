// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// Goal: schedules give the dates of the checklist, however far from their start.
///
/// Method: entries are compared with dates written out, in seconds since 1970 or since the reference
/// date; laws on random grids print their seed.
@Suite struct TimelineScheduleTests {
  private func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  private func reference(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// The first entries of a schedule, in seconds since 1970.
  private func entries(
    _ schedule: some TimelineSchedule, from seconds: Double, mode: TimelineScheduleMode = .normal,
    count: Int = 3
  ) -> [Double] {
    schedule.entries(from: at(seconds), mode: mode).prefix(count).map(\.timeIntervalSince1970)
  }

  /// [S3-02] From 0 by 4, asked at 11 -> 8, 12, 16; [L-02] asked at 16 -> 16; at 15.999 -> 12.
  @Test(
    arguments: [
      (11, [8, 12, 16]), (16, [16, 20, 24]), (15.999, [12, 16, 20]), (0, [0, 4, 8]),
      (-1, [0, 4, 8]), (-100, [0, 4, 8]),
    ] as [(Double, [Double])])
  func periodicStartsAtTheLatestEntry(now: Double, expected: [Double]) {
    #expect(entries(.periodic(from: at(0), by: 4), from: now) == expected)
    #expect(entries(.periodic(from: at(0), by: 4), from: now, mode: .lowFrequency) == expected)
  }

  /// [S3-06] The first 100 entries of periodic(from: 0, by: 4) equal explicit([0, 4, ..., 396]).
  @Test func periodicEqualsExplicit() {
    let dates = stride(from: 0, through: 396, by: 4).map { at($0) }
    let explicit = Array(ExplicitTimelineSchedule(dates).entries(from: at(0), mode: .normal))
    let periodic = PeriodicTimelineSchedule(from: at(0), by: 4).entries(from: at(0), mode: .normal)
    #expect(Array(periodic.prefix(100)) == explicit)
    #expect(explicit.count == 100)
  }

  /// [L-09] By 0.1, a million entries ahead: error < 1e-4; in fact that of one rounding.
  ///
  /// Adding up would be off by 1.3e-6.
  @Test func entriesAreNotAddedUp() {
    let schedule = PeriodicTimelineSchedule(from: reference(0), by: 0.1)
    let entry = schedule.entries(from: reference(0), mode: .normal).dropFirst(1_000_000)
      .first { _ in true }
    #expect(entry?.timeIntervalSinceReferenceDate == 100_000)
    let ahead = schedule.entries(from: reference(100_000), mode: .normal).prefix(2)
    #expect(ahead.map(\.timeIntervalSinceReferenceDate) == [100_000, 1_000_001 * 0.1])
  }

  @Test func firstEntryIsTheLatestNotAfterNow() {
    for seed in UInt64(1)...2_000 {
      var numbers = SeededRandom(seed: seed)
      let origin = numbers.number(in: -1e9...1e9)
      let interval = numbers.number(in: 0.001...1_000)
      let whole = Double.random(in: 0...1e5, using: &numbers).rounded()
      // Half of the time right on an entry, where quotients round to either side.
      let part = Bool.random(using: &numbers) ? 0 : numbers.number(in: 0...1)
      let now = reference(origin + (whole + part) * interval)
      let dates = Array(
        PeriodicTimelineSchedule(from: reference(origin), by: interval)
          .entries(from: now, mode: .normal).prefix(2))
      let isGood = dates.count == 2 && dates[0] <= now && now < dates[1]
      #expect(isGood, "seed \(seed): \(dates) at \(now)")
      guard isGood else { return }
    }
  }

  @Test(arguments: [1e-12 as Double, 1e-9, 1e-7, .leastNonzeroMagnitude])
  func tinyIntervalsAscend(interval: Double) {
    let dates = Array(
      PeriodicTimelineSchedule(from: reference(8e8), by: interval)
        .entries(from: reference(8e8 + 1), mode: .normal).prefix(1_000))
    #expect(dates.count == 1_000)
    #expect(zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 })
    #expect(dates.first.map { $0 <= reference(8e8 + 1) } == true)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
  func absurdDatesDoNotTrap(seconds: Double) {
    for dates in [
      Array(
        PeriodicTimelineSchedule(from: reference(0), by: 4)
          .entries(from: reference(seconds), mode: .normal).prefix(3)),
      Array(
        PeriodicTimelineSchedule(from: reference(seconds), by: 4)
          .entries(from: reference(0), mode: .normal).prefix(3)),
      Array(
        EveryMinuteTimelineSchedule().entries(from: reference(seconds), mode: .normal).prefix(3)),
    ] {
      #expect(dates.allSatisfy { $0.timeIntervalSinceReferenceDate.isFinite })
      #expect(zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test func senselessIntervalTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = PeriodicTimelineSchedule(from: Date(timeIntervalSince1970: 0), by: 0)
    }
    await #expect(processExitsWith: .failure) {
      _ = PeriodicTimelineSchedule(from: Date(timeIntervalSince1970: 0), by: .nan)
    }
  }

  /// [S3-03] 2025-05-01 08:15:42 UTC -> 08:15:00, 08:16:00; [L-03] Europe/London, second 01:45:10 on
  /// 2025-10-26; [L-04] on the minute; 1e-6 s before; t = -90.5 -> -120.
  ///
  /// Monrovia was 44 min 30 s behind until 1972.
  @Test(
    arguments: [
      ("UTC", 1_746_087_342, 1_746_087_300), ("Europe/London", 1_761_443_110, 1_761_443_100),
      ("UTC", 1_746_087_300, 1_746_087_300), ("UTC", 1_746_087_300 - 1e-6, 1_746_087_240),
      ("UTC", -90.5, -120), ("UTC", -120, -120), ("Asia/Kathmandu", 1_746_087_342, 1_746_087_300),
      ("Africa/Monrovia", 31, 30), ("Africa/Monrovia", 29, -30),
    ] as [(String, Double, Double)])
  func minutesAreThoseOfTheZone(zone: String, now: Double, expected: Double) throws {
    let schedule = EveryMinuteTimelineSchedule(in: try #require(TimeZone(identifier: zone)))
    #expect(entries(schedule, from: now) == [expected, expected + 60, expected + 120])
  }

  /// [L-03] Minutes stay 60 s apart through both changes of the clocks, and the minute asked from
  /// any second of those hours is its own.
  @Test(arguments: [1_743_296_400, 1_761_440_400] as [Double])
  func minutesPassChangesOfTheClocks(change: Double) throws {
    let london = try #require(TimeZone(identifier: "Europe/London"))
    #expect(
      london.secondsFromGMT(for: at(change)) != london.secondsFromGMT(for: at(change - 1)))
    let schedule = EveryMinuteTimelineSchedule.everyMinute(in: london)
    let passing = entries(schedule, from: change - 3_600, count: 120)
    #expect(passing == (0..<120).map { change - 3_600 + Double($0) * 60 })
    for second in stride(from: change - 7_200, to: change + 7_200, by: 7) {
      #expect(entries(schedule, from: second, count: 1) == [(second / 60).rounded(.down) * 60])
    }
  }

  @Test func everyMinuteIsOfTheCurrentZone() {
    #expect(EveryMinuteTimelineSchedule().timeZone == .current)
    #expect(entries(.everyMinute, from: 1_746_087_342, count: 2) == [1_746_087_300, 1_746_087_360])
  }

  /// [L-06] minimumInterval 0.25 from 3 -> 3, 3.25, 3.5; paused -> none; [L-07] none in low
  /// frequency.
  @Test func animationStepsFromNow() {
    #expect(entries(.animation(minimumInterval: 0.25), from: 3) == [3, 3.25, 3.5])
    #expect(entries(.animation(minimumInterval: 0.25, paused: true), from: 3) == [])
    #expect(entries(.animation(minimumInterval: 0.25), from: 3, mode: .lowFrequency) == [])
    let free = AnimationTimelineSchedule.animation.entries(from: reference(0), mode: .normal)
    let freeSteps = (0..<3).map { Double($0) / 120 }
    #expect(free.prefix(3).map(\.timeIntervalSinceReferenceDate) == freeSteps)
    #expect(entries(.animation(minimumInterval: .infinity), from: 3, count: 1) == [3])
    #expect(entries(.animation(minimumInterval: -1), from: 3, count: 1) == [3])
  }

  /// [L-07] By (mode == lowFrequency ? 60 : 1) from 500 -> 500, 560 in low frequency.
  @Test func aScheduleOfOnesOwnKnowsTheMode() {
    #expect(entries(Heartbeat(), from: 500, mode: .lowFrequency, count: 2) == [500, 560])
    #expect(entries(Heartbeat(), from: 500, count: 2) == [500, 501])
  }

  /// [S3-23] live < seconds < minutes.
  @Test func cadencesAreOrdered() {
    let cadences: [TimelineViewDefaultContext.Cadence] = [.minutes, .live, .seconds]
    #expect(cadences.sorted() == [.live, .seconds, .minutes])
    #expect(cadences.map { $0 > .live } == [true, false, true])
  }
}

/// A schedule as a user would write it: once a second, or once a minute to save power.
struct Heartbeat: TimelineSchedule {
  func entries(from startDate: Date, mode: Mode) -> PeriodicTimelineSchedule.Entries {
    PeriodicTimelineSchedule(from: startDate, by: mode == .lowFrequency ? 60 : 1)
      .entries(from: startDate, mode: mode)
  }
}
