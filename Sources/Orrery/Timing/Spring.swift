// SPDX-License-Identifier: Apache-2.0

/// A damped spring that pulls a value toward a target.
///
///     mass · x″ = stiffness · (target - x) - damping · x′
///
/// Names, arguments and defaults are SwiftUI's. Motion is the exact solution for any time and any
/// step, and continuous in the damping ratio through 1. With w = 2π/response, in 1/s:
///
///     stiffness = mass · w²    damping = 2 · dampingRatio · mass · w
///
/// Where descriptions of SwiftUI disagree, these are the choices:
///
/// - ``stiffness`` of a spring with negative bounce is mass · w², as in physics.
/// - ``settlingDuration`` is SwiftUI's estimate, and ``settlingBound`` a true upper bound; the
///   library's own animations, keyframes and scenes end by the bound.
///
/// Parameters out of range are clamped as the initialisers document; NaN in, NaN out.
public struct Spring: BitwiseCopyable, Hashable, Sendable {
  /// Time of one oscillation without damping, s, at least 0; 0 is a spring that snaps to its
  /// target.
  public let response: Double

  /// Damping as a share of critical damping, which is just enough to prevent overshoot; at least 0.
  ///
  /// Below 1 the spring oscillates, at 1 it is critically damped, above 1 it is overdamped, and
  /// with an infinite ratio it stands still.
  public let dampingRatio: Double

  /// Mass at the end of the spring; 1 unless it was given.
  public let mass: Double

  /// A spring by its perceptual duration and its bounce.
  ///
  /// - Parameters:
  ///   - duration: Perceptual duration in s, the same number as ``response``; below 0 is 0.
  ///   - bounce: Clamped to [-1, 1]: 0 does not overshoot, 1 oscillates for ever, -1 stands still.
  ///     The damping ratio is 1 - bounce, for negative bounce 1/(1 + bounce).
  public init(duration: Double = 0.5, bounce: Double = 0) {
    let bounce = bounce < -1 ? -1 : bounce > 1 ? 1 : bounce
    self.init(
      response: duration, dampingRatio: bounce < 0 ? 1 / (1 + bounce) : 1 - bounce, mass: 1)
  }

  /// A spring by its response and its damping ratio.
  ///
  /// - Parameters:
  ///   - response: Time of one undamped oscillation in s; below 0 is 0.
  ///   - dampingRatio: Share of critical damping; below 0 is 0.
  public init(response: Double, dampingRatio: Double) {
    self.init(response: response, dampingRatio: dampingRatio, mass: 1)
  }

  /// A spring by the constants of its differential equation.
  ///
  /// - Parameters:
  ///   - mass: Greater than 0.
  ///   - stiffness: Force per displacement, greater than 0.
  ///   - damping: Force per velocity; below 0 is 0.
  ///   - allowOverDamping: Whether damping above critical is kept. If not, it becomes critical.
  public init(
    mass: Double = 1, stiffness: Double, damping: Double, allowOverDamping: Bool = false
  ) {
    let ratio = damping / (2 * (stiffness * mass).squareRoot())
    self.init(
      response: 2 * .pi * (mass / stiffness).squareRoot(),
      dampingRatio: ratio > 1 && !allowOverDamping ? 1 : ratio, mass: mass)
  }

  init(response: Double, dampingRatio: Double, mass: Double) {
    // No negative zero.
    self.response = response <= 0 ? 0 : response
    self.dampingRatio = dampingRatio <= 0 ? 0 : dampingRatio
    self.mass = mass
  }

  /// Perceptual duration, s: the same number as ``response``.
  public var duration: Double { response }

  /// How much the spring bounces, from -1 to 1.
  ///
  /// 1 - dampingRatio, above a damping ratio of 1 it is 1/dampingRatio - 1.
  public var bounce: Double { dampingRatio > 1 ? 1 / dampingRatio - 1 : 1 - dampingRatio }

  /// Force per displacement, mass · (2π/response)².
  public var stiffness: Double { mass * frequency * frequency }

  /// Force per velocity, 2 · dampingRatio · mass · 2π/response.
  public var damping: Double { 2 * dampingRatio * mass * frequency }

  /// Undamped angular frequency, radians per second.
  var frequency: Double { 2 * .pi / response }

  /// The spring's motion over a time of any length, s.
  func propagator(_ time: Double) -> SpringPropagator {
    SpringPropagator(response: response, dampingRatio: dampingRatio, time: time)
  }
}
