// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A spring in ticks: the numbers that the kernels of springs want.
///
/// `stiffness` and `damping` move it on by a tick, see docs/kernels.md. The others place it t ticks after it
/// was let go at rest, at a distance of 1:
///
///     e = 2^(-decay·t)      c = cos(turn·t), s = sin(turn·t), turn in quarter turns   if turn is 0 or more
///                           c = 1,           s = 1 - 2^(turn·t)                       if not
///     displacement = e·(c + lag·s)
///     its change in the next tick = e·(drop·c + pull·s)
///
/// With the exact solution's frequency w and damping ratio z, a = z·w and q = w·√|1 - z²|, all for a tick: a
/// spring that swings has decay and turn of a and q, lag = a/q; one that does not falls with the rates
/// w·(z ∓ √(z² - 1)), of which the slower is its decay. Nowhere are near numbers taken from each other for
/// a z near 1. Only `turn` is multiplied by many turns; floats do for the others.
package struct SpringCoefficients: BitwiseCopyable, Sendable {
  package private(set) var turn = 0.0
  package private(set) var decay: Float = 0
  package private(set) var lag: Float = 0
  package private(set) var drop: Float = 0
  package private(set) var pull: Float = 0
  package private(set) var stiffness: Float = 0
  package private(set) var damping: Float = 0

  /// A spring that swings and is placed exactly at every tick, because it takes less than four ticks to
  /// swing: floats would lose it between.
  package var isQuick: Bool { stiffness > Self.quickStiffness }

  /// Of an undamped spring that takes four ticks to swing.
  static let quickStiffness: Float = 2

  /// A spring that nothing pulls.
  static let still = SpringCoefficients()

  private init() {}

  /// The numbers of a spring, whose mass has no part in them, for ticks of `tickSeconds`.
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

  /// Faster than anything that leaves something after a tick.
  private static let fastest: Float = 0x1p100

  private mutating func swing(_ w: Double, _ z: Double) {
    let a = z * w
    // A swing of a few years instead of none at z = 1, where the limit of sin(q t)/q is t.
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

  /// How far beyond its target the spring swings, in distances.
  package var overshoot: Double {
    turn < 0 || decay == Self.fastest ? 0 : DeterministicMath.exp(-.pi * Double(lag))
  }
}
