// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A custom animation whose motion so far is a formula of the interval and of time.
struct FormulaAnimation: CustomAnimation {
  /// The variables of its formulas.
  static let variables = ["value", "time"]

  /// The moved part.
  let moved: Formula

  /// The velocity of the motion; nil: not known.
  let speed: Formula?

  /// Seconds until it is over.
  let duration: Double

  /// Seconds until it is logically complete; nil: when it is over.
  let logicalEnd: Double?

  /// Whether it takes over from the running animation.
  let merges: Bool

  func animate<V: VectorArithmetic>(
    value: V, time: Double, context: inout AnimationContext<V>
  ) -> V? {
    guard time < duration else { return nil }
    context.isLogicallyComplete = logicalEnd.map { time >= $0 } ?? false
    return Self.result(moved, value, time)
  }

  func velocity<V: VectorArithmetic>(
    value: V, time: Double, context: AnimationContext<V>
  ) -> V? {
    speed.map { Self.result($0, value, time) }
  }

  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool { merges }

  /// The formula of a number; any other vector is scaled by the formula of 1.
  private static func result<V: VectorArithmetic>(
    _ formula: Formula, _ value: V, _ time: Double
  ) -> V {
    if let number = value as? Double, let result = formula.value([number, time]) as? V {
      return result
    }
    return value.scaled(by: formula.value([1, time]))
  }
}
