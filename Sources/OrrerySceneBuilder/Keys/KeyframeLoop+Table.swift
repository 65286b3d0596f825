// SPDX-License-Identifier: Apache-2.0

import Orrery

extension KeyframeLoop {
  /// A track of keyframes in a scene file.
  package static let table = SceneTable(
    "view.keyframes", base: KeyframeLoop(property: .x, steps: [.move(0)]),
    [
      .required(
        "property", \.property, .word("property"), "the property that moves",
        range: "one of `view`'s; each once", expected: "a property"),
      .key("repeat", \.repeats, .bool, "for ever"),
      .shown(
        "track", \.stepTables, .tables(StepTable.table, SceneLimits.keyframes),
        "see `view.keyframes.track`", isRequired: true),
    ])

  private var stepTables: [StepTable]? { steps.map { StepTable($0, property) } }
}

/// A keyframe by the keys of `view.keyframes.track`.
package struct StepTable: Hashable, Sendable {
  private let property: ViewProperty
  private var linear: Double?
  private var cubic: Double?
  private var springTo: Double?
  private var move: Double?
  private var duration: Double?
  private var curve = UnitCurve.linear
  private var startVelocity: Double?
  private var endVelocity: Double?
  private var spring: Spring?

  /// The kinds by their keys, the other keys of each, and a keyframe to begin with.
  package static let kinds: [(key: String, others: [String], step: KeyframeStep)] = [
    ("linear", ["duration", "curve"], .linear(0, duration: 1)),
    ("cubic", ["duration", "start-velocity", "end-velocity"], .cubic(0, duration: 1)),
    ("spring-to", ["spring"], .spring(0, Spring())), ("move", [], .move(0)),
  ]

  /// The keys of a keyframe.
  package static let table = SceneTable(
    "view.keyframes.track", base: StepTable(.move(0), .x),
    choices: [
      .one(of: kinds.map { [$0.key] + $0.others.filter { $0 == "duration" } })
    ],
    [
      value(
        "linear", \.linear, "along a curve",
        range: "opacity \(SceneLimits.opacity); others as under `view`"),
      value("cubic", \.cubic, "along a cubic curve", range: "as under `view`"),
      value(
        "spring-to", \.springTo, "on a spring, until it has settled",
        range: "blur \(SceneLimits.blur); others as under `view`"),
      value("move", \.move, "at once", range: "as under `view`"),
      .optional(
        "duration", \.duration, .number(SceneLimits.duration), "of `linear` and `cubic`",
        expected: "a number"),
      .key("curve", \.curve, .curve, "of `linear`"),
      .optional(
        "start-velocity", \.startVelocity, .number(SceneLimits.velocity), "of `cubic`",
        default: "the end velocity before it; 0 first, and after `move` and `spring-to`"),
      .optional(
        "end-velocity", \.endVelocity, .number(SceneLimits.velocity), "of `cubic`",
        default: "without a corner; 0 last, and before `move`"),
      .optional("spring", \.spring, .spring, "of `spring-to`", default: "`\"spring\"`"),
    ])

  /// Keyframes as the list of a scene file.
  package static func track(of steps: [KeyframeStep]) -> String {
    let tables = steps.map { table.inline(StepTable($0, .x)) }
    return "[\(tables.joined(separator: ", "))]"
  }

  private static func value(
    _ name: String, _ path: WritableKeyPath<StepTable, Double?> & Sendable, _ meaning: String,
    range: String
  ) -> SceneKey<StepTable> {
    .optional(
      name, path, .number(), meaning, range: range,
      check: { .number($1, SceneLimits.of($0.property)) })
  }

  /// Takes a keyframe of a property apart.
  package init(_ step: KeyframeStep, _ property: ViewProperty) {
    self.property = property
    switch step {
    case .linear(let value, let duration, let curve):
      (linear, self.duration, self.curve) = (value, duration, curve)
    case .cubic(let value, let duration, let start, let end):
      (cubic, self.duration, startVelocity, endVelocity) = (value, duration, start, end)
    case .spring(let value, let spring): (springTo, self.spring) = (value, spring)
    case .move(let value): move = value
    }
  }

  /// The keyframe.
  package var step: KeyframeStep {
    let duration = duration ?? 1
    if let linear { return .linear(linear, duration: duration, timingCurve: curve) }
    if let cubic {
      return .cubic(
        cubic, duration: duration, startVelocity: startVelocity, endVelocity: endVelocity)
    }
    if let springTo { return .spring(springTo, spring ?? Spring()) }
    return .move(move ?? 0)
  }
}

extension SceneValueType where Value == Spring {
  fileprivate static let spring = SceneValueType(
    "a spring, such as `\"spring(duration: 0.5, bounce: 0.3)\"`", range: "one that comes to rest",
    schema: .definition("spring"), read: { $0.spring($1) }, text: TOMLText.spring,
    check: { .spring($0) })
}
