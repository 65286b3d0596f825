// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene

/// The date that a clock's schedule shows, as a function of the time alone.
///
/// It agrees with a `TimelinePlayer` that began at time 0 and was asked at every tick. The shown date is the
/// latest entry not after now; before the first entry it is the date of time 0. In both, entries count as
/// reached half a microsecond early.
struct ClockTimeline: Sendable {
  /// Everything that a timeline depends on.
  struct Key: Hashable {
    let schedule: ClockSchedule
    /// The date of time 0.
    let start: Date
  }

  private let start: Date
  private let entries: Entries

  private enum Entries: Sendable {
    /// None: the start is shown for ever.
    case none
    /// Every moment is an entry.
    case everyFrame
    case periodic(PeriodicTimelineSchedule)
    /// Ascending.
    case listed([Date])
  }

  init(_ key: Key) {
    start = key.start
    entries = Self.entries(key.schedule, from: key.start)
  }

  /// The date shown at a time.
  ///
  /// - Parameter seconds: Since time 0; not negative.
  /// - Returns: Seconds since the reference date; never less for a later time.
  /// - Complexity: O(1); for listed dates O(log n) in their number.
  func shown(at seconds: Double) -> Double {
    let now = start + seconds
    let latest: Date?
    switch entries {
    case .none: latest = nil
    case .everyFrame: latest = now
    case .periodic(let schedule):
      var dates = schedule.entries(from: now + Self.earlySeconds, mode: .normal)
      latest = dates.next()
    case .listed(let dates): latest = Self.latest(in: dates, notAfter: now + Self.earlySeconds)
    }
    // The first entry may still be in the future.
    let date = latest.flatMap { $0 <= now + Self.earlySeconds ? $0 : nil } ?? start
    return date.timeIntervalSinceReferenceDate
  }

  /// The same as in `TimelinePlayer`.
  private static let earlySeconds = 0.5e-6

  private static func entries(_ schedule: ClockSchedule, from start: Date) -> Entries {
    switch schedule {
    case .periodic(let first, let interval):
      return periodic(from: start + first, by: interval)
    case .everyMinute(let name):
      // Minutes stay 60 s apart when a zone's offset changes: the first one determines all.
      let zone = TimeZone(identifier: name) ?? .gmt
      var minutes = EveryMinuteTimelineSchedule(in: zone)
        .entries(from: start, mode: .normal)
      return minutes.next().map { periodic(from: $0, by: 60) } ?? .none
    case .explicit(let times):
      // A player skips an entry that is not later than all entries before it.
      var dates: [Date] = []
      for time in times where dates.last.map({ start + time > $0 }) ?? !time.isNaN {
        dates.append(start + time)
      }
      return .listed(dates)
    case .animation(let interval, let isPaused):
      if isPaused { return .none }
      guard let interval, interval > 0 else { return .everyFrame }
      return periodic(from: start, by: interval)
    }
  }

  private static func periodic(from first: Date, by interval: Double) -> Entries {
    guard interval > 0, interval.isFinite, first.timeIntervalSinceReferenceDate.isFinite else {
      return .none
    }
    return .periodic(PeriodicTimelineSchedule(from: first, by: interval))
  }

  private static func latest(in dates: [Date], notAfter limit: Date) -> Date? {
    var (low, high) = (0, dates.count)
    while low < high {
      let middle = (low + high) / 2
      if dates[middle] <= limit { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? dates[low - 1] : nil
  }
}
