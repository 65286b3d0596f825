// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A spring that is pulled from one value to another and back, for ever.
///
/// Every `period` seconds it starts again, at rest at the end that it has reached: with n = floor(phase +
/// t/period), it goes from `from` to `to` for even n and back for odd n. Motion that remains after a period
/// is dropped. So a period must last until the remaining motion cannot be seen: less than 0.02 points, and
/// less than 1e-5 of the way.
package struct SpringSpec: Sendable {
  /// The value at one end, in units of the property.
  package let from: Double
  /// The value at the other end.
  package let to: Double
  /// The spring of both directions.
  package let spring: Spring

  /// Seconds from one start to the next; > 0.
  package let period: Double

  /// Periods that have passed at tick 0; in [0, 2).
  package let phase: Double

  package init(from: Double, to: Double, spring: Spring, period: Double, phase: Double) {
    self.from = from
    self.to = to
    self.spring = spring
    self.period = period
    self.phase = phase
  }
}
