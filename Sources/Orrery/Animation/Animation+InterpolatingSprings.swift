// SPDX-License-Identifier: Apache-2.0

/// Springs that move from 0 to 1 and scale the interval; they add to running motions.
///
/// They end when they stay within 0.001 of 1. They are logically complete after 2π/√stiffness
/// seconds, whatever the mass. Damping above critical counts as critical.
extension Animation {
  /// A spring of 0.5 s without bounce that adds to running motions.
  public static var interpolatingSpring: Animation { interpolatingSpring(duration: 0.5) }

  /// A spring by the constants of its differential equation; it adds to running motions.
  ///
  /// - Parameters:
  ///   - mass: Greater than 0.
  ///   - stiffness: Force per displacement, greater than 0.
  ///   - damping: Force per velocity; below 0 is 0.
  ///   - initialVelocity: Intervals per second; positive toward the new value.
  /// - Returns: The animation.
  public static func interpolatingSpring(
    mass: Double = 1, stiffness: Double, damping: Double, initialVelocity: Double = 0
  ) -> Animation {
    Animation(
      .interpolatingSpring(
        mass: mass, stiffness: stiffness, damping: damping, initialVelocity: initialVelocity))
  }

  /// A spring by its perceptual duration and its bounce; it adds to running motions.
  ///
  /// - Parameters:
  ///   - duration: Perceptual duration, s.
  ///   - bounce: From 0, which does not overshoot, to 1, which oscillates for ever; below 0 is 0.
  ///   - initialVelocity: Intervals per second; positive toward the new value.
  /// - Returns: The animation.
  public static func interpolatingSpring(
    duration: Double = 0.5, bounce: Double = 0, initialVelocity: Double = 0
  ) -> Animation {
    interpolatingSpring(
      Spring(duration: duration, bounce: bounce), initialVelocity: initialVelocity)
  }

  /// A spring that adds to running motions.
  ///
  /// - Parameters:
  ///   - spring: The spring; damping above critical counts as critical.
  ///   - initialVelocity: Intervals per second; positive toward the new value.
  /// - Returns: The animation.
  public static func interpolatingSpring(
    _ spring: Spring, initialVelocity: Double = 0
  ) -> Animation {
    // A spring that snaps is infinitely stiff, and its mass and damping have no influence.
    if spring.response == 0 {
      return interpolatingSpring(
        stiffness: .infinity, damping: 0, initialVelocity: initialVelocity)
    }
    let damped = Spring(
      response: spring.response, dampingRatio: min(1, spring.dampingRatio), mass: spring.mass)
    return interpolatingSpring(
      mass: damped.mass, stiffness: damped.stiffness, damping: damped.damping,
      initialVelocity: initialVelocity)
  }
}
