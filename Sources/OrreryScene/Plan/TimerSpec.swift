// SPDX-License-Identifier: Apache-2.0

/// A move in equal steps, one at each timer tick: x = start + step·(n mod loopTicks) after n timer
/// ticks.
package struct TimerSpec: Equatable, Sendable {
  /// Points before the first timer tick and after each reset.
  package let start: Double

  /// Points added by each timer tick; not 0.
  package let step: Double

  /// Points; x goes back to `start` in the same timer tick in which it reaches or passes this.
  ///
  /// `step` leads from `start` towards it.
  package let resetAt: Double

  /// Time between timer ticks.
  package let interval: TimerInterval

  package init(start: Double, step: Double, resetAt: Double, interval: TimerInterval) {
    self.start = start
    self.step = step
    self.resetAt = resetAt
    self.interval = interval
  }

  /// A move with an interval in seconds.
  package init(start: Double, step: Double, resetAt: Double, interval: Double) {
    self.init(
      start: start, step: step, resetAt: resetAt, interval: TimerInterval(seconds: interval))
  }

  /// Timer ticks until x is `start` again: the smallest n with which start + step·n is at or
  /// past resetAt.
  ///
  /// Decimal inputs are not exact in binary: 2.1/0.3 is slightly above 7. So a quotient that differs from a
  /// whole number by no more than the rounding of its terms counts as that number.
  package var loopTicks: UInt64 {
    let quotient = (resetAt - start) / step
    let whole = quotient.rounded()
    let rounding = (start.ulp + resetAt.ulp) / abs(step) + 4 * quotient.ulp
    let ticks = abs(quotient - whole) <= rounding ? whole : quotient.rounded(.up)
    return UInt64(max(ticks, 1))
  }
}
