// SPDX-License-Identifier: Apache-2.0

import Foundation

/// When the remaining motion of a spring can no longer be seen.
///
/// A motion counts as over when it stays within a thousandth of its way: then its events come. On a way of
/// 3000 points that is up to 3 points, and a value set to its target then would be seen to jump. So the value
/// goes on until it is *at rest*: until the remaining distance can be left out.
enum SpringRest {
  /// Largest distance that is left out, in points.
  static let distanceMax = 0.02

  /// Largest share of the way that is left out.
  static let shareMax = 1e-5

  /// The share of a way that may be left out: at most `shareMax`, and not more than `distanceMax`.
  ///
  /// - Parameter length: Length of the way, in points; finite.
  /// - Returns: Greater than 0: no less than what a `Double` can tell apart.
  static func share(of length: Double) -> Double {
    let share = distanceMax / length
    return share < shareMax ? max(share, 1e-15) : shareMax
  }
}

extension Spring {
  /// A time after which a spring stays closer than epsilon to its target, by a bound that takes a few
  /// operations.
  ///
  /// With s the slower of a spring's rates (z w if it swings), d its distance and b the length of
  /// d · s + velocity, the distance at t is at most
  ///
  ///     (d + b t) e^(-s t) <= (d + b/s) (1 + s t) e^(-s t)
  ///
  /// The right side is epsilon where y = s t is the root of y - log(1 + y) = log((d + b/s)/epsilon). The
  /// steps y = level + log(1 + y) come down to the root from above, and none of them passes it.
  ///
  /// - Parameters:
  ///   - distance: Length of the displacement at the start.
  ///   - drift: The length of displacement · `slowRate` + velocity.
  ///   - epsilon: Greater than 0.
  /// - Returns: Seconds; infinite or NaN if there is no such time, 0 if it is never as far away.
  func restDuration(distance: Double, drift: Double, epsilon: Double) -> Double {
    if response == 0 { return 0 }
    let rate = slowRate
    let level = log((distance + drift / rate) / epsilon)
    if level <= 0 { return 0 }
    var y = 2 * level + 2
    // 6: the distance to the root falls to a fourth or less with each step, mostly to a tenth.
    for _ in 0..<6 { y = level + log1p(y) }
    return y / rate
  }

  /// The slower of the two rates at which the motion falls, 1/s; z w if it swings.
  ///
  /// 0 for springs without decay: those that snap or stand still.
  var slowRate: Double {
    let z = dampingRatio
    guard z > 1, response > 0, z < .infinity else { return decay }
    return frequency / (z + (z - 1).squareRoot() * (z + 1).squareRoot())
  }

  /// A time after which a motion from rest can no longer be seen.
  ///
  /// - Parameter length: Points from the start to the target.
  /// - Returns: Seconds, not before `settlingBound`; infinite if it never comes to rest.
  package func restBound(length: Double) -> Double {
    let settled = settlingBound
    guard length > 0, length < .infinity, settled < .infinity else { return settled }
    let rest = restDuration(distance: 1, drift: slowRate, epsilon: SpringRest.share(of: length))
    return rest > settled && rest < .infinity ? rest : settled
  }

  /// Whether a motion from rest can no longer be seen after a time, by a bound that takes a few operations.
  ///
  /// With w = 2π/response and z the damping ratio, less than 1e-5 of the way is left from this time on:
  ///
  ///     z < 1:   ln(1e5 + 1e5 z/√(1 - z²))/(z w)
  ///     z >= 1:  14.24 (z + √(z² - 1))/w
  ///
  /// The second holds because such a spring is no farther from its target than (1 + s t) e^(-s t),
  /// where s is the slower of its two rates; this is below 1e-5 from s t = 14.237 on.
  ///
  /// - Parameters:
  ///   - seconds: Seconds.
  ///   - length: Points from the start to the target.
  /// - Returns: False if the bound does not show it.
  package func isAtRest(after seconds: Double, length: Double) -> Bool {
    guard response > 0, dampingRatio > 0, response < .infinity, dampingRatio < .infinity,
      length * SpringRest.shareMax <= SpringRest.distanceMax
    else { return false }
    let z = dampingRatio
    if z >= 1 {
      return 14.24 * (z + ((z - 1) * (z + 1)).squareRoot()) <= seconds * frequency
    }
    let amplitude = 1e5 + 1e5 * z / ((1 - z) * (1 + z)).squareRoot()
    // A logarithm to base 2 is at most 0.0862 above the straight line between two powers of 2.
    let logarithm = Double(amplitude.exponent) + amplitude.significand - 1 + 0.0862
    return logarithm * 0.6931472 <= seconds * z * frequency
  }
}
