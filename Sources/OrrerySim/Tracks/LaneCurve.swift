// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// A tween's cycle with its table in a `CurveBank`, for lanes.
package final class LaneCurve: Sendable {
  /// The curve and its repetition.
  package let cycle: TweenCycle

  /// The kernels' entry of its table in the bank; nil: it has no table and is evaluated in `Double`.
  let entry: UInt32?

  /// A range that contains all progress, from its table; nil: it has no table.
  let range: ClosedRange<Double>?

  /// Progress at the start and at the end of the cycle.
  let start: Double
  let end: Double

  /// The straight line's entry in every bank.
  static let linearEntry: UInt32 = 4

  init(cycle: TweenCycle, entry: UInt32?, range: ClosedRange<Double>?) {
    self.cycle = cycle
    self.entry = entry
    self.range = range
    start = cycle.value(at: 0)
    end = cycle.value(at: 1)
  }
}
