// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase

/// When each tick is due, and what was late.
///
/// Ticks are counted as they begin, whichever tick of the scene each one is: a run that is paused, or goes
/// to another place of its scene, counts on. Due times are computed from that number and the last change of
/// speed, not added up, so they do not drift. After a stop of several ticks, and after a pause, the schedule
/// is moved instead of hurrying after it: never do more than five ticks follow each other without a wait
/// that they should have had. A clock that is set back moves the schedule too.
package struct TickClock {
  /// Ticks that began after the next one was due.
  package private(set) var lateTicks: UInt64 = 0

  /// Times that the schedule was moved because ticks were much too late, or the clock was set back.
  package private(set) var scheduleShifts: UInt64 = 0

  /// Scene time per time; 1 is real time.
  package private(set) var speed = 1.0

  private let rate: TickRate

  /// The tick that the schedule is counted from, and when it was due; modulo 2^64, for a clock that was set
  /// back to before its start.
  private var anchorTick: UInt64 = 0
  private var anchorNs: UInt64

  /// The tick that began last, and the latest time that was seen.
  private var lastTick: UInt64 = 0
  private var lastNs: UInt64

  /// Nanoseconds from one tick to the next, at the current speed.
  private var tickNs: UInt64

  /// Ticks that may follow each other without a pause to catch up.
  private static let catchUpTicks: UInt64 = 5

  /// Speeds that can be asked for: slower ones look like a pause, faster ones than any machine.
  package static let speeds = 0.01...100

  /// A schedule that begins at a time of the monotonic clock.
  package init(rate: TickRate, startNs: UInt64) {
    self.rate = rate
    anchorNs = startNs
    lastNs = startNs
    tickNs = max(rate.timeNs(tick: 1), 1)
  }

  /// When a tick is due, on the monotonic clock.
  ///
  /// - Parameter tick: From the one that the speed was changed after.
  /// - Returns: Nanoseconds.
  package func dueNs(_ tick: UInt64) -> UInt64 {
    precondition(tick >= anchorTick, "tick \(tick) is before \(anchorTick)")
    let sinceNs = rate.timeNs(tick: tick) - rate.timeNs(tick: anchorTick)
    return anchorNs &+ (speed == 1 ? sinceNs : UInt64(Double(sinceNs) / speed))
  }

  /// Looks at the clock for the tick that follows the last one.
  ///
  /// - Parameter nowNs: Time of the monotonic clock. If it is earlier than a time that was seen before, the
  ///   schedule is set back as far: nobody waits for an hour to come round again.
  /// - Returns: The time to wait until; nil if the tick is due, and then `begin` follows.
  package mutating func wake(atNs nowNs: UInt64) -> UInt64? {
    if nowNs < lastNs {
      anchorNs &-= lastNs - nowNs
      scheduleShifts += 1
    }
    lastNs = nowNs
    let due = dueNs(lastTick + 1)
    return nowNs < due ? due : nil
  }

  /// Notes that a tick begins, and moves the schedule if it is much too late.
  ///
  /// - Parameters:
  ///   - tick: From 1.
  ///   - nowNs: Time of the monotonic clock; not before the tick is due.
  package mutating func begin(_ tick: UInt64, atNs nowNs: UInt64) {
    let due = dueNs(tick)
    // `wake` may have seen a later time, before the clock was set back.
    let nowNs = max(nowNs, lastNs)
    precondition(nowNs >= due, "tick \(tick) begins at \(nowNs) ns and is due at \(due) ns")
    (lastTick, lastNs) = (tick, nowNs)
    let late = nowNs - due
    if late > tickNs { lateTicks += 1 }
    if late >= tickNs * Self.catchUpTicks {
      anchorNs += late
      scheduleShifts += 1
    }
  }

  /// Ticks are to follow each other at another speed from now on; also after a pause, at the same one.
  ///
  /// The next tick is due one tick length after the last one, or now if that is over: whoever changes the
  /// speed again and again neither hurries the ticks nor holds them up.
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
