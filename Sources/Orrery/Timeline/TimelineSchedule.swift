// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The dates at which something that depends on time is shown anew.
///
/// A schedule of one's own gives any ascending dates:
///
///     struct Heartbeat: TimelineSchedule {
///       func entries(from startDate: Date, mode: Mode) -> PeriodicTimelineSchedule.Entries {
///         PeriodicTimelineSchedule(from: startDate, by: mode == .lowFrequency ? 60 : 1)
///           .entries(from: startDate, mode: mode)
///       }
///     }
///
/// ``TimelinePlayer`` plays a schedule.
public protocol TimelineSchedule {
  /// How often the schedule may ask for an update.
  typealias Mode = TimelineScheduleMode

  /// The dates, ascending, and made when they are asked for: the sequence may have no end.
  associatedtype Entries: Sequence where Entries.Element == Date

  /// The dates at which to update.
  ///
  /// - Parameters:
  ///   - startDate: Now. The first entry may be earlier: the one that is still shown now.
  ///   - mode: How often the schedule may ask for an update.
  /// - Returns: The dates, ascending.
  func entries(from startDate: Date, mode: Mode) -> Entries
}

/// How often a schedule may ask for an update.
public enum TimelineScheduleMode: Hashable, Sendable {
  /// As often as the schedule likes.
  case normal

  /// Only for major changes, such as once a minute; a display that saves power asks for this.
  case lowFrequency
}
