// SPDX-License-Identifier: Apache-2.0

/// A picture that flows through a window: still until its start, then in a seamless endless loop.
///
/// offset(t) = ±(speed · (t - start) mod period) for t >= start, 0 before; in [0, period) for
/// `.right` and `.down`, in (-period, 0] for `.left` and `.up`.
package struct FlowSpec: Equatable, Sendable {
  /// Points until the picture repeats; with 0 nothing moves.
  package let period: Double

  /// Points per second; >= 0.
  package let speed: Double

  /// Direction of the movement.
  package let direction: Direction

  /// Seconds; >= 0.
  package let start: Double

  /// Direction of the flow.
  package enum Direction: Sendable {
    case left
    case right
    case up
    case down
  }

  package init(period: Double, speed: Double, direction: Direction, start: Double) {
    self.period = period
    self.speed = speed
    self.direction = direction
    self.start = start
  }
}
