// SPDX-License-Identifier: Apache-2.0

extension Animation {
  /// What happens when, for one interval.
  ///
  /// - Parameter initialVelocity: Intervals per second, for a spring that continues with what ran
  ///   before; other animations, and those that repeat, have their own.
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

  /// One that snaps where the constants make no spring.
  private static func interpolatingSpring(
    _ mass: Double, _ stiffness: Double, _ damping: Double
  ) -> Spring {
    guard mass > 0, mass < .infinity, stiffness > 0, stiffness < .infinity, !damping.isNaN else {
      return Spring(response: 0, dampingRatio: 1)
    }
    return Spring(mass: mass, stiffness: stiffness, damping: damping)
  }

  /// A velocity as the spring inside the modifiers sees it.
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
