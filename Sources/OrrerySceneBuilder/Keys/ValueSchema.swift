// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// The JSON Schema of a value, for editors.
///
/// It accepts every value that Orrery accepts, and refuses what a schema can refuse.
struct ValueSchema: Sendable {
  /// The words of the schema.
  let words: DocumentTable

  /// A number; without a limit if that depends on another key.
  static func number(_ limit: SceneLimit? = nil) -> ValueSchema {
    ValueSchema(words: numeric("number", limit))
  }

  static func wholeNumber(_ limit: SceneLimit) -> ValueSchema {
    ValueSchema(words: numeric("integer", limit))
  }

  static let bool = ValueSchema(words: ["type": .string("boolean")])

  /// Any text, to be checked by other rules.
  static let text = ValueSchema(words: ["type": .string("string")])

  /// A text; a character has at least one byte.
  static func text(bytesMax: Int) -> ValueSchema {
    var words = text.words
    words.append("minLength", .integer(1))
    words.append("maxLength", .integer(Int64(bytesMax)))
    return ValueSchema(words: words)
  }

  static func text(pattern: String) -> ValueSchema {
    var words = text.words
    words.append("pattern", .string(pattern))
    return ValueSchema(words: words)
  }

  /// One of several texts.
  static func text(of values: [String]) -> ValueSchema {
    ValueSchema(words: ["enum": .array(DocumentArray(values.map { .string($0) }))])
  }

  /// The text that says what kind of content a table is.
  static func kind(_ name: String) -> ValueSchema {
    ValueSchema(words: ["const": .string(name)])
  }

  static func list(of element: ValueSchema, _ limit: SceneLimit) -> ValueSchema {
    var words: DocumentTable = ["type": .string("array"), "items": .table(element.words)]
    words.append("minItems", .integer(Int64(limit.range.lowerBound)))
    words.append("maxItems", .integer(Int64(limit.range.upperBound)))
    return ValueSchema(words: words)
  }

  /// Two numbers.
  static func pair(_ limit: SceneLimit? = nil) -> ValueSchema {
    list(of: .number(limit), SceneLimit(2...2, "numbers"))
  }

  /// One number, or two.
  static func range(_ limit: SceneLimit? = nil) -> ValueSchema {
    any([.number(limit), .pair(limit)])
  }

  /// A table with any keys, such as names of views.
  static func tables(byName element: ValueSchema) -> ValueSchema {
    ValueSchema(
      words: ["type": .string("object"), "additionalProperties": .table(element.words)])
  }

  static func any(_ schemas: [ValueSchema]) -> ValueSchema {
    ValueSchema(words: ["anyOf": .array(DocumentArray(schemas.map { .table($0.words) }))])
  }

  /// Exactly one of several schemas.
  static func one(of schemas: [ValueSchema]) -> ValueSchema {
    ValueSchema(words: ["oneOf": .array(DocumentArray(schemas.map { .table($0.words) }))])
  }

  /// A reference to a definition of the schema, such as a table by its heading in the guide.
  static func definition(_ name: String) -> ValueSchema {
    ValueSchema(words: ["$ref": .string("#/$defs/" + name)])
  }

  /// The same with a description in front; backticks are left out.
  func described(_ description: String) -> ValueSchema {
    if description.isEmpty { return self }
    var words: DocumentTable = ["description": .string(description.filter { $0 != "`" })]
    for member in self.words.members { words.append(member.key, member.value) }
    return ValueSchema(words: words)
  }

  private static func numeric(_ type: String, _ limit: SceneLimit?) -> DocumentTable {
    var words: DocumentTable = ["type": .string(type)]
    if let range = limit?.range {
      words.append("minimum", .number(range.lowerBound))
      words.append("maximum", .number(range.upperBound))
    }
    return words
  }
}

/// Keys of a table, one of which must be there.
struct KeyChoice: Sendable {
  /// Keys that go together.
  private let alternatives: [[String]]

  private let isExclusive: Bool

  /// Exactly one of these keys.
  static func one(of keys: [String]) -> KeyChoice { one(of: keys.map { [$0] }) }

  /// Exactly one of these groups of keys.
  static func one(of groups: [[String]]) -> KeyChoice {
    KeyChoice(alternatives: groups, isExclusive: true)
  }

  /// At least one of these keys.
  static func any(of keys: [String]) -> KeyChoice {
    KeyChoice(alternatives: keys.map { [$0] }, isExclusive: false)
  }

  /// The choice as a JSON Schema.
  var schema: ValueSchema {
    let groups = alternatives.map { keys in
      ValueSchema(words: ["required": .array(DocumentArray(keys.map { .string($0) }))])
    }
    return isExclusive ? .one(of: groups) : .any(groups)
  }
}
