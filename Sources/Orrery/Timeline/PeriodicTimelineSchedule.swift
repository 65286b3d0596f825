// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Updates at a start date, and after each interval from then on.
///
/// Entry k is the start date plus k intervals, rounded once. The first entry is the latest that is
/// not after the requested date. Before the start date there are no entries: a player that begins
/// then shows the current date once, and next the start date. Both modes give the same entries.
public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {
  private let grid: DateGrid

  /// Makes a schedule.
  ///
  /// - Parameters:
  ///   - startDate: The very first entry.
  ///   - interval: Seconds from one entry to the next; below a nanosecond it counts as one.
  /// - Precondition: `interval` is more than 0 and finite.
  public init(from startDate: Date, by interval: TimeInterval) {
    grid = DateGrid(origin: startDate, interval: interval)
  }

  /// The entries from the latest that is not after `startDate`; without end.
  ///
  /// - Complexity: O(1), and O(1) for each entry, however far from the start date.
  public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries {
    var entries = Entries(grid: grid)
    entries.skip(to: startDate)
    return entries
  }

  /// The dates of a periodic schedule.
  public struct Entries: Sequence, IteratorProtocol, Sendable {
    fileprivate var grid: DateGrid

    /// The next date.
    public mutating func next() -> Date? { grid.next() }
  }
}

extension PeriodicTimelineSchedule.Entries: SkippingDates {
  mutating func skip(to date: Date) { grid.skip(to: date) }
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
  /// Updates at a start date, and after each interval from then on.
  ///
  /// - Parameters:
  ///   - startDate: The very first entry.
  ///   - interval: Seconds from one entry to the next; below a nanosecond it counts as one.
  /// - Returns: The schedule.
  /// - Precondition: `interval` is more than 0 and finite.
  public static func periodic(
    from startDate: Date, by interval: TimeInterval
  ) -> PeriodicTimelineSchedule {
    PeriodicTimelineSchedule(from: startDate, by: interval)
  }
}
