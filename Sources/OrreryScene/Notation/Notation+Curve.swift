// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Notation {
  /// Curves without arguments; the last four have CSS's names.
  private static let namedCurves: [(String, UnitCurve)] = [
    ("linear", .linear), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut),
    ("easeInEaseOut", .easeInOut), ("circularEaseIn", .circularEaseIn),
    ("circularEaseOut", .circularEaseOut), ("circularEaseInOut", .circularEaseInOut),
    ("ease", bezier(0.25, 0.1, 0.25, 1)), ("ease-in", .easeIn), ("ease-out", .easeOut),
    ("ease-in-out", .easeInOut),
  ]

  /// Curves with arguments.
  private static let curveCalls = [
    "cubicBezier", "cubic-bezier", "bezier", "steps", "spring", "smooth", "snappy",
    "bouncy", "step-start", "step-end",
  ]

  /// Steps of one `steps` curve.
  private static let stepsMax = 1_000_000

  static func curve(_ node: NotationNode) throws(NotationError) -> UnitCurve {
    var links = try node.chain("a curve", of: ["UnitCurve"])[...]
    guard let first = links.popFirst() else { return .linear }
    var curve = try curve(first)
    for link in links {
      guard link.name == "inverse", link.arguments == nil else {
        throw link.unknown("change of a curve", among: ["inverse"])
      }
      curve = curve.inverse
    }
    return curve
  }

  private static func curve(_ link: NotationLink) throws(NotationError) -> UnitCurve {
    if let named = namedCurves.first(where: { $0.0 == link.name })?.1 {
      if link.name == "linear", link.arguments != nil { return try piecewise(link) }
      _ = try NotationCall(link, "")
      return named
    }
    switch link.name {
    case "cubicBezier", "cubic-bezier", "bezier":
      let call = try NotationCall(link, "_x1 _y1 _x2 _y2", "startControlPoint endControlPoint")
      if let start = call.node("startControlPoint"), let end = call.node("endControlPoint") {
        return .bezier(startControlPoint: try point(start), endControlPoint: try point(end))
      }
      return bezier(
        try call.number("x1", else: 0), try call.number("y1", else: 0),
        try call.number("x2", else: 1), try call.number("y2", else: 1))
    case "steps": return try steps(link)
    case "step-start", "step-end":
      _ = try NotationCall(link, "")
      return .steps(1, link.name == "step-start" ? .jumpStart : .jumpEnd)
    case "spring", "smooth", "snappy", "bouncy":
      let spring = try spring(link)
      guard spring.settlingBound.isFinite else {
        throw NotationError(
          column: link.column,
          .outOfRange(
            what: "the settling time of \(link.name)", found: "infinite",
            expected: "springs that come to rest"))
      }
      return .spring(spring)
    default: throw link.unknown("curve", among: namedCurves.map(\.0) + curveCalls)
    }
  }

  /// A cubic Bezier curve by its control points.
  static func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> UnitCurve {
    .bezier(startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
  }

  private static func steps(_ link: NotationLink) throws(NotationError) -> UnitCurve {
    let call = try NotationCall(link, "_count _jump?")
    let jump = try call.node("jump")?.word("jump", jumps, of: ["StepJump"]) ?? .jumpEnd
    return .steps(try call.count("count", in: (jump == .jumpNone ? 2 : 1)...stepsMax), jump)
  }

  private static let jumps: [(String, StepJump)] = [
    ("jump-start", .jumpStart), ("jump-end", .jumpEnd), ("jump-none", .jumpNone),
    ("jump-both", .jumpBoth), ("start", .jumpStart), ("end", .jumpEnd),
    ("jumpStart", .jumpStart), ("jumpEnd", .jumpEnd), ("jumpNone", .jumpNone),
    ("jumpBoth", .jumpBoth),
  ]

  /// CSS's `linear()`: a stop is an output with zero, one or two inputs in percent.
  private static func piecewise(_ link: NotationLink) throws(NotationError) -> UnitCurve {
    var stops: [LinearStop] = []
    for argument in link.arguments ?? [] {
      guard argument.label == nil, argument.shares.count <= 2 else {
        throw NotationError(
          column: argument.column,
          .unexpected(
            found: argument.label ?? "\(argument.shares.count) percentages",
            expected: "an output with at most two inputs, as 0.5 20% 40%"))
      }
      let output = try argument.value.number("an output")
      if argument.shares.isEmpty { stops.append(LinearStop(output)) }
      stops += argument.shares.map { LinearStop(output, at: $0) }
    }
    guard !stops.isEmpty else {
      throw NotationError(
        column: link.column,
        .wrongArguments(call: "linear()", signatures: ["linear", "linear(0, 0.5 20%, 1)"]))
    }
    return .linear(stops)
  }

  /// Names of points of the unit square.
  private static let namedPoints: [(String, UnitPoint)] = [
    ("zero", .zero), ("center", .center), ("leading", .leading), ("trailing", .trailing),
    ("top", .top), ("bottom", .bottom), ("topLeading", .topLeading),
    ("topTrailing", .topTrailing), ("bottomLeading", .bottomLeading),
    ("bottomTrailing", .bottomTrailing),
  ]

  /// `topLeading`, or `UnitPoint(x: 0.2, y: 1)`.
  static func point(_ node: NotationNode) throws(NotationError) -> UnitPoint {
    let links = try node.chain("a point", of: ["UnitPoint"])
    if links.count == 1, let link = links.first, link.name == "UnitPoint" || link.name == "init" {
      let call = try NotationCall(link, "x y", "")
      return UnitPoint(x: try call.number("x", else: 0), y: try call.number("y", else: 0))
    }
    return try node.word("point", namedPoints, of: ["UnitPoint"])
  }
}
