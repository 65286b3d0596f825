// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Draws content on a circle around where it stands; its layout stays.
public struct OrbitEffect: GeometryEffect, Hashable, Sendable {
  /// Radians that are animated; a turn is 2π.
  public var angle: CGFloat

  /// Points.
  public let radius: CGFloat

  /// Radians at angle 0: drawn once for each moon and given from outside, so that to make the
  /// effect anew does not move it.
  public let initialAngle: CGFloat

  /// Makes an effect.
  ///
  /// - Parameters:
  ///   - angle: Radians that are animated.
  ///   - radius: Points.
  ///   - initialAngle: Radians at angle 0.
  public init(angle: CGFloat = 0, radius: CGFloat, initialAngle: CGFloat = 0) {
    self.angle = angle
    self.radius = radius
    self.initialAngle = initialAngle
  }

  /// The effect as it is often written: with an initial angle that each initialiser draws at
  /// random.
  ///
  /// Whenever the view is evaluated again, its moon jumps.
  ///
  /// - Parameters:
  ///   - angle: Radians that are animated.
  ///   - radius: Points.
  ///   - generator: Where random numbers come from.
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

  /// A move to the place on the circle.
  public func effectValue(size: CGSize) -> ProjectionTransform {
    let angle = Double(angle + initialAngle)
    return ProjectionTransform(
      CGAffineTransform(translationX: cos(angle) * radius, y: sin(angle) * radius))
  }
}
