// SPDX-License-Identifier: Apache-2.0

extension UnitCurve: CustomStringConvertible {
  /// The name of the curve, or its parameters; numbers have the fewest digits that give the same
  /// bits.
  ///
  ///     easeIn
  ///     cubicBezier(0.25, 0.1, 0.25, 1)
  ///     steps(4, jump-end)
  ///     linear(0 0%, 0.5 20%, 1 100%)
  ///     spring(response: 0.5, dampingRatio: 0.7)
  ///     circularEaseInOut.inverse
  public var description: String {
    if let name = Self.named.first(where: { $0.0 == self })?.1 { return name }
    switch function {
    case .linear: return "linear"
    case .circular(.easeIn): return "circularEaseIn"
    case .circular(.easeOut): return "circularEaseOut"
    case .circular(.easeInOut): return "circularEaseInOut"
    case .circular(.easeOutIn): return "circularEaseInOut.inverse"
    case .bezier(let start, let end):
      let controls = [start.x, start.y, end.x, end.y].map { Double($0).argument }
      return "cubicBezier(\(controls.joined(separator: ", ")))"
    case .steps(let steps):
      let text = "steps(\(steps.count), \(steps.jump.cssName))"
      return steps.isInverse ? text + ".inverse" : text
    case .piecewise(let curve):
      let stops = curve.points.map { "\($0.output.argument) \(Self.percent($0.input))" }
      return "linear(\(stops.joined(separator: ", ")))"
    case .spring(let curve):
      let text =
        "spring(response: \(curve.spring.response.argument),"
        + " dampingRatio: \(curve.spring.dampingRatio.argument))"
      return curve.isInverse ? text + ".inverse" : text
    }
  }

  private static let named: [(UnitCurve, String)] = [
    (.easeIn, "easeIn"), (.easeOut, "easeOut"), (.easeInOut, "easeInOut"),
  ]

  /// The percentage whose hundredth is exactly the share, if there is one.
  private static func percent(_ share: Double) -> String {
    let product = share * 100
    let candidates = [product, product.nextUp, product.nextDown]
    return (candidates.first { $0 / 100 == share } ?? product).argument + "%"
  }
}

extension StepJump {
  /// CSS's word.
  package var cssName: String {
    switch self {
    case .jumpStart: "jump-start"
    case .jumpEnd: "jump-end"
    case .jumpNone: "jump-none"
    case .jumpBoth: "jump-both"
    }
  }
}
