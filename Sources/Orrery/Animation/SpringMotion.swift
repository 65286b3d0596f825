// SPDX-License-Identifier: Apache-2.0

/// A vector on a spring: its remaining distance to the target, and how fast that changes.
package struct SpringMotion<Value: VectorArithmetic> {
  /// Target minus position at the start; the negative displacement.
  package let remaining: Value

  /// How fast the remaining distance changes at the start, per second; the negative velocity.
  package let remainingVelocity: Value

  /// The spring, after the glide if there is one.
  package let spring: Spring

  /// How the response changes at first; nil if it does not.
  package let glide: ResponseGlide?

  init(remaining: Value, remainingVelocity: Value, spring: Spring, glide: ResponseGlide? = nil) {
    self.remaining = remaining
    self.remainingVelocity = remainingVelocity.magnitudeSquared.isFinite ? remainingVelocity : .zero
    self.spring = spring
    self.glide = glide
  }

  /// The remaining distance at a time.
  ///
  /// - Parameter time: Seconds since the start, at least 0.
  /// - Returns: Target minus position.
  package func remaining(at time: Double) -> Value {
    if time == 0 { return remaining }
    let step = propagator(time)
    return remaining.scaled(by: step.xx) + remainingVelocity.scaled(by: step.xv)
  }

  /// How fast the remaining distance changes.
  ///
  /// - Parameter time: Seconds since the start, at least 0.
  /// - Returns: Per second.
  package func remainingVelocity(at time: Double) -> Value {
    let step = propagator(time)
    return remaining.scaled(by: step.vx) + remainingVelocity.scaled(by: step.vv)
  }

  /// Both at a time, in one solution.
  ///
  /// - Parameter time: Seconds since the start, greater than 0.
  /// - Returns: Target minus position, and how fast it changes, per second.
  func state(at time: Double) -> (remaining: Value, velocity: Value) {
    let step = propagator(time)
    return (
      remaining.scaled(by: step.xx) + remainingVelocity.scaled(by: step.xv),
      remaining.scaled(by: step.vx) + remainingVelocity.scaled(by: step.vv)
    )
  }

  /// Time from which less than a thousandth of an interval remains.
  ///
  /// - Parameter interval: Its length.
  /// - Returns: Seconds since the start; infinite if it never settles. If a length is not finite,
  ///   the end of the glide, or 0 without one.
  func settlingDuration(interval: Double) -> Double {
    let start = glide?.duration ?? 0
    let (remaining, velocity) = (remaining(at: start), remainingVelocity(at: start))
    return start
      + spring.settlingDuration(
        distance: remaining.magnitudeSquared.squareRoot(),
        drift: (remaining.scaled(by: spring.decay) + velocity).magnitudeSquared.squareRoot(),
        interval: interval)
  }

  /// A time that is not after `settlingDuration`, and is found faster; 0 with a glide.
  func settlingMinimum(interval: Double) -> Double {
    guard glide == nil else { return 0 }
    return spring.settlingMinimum(
      distance: remaining.magnitudeSquared.squareRoot(),
      drift: (remaining.scaled(by: spring.decay) + remainingVelocity).magnitudeSquared.squareRoot(),
      interval: interval)
  }

  /// The time after which the remaining motion cannot be seen.
  ///
  /// - Parameters:
  ///   - length: Length of the way, of which a share may be left out.
  ///   - unitPoints: Points that a distance of 1 is at most.
  /// - Returns: Seconds since the start; infinite or NaN if there is no such time.
  func restDuration(length: Double, unitPoints: Double) -> Double {
    let start = glide?.duration ?? 0
    let (remaining, velocity) = (remaining(at: start), remainingVelocity(at: start))
    let rate = spring.slowRate
    return start
      + spring.restDuration(
        distance: remaining.magnitudeSquared.squareRoot(),
        drift: (remaining.scaled(by: rate) + velocity).magnitudeSquared.squareRoot(),
        epsilon: length * SpringRest.share(of: length * unitPoints))
  }

  private func propagator(_ time: Double) -> SpringPropagator {
    glide?.propagator(time) ?? spring.propagator(time)
  }
}

extension SpringMotion: Sendable where Value: Sendable {}
