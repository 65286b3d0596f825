// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Spring {
  /// A spring that comes to rest in a given time.
  ///
  /// With w = 2π/response, z the damping ratio and D the settling duration:
  ///
  ///     z < 1:  e^(-z w D) z/√(1 - z²) = epsilon
  ///     z = 1:  (1 + w D) e^(-w D) = epsilon
  ///
  /// The first formula fails for z near 0 and near 1. So z w D is at least 1, and at most the value
  /// of the second formula: the response is positive, and continuous in the damping ratio.
  ///
  /// - Parameters:
  ///   - settlingDuration: Seconds, clamped to [0.01, 10].
  ///   - dampingRatio: Clamped to (0, 1].
  ///   - epsilon: Distance at rest, as a share of the distance moved; clamped to at least 1e-15.
  public init(settlingDuration: Double, dampingRatio: Double, epsilon: Double = 0.001) {
    let z = dampingRatio < .ulpOfOne ? .ulpOfOne : dampingRatio > 1 ? 1 : dampingRatio
    let seconds = settlingDuration < 0.01 ? 0.01 : settlingDuration > 10 ? 10 : settlingDuration
    let epsilon = epsilon < 1e-15 ? 1e-15 : epsilon
    let envelope = log(z / (((1 - z) * (1 + z)).squareRoot() * epsilon))
    let critical = Self.criticalExponent(epsilon)
    let exponent = Swift.max(1, Swift.min(envelope, critical))
    self.init(response: 2 * .pi * z * seconds / exponent, dampingRatio: z)
  }

  /// The y >= 0 with (1 + y) e^(-y) = epsilon, by Newton's method on
  /// y - log(1 + y) = log(1/epsilon).
  ///
  /// That function is convex and increases, and the start is beyond the root: no step overshoots.
  private static func criticalExponent(_ epsilon: Double) -> Double {
    let level = -log(epsilon)
    guard level > 0 else { return 0 }
    var y = 2 * level + 2
    // 64: near epsilon 1 a step only halves y, from 2 down to 1e-8.
    for _ in 0..<64 {
      let next = y - (y - log1p(y) - level) * (1 + y) / y
      if !(next < y) { break }
      y = next
    }
    return y
  }

  /// A time after which a spring that moves from 0 to 1, from rest, stays closer than 0.001 to its
  /// target, s; see `settlingBound(target:initialVelocity:epsilon:)`.
  public var settlingBound: Double { settlingBound(target: 1, epsilon: 0.001) }

  /// A time after which a spring that started at 0 stays closer than epsilon to its target, s.
  ///
  /// With w = 2π/response, z the damping ratio, s = z w and b = |target · s - initialVelocity|:
  ///
  ///     z < 1:   ln((|target| + b/(w √(1 - z²)))/epsilon)/s, or as below, with s for w, if less
  ///     z = 1:   time from which (|target| + b t) e^(-w t) stays below epsilon
  ///     z > 1:   likewise with the two exponentials of that motion
  ///
  /// Core Animation uses the first. SwiftUI's estimate, ``settlingDuration``, does not always hold.
  /// Animations, keyframes and scenes end by this bound.
  ///
  /// - Parameters:
  ///   - target: Target of the spring.
  ///   - initialVelocity: Per second.
  ///   - epsilon: Distance from the target, greater than 0.
  /// - Returns: 0 if the distance is never as large as epsilon, infinity if it never settles.
  public func settlingBound(
    target: Double, initialVelocity: Double = 0, epsilon: Double
  ) -> Double {
    settlingDuration(
      distance: abs(target), drift: abs(target * decay - initialVelocity), epsilon: epsilon)
  }

  /// A time after which a spring that started at a value stays closer than epsilon to its target, s.
  ///
  /// - Parameters:
  ///   - fromValue: Its position at the start.
  ///   - toValue: Target of the spring.
  ///   - initialVelocity: Per second.
  ///   - epsilon: Distance from `toValue`, greater than 0.
  /// - Returns: 0 if the distance is never as large as epsilon, infinity if it never settles.
  public func settlingBound(
    fromValue: Double, toValue: Double, initialVelocity: Double, epsilon: Double
  ) -> Double {
    settlingBound(
      target: toValue - fromValue, initialVelocity: initialVelocity, epsilon: epsilon)
  }

  /// How fast the envelope decays, 1/s: dampingRatio · 2π/response.
  ///
  /// 0 for springs without decay: those that snap or stand still.
  package var decay: Double {
    response == 0 || dampingRatio == .infinity ? 0 : dampingRatio * frequency
  }

  /// As above, for the lengths of vectors.
  ///
  /// - Parameters:
  ///   - distance: Length of the displacement at the start.
  ///   - drift: Length of target · decay - velocity.
  ///   - epsilon: Greater than 0.
  /// - Returns: 0 if the distance is never as large as epsilon, infinity if it never settles.
  package func settlingDuration(distance: Double, drift: Double, epsilon: Double) -> Double {
    if (response + dampingRatio + distance + drift).isNaN { return .nan }
    if response == 0 { return 0 }
    if dampingRatio == .infinity { return distance < epsilon ? 0 : .infinity }
    if dampingRatio < 1 {
      let ringing = frequency * ((1 - dampingRatio) * (1 + dampingRatio)).squareRoot()
      let amplitude = distance + drift / ringing
      if amplitude < epsilon { return 0 }
      let seconds = log(amplitude / epsilon) / decay
      let near = Self.criticalBound(distance, drift, rate: decay, at: seconds)
      if !(seconds < .infinity) || near >= epsilon { return seconds.isNaN ? .infinity : seconds }
    }
    if dampingRatio <= 1 {
      return Self.criticalTime(distance, drift, rate: decay, notBelow: epsilon)
    }
    // A bound of the distance at a time; its maximum is at 1/frequency at the latest.
    func bound(_ time: Double) -> Double {
      let step = propagator(time)
      return (step.xx - decay * step.xv) * distance + step.xv * drift
    }
    return Self.lastTime(of: bound, notBelow: epsilon, maximumBefore: 1 / frequency)
  }

  /// A time that is not after the `settlingDuration` of the same lengths: some 0.95 of it, found without a logarithm.
  ///
  /// That is where log((d + c y)/epsilon) = y, or, of a spring that swings, where log((d + c')/epsilon) = y, with
  /// d the distance, y = decay · time, c = drift/decay and c' = drift/ringing. A left side that is taken too low, at a
  /// y that is too low, gives a y that is too low.
  ///
  /// - Returns: 0 for a spring that is overdamped or does not decay, or that is close to its target.
  package func settlingMinimum(distance: Double, drift: Double, epsilon: Double) -> Double {
    guard dampingRatio <= 1, decay > 0x1p-512, epsilon > 0, distance > 2 * epsilon,
      distance + drift / decay < .infinity
    else { return 0 }
    let (height, slope) = (distance / epsilon, drift / (decay * epsilon))
    var y = Self.lowLogarithm(height)
    for _ in 0..<3 { y = Self.lowLogarithm(height + slope * y) }
    if dampingRatio < 1 {
      let ringing = frequency * ((1 - dampingRatio) * (1 + dampingRatio)).squareRoot()
      y = min(y, Self.lowLogarithm(height + drift / (ringing * epsilon)))
    }
    // Less by more than all roundings.
    return y / decay * (1 - 0x1p-30)
  }

  /// The logarithm of a number of at least 1, or less by at most 0.06: that to base 2 is concave between its powers.
  private static func lowLogarithm(_ value: Double) -> Double {
    (Double(value.exponent) + (value.significand - 1)) * 0.693147180559945
  }

  /// (distance + drift · time) e^(-rate · time): a bound of the distance of a spring that is critically damped, or that
  /// decays as slowly and swings.
  private static func criticalBound(
    _ distance: Double, _ drift: Double, rate: Double, at time: Double
  ) -> Double {
    (distance + drift * time) * exp(-rate * time)
  }

  /// Where `criticalBound` falls below a level; 0 if it is below at all times.
  ///
  /// With d the distance, c = drift/rate and y = rate · time, it is the greater root of log((d + c y)/level) = y, by
  /// Newton's method. The left side minus the right one is concave, and the start is beyond the root, since
  /// d + c y <= (d + c)(1 + y), whose root `restDuration` comes down to: no step passes the root.
  private static func criticalTime(
    _ distance: Double, _ drift: Double, rate: Double, notBelow level: Double
  ) -> Double {
    guard level > 0, rate > 0 else { return .infinity }
    let latest = max(0, drift > 0 ? 1 / rate - distance / drift : 0)
    if criticalBound(distance, drift, rate: rate, at: latest) < level { return 0 }
    let slope = drift / rate
    let height = max(0, log((distance + slope) / level))
    var y = height + log1p(2 * height + 2)
    // 64: as in `criticalExponent`. A step squares the relative error, so one of 1e-9 is the last.
    for _ in 0..<64 {
      let left = distance + slope * y
      let next = y - (log(left / level) - y) / (slope / left - 1)
      if !(next < y) { break }
      let isLast = y - next < 1e-9 * y
      y = next
      if isLast { break }
    }
    // The root is rounded: a few steps of the last digit lead below the level.
    var (seconds, step) = (y / rate, (y / rate).ulp)
    while criticalBound(distance, drift, rate: rate, at: seconds) >= level, seconds < .infinity {
      seconds += step
      step *= 2
    }
    return seconds
  }

  /// Where a function that rises to one maximum and then falls to 0 falls below a level; 0 if it is
  /// below at all times.
  private static func lastTime(
    of function: (Double) -> Double, notBelow level: Double, maximumBefore latest: Double
  ) -> Double {
    guard level > 0 else { return .infinity }
    var (low, high) = (0.0, latest)
    if function(latest) >= level {
      low = latest
      high = 2 * latest
      while function(high) >= level, high < .infinity { (low, high) = (high, 2 * high) }
    } else {
      // The maximum is before `latest`: search it by thirds.
      var end = latest
      for _ in 0..<100 where function(low) < level {
        let third = (end - low) / 3
        if function(low + third) < function(end - third) { low += third } else { end -= third }
      }
      if function(low) < level { return 0 }
    }
    // 64: more halvings than a Double has digits.
    for _ in 0..<64 {
      let middle = low + (high - low) / 2
      if function(middle) >= level { low = middle } else { high = middle }
    }
    return high
  }
}
