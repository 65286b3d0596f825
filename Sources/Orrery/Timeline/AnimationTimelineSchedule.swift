// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Updates at every frame, or at no more than a given rate; none while paused or in low frequency.
///
/// Without a minimum interval a player updates at every frame that it gets, with the frame's own
/// date, whatever the rate; the entries themselves are 1/120 s apart. While paused the last context
/// stays. After a pause the dates are the current ones, as if there had been no pause: content that
/// is a function of the date continues from the date, not from where it stopped.
public struct AnimationTimelineSchedule: TimelineSchedule, Sendable {
  /// Seconds from one entry to the next; nil means every frame.
  private let minimumInterval: Double?
  private let isPaused: Bool

  /// Seconds between entries without a minimum interval: SwiftUI's.
  private static let defaultInterval = 1.0 / 120

  /// Makes a schedule.
  ///
  /// - Parameters:
  ///   - minimumInterval: Least seconds from one update to the next. Nil, or a value that is not
  ///     greater than 0, means every frame.
  ///   - paused: True for no updates.
  public init(minimumInterval: Double? = nil, paused: Bool = false) {
    if let minimumInterval, minimumInterval > 0 {
      self.minimumInterval = min(minimumInterval, .greatestFiniteMagnitude)
    } else {
      self.minimumInterval = nil
    }
    isPaused = paused
  }

  /// The dates from `startDate` on, a minimum interval apart; none while paused or in low
  /// frequency.
  ///
  /// - Complexity: O(1), and O(1) for each entry.
  public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries {
    guard !isPaused, mode == .normal else { return Entries(grid: nil) }
    return Entries(
      grid: DateGrid(origin: startDate, interval: minimumInterval ?? Self.defaultInterval))
  }

  /// The dates of an animation.
  public struct Entries: Sequence, IteratorProtocol, Sendable {
    fileprivate var grid: DateGrid?

    /// The next date; nil while paused or in low frequency.
    public mutating func next() -> Date? { grid?.next() }
  }
}

extension AnimationTimelineSchedule.Entries: SkippingDates {
  mutating func skip(to date: Date) { grid?.skip(to: date) }
}

extension AnimationTimelineSchedule: FrameFollowing {
  func updatesAtEveryFrame(mode: TimelineScheduleMode) -> Bool {
    minimumInterval == nil && !isPaused && mode == .normal
  }
}

/// A schedule that can ask for an update at every frame, which a list of dates cannot express.
protocol FrameFollowing {
  /// Whether every frame is an entry.
  func updatesAtEveryFrame(mode: TimelineScheduleMode) -> Bool
}

extension TimelineSchedule where Self == AnimationTimelineSchedule {
  /// Updates at every frame.
  public static var animation: AnimationTimelineSchedule { AnimationTimelineSchedule() }

  /// Updates at every frame, or at no more than a given rate.
  ///
  /// - Parameters:
  ///   - minimumInterval: Least seconds from one update to the next; nil means every frame.
  ///   - paused: True for no updates.
  /// - Returns: The schedule.
  public static func animation(
    minimumInterval: Double? = nil, paused: Bool = false
  ) -> AnimationTimelineSchedule {
    AnimationTimelineSchedule(minimumInterval: minimumInterval, paused: paused)
  }
}
