// SPDX-License-Identifier: Apache-2.0

/// A circle at constant speed: with a = 2π·frac(phase + t/period), x = radius·cos a and
/// y = radius·sin a, y downward.
package struct OrbitSpec: Equatable, Sendable {
  /// Points; >= 0.
  package let radius: Double

  /// Seconds per turn; > 0.
  package let period: Double

  /// Turns at tick 0; in [0, 1).
  package let phase: Double

  package init(radius: Double, period: Double, phase: Double) {
    self.radius = radius
    self.period = period
    self.phase = phase
  }
}
