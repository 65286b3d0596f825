// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The motion of a spring over a given time, as four numbers.
///
/// With displacement d = position - target and velocity v, both at the start:
///
///     displacement after = xx·d + xv·v
///     velocity after     = vx·d + vv·v
///
/// They solve x″ = -w² x - 2 z w x′ exactly, for w = 2π/response and damping ratio z. With
/// q = w √(1 - z²), and cosh and sinh in place of cos and sin where z > 1:
///
///     C = cos(q t)            xx = e^(-z w t) (C + z w S)      xv = e^(-z w t) S
///     S = sin(q t)/q          vx = -e^(-z w t) w² S            vv = e^(-z w t) (C - z w S)
///
/// S is even in q and tends to t as q tends to 0, and 1 - z² is computed as (1 - z)(1 + z): no
/// digit is lost near z = 1, on either side.
///
/// `@inlinable`: the sim steps every spring of a block with it at each of the block's anchors.
package struct SpringPropagator: Sendable {
  /// Of displacement in displacement, 1.
  package let xx: Double

  /// Of velocity in displacement, s.
  package let xv: Double

  /// Of displacement in velocity, 1/s.
  package let vx: Double

  /// Of velocity in velocity, 1.
  package let vv: Double

  @inlinable init(xx: Double, xv: Double, vx: Double, vv: Double) {
    (self.xx, self.xv, self.vx, self.vv) = (xx, xv, vx, vv)
  }

  /// That of a spring which is at its target at once.
  @inlinable package static var end: Self { Self(xx: 0, xv: 0, vx: 0, vv: 0) }

  /// - Parameters:
  ///   - response: Seconds, at least 0; with 0 the spring is at the target at once.
  ///   - dampingRatio: At least 0; infinite stands still.
  ///   - time: Seconds. Less than 0 goes back in time.
  init(response: Double, dampingRatio: Double, time: Double) {
    if response == 0, time != 0 {
      self = .end
    } else {
      self.init(
        frequency: 2 * .pi / response, dampingRatio: dampingRatio, time: time,
        SystemFunctions.self)
    }
  }

  /// Solves a spring.
  ///
  /// - Parameters:
  ///   - w: 2π/response, 1/s.
  ///   - z: Damping ratio, at least 0; infinite stands still.
  ///   - time: Seconds. Less than 0 goes back in time.
  ///   - functions: Those to compute with.
  @inlinable package init<Functions: SpringFunctions>(
    frequency w: Double, dampingRatio z: Double, time: Double, _ functions: Functions.Type
  ) {
    if time == 0 {
      self.init(xx: 1, xv: 0, vx: 0, vv: 1)
    } else if z == .infinity {
      self.init(xx: 1, xv: 0, vx: 0, vv: 0)
    } else if z <= 1 {
      self.init(underdamped: z, frequency: w, time: time, functions)
    } else {
      self.init(overdamped: z, frequency: w, time: time, functions)
    }
  }

  @inlinable init<Functions: SpringFunctions>(
    underdamped z: Double, frequency w: Double, time t: Double, _ functions: Functions.Type
  ) {
    let envelope = functions.exponential(-z * w * t)
    if envelope == 0 {
      self = .end
      return
    }
    let angle = ((1 - z) * (1 + z)).squareRoot() * w * t
    let (cosine, sinc) = functions.cosineAndSinc(angle)
    self.init(
      cosine: envelope * cosine, sine: envelope * sinc * t, frequency: w, dampingRatio: z)
  }

  /// The product of the two rates w (z -+ √(z² - 1)) is w², which gives the slow one without a
  /// subtraction.
  @inlinable init<Functions: SpringFunctions>(
    overdamped z: Double, frequency w: Double, time t: Double, _ functions: Functions.Type
  ) {
    let root = (z - 1).squareRoot() * (z + 1).squareRoot()
    let slow = functions.exponential(-w * t / (z + root))
    if slow == 0 {
      self = .end
      return
    }
    // e^(-2 q t) - 1, with q the hyperbolic frequency.
    let angle = root * w * t
    let change = functions.exponentialMinus1(-2 * angle)
    self.init(
      cosine: slow * (1 + change / 2),
      sine: slow * (angle == 0 ? 1 : -change / (2 * angle)) * t, frequency: w, dampingRatio: z)
  }

  /// From C and S, both times e^(-z w t).
  @inlinable init(cosine: Double, sine: Double, frequency w: Double, dampingRatio z: Double) {
    self.init(
      xx: cosine + z * w * sine, xv: sine, vx: -w * w * sine, vv: cosine - z * w * sine)
  }
}

/// The functions that solve a spring.
///
/// There are two kinds, because they differ in the last digit: the library's values have the bits of the
/// system's functions, the sim's have the same bits on every machine (`DeterministicMath`).
package protocol SpringFunctions {
  /// e^x.
  static func exponential(_ x: Double) -> Double

  /// e^x - 1, with all its digits also near 0.
  static func exponentialMinus1(_ x: Double) -> Double

  /// Cosine of an angle, and its sine divided by the angle, which is 1 at 0.
  static func cosineAndSinc(_ angle: Double) -> (cosine: Double, sinc: Double)
}

/// The system's functions.
private enum SystemFunctions: SpringFunctions {
  static func exponential(_ x: Double) -> Double { exp(x) }

  static func exponentialMinus1(_ x: Double) -> Double { expm1(x) }

  static func cosineAndSinc(_ angle: Double) -> (cosine: Double, sinc: Double) {
    (cos(angle), angle == 0 ? 1 : sin(angle) / angle)
  }
}
