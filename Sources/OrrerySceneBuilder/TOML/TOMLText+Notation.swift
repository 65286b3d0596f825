// SPDX-License-Identifier: Apache-2.0

import Orrery

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

  static func curve(_ curve: UnitCurve) -> String { string(curve.notation) }
}
