// SPDX-License-Identifier: Apache-2.0

/// How output progress follows input progress: a curve from (0, 0) to (1, 1).
///
/// Names, arguments and defaults are SwiftUI's; ``steps(_:_:)`` and ``linear(_:)`` are CSS's,
/// ``spring(_:)`` is ours.
///
/// Where descriptions of SwiftUI disagree, these are the choices:
///
/// - Input progress is clamped to [0, 1] for every curve, so circular ones never give NaN.
/// - The x of Bezier control points is clamped to [0, 1] when the curve is evaluated. The y is not,
///   so output progress may leave [0, 1] between the ends.
/// - Values are solved to the precision of `Double`; SwiftUI rounds them to 2⁻²⁰, so compare at
///   2e-6.
/// - The velocity at an end whose control point coincides with it is the true limit: the slope
///   toward the other control point. ``velocity(at:ends:)`` also gives SwiftUI's answer.
/// - ``inverse`` of ``circularEaseInOut`` is its mathematical inverse, not the curve itself.
///
/// NaN in, NaN out.
public struct UnitCurve: Hashable, Sendable {
  /// The kinds of curve.
  enum Function: Hashable, Sendable {
    case linear
    case circular(CircularCurve)
    case bezier(start: UnitPoint, end: UnitPoint)
    case steps(StepCurve)
    case piecewise(PiecewiseCurve)
    case spring(SpringCurve)
  }

  let function: Function

  /// A curve by the two inner control points of a cubic Bezier curve from (0, 0) to (1, 1).
  ///
  /// With x and y both computed at the same t in [0, 1]:
  ///
  ///     x(t) = 3 (1 - t)² t x1 + 3 (1 - t) t² x2 + t³
  ///     y(t) = 3 (1 - t)² t y1 + 3 (1 - t) t² y2 + t³
  ///
  /// - Parameters:
  ///   - startControlPoint: (x1, y1); when the curve is evaluated, x is clamped to [0, 1], and y to
  ///     10¹⁰⁰ on both sides of 0, so that no infinite number gives NaN.
  ///   - endControlPoint: (x2, y2); likewise.
  /// - Returns: The curve.
  public static func bezier(
    startControlPoint: UnitPoint, endControlPoint: UnitPoint
  ) -> UnitCurve {
    UnitCurve(function: .bezier(start: startControlPoint, end: endControlPoint))
  }

  /// The output progress at an input progress.
  ///
  /// - Parameter progress: Input progress, clamped to [0, 1].
  /// - Returns: Output progress. A Bezier curve with a control point outside [0, 1] in y, or a stop
  ///   outside it, may leave [0, 1].
  public func value(at progress: Double) -> Double {
    let x = Self.clamped(progress)
    switch function {
    case .linear: return x
    case .circular(let curve): return curve.value(at: x)
    case .bezier(let start, let end): return CubicBezier(start, end).value(at: x)
    case .steps(let curve): return curve.value(at: x)
    case .piecewise(let curve): return curve.value(at: x)
    case .spring(let curve): return curve.value(at: x)
    }
  }

  /// Whether the output may jump: steps, lines with two stops at one input, and springs at their end.
  package var mayJump: Bool {
    switch function {
    case .steps, .piecewise, .spring: true
    case .linear, .circular, .bezier: false
    }
  }

  /// The two inner control points of a cubic curve, also of a straight line; nil for others.
  package var controlPoints: (UnitPoint, UnitPoint)? {
    switch function {
    case .linear: (.zero, UnitPoint(x: 1, y: 1))
    case .bezier(let start, let end): (start, end)
    case .circular, .steps, .piecewise, .spring: nil
    }
  }

  /// Where between 0 and 1 straight lines meet or the output jumps, in rising order; empty for curves without lines.
  package var corners: [Double] {
    let inputs: [Double] =
      switch function {
      case .steps(let curve): (0...curve.count).map { Double($0) / Double(curve.count) }
      case .piecewise(let curve): curve.points.map(\.input)
      case .linear, .circular, .bezier, .spring: []
      }
    return inputs.enumerated().compactMap { index, input in
      input > 0 && input < 1 && (index == 0 || input > inputs[index - 1]) ? input : nil
    }
  }

  /// The slope of the curve, output progress per input progress.
  ///
  /// Infinite where the curve is vertical: for circular curves at an end or in the middle, and for
  /// Bezier curves whose control point is vertically above its end point. Zero for ``steps(_:_:)``,
  /// which are constant between jumps.
  ///
  /// - Parameter progress: Input progress, clamped to [0, 1].
  /// - Returns: The slope, of any sign.
  public func velocity(at progress: Double) -> Double {
    let x = Self.clamped(progress)
    switch function {
    case .linear: return x.isNaN ? x : 1
    case .circular(let curve): return curve.velocity(at: x)
    case .bezier(let start, let end): return CubicBezier(start, end).velocity(at: x)
    case .steps: return x.isNaN ? x : 0
    case .piecewise(let curve): return curve.velocity(at: x)
    case .spring(let curve): return curve.velocity(at: x)
    }
  }

  /// The slope that is returned at an end with a control point on it, such as for ``easeIn`` at 1.
  public enum EndSlope: Hashable, Sendable {
    /// The true limit: the slope toward the other control point.
    case limit
    /// As SwiftUI: 1 for ``easeOut`` at 0, and 0 for ``easeIn`` at 1, by rounding.
    case swiftUI
  }

  /// The slope of the curve, with a choice at its ends.
  ///
  /// - Parameters:
  ///   - progress: Input progress, clamped to [0, 1].
  ///   - ends: The slope at an end with a control point on it; elsewhere it makes no difference.
  /// - Returns: The slope, of any sign; see ``velocity(at:)``.
  public func velocity(at progress: Double, ends: EndSlope) -> Double {
    guard case .bezier(let start, let end) = function, ends == .swiftUI else {
      return velocity(at: progress)
    }
    return CubicBezier(start, end).velocityAsSwiftUI(at: Self.clamped(progress))
  }

  /// The curve with x and y exchanged: `curve.inverse.value(at: curve.value(at: x))` is x.
  ///
  /// Bezier curves exchange x and y of their control points. As x is clamped when a curve is
  /// evaluated, this inverts only curves whose control points are in the unit square. For
  /// ``steps(_:_:)`` the inverse is the least input with at least this output. For ``linear(_:)``
  /// it is the input at which the output is first reached, or the end of a constant part there. For
  /// ``spring(_:)`` it is the input at which the output is first reached.
  public var inverse: UnitCurve {
    switch function {
    case .linear: self
    case .circular(let curve): UnitCurve(function: .circular(curve.inverse))
    case .bezier(let start, let end):
      .bezier(
        startControlPoint: UnitPoint(x: start.y, y: start.x),
        endControlPoint: UnitPoint(x: end.y, y: end.x))
    case .steps(let curve): UnitCurve(function: .steps(curve.inverse))
    case .piecewise(let curve): UnitCurve(function: .piecewise(curve.inverse))
    case .spring(let curve): UnitCurve(function: .spring(curve.inverse))
    }
  }

  /// Clamps to [0, 1]; NaN stays NaN.
  static func clamped(_ progress: Double) -> Double {
    progress <= 0 ? 0 : progress >= 1 ? 1 : progress
  }
}
