// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A circle at constant speed.
///
///     a = phase + 2π·frac(t/period)        offset = (radius·cos a, radius·sin a)
///
/// with y downward, so it turns clockwise. The time is reduced exactly, and the end of a turn is
/// its start: the loop has no seam.
public struct OrbitMotion: Hashable, Sendable {
  /// Points.
  public var radius: Double

  /// Seconds per turn; it stands still if this is not positive.
  public var period: Double

  /// Radians at time 0; 0 is to the right.
  public var phase: Double

  /// Makes a circle.
  ///
  /// - Parameters:
  ///   - radius: Points.
  ///   - period: Seconds per turn.
  ///   - phase: Radians at time 0.
  public init(radius: Double, period: Double, phase: Double = 0) {
    self.radius = radius
    self.period = period
    self.phase = phase
  }

  /// The angle since the start of this turn.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: Radians, in [0, 2π).
  public func angle(at time: Double) -> Double {
    guard period > 0, period.isFinite else { return 0 }
    return 2 * .pi * (Loop.wrap(time, period: period) / period)
  }

  /// Its position.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: Points from the centre.
  public func offset(at time: Double) -> CGPoint {
    let angle = angle(at: time) + phase
    return CGPoint(x: cos(angle) * radius, y: sin(angle) * radius)
  }

  /// Points per second.
  public var speed: Double {
    period > 0 && period.isFinite ? 2 * .pi * radius / period : 0
  }
}
