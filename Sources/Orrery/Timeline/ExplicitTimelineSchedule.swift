// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Updates at dates that are written out.
///
/// With dates in the past only, a player shows the last of them, once; with dates in the future
/// only, its own now until the first. The last date is shown like every other. Both modes give the
/// same entries.
public struct ExplicitTimelineSchedule<Entries: Sequence>: TimelineSchedule
where Entries.Element == Date {
  private let dates: Entries

  /// Makes a schedule.
  ///
  /// - Parameter dates: The entries, ascending; a player skips one that is not later than those
  ///   before it. The sequence may have no end, but only finitely many dates in the past.
  public init(_ dates: Entries) {
    self.dates = dates
  }

  /// The dates as they were given, including those in the past.
  public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries { dates }
}

extension ExplicitTimelineSchedule: Sendable where Entries: Sendable {}

extension TimelineSchedule {
  /// Updates at dates that are written out.
  ///
  /// - Parameter dates: The entries, ascending.
  /// - Returns: The schedule.
  public static func explicit<S: Sequence>(_ dates: S) -> ExplicitTimelineSchedule<S>
  where Self == ExplicitTimelineSchedule<S>, S.Element == Date {
    ExplicitTimelineSchedule(dates)
  }
}
