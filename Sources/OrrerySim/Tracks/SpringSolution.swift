// SPDX-License-Identifier: Apache-2.0

import Orrery

/// The exact solution of a spring over a given time, with the same bits on every machine.
///
/// It is the library's `SpringPropagator`, computed with `DeterministicMath`. Velocities are per second.
package struct SpringSolution: Equatable, Sendable {
  /// 2π/response, 1/s.
  private let frequency: Double
  private let dampingRatio: Double

  /// The solution of a spring; it does not depend on its mass.
  package init(_ spring: Spring) {
    frequency = 2 * .pi / spring.response
    dampingRatio = spring.dampingRatio
  }

  /// The solution over `time` seconds; 0 or more.
  func step(_ time: Double) -> SpringPropagator {
    if frequency == .infinity, time != 0 { return .end }
    return SpringPropagator(
      frequency: frequency, dampingRatio: dampingRatio, time: time, DeterministicMath.self)
  }
}

extension SpringPropagator {
  func displacement(_ d: Double, _ v: Double) -> Double { xx * d + xv * v }

  func velocity(_ d: Double, _ v: Double) -> Double { vx * d + vv * v }

  /// The change of the displacement.
  func change(_ d: Double, _ v: Double) -> Double { (xx - 1) * d + xv * v }
}

extension DeterministicMath: SpringFunctions {
  /// e^x.
  package static func exponential(_ x: Double) -> Double { exp(x) }

  /// e^x - 1, with all its digits also near 0.
  package static func exponentialMinus1(_ x: Double) -> Double { expm1(x) }

  /// Cosine of an angle, and its sine divided by the angle, which is 1 at 0.
  package static func cosineAndSinc(_ angle: Double) -> (cosine: Double, sinc: Double) {
    let (cosine, sine) = cosineAndSine(angle)
    return (cosine, angle == 0 ? 1 : sine / angle)
  }
}
