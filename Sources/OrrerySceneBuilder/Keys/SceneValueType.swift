// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A type of values of a scene file: how a value is read, written, checked and described.
struct SceneValueType<Value: Sendable>: Sendable {
  /// The guide's words for it.
  let name: String

  /// The guide's words for the values that are allowed; empty: all.
  let range: String

  /// What is wanted where a value is missing.
  let expected: String

  /// What an editor knows of it.
  let schema: ValueSchema

  /// The value of a key; nil if it is missing or wrong.
  let read: @Sendable (any SceneTableReading, String) -> Value?

  /// A value as text.
  let write: @Sendable (Value) -> WrittenValue

  /// A value with its limit, if it has one.
  let check: @Sendable (Value) -> CheckedValue?

  init(
    _ name: String, range: String = "", expected: String = "a string", schema: ValueSchema,
    read: @escaping @Sendable (any SceneTableReading, String) -> Value?,
    text: @escaping @Sendable (Value) -> String,
    check: @escaping @Sendable (Value) -> CheckedValue? = { _ in nil }
  ) {
    self.init(
      name, range: range, expected: expected, schema: schema, read: read,
      write: { .text(text($0)) }, check: check)
  }

  init(
    _ name: String, range: String, expected: String, schema: ValueSchema,
    read: @escaping @Sendable (any SceneTableReading, String) -> Value?,
    write: @escaping @Sendable (Value) -> WrittenValue,
    check: @escaping @Sendable (Value) -> CheckedValue?
  ) {
    (self.name, self.range, self.expected, self.schema) = (name, range, expected, schema)
    (self.read, self.write, self.check) = (read, write, check)
  }
}

extension SceneValueType where Value == Double {
  /// A number; without a limit if that depends on another key.
  static func number(_ limit: SceneLimit? = nil) -> SceneValueType {
    SceneValueType(
      "number", range: limit?.description ?? "", expected: "a number", schema: .number(limit),
      read: { $0.number($1) }, text: TOMLText.number,
      check: { value in limit.map { .number(value, $0) } })
  }

  static let date = SceneValueType(
    "number, date and time, or text", range: "\(SceneLimits.date)",
    schema: .any([.number(SceneLimits.date), .text]), read: { $0.dateSeconds($1) },
    text: TOMLText.number, check: { .number($0, SceneLimits.date) })
}

extension SceneValueType where Value == Int {
  static func wholeNumber(_ limit: SceneLimit) -> SceneValueType {
    SceneValueType(
      "whole number", range: "\(limit)", expected: "a whole number",
      schema: .wholeNumber(limit), read: { $0.integer($1) }, text: { "\($0)" },
      check: { .count($0, limit) })
  }
}

extension SceneValueType where Value == Bool {
  static let bool = SceneValueType(
    "true or false", schema: .bool, read: { $0.bool($1) }, text: { "\($0)" })
}

extension SceneValueType where Value == String {
  static func text(
    _ range: String, schema: ValueSchema = .text,
    check: @escaping @Sendable (String) -> CheckedValue
  ) -> SceneValueType {
    SceneValueType(
      "text", range: range, schema: schema, read: { $0.string($1) }, text: TOMLText.string,
      check: check)
  }

  static func text(bytesMax: Int) -> SceneValueType {
    text("1...\(bytesMax) bytes of UTF-8", schema: .text(bytesMax: bytesMax)) {
      .text($0, bytesMax: bytesMax)
    }
  }

  /// The name of a view, a row or a completion.
  static let name = SceneValueType(
    "name", schema: .text(bytesMax: SceneLimits.nameBytesMax), read: { $0.string($1) },
    text: TOMLText.string, check: { .text($0, bytesMax: SceneLimits.nameBytesMax) })

  static let parent = SceneValueType(
    "name", range: "of a view", schema: .text, read: { $0.string($1) }, text: TOMLText.string,
    check: { .parent($0) })
}

extension SceneValueType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of several words.
  static func word(_ kind: String) -> SceneValueType {
    let words = Value.allCases.map { "`\"\($0.rawValue)\"`" }
    let range = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    return SceneValueType(
      "text", range: range, schema: .text(of: Value.allCases.map(\.rawValue)),
      read: { $0.word($1, kind: kind) },
      text: { TOMLText.string($0.rawValue) })
  }
}

extension SceneValueType where Value == Color {
  static let color = SceneValueType(
    "color", schema: .definition("color"), read: { $0.color($1) }, text: TOMLText.color)
}

extension SceneValueType where Value == [Color] {
  static let colors = SceneValueType(
    "array of colors", range: "\(SceneLimits.colors)", expected: "an array",
    schema: .list(of: .definition("color"), SceneLimits.colors), read: { $0.colors($1) },
    write: { .list($0.map(TOMLText.color)) },
    check: { .list($0.count, SceneLimits.colors, []) })
}

extension SceneValueType where Value == Font {
  static let font = SceneValueType(
    "font", range: "\(SceneLimits.fontSize)", schema: .definition("font"),
    read: { $0.font($1) }, text: TOMLText.font, check: { .number($0.size, SceneLimits.fontSize) })
}

extension SceneValueType where Value == CGPoint {
  static let position = SceneValueType(
    "`[x, y]`", range: "each \(SceneLimits.position)", schema: .pair(SceneLimits.position),
    read: { $0.point($1) }, text: TOMLText.point, check: { .pair($0.x, $0.y, SceneLimits.position) }
  )
}

extension SceneValueType where Value == CGSize {
  static func size(_ limit: SceneLimit) -> SceneValueType {
    SceneValueType(
      "`[width, height]`", range: "each \(limit)", schema: .pair(limit), read: { $0.size($1) },
      text: { TOMLText.pair($0.width, $0.height) }, check: { .pair($0.width, $0.height, limit) })
  }
}

extension SceneValueType where Value == ValueRange {
  /// A range; without a limit if that depends on another key.
  static func range(_ limit: SceneLimit? = nil) -> SceneValueType {
    SceneValueType(
      "range", range: limit?.description ?? "", expected: "a number or [lower, upper]",
      schema: .range(limit), read: { $0.range($1) }, text: TOMLText.range,
      check: { value in limit.map { .range(value, $0) } })
  }
}

extension SceneValueType where Value == TickRate {
  static let rate = SceneValueType(
    "number or string", range: "\(SceneLimits.rate)",
    schema: .any([.number(SceneLimits.rate), .text]), read: { $0.rate($1) }, text: TOMLText.rate,
    check: { .rate($0) })
}

extension SceneValueType where Value == UInt64 {
  static let seed = SceneValueType(
    "whole number", range: "0...\(UInt64.max)",
    schema: .any([
      .wholeNumber(SceneLimit(0...Double(Int64.max), "")), .text(pattern: "^[0-9]+$"),
    ]), read: { $0.seed($1) }, text: TOMLText.seed)
}

extension SceneValueType where Value == Animation {
  static let animation = SceneValueType(
    "animation", schema: .definition("animation"), read: { $0.animation($1) },
    text: TOMLText.animation, check: { .animation($0) })
}

extension SceneValueType where Value == AnyTransition {
  static let transition = SceneValueType(
    "transition", schema: .definition("transition"), read: { $0.transition($1) },
    text: TOMLText.transition, check: { .transition($0) })
}

extension SceneValueType where Value == UnitCurve {
  static let curve = SceneValueType(
    "curve", schema: .definition("curve"), read: { $0.curve($1) }, text: TOMLText.curve)
}

extension SceneValueType {
  /// A table inside of a table.
  static func table(_ table: SceneTable<Value>) -> SceneValueType {
    SceneValueType(
      "table", expected: "a table", schema: .definition(table.name),
      read: { reader, key in reader.inner(key, known: table.names).map { table.read($0) } },
      text: table.inline, check: { table.checked($0) })
  }

  /// An array of tables; an element that is none is the table's base.
  static func tables<Element>(
    _ table: SceneTable<Element>, _ limit: SceneLimit
  ) -> SceneValueType where Value == [Element] {
    SceneValueType(
      "array of tables", range: "\(limit)", expected: "an array of tables",
      schema: .list(of: .definition(table.name), limit),
      read: { reader, key in
        reader.tables(key, limit, known: table.names)?.map { inner in
          inner.map { table.read($0) } ?? table.base
        }
      },
      write: { .column($0.map(table.inline)) },
      check: { .list($0.count, limit, $0.map { table.checked($0) }) })
  }
}
