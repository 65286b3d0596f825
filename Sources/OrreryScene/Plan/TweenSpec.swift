// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A move from one value to another that repeats for ever.
///
/// With turns = frac(phase + t/period), the value is from + (to - from)·cycle(turns).
package struct TweenSpec: Equatable, Sendable {
  /// Value at the start of each cycle.
  package let from: Double

  /// Value at progress 1.
  package let to: Double

  /// Seconds of one cycle; with autoreverses a cycle is there and back; > 0.
  package let period: Double

  /// Turns at tick 0; in [0, 1).
  package let phase: Double

  /// Progress during a cycle; tweens that share this object share a table.
  package let cycle: TweenCycle

  package init(
    from: Double, to: Double, period: Double, phase: Double = 0, cycle: TweenCycle = .linear
  ) {
    self.from = from
    self.to = to
    self.period = period
    self.phase = phase
    self.cycle = cycle
  }
}

/// Progress during one cycle of a repeated tween.
package final class TweenCycle: Equatable, Sendable {
  /// Progress of a leg, from the leg's start (0) to its end (1).
  package let curve: UnitCurve

  /// Whether a second leg leads back along the same path; a cycle is then two legs.
  package let autoreverses: Bool

  /// Share of each leg, in [0, 1), before it moves: a delay inside the repetition.
  ///
  /// Until then its progress is 0, even if the curve begins elsewhere.
  package let hold: Double

  package init(curve: UnitCurve, autoreverses: Bool = false, hold: Double = 0) {
    self.curve = curve
    self.autoreverses = autoreverses
    self.hold = hold
  }

  /// From start to end at constant speed, again and again.
  package static let linear = TweenCycle(curve: .linear)

  /// Cycles with equal parts are equal, even if they are different objects.
  package static func == (lhs: TweenCycle, rhs: TweenCycle) -> Bool {
    lhs === rhs
      || (lhs.curve, lhs.autoreverses, lhs.hold) == (rhs.curve, rhs.autoreverses, rhs.hold)
  }

  /// Progress at a share of the cycle, in Double; tables are made from it and compared with it.
  ///
  /// - Parameter turns: In [0, 1).
  /// - Returns: 0 is `from` and 1 is `to`; other values where the curve overshoots.
  package func value(at turns: Double) -> Double {
    var (leg, isBack) = (turns, false)
    if autoreverses {
      isBack = turns >= 0.5
      leg = isBack ? 2 * turns - 1 : 2 * turns
    }
    let progress = leg < hold ? 0 : curve.value(at: (leg - hold) / (1 - hold))
    return isBack ? 1 - progress : progress
  }
}
