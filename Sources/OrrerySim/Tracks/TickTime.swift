// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A time on the axis of ticks: a whole tick and the part of the next one that has passed.
///
/// A tick that lies ten years ahead is as exact as the first one.
package struct TickTime: Hashable, BitwiseCopyable, Sendable {
  /// The last tick that is not after this time; may be negative; within ±2^61.
  package let tick: Int64

  /// Ticks since then, in [0, 1).
  package let fraction: Double

  /// A time between two ticks.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began; clamped to ±2^61.
  ///   - fraction: Ticks since then, in [0, 1); within 2^-36 of 0 or 1, it becomes 0 or 1.
  package init(tick: Int64, fraction: Double = 0) {
    self.init(tick: tick, fraction: fraction, snap: 0x1p-36)
  }

  /// A time within `snap` ticks of a whole tick becomes that tick.
  private init(tick: Int64, fraction: Double, snap: Double) {
    let tick = max(-Self.tickMax, min(tick, Self.tickMax))
    let isNext = fraction > 1 - snap
    self.tick = isNext ? tick + 1 : tick
    self.fraction = isNext || !(fraction >= snap) ? 0 : fraction
  }

  /// The time `seconds` after the scene began, exact to the last digit of `seconds`.
  ///
  /// A time closer to a tick than the last digit of a `Double` becomes that tick, since the caller meant the
  /// tick.
  ///
  /// - Parameters:
  ///   - seconds: Any; NaN is 0, and a time beyond the last tick becomes the last tick.
  ///   - rate: Ticks per second.
  package init(seconds: Double, rate: TickRate) {
    // seconds · numerator / denominator, with rounding errors from fused multiplication.
    let (above, below) = (Double(rate.numerator), Double(rate.denominator))
    let product = seconds * above
    let productResidual = (-product).addingProduct(seconds, above)
    let ticks = product / below
    guard abs(ticks) < 0x1p61 else {
      self.init(tick: ticks.isNaN ? 0 : ticks < 0 ? -Self.tickMax : Self.tickMax)
      return
    }
    let residual = (product.addingProduct(-ticks, below) + productResidual) / below
    let whole = ticks.rounded(.down)
    let part = ticks - whole + residual
    // The residual may carry the time into another tick.
    let carry = part.rounded(.down)
    self.init(
      tick: Int64(whole) + Int64(carry), fraction: part - carry,
      snap: 0x1p-36 + abs(ticks) * 0x1p-51)
  }

  /// The first tick that is not before this time.
  package var firstTick: Int64 { fraction > 0 ? tick + 1 : tick }

  /// Ticks from this time to a tick; negative before it.
  package func ticks(until tick: Int64) -> Double { Double(tick - self.tick) - fraction }

  private static let tickMax: Int64 = 1 << 61
}
