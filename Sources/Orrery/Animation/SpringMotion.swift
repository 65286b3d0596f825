// SPDX-License-Identifier: Apache-2.0

/// A vector on a spring: what is left of the way to its target, and how fast that changes.
package struct SpringMotion<Value: VectorArithmetic> {
  /// Target minus position at the start; the negative displacement.
  package let rest: Value

  /// How fast the rest changes at the start, per second; the negative velocity.
  package let restVelocity: Value

  /// The spring, once it has become the one that it is to be.
  package let spring: Spring

  /// How it becomes that; nil if it is from the start.
  package let glide: ResponseGlide?

  init(rest: Value, restVelocity: Value, spring: Spring, glide: ResponseGlide? = nil) {
    self.rest = rest
    self.restVelocity = restVelocity.magnitudeSquared.isFinite ? restVelocity : .zero
    self.spring = spring
    self.glide = glide
  }

  /// What is left of the way.
  ///
  /// - Parameter time: s since the start, at least 0.
  /// - Returns: Target minus position.
  package func rest(at time: Double) -> Value {
    if time == 0 { return rest }
    let step = propagator(time)
    return rest.scaled(by: step.xx) + restVelocity.scaled(by: step.xv)
  }

  /// How fast what is left changes.
  ///
  /// - Parameter time: s since the start, at least 0.
  /// - Returns: Per second.
  package func restVelocity(at time: Double) -> Value {
    let step = propagator(time)
    return rest.scaled(by: step.vx) + restVelocity.scaled(by: step.vv)
  }

  /// When less than a thousandth of an interval is left for good.
  ///
  /// - Parameter interval: Its length.
  /// - Returns: s since the start; infinite if it never is. 0 where lengths are no numbers.
  func settlingDuration(interval: Double) -> Double {
    let start = glide?.duration ?? 0
    let (rest, velocity) = (rest(at: start), restVelocity(at: start))
    return start
      + spring.settlingDuration(
        distance: rest.magnitudeSquared.squareRoot(),
        drift: (rest.scaled(by: spring.decay) + velocity).magnitudeSquared.squareRoot(),
        interval: interval)
  }

  private func propagator(_ time: Double) -> SpringPropagator {
    glide?.propagator(time) ?? spring.propagator(time)
  }
}

extension SpringMotion: Sendable where Value: Sendable {}
