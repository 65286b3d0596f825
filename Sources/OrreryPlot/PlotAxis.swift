// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An axis with ticks at round numbers.
package struct PlotAxis: Equatable {
  /// The axis's lower end.
  package let lower: Double

  /// The axis's upper end; above `lower`.
  package let upper: Double

  /// Distance between ticks: 1, 2 or 5 times a power of ten.
  package let step: Double

  /// The ticks, ascending.
  package let ticks: [Double]

  /// Chooses ticks.
  ///
  /// - Parameters:
  ///   - lower: The smallest number shown.
  ///   - upper: The largest number shown.
  ///   - tickMax: Approximate maximum number of ticks.
  ///   - isRounded: Whether both ends of the axis are extended to a tick.
  package init(from lower: Double, to upper: Double, tickMax: Int, isRounded: Bool) {
    let (low, high) = (Self.clamped(lower), Self.clamped(upper))
    // A constant value needs an axis with a height, too.
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
    // 64: far more than fit in any picture.
    ticks =
      last >= first && last - first <= 64
      ? (0...Int(last - first)).map { (first + Double($0)) * step } : []
  }

  /// Limited so that calculations with it stay finite; 0 for NaN.
  private static func clamped(_ number: Double) -> Double {
    number.isNaN ? 0 : max(-1e300, min(number, 1e300))
  }

  /// A tick as text, with enough digits to differ from its neighbours.
  package func text(_ tick: Double) -> String {
    if abs(tick) < step / 2 { return "0" }
    let decimals = Int((-log10(step)).rounded(.up))
    if decimals > 5 || abs(tick) >= 1e7 { return PlotNumber.text(tick, digits: 4) }
    return PlotNumber.text(tick, decimals: max(0, decimals))
  }
}
