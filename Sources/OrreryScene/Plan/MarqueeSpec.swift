// SPDX-License-Identifier: Apache-2.0

/// A seamless horizontal loop.
///
/// With turns = frac(phase + speed·t/period), x is -turns·period in (-period, 0] for `.left` and
/// turns·period in [0, period) for `.right`.
package struct MarqueeSpec: Equatable, Sendable {
  /// Points until the picture repeats; > 0.
  package let period: Double

  /// Points per second; >= 0.
  package let speed: Double

  /// Direction of the motion.
  package let direction: Direction

  /// Turns at tick 0; in [0, 1).
  package let phase: Double

  /// Direction of a marquee.
  package enum Direction: Sendable {
    case left
    case right
  }

  package init(period: Double, speed: Double, direction: Direction, phase: Double) {
    self.period = period
    self.speed = speed
    self.direction = direction
    self.phase = phase
  }
}
