// SPDX-License-Identifier: Apache-2.0

/// Motion of one number; vectors use the same formulas for each component.
extension Spring {
  /// The position of a spring that started at 0.
  ///
  /// - Parameters:
  ///   - target: Target of the spring.
  ///   - initialVelocity: Per second, positive toward larger values.
  ///   - time: Seconds since the start.
  /// - Returns: The position.
  public func value(target: Double, initialVelocity: Double = 0, time: Double) -> Double {
    value(fromValue: 0, toValue: target, initialVelocity: initialVelocity, time: time)
  }

  /// The velocity of a spring that started at 0, per second.
  ///
  /// - Parameters:
  ///   - target: Target of the spring.
  ///   - initialVelocity: Per second, positive toward larger values.
  ///   - time: Seconds since the start.
  /// - Returns: The velocity, per second.
  public func velocity(target: Double, initialVelocity: Double = 0, time: Double) -> Double {
    velocity(fromValue: 0, toValue: target, initialVelocity: initialVelocity, time: time)
  }

  /// The position of a spring that started at a value.
  ///
  /// - Parameters:
  ///   - fromValue: Its position at the start.
  ///   - toValue: Target of the spring.
  ///   - initialVelocity: Per second, positive toward larger values.
  ///   - time: Seconds since the start.
  /// - Returns: The position.
  public func value(
    fromValue: Double, toValue: Double, initialVelocity: Double, time: Double
  ) -> Double {
    if time == 0 { return fromValue }
    let step = propagator(time)
    return toValue + (step.xx * (fromValue - toValue) + step.xv * initialVelocity)
  }

  /// The velocity of a spring that started at a value, per second.
  ///
  /// - Parameters:
  ///   - fromValue: Its position at the start.
  ///   - toValue: Target of the spring.
  ///   - initialVelocity: Per second, positive toward larger values.
  ///   - time: Seconds since the start.
  /// - Returns: The velocity, per second.
  public func velocity(
    fromValue: Double, toValue: Double, initialVelocity: Double, time: Double
  ) -> Double {
    let step = propagator(time)
    return step.vx * (fromValue - toValue) + step.vv * initialVelocity
  }

  /// Moves a value and its velocity on by a step of any length; many steps equal one long step.
  ///
  /// - Parameters:
  ///   - value: Position of the spring.
  ///   - velocity: Per second.
  ///   - target: Target of the spring.
  ///   - deltaTime: Length of the step, s; 0 changes nothing.
  public func update(
    value: inout Double, velocity: inout Double, target: Double, deltaTime: Double
  ) {
    if deltaTime == 0 { return }
    let step = propagator(deltaTime)
    let displacement = value - target
    value = target + (step.xx * displacement + step.xv * velocity)
    velocity = step.vx * displacement + step.vv * velocity
  }

  /// The force on the mass: stiffness · (target - position) - damping · velocity.
  ///
  /// - Parameters:
  ///   - target: Target of the spring.
  ///   - position: Its position.
  ///   - velocity: Per second.
  /// - Returns: The force, per second squared for a mass of 1.
  public func force(target: Double, position: Double, velocity: Double) -> Double {
    stiffness * (target - position) - damping * velocity
  }

  /// The force on the mass between two values; it does not depend on `fromValue`.
  ///
  /// - Parameters:
  ///   - fromValue: Its position at the start.
  ///   - toValue: Target of the spring.
  ///   - position: Its position, in the coordinates of the two values.
  ///   - velocity: Per second.
  /// - Returns: The force, per second squared for a mass of 1.
  public func force(
    fromValue: Double, toValue: Double, position: Double, velocity: Double
  ) -> Double {
    force(target: toValue, position: position, velocity: velocity)
  }
}
