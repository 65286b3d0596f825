// SPDX-License-Identifier: Apache-2.0

extension Animation {
  /// At constant speed, in 0.35 s.
  public static var linear: Animation { linear() }

  /// Slow, then fast, in 0.35 s.
  public static var easeIn: Animation { easeIn() }

  /// Fast, then slow, in 0.35 s.
  public static var easeOut: Animation { easeOut() }

  /// Slow, fast, slow, in 0.35 s.
  public static var easeInOut: Animation { easeInOut() }

  /// At constant speed.
  ///
  /// - Parameter duration: Seconds; 0 or less ends at once.
  /// - Returns: The animation.
  public static func linear(duration: Double = 0.35) -> Animation {
    timingCurve(.linear, duration: duration)
  }

  /// Slow, then fast; see ``UnitCurve/easeIn``.
  ///
  /// - Parameter duration: Seconds; 0 or less ends at once.
  /// - Returns: The animation.
  public static func easeIn(duration: Double = 0.35) -> Animation {
    timingCurve(.easeIn, duration: duration)
  }

  /// Fast, then slow; see ``UnitCurve/easeOut``.
  ///
  /// - Parameter duration: Seconds; 0 or less ends at once.
  /// - Returns: The animation.
  public static func easeOut(duration: Double = 0.35) -> Animation {
    timingCurve(.easeOut, duration: duration)
  }

  /// Slow, fast, slow; see ``UnitCurve/easeInOut``.
  ///
  /// - Parameter duration: Seconds; 0 or less ends at once.
  /// - Returns: The animation.
  public static func easeInOut(duration: Double = 0.35) -> Animation {
    timingCurve(.easeInOut, duration: duration)
  }

  /// Along a cubic Bezier curve from (0, 0) to (1, 1).
  ///
  /// - Parameters:
  ///   - p1x: x of the first control point, clamped to [0, 1].
  ///   - p1y: y of the first control point; outside [0, 1] the value overshoots.
  ///   - p2x: x of the second control point, clamped to [0, 1].
  ///   - p2y: y of the second control point; outside [0, 1] the value overshoots.
  ///   - duration: Seconds; 0 or less ends at once.
  /// - Returns: The animation.
  public static func timingCurve(
    _ p1x: Double, _ p1y: Double, _ p2x: Double, _ p2y: Double, duration: Double = 0.35
  ) -> Animation {
    let curve = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: p1x, y: p1y), endControlPoint: UnitPoint(x: p2x, y: p2y))
    return timingCurve(curve, duration: duration)
  }

  /// Along a curve.
  ///
  /// - Parameters:
  ///   - curve: Progress by time. If it does not end at 1, the value jumps at the end.
  ///   - duration: Seconds; 0 or less ends at once.
  /// - Returns: The animation.
  public static func timingCurve(_ curve: UnitCurve, duration: Double = 0.35) -> Animation {
    Animation(.curve(curve, duration: duration))
  }
}
