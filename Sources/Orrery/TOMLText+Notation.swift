// SPDX-License-Identifier: Apache-2.0

/// Timing in the notation of scene files: Swift expressions in quotation marks.
extension TOMLText {
  static func animation(_ animation: Animation) -> String { string("\(animation)") }

  static func transition(_ transition: AnyTransition) -> String { string("\(transition)") }

  static func criteria(_ criteria: AnimationCompletionCriteria) -> String {
    string(criteria == .removed ? "removed" : "logicallyComplete")
  }

  static func schedule(_ schedule: TimelineClock.Schedule) -> String {
    switch schedule {
    case .periodic(let from, let by):
      return string("periodic(from: \(number(from)), by: \(number(by)))")
    case .everyMinute: return string("everyMinute")
    case .explicit(let times):
      return string("explicit([\(times.map(number).joined(separator: ", "))])")
    case .animation(let interval, let paused):
      let arguments =
        (interval.map { ["minimumInterval: \(number($0))"] } ?? [])
        + (paused ? ["paused: true"] : [])
      let call = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
      return string("animation" + call)
    }
  }

  /// The mass is not written: the motion does not depend on it.
  static func spring(_ spring: Spring) -> String {
    let (response, ratio) = (number(spring.response), number(spring.dampingRatio))
    return string("spring(response: \(response), dampingRatio: \(ratio))")
  }

  /// A preset's name, a Bezier curve's control points, or CSS's `steps()` or `linear()`.
  static func curve(_ curve: UnitCurve) -> String {
    let presets: [(String, UnitCurve)] = [
      ("linear", .linear), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut),
      ("circularEaseIn", .circularEaseIn), ("circularEaseOut", .circularEaseOut),
      ("circularEaseInOut", .circularEaseInOut),
    ]
    if let preset = presets.first(where: { $0.1 == curve }) { return string(preset.0) }
    switch curve.function {
    case .bezier(let start, let end):
      let points = [start.x, start.y, end.x, end.y].map { number($0) }
      return string("cubicBezier(\(points.joined(separator: ", ")))")
    case .steps(let steps) where !steps.isInverse:
      return string("steps(\(steps.count), \(steps.jump.rawValue))")
    case .piecewise(let piecewise):
      let stops = piecewise.points.map { "\(number($0.output)) \(number($0.input * 100))%" }
      return string("linear(\(stops.joined(separator: ", ")))")
    default: return string("\(curve)")
    }
  }
}
