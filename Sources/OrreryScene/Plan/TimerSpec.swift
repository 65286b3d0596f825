// SPDX-License-Identifier: Apache-2.0

/// A move by equal steps, one for each timer tick: x = start + step·(n mod loopTicks) after n of them.
package struct TimerSpec: Equatable, Sendable {
  /// Points before the first timer tick and after each reset.
  package let start: Double

  /// Points added by each timer tick; > 0.
  package let step: Double

  /// Points at which, or past which, x goes back to `start`, in the same timer tick; > `start`.
  package let resetAt: Double

  /// Seconds between timer ticks; > 0.
  package let interval: Double

  package init(start: Double, step: Double, resetAt: Double, interval: Double) {
    self.start = start
    self.step = step
    self.resetAt = resetAt
    self.interval = interval
  }

  /// Timer ticks until x is `start` again: the smallest n with start + step·n >= resetAt.
  ///
  /// The rounded quotient can miss by one (1.1/0.1 is a hair above 11), so it is checked against the
  /// very sum that x is made of.
  package var loopTicks: UInt64 {
    var ticks = ((resetAt - start) / step).rounded(.up)
    while ticks > 1, start + step * (ticks - 1) >= resetAt { ticks -= 1 }
    while start + step * ticks < resetAt { ticks += 1 }
    return UInt64(max(ticks, 1))
  }
}
