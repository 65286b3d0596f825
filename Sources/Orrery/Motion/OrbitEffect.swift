// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Draws content on a circle around its position; its layout does not change.
public struct OrbitEffect: GeometryEffect, Hashable, Sendable {
  /// The animated angle in radians; a turn is 2π.
  public var angle: CGFloat

  /// Points.
  public let radius: CGFloat

  /// Radians at angle 0.
  ///
  /// The caller draws it once for each moon, so making the effect again does not move the moon.
  public let initialAngle: CGFloat

  /// Makes an effect.
  ///
  /// - Parameters:
  ///   - angle: The animated angle in radians.
  ///   - radius: Points.
  ///   - initialAngle: Radians at angle 0.
  public init(angle: CGFloat = 0, radius: CGFloat, initialAngle: CGFloat = 0) {
    self.angle = angle
    self.radius = radius
    self.initialAngle = initialAngle
  }

  /// The effect as it is often written: each initialisation draws the initial angle at random.
  ///
  /// Whenever the view is evaluated again, its moon jumps.
  ///
  /// - Parameters:
  ///   - angle: The animated angle in radians.
  ///   - radius: Points.
  ///   - generator: Source of the random number.
  /// - Returns: An effect with an initial angle in 0..<2π.
  public static func asWritten(
    angle: CGFloat = 0, radius: CGFloat, using generator: inout some RandomNumberGenerator
  ) -> OrbitEffect {
    OrbitEffect(
      angle: angle, radius: radius,
      initialAngle: CGFloat.random(in: 0..<2 * .pi, using: &generator))
  }

  /// The angle.
  public var animatableData: CGFloat {
    get { angle }
    set { angle = newValue }
  }

  /// A move to the position on the circle.
  public func effectValue(size: CGSize) -> ProjectionTransform {
    let angle = Double(angle + initialAngle)
    return ProjectionTransform(
      CGAffineTransform(translationX: cos(angle) * radius, y: sin(angle) * radius))
  }
}
