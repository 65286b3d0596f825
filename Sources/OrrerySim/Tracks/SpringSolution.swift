// SPDX-License-Identifier: Apache-2.0

import Orrery

/// The exact solution of a spring over a given time, equal to the library's, with the same bits on every
/// machine.
///
///     displacement after = xx·d + xv·v
///     velocity after     = vx·d + vv·v
///
/// The formulas are those of the library's `SpringPropagator`, computed with `DeterministicMath`.
/// Velocities are per second.
package struct SpringSolution: Equatable, Sendable {
  /// 2π/response, 1/s.
  private let frequency: Double
  private let dampingRatio: Double

  /// The solution of a spring; it does not depend on its mass.
  package init(_ spring: Spring) {
    frequency = 2 * .pi / spring.response
    dampingRatio = spring.dampingRatio
  }

  /// Four numbers that take a spring's state from the start of a time to its end.
  struct Step: Sendable {
    var xx: Double
    var xv: Double
    var vx: Double
    var vv: Double

    static let rest = Step(xx: 1, xv: 0, vx: 0, vv: 1)
    static let end = Step(xx: 0, xv: 0, vx: 0, vv: 0)

    func displacement(_ d: Double, _ v: Double) -> Double { xx * d + xv * v }

    func velocity(_ d: Double, _ v: Double) -> Double { vx * d + vv * v }

    /// The change of the displacement.
    func change(_ d: Double, _ v: Double) -> Double { (xx - 1) * d + xv * v }
  }

  /// The solution over `time` seconds; 0 or more.
  func step(_ time: Double) -> Step {
    let (w, z) = (frequency, dampingRatio)
    if time == 0 { return .rest }
    if w == .infinity { return .end }
    if z == .infinity { return Step(xx: 1, xv: 0, vx: 0, vv: 0) }
    return z <= 1 ? underdamped(w, z, time) : overdamped(w, z, time)
  }

  private func underdamped(_ w: Double, _ z: Double, _ t: Double) -> Step {
    let envelope = DeterministicMath.exp(-z * w * t)
    if envelope == 0 { return .end }
    let angle = ((1 - z) * (1 + z)).squareRoot() * w * t
    let turned = DeterministicMath.cosineAndSine(angle)
    let cosine = envelope * turned.cosine
    let sine = envelope * (angle == 0 ? 1 : turned.sine / angle) * t
    return Step(
      xx: cosine + z * w * sine, xv: sine, vx: -w * w * sine, vv: cosine - z * w * sine)
  }

  private func overdamped(_ w: Double, _ z: Double, _ t: Double) -> Step {
    let root = (z - 1).squareRoot() * (z + 1).squareRoot()
    let slow = DeterministicMath.exp(-w * t / (z + root))
    if slow == 0 { return .end }
    // e^(-2 q t) - 1, with q the hyperbolic frequency.
    let angle = root * w * t
    let change = DeterministicMath.expm1(-2 * angle)
    let cosine = slow * (1 + change / 2)
    let sine = slow * (angle == 0 ? 1 : -change / (2 * angle)) * t
    return Step(
      xx: cosine + z * w * sine, xv: sine, vx: -w * w * sine, vv: cosine - z * w * sine)
  }
}
