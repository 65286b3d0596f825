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
struct SpringPropagator {
  /// Of displacement in displacement, 1.
  let xx: Double

  /// Of velocity in displacement, s.
  let xv: Double

  /// Of displacement in velocity, 1/s.
  let vx: Double

  /// Of velocity in velocity, 1.
  let vv: Double

  init(xx: Double, xv: Double, vx: Double, vv: Double) {
    (self.xx, self.xv, self.vx, self.vv) = (xx, xv, vx, vv)
  }

  private static let identity = SpringPropagator(xx: 1, xv: 0, vx: 0, vv: 1)

  /// - Parameters:
  ///   - response: Seconds, at least 0; with 0 the spring is at the target at once.
  ///   - dampingRatio: At least 0; infinite stands still.
  ///   - time: Seconds. Less than 0 goes back in time.
  init(response: Double, dampingRatio: Double, time: Double) {
    if time == 0 {
      self = Self.identity
    } else if response == 0 {
      self.init(xx: 0, xv: 0, vx: 0, vv: 0)
    } else if dampingRatio == .infinity {
      self.init(xx: 1, xv: 0, vx: 0, vv: 0)
    } else if dampingRatio <= 1 {
      self.init(underdamped: dampingRatio, frequency: 2 * .pi / response, time: time)
    } else {
      self.init(overdamped: dampingRatio, frequency: 2 * .pi / response, time: time)
    }
  }

  private init(underdamped z: Double, frequency w: Double, time t: Double) {
    let envelope = exp(-z * w * t)
    if envelope == 0 {
      self.init(xx: 0, xv: 0, vx: 0, vv: 0)
      return
    }
    let angle = ((1 - z) * (1 + z)).squareRoot() * w * t
    let cosine = envelope * cos(angle)
    let sine = envelope * (angle == 0 ? 1 : sin(angle) / angle) * t
    self.init(
      xx: cosine + z * w * sine, xv: sine, vx: -w * w * sine, vv: cosine - z * w * sine)
  }

  /// The product of the two rates w (z -+ √(z² - 1)) is w², which gives the slow one without a
  /// subtraction.
  private init(overdamped z: Double, frequency w: Double, time t: Double) {
    let root = (z - 1).squareRoot() * (z + 1).squareRoot()
    let slow = exp(-w * t / (z + root))
    if slow == 0 {
      self.init(xx: 0, xv: 0, vx: 0, vv: 0)
      return
    }
    // e^(-2 q t) - 1, with q the hyperbolic frequency.
    let angle = root * w * t
    let change = expm1(-2 * angle)
    let cosine = slow * (1 + change / 2)
    let sine = slow * (angle == 0 ? 1 : -change / (2 * angle)) * t
    self.init(
      xx: cosine + z * w * sine, xv: sine, vx: -w * w * sine, vv: cosine - z * w * sine)
  }
}
