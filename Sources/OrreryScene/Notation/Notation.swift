// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Animations, curves, springs, transitions and schedules, written as in Swift.
///
///     linear(duration: 0.8).repeatCount(3, autoreverses: true).delay(0.2)
///     .spring(duration: 0.5, bounce: 0.3)
///     UnitCurve.cubicBezier(0.42, 0, 0.58, 1)
///
/// A leading dot and the type's name are optional. Labelled arguments may come in any order, each
/// at most once. Numbers are finite. A text has at most 16 KiB, 64 levels of parentheses, and 64
/// names in one chain.
package enum Notation {
  /// Reads a curve.
  ///
  /// - Parameter text: Such as `easeIn`, `cubicBezier(0.42, 0, 0.58, 1)`, `steps(4, jump-end)`,
  ///   `linear(0, 0.5 20%, 1)` or `spring(duration: 0.5, bounce: 0.3)`.
  /// - Returns: The curve.
  /// - Throws: What is wrong with the text, and where.
  package static func curve(_ text: String) throws(NotationError) -> UnitCurve {
    try curve(NotationParser.parse(text))
  }

  /// Reads a spring.
  ///
  /// - Parameter text: Such as `bouncy`, `spring(duration: 0.5, bounce: 0.3)` or
  ///   `Spring(mass: 1, stiffness: 100, damping: 10)`.
  /// - Returns: The spring.
  /// - Throws: What is wrong with the text, and where.
  package static func spring(_ text: String) throws(NotationError) -> Spring {
    try spring(NotationParser.parse(text))
  }

  /// Reads an animation.
  ///
  /// - Parameter text: Such as `linear(duration: 0.8).repeatCount(3, autoreverses: true)`; an
  ///   `Animation.description` is read as an equal animation.
  /// - Returns: The animation.
  /// - Throws: What is wrong with the text, and where.
  package static func animation(_ text: String) throws(NotationError) -> Animation {
    try animation(NotationParser.parse(text))
  }

  /// Reads a transition.
  ///
  /// - Parameter text: Such as `move(edge: top).combined(with: opacity)`; an
  ///   `AnyTransition.description` is read as an equal transition.
  /// - Returns: The transition.
  /// - Throws: What is wrong with the text, and where.
  package static func transition(_ text: String) throws(NotationError) -> AnyTransition {
    try transition(NotationParser.parse(text))
  }

  /// Reads a schedule.
  ///
  /// - Parameter text: Such as `periodic(from: 0, by: 4)`, `explicit([0, 5, 10])`,
  ///   `everyMinute(timeZone: "Europe/London")` or
  ///   `animation(minimumInterval: 0.25, paused: false)`.
  /// - Returns: The schedule.
  /// - Throws: What is wrong with the text, and where.
  package static func schedule(_ text: String) throws(NotationError) -> ClockSchedule {
    try schedule(NotationParser.parse(text))
  }

  /// Reads a completion criteria: when an animation counts as complete.
  ///
  /// - Parameter text: `logicallyComplete` or `removed`.
  /// - Returns: The criteria.
  /// - Throws: What is wrong with the text, and where.
  package static func criteria(
    _ text: String
  ) throws(NotationError) -> AnimationCompletionCriteria {
    try NotationParser.parse(text).word(
      "completion criteria", [("logicallyComplete", .logicallyComplete), ("removed", .removed)],
      of: ["AnimationCompletionCriteria"])
  }
}
