// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Updates at the start of every minute.
///
/// Minutes are those of a clock in a time zone, and 60 s apart even across a change of its offset.
/// Both modes give the same entries.
public struct EveryMinuteTimelineSchedule: TimelineSchedule, Sendable {
  /// The time zone of the clock.
  ///
  /// It matters only for offsets that are not whole minutes, as before standard time.
  public let timeZone: TimeZone

  /// Makes a schedule.
  ///
  /// - Parameter timeZone: The time zone of the clock.
  public init(in timeZone: TimeZone = .current) {
    self.timeZone = timeZone
  }

  /// The starts of minutes, from the minute of `startDate` on; without end.
  ///
  /// - Complexity: O(1), and O(1) for each entry.
  public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries {
    // Not by a search in the calendar: in the hour that a change of the clocks repeats, its answer
    // is an hour early. The reference date is the start of a minute of universal time.
    let seconds = startDate.timeIntervalSinceReferenceDate
    let offset = Double(timeZone.secondsFromGMT(for: startDate))
    var minute = ((seconds + offset) / 60).rounded(.down) * 60 - offset
    // The sum may round up to the next minute.
    if minute > seconds { minute -= 60 }
    let first = Date(timeIntervalSinceReferenceDate: minute)
    return Entries(grid: DateGrid(origin: first, interval: 60))
  }

  /// The dates of a schedule of minutes.
  public struct Entries: Sequence, IteratorProtocol, Sendable {
    fileprivate var grid: DateGrid

    /// The next date.
    public mutating func next() -> Date? { grid.next() }
  }
}

extension EveryMinuteTimelineSchedule.Entries: SkippingDates {
  mutating func skip(to date: Date) { grid.skip(to: date) }
}

extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
  /// Updates at the start of every minute of the current time zone.
  public static var everyMinute: EveryMinuteTimelineSchedule { EveryMinuteTimelineSchedule() }

  /// Updates at the start of every minute of a time zone.
  ///
  /// - Parameter timeZone: The time zone of the clock.
  /// - Returns: The schedule.
  public static func everyMinute(in timeZone: TimeZone) -> EveryMinuteTimelineSchedule {
    EveryMinuteTimelineSchedule(in: timeZone)
  }
}
