// SPDX-License-Identifier: Apache-2.0

/// A linear move that starts again for ever: x = from + (to - from)·frac(t/duration).
package struct TweenSpec: Equatable, Sendable {
  /// Points at the start of each cycle.
  package let from: Double

  /// Points at its end.
  package let to: Double

  /// Seconds of one cycle; > 0.
  package let duration: Double

  package init(from: Double, to: Double, duration: Double) {
    self.from = from
    self.to = to
    self.duration = duration
  }
}
