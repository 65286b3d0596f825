// SPDX-License-Identifier: Apache-2.0

/// A cubic Bezier curve from (0, 0) to (1, 1), evaluated by x.
///
/// x(t) never decreases, as its control values are in [0, 1], so each x has a t. The polynomial is
/// solved in the powers that lose no digits: of t near the start, of 1 - t near the end, and of
/// 2t - 1 between. So even where x stands still and y does not, as in the middle of (1, 0), (0, 1),
/// t is exact to a few rounding errors of the control values.
struct CubicBezier {
  private let (x1, y1, x2, y2): (Double, Double, Double, Double)

  init(_ start: UnitPoint, _ end: UnitPoint) {
    (x1, y1) = (UnitCurve.clamped(start.x), Self.clamped(start.y))
    (x2, y2) = (UnitCurve.clamped(end.x), Self.clamped(end.y))
  }

  /// Infinite overshoot is limited to a number that the polynomial can be computed with; NaN stays NaN.
  private static func clamped(_ y: Double) -> Double { min(max(y, -1e100), 1e100) }

  /// - Parameter x: In [0, 1].
  /// - Returns: y.
  func value(at x: Double) -> Double {
    if x == 0 || x == 1 { return x }
    return Cubic(controls: y1, y2).value(at: parameter(at: x))
  }

  /// dy/dx; its limit at the ends and where both x and y stand still.
  ///
  /// The limit follows from the first derivatives that are not 0, by l'Hôpital's rule.
  func velocity(at x: Double) -> Double {
    let t = parameter(at: x)
    let dx = Self.derivatives(x1, x2, at: t)
    let dy = Self.derivatives(y1, y2, at: t)
    for (order, (dx, dy)) in zip(dx, dy).enumerated() where dx != 0 || dy != 0 {
      guard dx == 0 else { return dy / dx }
      // Before the end, the second derivative has the opposite sign of the first.
      return (order == 1 && t == 1) == (dy < 0) ? .infinity : -.infinity
    }
    return .nan
  }

  /// dy/dx as SwiftUI answers at an end with a control point on it, where x and y both stand still.
  ///
  /// At such an end it is the rounded quotient of the powers of t, and 1 for 0/0. Elsewhere it is
  /// `velocity(at:)`.
  func velocityAsSwiftUI(at x: Double) -> Double {
    let isStill = x == 0 ? x1 == 0 && y1 == 0 : x == 1 && x2 == 1 && y2 == 1
    guard isStill else { return velocity(at: x) }
    func derivative(_ first: Double, _ second: Double) -> Double {
      let square = 3 * (second - first) - 3 * first
      return (3 * (1 - 3 * first - square) * x + 2 * square) * x + 3 * first
    }
    let (dx, dy) = (derivative(x1, x2), derivative(y1, y2))
    return dx == 0 ? (dy == 0 ? 1 : dy / dx) : dy / dx
  }

  /// First, second and third derivative of one coordinate, by formulas that are exact at the ends.
  private static func derivatives(_ first: Double, _ second: Double, at t: Double) -> [Double] {
    let s = 1 - t
    return [
      3 * (s * s * first + 2 * s * t * (second - first) + t * t * (1 - second)),
      6 * (s * (second - 2 * first) + t * ((first - second) + (1 - second))),
      6 * (1 - 3 * (second - first)),
    ]
  }

  /// The t in [0, 1] with x(t) = x.
  private func parameter(at x: Double) -> Double {
    if x == 0 || x == 1 || x.isNaN { return x }
    let polynomial = Cubic(controls: x1, x2)
    if x <= polynomial.value(at: 0.25) { return polynomial.root(x, in: 0, 0.25) }
    if x >= polynomial.value(at: 0.75) {
      return 1 - Cubic(controls: 1 - x2, 1 - x1).root(1 - x, in: 0, 0.25)
    }
    let spread = (1 - x1) + x2
    let lean = x1 > x2 ? (x1 - 1) + x2 : (x2 - 1) + x1
    let centred = Cubic(
      constant: 3 * lean, linear: 3 * spread, square: -3 * lean, cube: 4 - 3 * spread)
    return 0.5 + centred.root(4 * (2 * x - 1), in: -0.5, 0.5) / 2
  }
}

/// A polynomial of third degree.
struct Cubic {
  let (constant, linear, square, cube): (Double, Double, Double, Double)

  init(constant: Double, linear: Double, square: Double, cube: Double) {
    (self.constant, self.linear, self.square, self.cube) = (constant, linear, square, cube)
  }

  /// One coordinate of a Bezier curve: control values 0, first, second, 1.
  init(controls first: Double, _ second: Double) {
    self.init(
      constant: 0, linear: 3 * first, square: 3 * (second - first) - 3 * first,
      cube: 1 - 3 * (second - first))
  }

  func value(at t: Double) -> Double { constant + t * (linear + t * (square + t * cube)) }

  /// Where the polynomial, rising from `low` to `high`, reaches `target`.
  ///
  /// Newton's method; if a step leaves the bracket or is more than half of the step before, the
  /// bracket is halved instead.
  func root(_ target: Double, in low: Double, _ high: Double) -> Double {
    var (low, high) = (low, high)
    var t = (low + high) / 2
    var stepBefore = high - low
    // 128: twice the halvings that the 53 digits of a Double can need.
    for _ in 0..<128 {
      let excess = (constant - target) + t * (linear + t * (square + t * cube))
      if excess == 0 { break }
      if excess < 0 { low = t } else { high = t }
      let slope = linear + t * (2 * square + t * 3 * cube)
      var next = t - excess / slope
      if !(next > low && next < high) || abs(2 * excess) > abs(stepBefore * slope) {
        next = low + (high - low) / 2
      }
      stepBefore = next - t
      if next == t { break }
      t = next
    }
    return t
  }
}
