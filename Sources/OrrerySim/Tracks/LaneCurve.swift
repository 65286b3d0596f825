// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// A tween's form, made ready for lanes by a `CurveBank`.
package final class LaneCurve: Sendable {
  package let form: TweenCycle

  /// Where its table lies in its bank, as kernels want it; nil: it has none and is evaluated in `Double`.
  let entry: UInt32?

  /// What progress stays within, by its table; nil: it has none.
  let range: ClosedRange<Double>?

  /// Progress at the start and at the end of the cycle.
  let start: Double
  let end: Double

  /// The straight line's entry in every bank.
  static let linearEntry: UInt32 = 4

  init(form: TweenCycle, entry: UInt32?, range: ClosedRange<Double>?) {
    self.form = form
    self.entry = entry
    self.range = range
    start = form.value(at: 0)
    end = form.value(at: 1)
  }
}
