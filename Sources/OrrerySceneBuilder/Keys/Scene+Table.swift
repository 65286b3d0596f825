// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Scene {
  /// The head of a scene file.
  package static let table = SceneTable(
    "scene", base: Scene("") {},
    [
      .key(
        "name", \.name, .text(bytesMax: SceneLimits.nameBytesMax),
        "the scene's name in reports and traces", default: "the file's name",
        isAlwaysWritten: true),
      .key("size", \.size, .size(SceneLimits.side), "size of the picture"),
      .key("background", \.background, .color, "colour behind everything"),
      .key(
        "rate", \.rate, .rate,
        "exact: `59.94` is 2997/50; video's 29.97 is `\"30000/1001\"`; at most ten digits above "
          + "and below"),
      .key(
        "seed", \.seed, .seed,
        "the source of all random numbers; `--seed` replaces it. TOML's integers end at "
          + "9223372036854775807: a larger seed is a string, `\"18446744073709551615\"`"),
      .key(
        "locale", \.locale, .text("a locale that Foundation knows") { .locale($0) },
        "language of currency names; `--locale` replaces it"),
      .optional(
        "layout-direction", \.layoutDirection, .layoutDirection,
        "which side is leading: see [Right to left](#right-to-left)",
        default: "of the language"),
      .key(
        "date", \.dateSeconds, .date,
        "the date of time 0, for clocks: Unix seconds, or `2025-10-26T00:59:57Z`, with an offset "
          + "from UTC"),
      .key(
        "time-zone", \.timeZone, .text("an identifier of the IANA database") { .timeZone($0) },
        "of clocks, such as `\"Europe/London\"`"),
      .other(
        "content", "array of tables",
        "the content of the picture; the first is numbered first. At most "
          + "\(SceneLimits.entitiesMax) entities in all, see below",
        range: "\(SceneLimits.content)", isRequired: true,
        schema: .list(
          of: .one(of: SceneContent.Kind.allCases.map { .definition($0.rawValue) }),
          SceneLimits.content)),
      .other(
        "command", "array of tables", "changes of views: see `command`",
        range: "\(SceneLimits.commands)", default: "none",
        schema: .list(of: .definition("command"), SceneLimits.commands)),
      .other(
        "$schema", "text", "for editors: where the JSON Schema of scenes is; nothing else reads it",
        default: "none", schema: .text),
    ])
}

extension SceneValueType where Value == LayoutDirection {
  fileprivate static let layoutDirection: SceneValueType = {
    let word = SceneValueType<LayoutDirectionWord>.word("layout direction")
    return SceneValueType(
      word.name, range: word.range, schema: word.schema,
      read: { word.read($0, $1).map { $0 == .rightToLeft ? .rightToLeft : .leftToRight } },
      text: { TOMLText.string($0 == .rightToLeft ? "rightToLeft" : "leftToRight") })
  }()
}

/// A layout direction in the words of scene files.
private enum LayoutDirectionWord: String, CaseIterable {
  case leftToRight
  case rightToLeft
}
