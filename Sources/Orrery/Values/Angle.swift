// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An angle, kept in radians.
///
/// Positive angles turn clockwise on a screen, where y grows downward. Angles are not reduced to one
/// turn: an animation from 0° to 720° turns twice.
public struct Angle: Hashable, Comparable, Codable, Sendable {
  /// Radians; any number.
  public var radians: Double

  /// The angle 0.
  public init() { radians = 0 }

  /// Makes an angle from radians.
  public init(radians: Double) { self.radians = radians }

  /// Makes an angle from degrees.
  public init(degrees: Double) { radians = degrees * (.pi / 180) }

  /// An angle in radians.
  public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }

  /// An angle in degrees.
  public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }

  /// The angle 0.
  public static let zero = Angle()

  /// Degrees.
  public var degrees: Double {
    get { radians * (180 / .pi) }
    set { radians = newValue * (.pi / 180) }
  }

  /// Whether the first angle is the smaller one; turns count.
  public static func < (lhs: Angle, rhs: Angle) -> Bool { lhs.radians < rhs.radians }
}

/// Arithmetic, in radians.
extension Angle {
  /// The sum.
  public static func + (lhs: Angle, rhs: Angle) -> Angle {
    Angle(radians: lhs.radians + rhs.radians)
  }

  /// The difference.
  public static func - (lhs: Angle, rhs: Angle) -> Angle {
    Angle(radians: lhs.radians - rhs.radians)
  }

  /// The same angle the other way round.
  public static prefix func - (angle: Angle) -> Angle { Angle(radians: -angle.radians) }

  /// An angle times a number.
  public static func * (lhs: Angle, rhs: Double) -> Angle { Angle(radians: lhs.radians * rhs) }

  /// A number times an angle.
  public static func * (lhs: Double, rhs: Angle) -> Angle { rhs * lhs }

  /// An angle divided by a number.
  public static func / (lhs: Angle, rhs: Double) -> Angle { Angle(radians: lhs.radians / rhs) }

  /// Adds in place.
  public static func += (lhs: inout Angle, rhs: Angle) { lhs.radians += rhs.radians }

  /// Subtracts in place.
  public static func -= (lhs: inout Angle, rhs: Angle) { lhs.radians -= rhs.radians }

  /// Multiplies in place.
  public static func *= (lhs: inout Angle, rhs: Double) { lhs.radians *= rhs }

  /// Divides in place.
  public static func /= (lhs: inout Angle, rhs: Double) { lhs.radians /= rhs }
}

extension Angle: Animatable {
  /// Radians.
  public var animatableData: Double {
    get { radians }
    set { radians = newValue }
  }
}
