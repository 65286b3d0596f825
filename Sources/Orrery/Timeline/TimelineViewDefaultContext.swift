// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The context that a timeline gives to its content: the date, and how often it changes.
public struct TimelineViewDefaultContext: Hashable, Sendable {
  /// How often updates come.
  public typealias Cadence = TimelineCadence

  /// The entry of the schedule that caused the update, not the time of the frame that shows it.
  public let date: Date

  /// How often updates come; content should leave out parts that change more often, such as
  /// milliseconds if `cadence > .live`.
  public let cadence: Cadence

  /// Makes a context.
  ///
  /// - Parameters:
  ///   - date: The entry of the schedule.
  ///   - cadence: How often updates come.
  public init(date: Date, cadence: Cadence) {
    self.date = date
    self.cadence = cadence
  }
}

/// How often a timeline updates its content; slower cadences compare as greater.
public enum TimelineCadence: Hashable, Comparable, Sendable {
  /// As often as the schedule asks.
  case live

  /// About once a second.
  case seconds

  /// About once a minute, or less often.
  case minutes
}
