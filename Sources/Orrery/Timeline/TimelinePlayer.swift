// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Plays a schedule without a screen: called at frame times, it returns the context to show.
///
///     var player = TimelinePlayer(.periodic(from: start, by: 4))
///     for frame in frames {
///       if let context = player.update(at: frame) { draw(context.date) }
///     }
///
/// It shows the latest entry that is not after the frame; entries between two frames are skipped,
/// not replayed. If the first entry is in the future, or there is none, the first frame's own date
/// is shown once. A change of ``schedule`` or ``mode``, and ``reset()``, ask the schedule again at
/// the next frame. If the schedule then has no entries at all, as in a paused animation, the shown
/// date stays.
///
/// Nothing runs between frames, and only its owner keeps a player alive.
public struct TimelinePlayer<Schedule: TimelineSchedule> {
  /// When to update; setting it asks the new schedule from the next frame on.
  public var schedule: Schedule {
    didSet { reset() }
  }

  /// How often the schedule may ask for an update; a change asks the schedule again.
  public var mode: TimelineScheduleMode {
    didSet { if mode != oldValue { reset() } }
  }

  /// The shown context; nil before the first frame.
  public private(set) var context: TimelineViewDefaultContext?

  /// The first entry that is not shown yet; nil if none is left or the schedule has not been used.
  ///
  /// An animation without minimum interval updates at frames before it, too.
  public private(set) var nextEntry: Date?

  private var entries: Schedule.Entries.Iterator?

  /// Makes a player that has not shown anything.
  ///
  /// - Parameters:
  ///   - schedule: When to update.
  ///   - mode: How often the schedule may ask for an update.
  public init(_ schedule: Schedule, mode: TimelineScheduleMode = .normal) {
    self.schedule = schedule
    self.mode = mode
  }

  /// Asks the schedule again at the next frame, as after the clock was set.
  public mutating func reset() {
    entries = nil
    nextEntry = nil
  }

  /// Shows a frame.
  ///
  /// An entry counts as reached half a microsecond early. `Date`s of this century are 0.12 µs apart
  /// and frame times are often whole nanoseconds: the frame at 9/60 s must not miss the entry at
  /// 3 * 0.05 s because of rounding errors.
  ///
  /// - Parameter now: Time of the frame. A time before the last frame's shows nothing new.
  /// - Returns: The context to show from now on, or nil if it has not changed.
  /// - Complexity: O(1) for the schedules of this library, however many entries were missed, except
  ///   an explicit one; otherwise O(missed entries).
  public mutating func update(at now: Date) -> TimelineViewDefaultContext? {
    let shown = context
    let isFirst = entries == nil
    if isFirst {
      entries = schedule.entries(from: now, mode: mode).makeIterator()
      nextEntry = entries?.next()
    }
    let held = isFirst ? nil : shown?.date
    var date = takeEntries(notAfter: now + Self.earlySeconds, later: held)
    if let following = schedule as? any FrameFollowing, following.updatesAtEveryFrame(mode: mode) {
      date = max(held ?? now, now)
    }
    let hasNoEntry = date == nil && nextEntry == nil
    let showing = date ?? (hasNoEntry ? shown?.date ?? now : now)
    let cadence = cadence(at: showing)
    context = TimelineViewDefaultContext(date: showing, cadence: cadence)
    return context == shown ? nil : context
  }

  /// Seconds by which an entry counts as reached early.
  private static var earlySeconds: Double { 0.5e-6 }

  /// Entries that are passed one by one before the others are skipped at once.
  private static var singleEntries: Int { 16 }

  /// Consumes all entries up to `limit`; returns the latest, or `held` if none is later.
  private mutating func takeEntries(notAfter limit: Date, later held: Date?) -> Date? {
    var latest = held
    var count = 0
    while let entry = nextEntry, entry <= limit {
      latest = max(latest ?? entry, entry)
      count += 1
      if count == Self.singleEntries { skip(to: limit) }
      nextEntry = entries?.next()
    }
    return latest
  }

  private mutating func skip(to date: Date) {
    guard var skipping = entries as? any SkippingDates else { return }
    skipping.skip(to: date)
    if let skipped = skipping as? Schedule.Entries.Iterator { entries = skipped }
  }

  /// Live in normal mode; otherwise by the time from the shown date to the next entry.
  ///
  /// Seconds below a minute, else minutes, also if no entry is left.
  private func cadence(at date: Date) -> TimelineCadence {
    if mode == .normal { return .live }
    guard let nextEntry else { return .minutes }
    return nextEntry.timeIntervalSince(date) < 60 ? .seconds : .minutes
  }
}
