// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Updates at given dates.
///
/// If all dates are in the past, a player shows the last of them, once. If all are in the future,
/// it shows the current date until the first. The last date is shown like every other. Both modes
/// give the same entries.
public struct ExplicitTimelineSchedule<Entries: Sequence>: TimelineSchedule
where Entries.Element == Date {
  private let dates: Entries

  /// Makes a schedule.
  ///
  /// - Parameter dates: The entries, ascending; a player skips one that is not later than those
  ///   before it. The sequence may be endless, but may have only finitely many dates in the past.
  public init(_ dates: Entries) {
    self.dates = dates
  }

  /// The given dates, including those in the past.
  public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries { dates }
}

extension ExplicitTimelineSchedule: Sendable where Entries: Sendable {}

extension TimelineSchedule {
  /// Updates at given dates.
  ///
  /// - Parameter dates: The entries, ascending.
  /// - Returns: The schedule.
  public static func explicit<S: Sequence>(_ dates: S) -> ExplicitTimelineSchedule<S>
  where Self == ExplicitTimelineSchedule<S>, S.Element == Date {
    ExplicitTimelineSchedule(dates)
  }
}
