// SPDX-License-Identifier: Apache-2.0

/// Motion of vectors and of values that are animated as vectors.
///
/// Each component moves as a number does in ``value(target:initialVelocity:time:)``.
extension Spring {
  /// The position of a spring that started at zero.
  ///
  /// - Parameters:
  ///   - target: Target of the spring.
  ///   - initialVelocity: Per second.
  ///   - time: Seconds since the start.
  /// - Returns: The position.
  public func value<V: VectorArithmetic>(
    target: V, initialVelocity: V = .zero, time: Double
  ) -> V {
    if time == 0 { return .zero }
    return propagator(time).position(displacement: .zero - target, initialVelocity, target)
  }

  /// The velocity of a spring that started at zero, per second.
  ///
  /// - Parameters:
  ///   - target: Target of the spring.
  ///   - initialVelocity: Per second.
  ///   - time: Seconds since the start.
  /// - Returns: The velocity, per second.
  public func velocity<V: VectorArithmetic>(
    target: V, initialVelocity: V = .zero, time: Double
  ) -> V {
    propagator(time).velocity(displacement: .zero - target, initialVelocity)
  }

  /// Moves a value and its velocity on by a step of any length; many steps equal one long step.
  ///
  /// - Parameters:
  ///   - value: Position of the spring.
  ///   - velocity: Per second.
  ///   - target: Target of the spring.
  ///   - deltaTime: Length of the step, s; 0 changes nothing.
  public func update<V: VectorArithmetic>(
    value: inout V, velocity: inout V, target: V, deltaTime: Double
  ) {
    if deltaTime == 0 { return }
    let step = propagator(deltaTime)
    let displacement = value - target
    value = step.position(displacement: displacement, velocity, target)
    velocity = step.velocity(displacement: displacement, velocity)
  }

  /// The force on the mass: stiffness · (target - position) - damping · velocity.
  ///
  /// - Parameters:
  ///   - target: Target of the spring.
  ///   - position: Its position.
  ///   - velocity: Per second.
  /// - Returns: The force, per second squared for a mass of 1.
  public func force<V: VectorArithmetic>(target: V, position: V, velocity: V) -> V {
    (target - position).scaled(by: stiffness) - velocity.scaled(by: damping)
  }

  /// A time after which a spring that started at zero stays closer than epsilon to its target, s.
  ///
  /// See ``settlingBound(target:initialVelocity:epsilon:)`` of a number.
  ///
  /// - Parameters:
  ///   - target: Target of the spring.
  ///   - initialVelocity: Per second.
  ///   - epsilon: Length of the vector to the target, greater than 0.
  /// - Returns: 0 if the distance is never as large as epsilon, infinity if it never settles.
  public func settlingBound<V: VectorArithmetic>(
    target: V, initialVelocity: V = .zero, epsilon: Double
  ) -> Double {
    settlingDuration(
      distance: target.magnitudeSquared.squareRoot(),
      drift: (target.scaled(by: decay) - initialVelocity).magnitudeSquared.squareRoot(),
      epsilon: epsilon)
  }
}

/// Motion of animatable values, through their `animatableData`.
extension Spring {
  /// The position of a spring that started at a value.
  ///
  /// - Parameters:
  ///   - fromValue: Its position at the start.
  ///   - toValue: Target of the spring; parts that are not animated are taken from it.
  ///   - initialVelocity: Per second.
  ///   - time: Seconds since the start.
  /// - Returns: The position.
  public func value<V: Animatable>(
    fromValue: V, toValue: V, initialVelocity: V, time: Double
  ) -> V {
    var result = toValue
    if time == 0 {
      result.animatableData = fromValue.animatableData
    } else {
      result.animatableData = propagator(time).position(
        displacement: fromValue.animatableData - toValue.animatableData,
        initialVelocity.animatableData, toValue.animatableData)
    }
    return result
  }

  /// The velocity of a spring that started at a value, per second.
  ///
  /// - Parameters:
  ///   - fromValue: Its position at the start.
  ///   - toValue: Target of the spring; parts that are not animated are taken from it.
  ///   - initialVelocity: Per second.
  ///   - time: Seconds since the start.
  /// - Returns: The velocity, per second.
  public func velocity<V: Animatable>(
    fromValue: V, toValue: V, initialVelocity: V, time: Double
  ) -> V {
    var result = toValue
    result.animatableData = propagator(time).velocity(
      displacement: fromValue.animatableData - toValue.animatableData,
      initialVelocity.animatableData)
    return result
  }

  /// The force on the mass between two values; it does not depend on `fromValue`.
  ///
  /// - Parameters:
  ///   - fromValue: Its position at the start.
  ///   - toValue: Target of the spring.
  ///   - position: Its position, in the coordinates of the two values.
  ///   - velocity: Per second.
  /// - Returns: The force, per second squared for a mass of 1.
  public func force<V: Animatable>(
    fromValue: V, toValue: V, position: V, velocity: V
  ) -> V {
    var result = toValue
    result.animatableData = force(
      target: toValue.animatableData, position: position.animatableData,
      velocity: velocity.animatableData)
    return result
  }

  /// A time after which a spring that started at a value stays closer than epsilon to its target, s.
  ///
  /// - Parameters:
  ///   - fromValue: Its position at the start.
  ///   - toValue: Target of the spring.
  ///   - initialVelocity: Per second.
  ///   - epsilon: Length of the data's way to `toValue`, greater than 0.
  /// - Returns: 0 if the distance is never as large as epsilon, infinity if it never settles.
  public func settlingBound<V: Animatable>(
    fromValue: V, toValue: V, initialVelocity: V, epsilon: Double
  ) -> Double {
    settlingBound(
      target: toValue.animatableData - fromValue.animatableData,
      initialVelocity: initialVelocity.animatableData, epsilon: epsilon)
  }
}

extension SpringPropagator {
  func position<V: VectorArithmetic>(displacement: V, _ velocity: V, _ target: V) -> V {
    target + (displacement.scaled(by: xx) + velocity.scaled(by: xv))
  }

  func velocity<V: VectorArithmetic>(displacement: V, _ velocity: V) -> V {
    displacement.scaled(by: vx) + velocity.scaled(by: vv)
  }
}
