// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A spring's motion from 0 to 1, from rest, with its settling bound as the unit of time; or the
/// inverse.
///
/// Arguments are in [0, 1]. At 1 the curve jumps to exactly 1, by at most 0.001. The inverse of an
/// output is the input that reaches it first.
/// Invariant: the spring settles in a finite time.
struct SpringCurve: Hashable, Sendable {
  let spring: Spring
  let isInverse: Bool

  /// Settling duration, s.
  private let seconds: Double

  init(_ spring: Spring, isInverse: Bool = false) {
    // The motion does not depend on the mass: without it, equal motions are equal curves.
    self.spring = Spring(response: spring.response, dampingRatio: spring.dampingRatio)
    self.isInverse = isInverse
    seconds = spring.settlingBound
  }

  var inverse: SpringCurve { SpringCurve(spring, isInverse: !isInverse) }

  func value(at x: Double) -> Double { isInverse ? input(of: x) : output(at: x) }

  func velocity(at x: Double) -> Double {
    isInverse ? 1 / slope(at: input(of: x)) : slope(at: x)
  }

  private func output(at x: Double) -> Double {
    if x == 0 || x == 1 { return x }
    return spring.value(target: 1, time: x * seconds)
  }

  private func slope(at x: Double) -> Double {
    seconds * spring.velocity(target: 1, time: x * seconds)
  }

  /// By bisection: up to the first turn, if there is one, the curve only rises.
  private func input(of y: Double) -> Double {
    if y.isNaN || y <= 0 { return y }
    var (low, high) = (0.0, Swift.min(1, firstTurn))
    // 64: more halvings than a Double has digits.
    for _ in 0..<64 {
      let middle = low + (high - low) / 2
      if output(at: middle) < y { low = middle } else { high = middle }
    }
    return high
  }

  /// When the spring is farthest beyond its target: half an oscillation, π/(w √(1 - z²)).
  private var firstTurn: Double {
    let (z, response) = (spring.dampingRatio, spring.response)
    guard z < 1, seconds > 0 else { return 1 }
    return response / (2 * ((1 - z) * (1 + z)).squareRoot()) / seconds
  }
}

extension UnitCurve {
  /// The motion of a spring from rest to rest, with its settling bound as the unit of time.
  ///
  /// The bound is that to 0.001; the curve ends at exactly 1. A spring that bounces
  /// overshoots 1 before.
  ///
  /// - Parameter spring: A spring that settles: neither undamped nor infinitely damped.
  /// - Returns: The curve.
  /// - Precondition: ``Spring/settlingBound`` is finite.
  public static func spring(_ spring: Spring) -> UnitCurve {
    let seconds = spring.settlingBound
    precondition(seconds.isFinite, "the spring settles after \(seconds) s")
    return UnitCurve(function: .spring(SpringCurve(spring)))
  }
}
