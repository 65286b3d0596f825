// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Round numbers along an axis.
package struct PlotAxis: Equatable {
  /// Where the axis begins.
  package let lower: Double

  /// Where it ends; above `lower`.
  package let upper: Double

  /// From one tick to the next: 1, 2 or 5 times a power of ten.
  package let step: Double

  /// The ticks, ascending.
  package let ticks: [Double]

  /// Chooses ticks.
  ///
  /// - Parameters:
  ///   - lower: The smallest number that is seen.
  ///   - upper: The largest one.
  ///   - tickMax: So many ticks at most, about.
  ///   - isRounded: Whether the axis goes on to a tick at both ends.
  package init(from lower: Double, to upper: Double, tickMax: Int, isRounded: Bool) {
    let (low, high) = (Self.clamped(lower), Self.clamped(upper))
    // What stands still has an axis, too.
    let margin = high > low ? 0 : max(0.5, abs(low) / 1000)
    let start = low - margin
    let span = (high > low ? high : low + margin) - start
    let rough = span / Double(max(tickMax, 1))
    let power = pow(10, log10(rough).rounded(.down))
    let step = [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= rough } ?? 10 * power
    self.step = step
    let first = isRounded ? (start / step).rounded(.down) : (start / step).rounded(.up)
    let last =
      isRounded ? ((start + span) / step).rounded(.up) : ((start + span) / step).rounded(.down)
    self.lower = isRounded ? first * step : start
    self.upper = isRounded ? last * step : start + span
    // 64: far above what any picture has room for.
    ticks =
      last >= first && last - first <= 64
      ? (0...Int(last - first)).map { (first + Double($0)) * step } : []
  }

  /// Without what leaves no room for calculations; 0 for what is no number.
  private static func clamped(_ number: Double) -> Double {
    number.isNaN ? 0 : max(-1e300, min(number, 1e300))
  }

  /// A tick as text, with as many digits as tell it from its neighbours.
  package func text(_ tick: Double) -> String {
    if abs(tick) < step / 2 { return "0" }
    let places = Int((-log10(step)).rounded(.up))
    if places > 5 || abs(tick) >= 1e7 { return PlotNumber.text(tick, digits: 4) }
    return PlotNumber.text(tick, places: max(0, places))
  }
}
