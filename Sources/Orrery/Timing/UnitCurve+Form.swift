// SPDX-License-Identifier: Apache-2.0

extension UnitCurve {
  /// The kinds of curve that other tools have words for.
  package enum Form: Equatable, Sendable {
    case linear
    /// x in [0, 1].
    case bezier(x1: Double, y1: Double, x2: Double, y2: Double)
    case steps(Int, StepJump)
    /// Straight lines between points; every stop has an input, and inputs never decrease.
    case lines([LinearStop])
    case circularEaseIn, circularEaseOut, circularEaseInOut
    /// A spring as a curve, or the inverse of a curve: only its values are known.
    case other
  }

  /// The curve in the words of other tools; equal motions may have different forms.
  package var form: Form {
    switch function {
    case .linear: return .linear
    case .bezier(let start, let end):
      return .bezier(
        x1: Self.clamped(start.x), y1: start.y, x2: Self.clamped(end.x), y2: end.y)
    case .steps(let curve): return curve.isInverse ? .other : .steps(curve.count, curve.jump)
    case .piecewise(let curve):
      return .lines(curve.points.map { LinearStop($0.output, at: $0.input) })
    case .circular(.easeIn): return .circularEaseIn
    case .circular(.easeOut): return .circularEaseOut
    case .circular(.easeInOut): return .circularEaseInOut
    case .circular, .spring: return .other
    }
  }
}
