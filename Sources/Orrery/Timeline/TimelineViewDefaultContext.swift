// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a timeline hands to its content: when it is, and how often that changes.
public struct TimelineViewDefaultContext: Hashable, Sendable {
  /// How often updates come.
  public typealias Cadence = TimelineCadence

  /// The entry of the schedule that caused the update, not the time of the frame that shows it.
  public let date: Date

  /// How often updates come; content leaves out what would change more often, such as milliseconds
  /// if `cadence > .live`.
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

/// How often a timeline updates its content; a slower cadence is a greater one.
public enum TimelineCadence: Hashable, Comparable, Sendable {
  /// As often as the schedule likes.
  case live

  /// About once a second.
  case seconds

  /// About once a minute, or seldomer.
  case minutes
}
