// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Command {
  /// A `[[command]]` of a scene file.
  package static let table = SceneTable(
    "command", base: Command(.at(0), actions: []),
    choices: [
      .any(of: ["at", "every", "after"]),
      .any(of: ["set", "show", "hide", "toggle", "destroy"]),
    ],
    [
      .shown(
        "at", \.at, .number(SceneLimits.time), "after the start; need not be a tick's",
        default: "`every`, if that is there"),
      .shown(
        "every", \.every, .number(SceneLimits.duration), "from one time to the next",
        default: "only once"),
      .shown(
        "after", \.after, .name,
        "in place of `at` and `every`: each time that completion happens", range: "of a completion",
        check: { _, _ in nil }),
      .shown(
        "delay", \.delay, .number(SceneLimits.time), "after the completion", default: "`0`"),
      .other(
        "set", "table of tables", "new values: see `command.set`", range: "the names of views",
        default: "none", schema: .tables(byName: .definition("command.set")),
        write: \.writtenSettings),
      names("show", \.show, "they appear, through their transitions"),
      names("hide", \.hide, "they disappear, through their transitions"),
      names(
        "toggle", \.toggle, "shown views disappear, hidden views appear; a row is tapped",
        range: "of views, and of rows of accordions"),
      names(
        "destroy", \.destroy, "they disappear for good, and their animations end as cancelled"),
      .optional(
        "animation", \.animation, .animation, "how views get from the old to the new values",
        default: "none: at once. For rows alone the accordion's"),
      .optional(
        "completion", \.completion, .name,
        "name of this animation's end for other commands; without any change to animate it comes "
          + "at once",
        default: "none"),
      .key(
        "criteria", \.criteria, .criteria,
        "when the animation counts as complete; only with `completion`"),
      .repeated,
    ])

  /// The new values of one view in a command.
  static let settingTable = SceneTable(
    "command.set", base: (),
    ViewProperty.allCases.map { property in
      .other(
        property.rawValue, "number", range: "\(SceneLimits.of(property))", default: "as it is",
        schema: .number(SceneLimits.of(property)))
    })

  private static func names(
    _ name: String, _ path: WritableKeyPath<Command, [String]> & Sendable, _ meaning: String,
    range: String = "of views"
  ) -> SceneKey<Command> {
    .key(name, path, .names, meaning, range: range, default: "none").byHand
  }

  private var at: Double? { if case .at(let time, _) = moment { time } else { nil } }

  private var every: Double? { if case .at(_, let every) = moment { every } else { nil } }

  private var after: String? { if case .after(let name, _) = moment { name } else { nil } }

  /// The delay, unless it is 0 to the last bit.
  private var delay: Double? {
    if case .after(_, let delay) = moment, delay.bitPattern != 0 { delay } else { nil }
  }

  private var writtenSettings: [(key: String, value: WrittenValue)] {
    if settings.isEmpty { return [] }
    let views = settings.map { setting in
      let changes = setting.changes.map(\.written).map { ($0.key, $0.value.inline) }
      return (key: TOMLText.key(setting.view), value: Optional(TOMLText.table(changes)))
    }
    return [("set", .text(TOMLText.table(views)))]
  }
}

extension SceneValueType where Value == [String] {
  /// One name as a string, several as a list; they are checked with all names of the scene.
  fileprivate static let names = SceneValueType(
    "names", range: "", expected: "a name or an array of names",
    schema: .any([.text, .list(of: .text, SceneLimits.names)]), read: { _, _ in nil },
    write: { names in
      if let only = names.first, names.count == 1 { return .text(TOMLText.string(only)) }
      return .list(names.map(TOMLText.string))
    },
    check: { _ in nil })
}

extension SceneValueType where Value == AnimationCompletionCriteria {
  fileprivate static let criteria = SceneValueType(
    "text", range: "`\"logicallyComplete\"` or `\"removed\"`", schema: .text,
    read: { $0.criteria($1) },
    text: TOMLText.criteria)
}
