// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A move from one value to another that repeats for ever.
///
/// With turns = frac(phase + t/period), the value is from + (to - from)·form(turns).
package struct TweenSpec: Equatable, Sendable {
  /// Value at the start of each cycle.
  package let from: Double

  /// Where the form's 1 leads.
  package let to: Double

  /// Seconds of one cycle, which with autoreverses is there and back; > 0.
  package let period: Double

  /// Turns at tick 0; in [0, 1).
  package let phase: Double

  /// What happens in a cycle; tweens that share an object share a table.
  package let form: TweenCycle

  package init(
    from: Double, to: Double, period: Double, phase: Double = 0, form: TweenCycle = .linear
  ) {
    self.from = from
    self.to = to
    self.period = period
    self.phase = phase
    self.form = form
  }
}

/// What a cycle of a repeated tween looks like.
package final class TweenCycle: Equatable, Sendable {
  /// Progress of a leg, from leg's start (0) to its end (1).
  package let curve: UnitCurve

  /// Whether a second leg leads back, along the same way: the cycle is then two legs.
  package let autoreverses: Bool

  /// Part of each leg, in [0, 1), that passes before it moves: a delay inside the repetition.
  package let hold: Double

  package init(curve: UnitCurve, autoreverses: Bool = false, hold: Double = 0) {
    self.curve = curve
    self.autoreverses = autoreverses
    self.hold = hold
  }

  /// From start to end at constant speed, again and again.
  package static let linear = TweenCycle(curve: .linear)

  /// Forms with equal parts are equal, whether or not they are one object.
  package static func == (lhs: TweenCycle, rhs: TweenCycle) -> Bool {
    lhs === rhs
      || (lhs.curve, lhs.autoreverses, lhs.hold) == (rhs.curve, rhs.autoreverses, rhs.hold)
  }

  /// Progress at a part of the cycle, in Double: what tables are made from and compared with.
  ///
  /// - Parameter turns: In [0, 1).
  /// - Returns: 0 is `from` and 1 is `to`; other values where the curve overshoots.
  package func value(at turns: Double) -> Double {
    var (leg, isBack) = (turns, false)
    if autoreverses {
      isBack = turns >= 0.5
      leg = isBack ? 2 * turns - 1 : 2 * turns
    }
    let moving = max(0, leg - hold) / (1 - hold)
    let progress = curve.value(at: moving)
    return isBack ? 1 - progress : progress
  }
}
