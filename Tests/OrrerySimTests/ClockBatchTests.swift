// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import OrrerySim
import Testing

/// Goal: digits show what a `TimelinePlayer` shows that began at time 0 and was asked at every tick.
///
/// Method: a player of the library beside a batch, for every kind of schedule; ticks of the contract.
@Suite struct ClockBatchTests {
  /// 2025-05-01 08:15:42 UTC.
  static let start = Date(timeIntervalSince1970: 1_746_087_342)

  /// A digit that counts whole units from the start.
  private func spec(
    _ schedule: ClockSchedule, unit: Double = 1, base: Int = 60, zero: Date = start
  ) -> ClockSpec {
    ClockSpec(
      schedule: schedule, start: Self.start, zero: zero, unit: unit, base: base, digitHeight: 10)
  }

  /// The steps that a digit has made at a tick.
  private func digits(_ spec: ClockSpec, rate: TickRate, ticks: [UInt64]) throws -> [Int] {
    let world = try World(.clock(Specs([spec])), rate: rate)
    return ticks.map { Int(Values(of: world, tick: $0).value(.y, entity: 0) / -10) }
  }

  /// [S3-02] A periodic schedule asked at 11 shows 8, then 12, 16.
  @Test func periodicShowsTheEntryOnItsGrid() throws {
    let shown = try digits(
      spec(.periodic(from: 0, by: 4)), rate: 1, ticks: [11, 12, 15, 16, 19, 20])
    #expect(shown == [8, 12, 12, 16, 16, 20])
  }

  /// [L-08] Entries that were missed are skipped: by 4 from 0, frames at 3 and 21 show 0 and 20.
  @Test func missedEntriesAreSkipped() throws {
    #expect(try digits(spec(.periodic(from: 0, by: 4)), rate: 1, ticks: [3, 21]) == [0, 20])
  }

  /// [S3-03] Minutes begin at whole minutes: from 08:15:42 the first is 08:15:00, then 08:16:00.
  @Test func everyMinuteShowsWholeMinutes() throws {
    let zero = Self.start - 42
    let shown = try digits(
      spec(.everyMinute(timeZone: "UTC"), zero: zero), rate: 1, ticks: [0, 17, 18, 77, 78])
    #expect(shown == [0, 0, 0, 0, 0])
    let minutes = try digits(
      spec(.everyMinute(timeZone: "UTC"), unit: 60, zero: zero), rate: 1,
      ticks: [0, 17, 18, 77, 78])
    #expect(minutes == [0, 0, 1, 1, 2])
  }

  /// [L-03] Minutes stay whole where the clocks are changed.
  @Test func minutesPassThroughAChangeOfClocks() throws {
    // 2025-10-26 01:45:10 in London, for the second time.
    let start = Date(timeIntervalSince1970: 1_761_443_110)
    let zero = Date(timeIntervalSince1970: 1_761_443_100)
    let spec = ClockSpec(
      schedule: .everyMinute(timeZone: "Europe/London"), start: start, zero: zero, unit: 1,
      base: 60, digitHeight: 10)
    #expect(try digits(spec, rate: 1, ticks: [0, 1, 49]) == [0, 0, 0])
    let hour = ClockSpec(
      schedule: .everyMinute(timeZone: "Europe/London"), start: start - 3_600, zero: zero - 3_600,
      unit: 60, base: 60, digitHeight: 10)
    #expect(try digits(hour, rate: 1, ticks: [0, 49, 50, 3_589, 3_590]) == [0, 0, 1, 59, 0])
  }

  /// [S3-04] Explicit dates: now, now + 5 and now + 10, then none.
  @Test func explicitDatesAreShownOneAfterTheOther() throws {
    let shown = try digits(
      spec(.explicit([0, 5, 10])), rate: 1, ticks: [0, 4, 5, 9, 10, 1_000])
    #expect(shown == [0, 0, 5, 5, 10, 10])
  }

  /// [L-05] Future dates only: now until the first; past ones: the latest; none after the last.
  @Test func explicitDatesAroundTheStart() throws {
    #expect(try digits(spec(.explicit([6])), rate: 1, ticks: [0, 5, 6, 7]) == [0, 0, 6, 6])
    let zero = Self.start - 10
    #expect(
      try digits(spec(.explicit([-9, -4]), zero: zero), rate: 1, ticks: [0, 100]) == [6, 6])
    #expect(
      try digits(spec(.explicit([-2, 3]), zero: zero), rate: 1, ticks: [0, 2, 3, 9])
        == [8, 8, 13, 13])
  }

  /// [S3-05] At 60 Hz a minimum interval of 0.05 s updates every third frame.
  @Test func animationUpdatesAtItsInterval() throws {
    let spec = spec(.animation(minimumInterval: 0.05, paused: false), unit: 0.05)
    let shown = try digits(spec, rate: 60, ticks: Array(0..<12))
    #expect(shown == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
  }

  @Test func animationWithoutIntervalIsTheTimeItself() throws {
    let spec = spec(.animation(minimumInterval: nil, paused: false), unit: 1.0 / 60)
    #expect(try digits(spec, rate: 60, ticks: Array(0..<60)) == Array(0..<60))
    let paused = self.spec(.animation(minimumInterval: nil, paused: true), unit: 1.0 / 60)
    #expect(try digits(paused, rate: 60, ticks: [0, 30, 60]) == [0, 0, 0])
  }

  @Test(arguments: [
    ClockSchedule.periodic(from: 0.3, by: 0.7), .periodic(from: -5, by: 0.1),
    .periodic(from: 3, by: 1.5), .periodic(from: 0.1, by: 0.15),
    .everyMinute(timeZone: "Asia/Kathmandu"),
    .explicit([-1, -0.5, 0.25, 0.25, 0.1, 7]), .explicit([]),
    .animation(minimumInterval: 0.05, paused: false),
    .animation(minimumInterval: nil, paused: false),
    .animation(minimumInterval: 0.5, paused: true),
  ])
  func batchShowsWhatAPlayerShows(schedule: ClockSchedule) throws {
    let rate: TickRate = 60
    // Starts that a `Date` does not hold exactly: entries and ticks then round to different dates.
    for start in [0, 0.1, 1.0 / 3, 0.0223221].map({ Self.start + $0 }) {
      let spec = ClockSpec(
        schedule: schedule, start: start, zero: start, unit: 0.01, base: 60, digitHeight: 10)
      let world = try World(.clock(Specs([spec])), rate: rate)
      var player = Player(schedule, start: start)
      for tick in UInt64(0)...600 {
        let date = player.shown(at: start + rate.seconds(tick: tick))
        let steps = ((date.timeIntervalSince(start) + 1e-6) / 0.01).rounded(.down)
        let digit = steps - (steps / 60).rounded(.down) * 60
        let found = Values(of: world, tick: tick).value(.y, entity: 0)
        #expect(found == Float(-10 * digit) + 0, "\(schedule), \(start), tick \(tick)")
      }
    }
  }

  @Test func intervalsThatAreNoneStandStill() throws {
    for interval in [0, -1, Double.nan, .infinity] {
      #expect(
        try digits(spec(.periodic(from: 0, by: interval)), rate: 1, ticks: [0, 9]) == [0, 0])
    }
    #expect(try digits(spec(.explicit([.nan, 2])), rate: 1, ticks: [0, 9]) == [0, 2])
  }

  @Test func stillDigitsAreNotPlaced() throws {
    let world = try World(.clock(Specs([spec(.periodic(from: 0, by: 1))])), rate: 60)
    let memory = Memory(world)
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations([memory])
    var placed: [UInt64] = []
    for tick in UInt64(0)...150 {
      _ = world.evaluate(tick: tick, destination: 0)
      if world.evaluatedBlockCount > 0 { placed.append(tick) }
    }
    #expect(placed == [0, 60, 120])
  }
}

/// A timeline player of the library for any schedule of a scene.
private struct Player {
  private var periodic: TimelinePlayer<PeriodicTimelineSchedule>?
  private var minutes: TimelinePlayer<EveryMinuteTimelineSchedule>?
  private var explicit: TimelinePlayer<ExplicitTimelineSchedule<[Date]>>?
  private var animation: TimelinePlayer<AnimationTimelineSchedule>?

  init(_ schedule: ClockSchedule, start: Date) {
    switch schedule {
    case .periodic(let first, let interval):
      periodic = TimelinePlayer(.periodic(from: start + first, by: interval))
    case .everyMinute(let zone):
      minutes = TimelinePlayer(.everyMinute(in: TimeZone(identifier: zone) ?? .gmt))
    case .explicit(let times): explicit = TimelinePlayer(.explicit(times.map { start + $0 }))
    case .animation(let interval, let isPaused):
      animation = TimelinePlayer(.animation(minimumInterval: interval, paused: isPaused))
    }
  }

  mutating func shown(at now: Date) -> Date {
    _ = periodic?.update(at: now)
    _ = minutes?.update(at: now)
    _ = explicit?.update(at: now)
    _ = animation?.update(at: now)
    let context =
      periodic?.context ?? minutes?.context ?? explicit?.context ?? animation?.context
    return context?.date ?? now
  }
}
