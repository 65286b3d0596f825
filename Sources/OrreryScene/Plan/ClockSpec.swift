// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery

/// One digit of a clock that a timeline schedule drives: a strip of digits behind a window.
///
/// y(t) = -digitHeight · (floor(shown(t) / unit) mod base), with shown(t) the date, in seconds
/// since `zero`, of the schedule's last entry not after t.
package struct ClockSpec: Sendable {
  /// The schedule that drives the digit.
  package let schedule: ClockSchedule

  /// The date of time 0.
  package let start: Date

  /// The date at which the clock shows 0.
  package let zero: Date

  /// Seconds that one step of the digit stands for; > 0.
  package let unit: Double

  /// Steps until the digit is 0 again; 1...60, 1 for one that is always 0.
  package let base: Int

  /// Points from one digit of the strip to the next.
  package let digitHeight: Double

  package init(
    schedule: ClockSchedule, start: Date, zero: Date, unit: Double, base: Int,
    digitHeight: Double
  ) {
    self.schedule = schedule
    self.start = start
    self.zero = zero
    self.unit = unit
    self.base = base
    self.digitHeight = digitHeight
  }
}

/// A schedule of a scene; dates are in seconds since the scene's start.
package enum ClockSchedule: Hashable, Sendable {
  case periodic(from: Double, by: Double)
  case everyMinute(timeZone: String)
  case explicit([Double])
  /// An entry at every tick, or every `minimumInterval` seconds.
  case animation(minimumInterval: Double?, paused: Bool)
}
