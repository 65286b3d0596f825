// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The dates at which time-dependent content is updated.
///
/// A custom schedule gives any ascending dates:
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

  /// The dates, ascending, and computed on demand: the sequence may be endless.
  associatedtype Entries: Sequence where Entries.Element == Date

  /// The dates at which to update.
  ///
  /// - Parameters:
  ///   - startDate: The current date. The first entry may be earlier: the one that is still shown.
  ///   - mode: How often the schedule may ask for an update.
  /// - Returns: The dates, ascending.
  func entries(from startDate: Date, mode: Mode) -> Entries
}

/// How often a schedule may ask for an update.
public enum TimelineScheduleMode: Hashable, Sendable {
  /// As often as the schedule asks.
  case normal

  /// Only for major changes, such as once a minute; for a display that saves power.
  case lowFrequency
}
