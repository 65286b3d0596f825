// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase

/// The schedule of ticks: when each is due, and how many were late.
///
/// Ticks are counted as they begin, whichever tick of the scene each one shows: pausing and seeking
/// do not change the count. Due times are computed from the count and the last change of speed, not
/// added up, so they do not drift. After a pause, or a delay of several ticks, the schedule moves
/// and the lost time is not caught up: at most five ticks follow each other without their wait. The
/// schedule also moves if the clock is set back.
package struct TickClock {
  /// Ticks that began after the next tick was due.
  package private(set) var lateTicks: UInt64 = 0

  /// The longest time from a tick's due time to its start, in nanoseconds.
  package private(set) var latenessMaxNs: UInt64 = 0

  /// How often the schedule was moved because ticks were too late or the clock was set back.
  package private(set) var scheduleShifts: UInt64 = 0

  /// Ratio of scene time to real time.
  package private(set) var speed = 1.0

  private let rate: TickRate

  /// The tick that the schedule is counted from, and when it was due.
  ///
  /// The time wraps modulo 2^64 if the clock was set back to before its start.
  private var anchorTick: UInt64 = 0
  private var anchorNs: UInt64

  /// The tick that began last, and the last time that was read.
  private var lastTick: UInt64 = 0
  private var lastNs: UInt64

  /// Nanoseconds from one tick to the next, at the current speed.
  package private(set) var tickNs: UInt64

  /// Ticks that may follow each other without a wait, to catch up lost time.
  private static let catchUpTicks: UInt64 = 5

  /// Accepted speeds: a slower run looks paused, and no machine reaches more.
  package static let speeds = 0.01...100

  /// Whether the schedule may move.
  private let moves: Bool

  /// Creates a schedule.
  ///
  /// - Parameters:
  ///   - rate: Ticks per second.
  ///   - startNs: When tick 0 is due, on the monotonic clock.
  ///   - tick: The tick that began last.
  ///   - moves: Whether ticks that are too late move the schedule. If not, they follow each other without
  ///     waiting until the time is made up: shards stay together by the time.
  package init(rate: TickRate, startNs: UInt64, after tick: UInt64 = 0, moves: Bool = true) {
    self.rate = rate
    self.moves = moves
    lastTick = tick
    anchorNs = startNs
    lastNs = startNs
    tickNs = max(rate.timeNs(tick: 1), 1)
  }

  /// When a tick is due, on the monotonic clock.
  ///
  /// - Parameter tick: Not before the last tick that began before the speed was changed.
  /// - Returns: Nanoseconds.
  package func dueNs(_ tick: UInt64) -> UInt64 {
    precondition(tick >= anchorTick, "tick \(tick) is before \(anchorTick)")
    let sinceNs = rate.timeNs(tick: tick) - rate.timeNs(tick: anchorTick)
    return anchorNs &+ (speed == 1 ? sinceNs : UInt64(Double(sinceNs) / speed))
  }

  /// Checks whether the next tick is due.
  ///
  /// - Parameter nowNs: Time of the monotonic clock. If it is earlier than the last time that was read, the
  ///   schedule moves back by the difference: a clock set back by an hour must not stop the run for an hour.
  /// - Returns: The time to wait until; nil if the tick is due, and then `begin` is called next.
  package mutating func wake(atNs nowNs: UInt64) -> UInt64? {
    if moves, nowNs < lastNs {
      anchorNs &-= lastNs - nowNs
      scheduleShifts += 1
    }
    lastNs = nowNs
    let due = dueNs(lastTick + 1)
    return nowNs < due ? due : nil
  }

  /// Records that a tick begins, and moves the schedule if the tick is too late.
  ///
  /// - Parameters:
  ///   - tick: From 1.
  ///   - nowNs: Time of the monotonic clock; not before the tick is due.
  /// - Returns: When the tick was due, before the schedule moved.
  @discardableResult
  package mutating func begin(_ tick: UInt64, atNs nowNs: UInt64) -> UInt64 {
    let due = dueNs(tick)
    // `wake` may have read a later time, before the clock was set back.
    let nowNs = max(nowNs, lastNs)
    precondition(nowNs >= due, "tick \(tick) begins at \(nowNs) ns and is due at \(due) ns")
    (lastTick, lastNs) = (tick, nowNs)
    let late = nowNs - due
    latenessMaxNs = max(latenessMaxNs, late)
    if late > tickNs { lateTicks += 1 }
    if moves, late >= tickNs * Self.catchUpTicks {
      anchorNs += late
      scheduleShifts += 1
    }
    return due
  }

  /// Continues at a speed: after a change of speed, or after a pause.
  ///
  /// The next tick is due one tick length after the last one, or now if that time has passed. So
  /// frequent changes of speed neither hurry nor delay the ticks.
  ///
  /// - Parameters:
  ///   - speed: Within `speeds`.
  ///   - nowNs: Time of the monotonic clock.
  package mutating func continues(at speed: Double, nowNs: UInt64) {
    precondition(Self.speeds.contains(speed), "speed \(speed)")
    let lastDueNs = dueNs(lastTick)
    self.speed = speed
    tickNs = max(UInt64(Double(rate.timeNs(tick: 1)) / speed), 1)
    let oldestNs = nowNs > tickNs ? nowNs - tickNs : 0
    (anchorTick, anchorNs) = (lastTick, max(min(lastDueNs, nowNs), oldestNs))
    lastNs = nowNs
  }
}

// MARK: - Shards

extension TickClock {
  /// Makes a tick due at a time: those after it follow from there, at a speed.
  ///
  /// - Parameters:
  ///   - tick: The next one, from 1.
  ///   - dueNs: When it is due.
  ///   - speed: Within `speeds`.
  mutating func anchor(_ tick: UInt64, dueNs: UInt64, speed: Double) {
    precondition(Self.speeds.contains(speed), "speed \(speed)")
    self.speed = speed
    tickNs = max(UInt64(Double(rate.timeNs(tick: 1)) / speed), 1)
    (anchorTick, anchorNs, lastTick) = (tick, dueNs, tick - 1)
  }

  /// The newest tick that is due at a time; not one before the last change of the schedule.
  func newestDue(atNs nowNs: UInt64) -> UInt64 {
    let elapsedNs = nowNs > anchorNs ? nowNs - anchorNs : 0
    let sinceNs = speed == 1 ? elapsedNs : UInt64(Double(elapsedNs) * speed)
    let ticks =
      UInt128(sinceNs) * UInt128(rate.numerator) / (UInt128(rate.denominator) * 1_000_000_000)
    var tick = anchorTick + UInt64(ticks)
    // Times are rounded, so the estimate may be off by one.
    while dueNs(tick + 1) <= nowNs { tick += 1 }
    while tick > anchorTick, dueNs(tick) > nowNs { tick -= 1 }
    return tick
  }

  /// Whether the next tick is late by more than `ns`, as of the last time that was read.
  func isBehind(byNs ns: UInt64) -> Bool {
    let dueNs = dueNs(lastTick + 1)
    return lastNs > dueNs && lastNs - dueNs > ns
  }

  /// The same schedule after some ticks, for a clock that is ahead by `offsetNs`, modulo 2^64.
  func moved(after tick: UInt64, byNs offsetNs: UInt64) -> TickClock {
    var clock = self
    clock.lastTick = tick
    clock.anchorNs &+= offsetNs
    clock.lastNs = clock.anchorNs
    return clock
  }
}

extension TickRate {
  /// Time of a tick since the scene began, in nanoseconds, rounded down; wraps after 584 years.
  package func timeNs(tick: UInt64) -> UInt64 {
    UInt64(
      truncatingIfNeeded: UInt128(tick) * UInt128(denominator) * 1_000_000_000
        / UInt128(numerator))
  }

  /// The tick nearest to a time.
  ///
  /// - Parameter seconds: Finite, not negative.
  /// - Returns: Its number, from 0.
  package func tick(nearest seconds: Double) -> UInt64 {
    precondition(seconds.isFinite && seconds >= 0, "\(seconds) s")
    return UInt64((seconds * Double(numerator) / Double(denominator)).rounded())
  }
}
