// SPDX-License-Identifier: Apache-2.0

import Orrery

extension RowMotion {
  /// The keys of a row's motions in a scene file.
  package static let keys = ["marquee", "animation", "ticker", "timer"]

  /// The motion as a table of a scene file.
  package struct Table: Sendable {
    /// The table's key.
    package let key: String

    /// Its values that have limits.
    package let checked: CheckedValue

    /// The table in one line.
    let text: String

    fileprivate init<Keys>(_ key: String, _ keys: Keys, _ table: SceneTable<Keys>) {
      self.key = key
      checked = table.checked(keys)
      text = table.inline(keys)
    }
  }

  /// The motion as a table of a scene file.
  package var table: Table {
    switch self {
    case .marquee(let speed, let direction):
      Table("marquee", RowMarquee(speed: speed, direction: direction), RowMarquee.table)
    case .animation(let from, let to, let duration):
      Table("animation", RowAnimation(from: from, to: to, duration: duration), RowAnimation.table)
    case .repeating(let from, let to, let animation):
      Table(
        "animation", RowAnimation(from: from, to: to, animation: animation), RowAnimation.table)
    case .ticker(let speed, let gap, let variant, let direction):
      Table(
        "ticker", RowTicker(speed: speed, gap: gap, variant: variant, direction: direction),
        RowTicker.table)
    case .timer(let start, let step, let interval, let resetAt):
      Table(
        "timer", RowTimer(start: start, step: step, interval: interval, resetAt: resetAt),
        RowTimer.table)
    }
  }
}

/// A marquee by the keys of `row.marquee`.
package struct RowMarquee: Sendable {
  var speed = 0.0
  var direction = MarqueeDirection.leading

  /// The keys of a row's marquee.
  package static let table = SceneTable(
    "row.marquee", base: RowMarquee(),
    [
      .required("speed", \.speed, .number(SceneLimits.speed)),
      .key(
        "direction", \.direction, .word("direction"),
        "toward one side of the scene's layout direction, or the same in every language"),
    ])

  /// The motion.
  package var motion: RowMotion { .marquee(speed: speed, direction: direction) }
}

/// An animation by the keys of `row.animation`.
package struct RowAnimation: Sendable {
  var from = 0.0
  var to = 0.0
  var duration: Double?
  /// In place of the duration.
  package var animation: Animation?

  /// The keys of a row's animation.
  package static let table = SceneTable(
    "row.animation", base: RowAnimation(), choices: [.one(of: ["duration", "animation"])],
    [
      .required("from", \.from, .number(SceneLimits.position), "offset at the start of a cycle"),
      .required("to", \.to, .number(SceneLimits.position), "offset at its end"),
      .optional("duration", \.duration, .number(SceneLimits.duration), "of a cycle"),
      .optional(
        "animation", \.animation, .animation, "in place of `duration`",
        range: "a curve that repeats for ever", check: { _, _ in nil }),
    ])

  /// The motion.
  package var motion: RowMotion {
    animation.map { .repeating(from: from, to: to, animation: $0) }
      ?? .animation(from: from, to: to, duration: duration ?? 1)
  }
}

/// A ticker by the keys of `row.ticker`.
package struct RowTicker: Sendable {
  var speed: Double?
  var gap: Double?
  var variant = TickerVariant.seamless
  var direction = MarqueeDirection.leading

  /// The keys of a row's ticker.
  package static let table = SceneTable(
    "row.ticker", base: RowTicker(),
    [
      .optional(
        "speed", \.speed, .number(SceneLimits.speed), "not with `per-update`", default: "`50`"),
      .optional(
        "gap", \.gap, .number(SceneLimits.gap),
        "least distance between two copies; only with `seamless`", default: "the row's `spacing`"),
      .key("variant", \.variant, .word("variant"), "see below"),
      .key("direction", \.direction, .word("direction"), "as of a marquee"),
    ])

  /// The motion.
  package var motion: RowMotion {
    .ticker(speed: speed, gap: gap, variant: variant, direction: direction)
  }
}

/// A timer by the keys of `row.timer`.
package struct RowTimer: Sendable {
  var start = 0.0
  var step = 1.0
  var interval = 1.0
  var resetAt: Double?

  /// The keys of a row's timer.
  package static let table = SceneTable(
    "row.timer", base: RowTimer(),
    [
      .required(
        "start", \.start, .number(SceneLimits.position), "offset before the first timer tick"),
      .required("step", \.step, .number(SceneLimits.step), "added by each"),
      .required(
        "interval", \.interval, .number(SceneLimits.interval),
        "between timer ticks, exact: 0.0166666666666667 is a sixtieth"),
      .optional(
        "reset-at", \.resetAt, .number(SceneLimits.position), "larger than `start`",
        expected: "a number", isRequired: true),
    ])

  /// The motion.
  package var motion: RowMotion {
    .timer(start: start, step: step, interval: interval, resetAt: resetAt ?? start + 1)
  }
}
