// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase

/// When each tick is due, and what was late.
///
/// Due times are computed from the tick's number, not added up, so they do not drift. After a stop of
/// several ticks the schedule is moved instead of hurrying after it: nothing follows a pause in a burst.
package struct TickClock {
  /// Ticks that began after the next one was due.
  package private(set) var lateTicks: UInt64 = 0

  /// Times that the schedule was moved.
  package private(set) var scheduleShifts: UInt64 = 0

  private let rate: TickRate
  private var startNs: UInt64
  private let tickNs: UInt64

  /// Ticks that may follow each other without a pause to catch up.
  private static let catchUpTicks: UInt64 = 5

  /// A schedule that begins at a time of the monotonic clock.
  package init(rate: TickRate, startNs: UInt64) {
    self.rate = rate
    self.startNs = startNs
    tickNs = max(rate.timeNs(tick: 1), 1)
  }

  /// Sleeps until a tick is due, or a stop signal arrives.
  ///
  /// - Parameter tick: From 1; due so many tick lengths after the start.
  package mutating func wait(for tick: UInt64) {
    let due = dueNs(tick)
    var now = Clock.monotonicNs()
    while now < due {
      if StopSignals.count > 0 { return }
      Clock.sleep(untilMonotonicNs: due)
      now = Clock.monotonicNs()
    }
    begin(tick, atNs: now)
  }

  /// When a tick is due, on the monotonic clock.
  package func dueNs(_ tick: UInt64) -> UInt64 { startNs + rate.timeNs(tick: tick) }

  /// Notes that a tick begins, and moves the schedule if it is much too late.
  ///
  /// - Parameters:
  ///   - tick: From 1.
  ///   - nowNs: Time of the monotonic clock; not before the tick is due.
  package mutating func begin(_ tick: UInt64, atNs nowNs: UInt64) {
    let due = dueNs(tick)
    precondition(nowNs >= due, "tick \(tick) begins at \(nowNs) ns and is due at \(due) ns")
    let late = nowNs - due
    if late > tickNs { lateTicks += 1 }
    if late > tickNs * Self.catchUpTicks {
      startNs += late
      scheduleShifts += 1
    }
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
