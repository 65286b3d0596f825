// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// The JSON Schema of scenes (draft 2020-12), for editors; made from the tables that read, write and
/// check scenes.
package enum SceneSchema {
  /// The schema, as docs/schemas/scene.schema.json has it.
  package static var text: String { JSONLayout.text(.table(words)) + "\n" }

  private static var words: DocumentTable {
    var words: DocumentTable = [
      "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
      "title": .string("A scene of Orrery, in TOML or JSON"),
    ]
    var definitions = DocumentTable()
    for (name, schema) in types { definitions.append(name, .table(schema.words)) }
    for entry in SceneGuide.entries {
      if entry.heading == Scene.table.name {
        for member in entry.schema.members { words.append(member.key, member.value) }
      } else {
        definitions.append(entry.heading, .table(entry.schema))
      }
    }
    words.append("$defs", .table(definitions))
    return words
  }

  /// Types that many keys have.
  private static var types: [(name: String, schema: ValueSchema)] {
    [
      (
        "color",
        .any([.text(of: Color.named.keys.sorted()), .text(pattern: "^#([0-9A-Fa-f]{2}){3,4}$")])
          .described("#rrggbb, #rrggbbaa or the name of a color")
      ),
      ("font", font.described("a size in points, a text style, or a size with a weight")),
    ]
      + [
        ("animation", "easeInOut(duration: 2).delay(0.5)"),
        ("transition", "move(edge: top).combined(with: opacity)"),
        ("curve", "cubicBezier(0.42, 0, 0.58, 1)"), ("schedule", "periodic(from: 0, by: 1)"),
        ("spring", "spring(duration: 0.5, bounce: 0.3)"),
      ].map { name, example in (name, .text.described("as in Swift, such as \(example)")) }
  }

  private static var font: ValueSchema {
    let size = ValueSchema.number(SceneLimits.fontSize)
    let weights = ValueSchema.text(of: Font.Weight.allCases.map(\.rawValue))
    let sized: DocumentTable = [
      "type": .string("object"), "additionalProperties": .bool(false),
      "required": .array([.string("size")]),
      "properties": .table(["size": .table(size.words), "weight": .table(weights.words)]),
    ]
    return .any([size, .text(of: Font.styles.keys.sorted()), ValueSchema(words: sized)])
  }
}
