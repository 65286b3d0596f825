// SPDX-License-Identifier: Apache-2.0

extension Animation {
  /// The closed form of the animation over one interval.
  ///
  /// - Parameter initialVelocity: Intervals per second, for a spring that takes over a running
  ///   motion; other animations and repetitions ignore it.
  /// - Returns: The closed form; nil for a custom animation, which has none.
  package func course(initialVelocity: Double = 0) -> AnimationCourse? {
    switch source {
    case .curve(let curve, let duration):
      return AnimationCourse(CourseShape(curve, seconds: duration), modifiers)
    case .interpolatingSpring(let mass, let stiffness, let damping, let velocity):
      let shape = CourseShape(
        Self.interpolatingSpring(mass, stiffness, damping), initialVelocity: velocity,
        logicalEnd: 2 * .pi / stiffness.squareRoot())
      return AnimationCourse(shape, modifiers)
    case .standard, .spring:
      guard let spring = source.fluidSpring?.spring else { return nil }
      let shape = CourseShape(
        spring, initialVelocity: ownVelocity(initialVelocity), logicalEnd: spring.response)
      return AnimationCourse(shape, modifiers)
    case .custom:
      return nil
    }
  }

  /// The spring of these constants; a spring that snaps if they are not valid.
  private static func interpolatingSpring(
    _ mass: Double, _ stiffness: Double, _ damping: Double
  ) -> Spring {
    guard mass > 0, mass < .infinity, stiffness > 0, stiffness < .infinity, !damping.isNaN else {
      return Spring(response: 0, dampingRatio: 1)
    }
    return Spring(mass: mass, stiffness: stiffness, damping: damping)
  }

  /// A velocity in the spring's own time, inside the modifiers.
  private func ownVelocity(_ velocity: Double) -> Double {
    modifiers.reduce(velocity) { velocity, modifier in
      switch modifier {
      case .speed(let speed): speed > 0 ? velocity / speed : 0
      case .repeats: 0
      case .delay, .logicallyComplete: velocity
      }
    }
  }
}
