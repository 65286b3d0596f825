// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase

/// When each tick is due, and what was late.
///
/// Due times are computed from the tick's number, not added up, so they do not drift. After a stop of
/// several ticks the schedule is moved instead of hurrying after it: nothing follows a pause in a burst.
struct TickClock {
  /// Ticks that began after the next one was due.
  private(set) var lateTicks: UInt64 = 0

  /// Times that the schedule was moved.
  private(set) var scheduleShifts: UInt64 = 0

  private let rate: TickRate
  private var startNs: UInt64
  private let tickNs: UInt64

  /// Ticks that may follow each other without a pause to catch up.
  private static let catchUpTicks: UInt64 = 5

  init(rate: TickRate, startNs: UInt64) {
    self.rate = rate
    self.startNs = startNs
    tickNs = max(rate.timeNs(tick: 1), 1)
  }

  /// Sleeps until a tick is due.
  ///
  /// - Parameter tick: From 1; due so many tick lengths after the start.
  mutating func wait(for tick: UInt64) {
    let due = startNs + rate.timeNs(tick: tick)
    var now = Clock.monotonicNs()
    while now < due {
      if StopSignals.count > 0 { return }
      Clock.sleep(untilMonotonicNs: due)
      now = Clock.monotonicNs()
    }
    let late = now - due
    if late > tickNs { lateTicks += 1 }
    if late > tickNs * Self.catchUpTicks {
      startNs += late
      scheduleShifts += 1
    }
  }
}

extension TickRate {
  /// Time of a tick since the scene began, in nanoseconds, rounded down.
  package func timeNs(tick: UInt64) -> UInt64 {
    UInt64(
      truncatingIfNeeded: UInt128(tick) * UInt128(denominator) * 1_000_000_000
        / UInt128(numerator))
  }

  /// The tick nearest to a time.
  ///
  /// - Parameter seconds: Finite, not negative.
  package func tick(nearest seconds: Double) -> UInt64 {
    precondition(seconds.isFinite && seconds >= 0, "\(seconds) s")
    return UInt64((seconds * Double(numerator) / Double(denominator)).rounded())
  }
}
