// SPDX-License-Identifier: Apache-2.0

extension UnitCurve {
  /// The straight line: output progress is input progress, velocity is 1.
  public static let linear = UnitCurve(function: .linear)

  /// Slow, then fast: Bezier control points (0.42, 0) and (1, 1).
  public static let easeIn = bezier(
    startControlPoint: UnitPoint(x: 0.42, y: 0), endControlPoint: UnitPoint(x: 1, y: 1))

  /// Fast, then slow: Bezier control points (0, 0) and (0.58, 1).
  public static let easeOut = bezier(
    startControlPoint: UnitPoint(x: 0, y: 0), endControlPoint: UnitPoint(x: 0.58, y: 1))

  /// Slow, fast, slow: Bezier control points (0.42, 0) and (0.58, 1).
  public static let easeInOut = bezier(
    startControlPoint: UnitPoint(x: 0.42, y: 0), endControlPoint: UnitPoint(x: 0.58, y: 1))

  /// The same curve as ``easeInOut``, under the name that SwiftUI deprecates.
  public static let easeInEaseOut = easeInOut

  /// A quarter of a circle, slow then fast: 1 - √(1 - x²).
  ///
  /// Its velocity at 1 is infinite.
  public static let circularEaseIn = UnitCurve(function: .circular(.easeIn))

  /// A quarter of a circle, fast then slow: √(1 - (1 - x)²).
  ///
  /// Its velocity at 0 is infinite.
  public static let circularEaseOut = UnitCurve(function: .circular(.easeOut))

  /// Two quarters of half the size: ``circularEaseIn``, then ``circularEaseOut``.
  ///
  /// Its velocity at 0.5 is infinite.
  public static let circularEaseInOut = UnitCurve(function: .circular(.easeInOut))

  /// Equal steps, as CSS's `steps()`.
  ///
  /// Step k begins exactly at input progress k/count, rounded to a `Double`.
  ///
  /// - Parameters:
  ///   - count: Number of equal intervals.
  ///   - jump: Whether there is a jump at the very start and at the very end.
  /// - Returns: The curve.
  /// - Precondition: `count` is at least 1, and at least 2 with ``StepJump/jumpNone``.
  public static func steps(_ count: Int, _ jump: StepJump = .jumpEnd) -> UnitCurve {
    precondition(
      count >= jump.countMin, "\(count) steps with \(jump): at least \(jump.countMin) needed")
    return UnitCurve(function: .steps(StepCurve(count: count, jump: jump, isInverse: false)))
  }

  /// Straight lines between stops, as CSS's `linear()`.
  ///
  ///     UnitCurve.linear([0, LinearStop(0.25, at: 0.75), 1])
  ///
  /// A first stop without input is at 0 and a last one at 1; others without input are spaced evenly
  /// between their neighbours. An input less than one before it is raised to that one. If several
  /// stops have the same input, the last of them is the value there. Before the first stop and
  /// after the last one the outermost lines continue; if the outermost two stops have the same
  /// input, the outermost one stays. One stop is a constant.
  ///
  /// - Parameter stops: In the order of their inputs.
  /// - Returns: The curve.
  /// - Precondition: There is at least one stop.
  public static func linear(_ stops: [LinearStop]) -> UnitCurve {
    precondition(!stops.isEmpty, "no stops: at least 1 needed")
    return UnitCurve(function: .piecewise(PiecewiseCurve(stops)))
  }
}
