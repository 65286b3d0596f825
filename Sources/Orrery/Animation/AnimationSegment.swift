// SPDX-License-Identifier: Apache-2.0

/// A part of an animation that one formula describes; a batch evaluates it until its end.
package struct AnimationSegment: Hashable, Sendable {
  /// First time at which the shape holds, s since the change.
  package let start: Double

  /// Time from which the next segment holds, s since the change; infinite if there is none.
  package let end: Double

  /// The formula.
  package let shape: Shape

  /// Progress by time t, s since the change.
  package enum Shape: Hashable, Sendable {
    /// Stands still.
    case hold(Double)

    /// `curve((t - start)/duration)`, or `1 - curve(…)` if reversed. The curve may have begun
    /// before the segment.
    case curve(UnitCurve, start: Double, duration: Double, isReversed: Bool)

    /// A spring from 0 to 1, its initial velocity in intervals per second; if reversed, 1 minus
    /// that.
    case spring(Spring, initialVelocity: Double, start: Double, isReversed: Bool)

    /// Legs of a curve from `start` on, each `legDuration` seconds long. Each leg has not moved for
    /// its first `delayInLeg` seconds; with `autoreverses` every second leg is reversed.
    case cycle(
      UnitCurve, start: Double, legDuration: Double, delayInLeg: Double, autoreverses: Bool)
  }

  package init(start: Double, end: Double, shape: Shape) {
    (self.start, self.end, self.shape) = (start, end, shape)
  }

  /// The moved share of the interval.
  ///
  /// - Parameter time: Seconds since the change, in [start, end).
  /// - Returns: Progress.
  package func progress(at time: Double) -> Double {
    switch shape {
    case .hold(let progress):
      return progress
    case .curve(let curve, let start, let duration, let isReversed):
      let progress = curve.value(at: (time - start) / duration)
      return isReversed ? 1 - progress : progress
    case .spring(let spring, let velocity, let start, let isReversed):
      let progress = spring.value(
        fromValue: 0, toValue: 1, initialVelocity: velocity, time: time - start)
      return isReversed ? 1 - progress : progress
    case .cycle(let curve, let start, let legDuration, let delayInLeg, let autoreverses):
      let legs = RepeatedLegs(
        count: nil, length: legDuration, autoreverses: autoreverses, innerLegCount: 1)
      let leg = legs.leg(at: time - start)
      let progress =
        leg.time < delayInLeg
        ? 0 : curve.value(at: (leg.time - delayInLeg) / (legDuration - delayInLeg))
      return legs.isReversed(leg.index) ? 1 - progress : progress
    }
  }
}
