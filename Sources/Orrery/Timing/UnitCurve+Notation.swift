// SPDX-License-Identifier: Apache-2.0

extension UnitCurve {
  /// The curve in the notation of scene files.
  ///
  /// It is a preset's name, a Bezier curve's control points, or CSS's `steps()` or `linear()`.
  package var notation: String {
    let presets: [(String, UnitCurve)] = [
      ("linear", .linear), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut),
      ("circularEaseIn", .circularEaseIn), ("circularEaseOut", .circularEaseOut),
      ("circularEaseInOut", .circularEaseInOut),
    ]
    if let preset = presets.first(where: { $0.1 == self }) { return preset.0 }
    switch function {
    case .bezier(let start, let end):
      let points = [start.x, start.y, end.x, end.y].map { Double($0).notation }
      return "cubicBezier(\(points.joined(separator: ", ")))"
    case .steps(let steps) where !steps.isInverse:
      return "steps(\(steps.count), \(steps.jump.rawValue))"
    case .piecewise(let piecewise):
      let stops = piecewise.points.map { "\($0.output.notation) \(($0.input * 100).notation)%" }
      return "linear(\(stops.joined(separator: ", ")))"
    default: return "\(self)"
    }
  }
}

extension Double {
  /// Whole numbers without a point, others with the fewest digits that give the same bits.
  package var notation: String {
    if isNaN { return "nan" }
    let isMinusZero = self == 0 && sign == .minus
    // Every whole number below 2⁵³ is exact as a Double and as an integer.
    guard self == rounded(), abs(self) < 0x1p53, !isMinusZero else { return "\(self)" }
    return "\(Int64(self))"
  }
}
