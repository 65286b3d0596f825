// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery

/// A spring in ticks: the coefficients for the spring kernels.
///
/// `stiffness` and `damping` step it by a tick, see docs/explained/kernels.md. The others give its state t ticks
/// after it was released at rest, at a distance of 1:
///
///     e = 2^(-decay·t)      c = cos(turn·t), s = sin(turn·t), turn in quarter turns   if turn >= 0
///                           c = 1,           s = 1 - 2^(turn·t)                       if turn < 0
///     displacement = e·(c + lag·s)
///     its change in the next tick = e·(drop·c + pull·s)
///
/// With the exact solution's frequency w and damping ratio z, let a = z·w and q = w·√|1 - z²|, all per
/// tick. A spring that swings (z <= 1) has decay a, turn q and lag a/q. An overdamped one falls with
/// the rates w·(z ∓ √(z² - 1)); the slower one is its decay. For z near 1, no formula subtracts nearly
/// equal numbers. Only `turn` is multiplied by a time of many turns; floats are exact enough for the
/// others.
package struct SpringCoefficients: BitwiseCopyable, Sendable {
  /// Quarter turns in a tick; negative for an overdamped spring, whose faster rate it is.
  package private(set) var turn = 0.0
  /// Halvings of the displacement in a tick.
  package private(set) var decay: Float = 0
  /// Factor of the sine in the displacement.
  package private(set) var lag: Float = 0
  /// Factor of the cosine in the change of the next tick.
  package private(set) var drop: Float = 0
  /// Factor of the sine in the change of the next tick.
  package private(set) var pull: Float = 0
  /// Force for a displacement of 1, per tick squared.
  package private(set) var stiffness: Float = 0
  /// Force for a velocity of 1, per tick.
  package private(set) var damping: Float = 0

  /// Whether the spring takes less than four ticks to a swing.
  ///
  /// Its state is computed exactly at every tick, because floats would lose it in between.
  package var isQuick: Bool { stiffness > Self.quickStiffness }

  /// The stiffness of an undamped spring that takes four ticks to a swing.
  static let quickStiffness: Float = 2

  /// The coefficients of a spring for ticks of `tickSeconds`; they do not depend on its mass.
  package init(_ spring: Spring, tickSeconds: Double) {
    let w = 2 * .pi / spring.response * tickSeconds
    let z = spring.dampingRatio
    if w < 0x1p-300 || z == .infinity { return }
    if w == .infinity {
      (decay, drop, stiffness, damping) = (Self.fastest, -1, 1, 1)
    } else if z <= 1 {
      swing(w, z)
    } else {
      fall(w, z)
    }
  }

  /// A decay that leaves nothing after a tick.
  fileprivate static let fastest: Float = 0x1p100

  private mutating func swing(_ w: Double, _ z: Double) {
    let a = z * w
    // At z = 1 the limit of sin(q t)/q is t: take a swing of a few years instead of no swing.
    let q = max(((1 - z) * (1 + z)).squareRoot(), 0x1p-27) * w
    let loss = DeterministicMath.expm1(-a)
    let envelope = 1 + loss
    let half = DeterministicMath.cosineAndSine(q / 2)
    let rise = 2 * half.sine * half.sine
    let sine = 2 * half.sine * half.cosine
    let xx = loss + envelope * (a / q * sine - rise)
    turn = q * 0x1.45f306dc9c883p-1
    decay = min(Float(a * Self.log2OfE), Self.fastest)
    lag = Float(a / q)
    drop = Float(xx)
    pull = Float((xx * a - envelope * (sine / q) * w * w) / q)
    stiffness = Float(loss * loss + 2 * envelope * rise)
    damping = Float(-loss * (2 + loss))
  }

  private mutating func fall(_ w: Double, _ z: Double) {
    let root = (z - 1).squareRoot() * (z + 1).squareRoot()
    let (slow, between) = (w / (z + root), 2 * root * w)
    let slowLoss = DeterministicMath.expm1(-slow)
    let loss = DeterministicMath.expm1(-slow - between)
    let lag = 0.5 / ((z + root) * root)
    turn = -between * Self.log2OfE
    decay = min(Float(slow * Self.log2OfE), Self.fastest)
    self.lag = Float(lag)
    drop = Float(slowLoss - lag * (1 + slowLoss) * DeterministicMath.expm1(-between))
    pull = Float(lag * loss)
    stiffness = Float(slowLoss * loss)
    damping = Float(-DeterministicMath.expm1(-2 * z * w))
  }

  private static let log2OfE = 0x1.71547652b82fep+0

  /// The coefficients of its exact states, as restarts read them.
  package var row: kernel_spring_coefficients {
    kernel_spring_coefficients(
      turn: turn, decay: decay, lag: lag, drop: drop, pull: pull, reserved: 0)
  }
}

extension kernel_spring_coefficients {
  /// How far beyond its target the spring swings, in distances.
  package var overshoot: Double {
    let falls = turn < 0 || decay == SpringCoefficients.fastest
    return falls ? 0 : DeterministicMath.exp(-.pi * Double(lag))
  }
}
