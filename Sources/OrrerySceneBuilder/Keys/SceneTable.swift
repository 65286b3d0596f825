// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// The keys of one table of a scene file, such as `row` or `row.ticker`.
///
/// Everything that treats the table key by key goes through its list: reading, writing, checking
/// and the table of docs/reference/scene-file.md.
package struct SceneTable<Root: Sendable>: Sendable {
  /// The heading in docs/reference/scene-file.md; of content also its kind.
  package let name: String

  /// Whether it is a kind of content.
  let isContent: Bool

  /// An example with the default of every key and a valid placeholder for each required key.
  package let base: Root

  /// The keys, in the order in which they are written.
  let keys: [SceneKey<Root>]

  /// The names of the keys, with `kind` for content.
  package let names: [String]

  /// The keys in the order in which they are checked.
  private let checkedKeys: [SceneKey<Root>]

  /// Groups of keys, one of which must be there; the decoder checks them by hand.
  private let choices: [KeyChoice]

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - name: Its heading in the guide; of content its kind.
  ///   - isContent: Whether it is a kind of content.
  ///   - base: A thing with the default of every key and a valid placeholder for each required one.
  ///   - checkedLast: Keys that are checked after the others.
  ///   - choices: Keys of which one must be there.
  ///   - keys: The keys, in the order in which they are written.
  init(
    _ name: String, isContent: Bool = false, base: Root, checkedLast: Set<String> = [],
    choices: [KeyChoice] = [], _ keys: [SceneKey<Root>]
  ) {
    self.name = name
    self.isContent = isContent
    self.base = base
    self.keys = keys
    self.choices = choices
    names = (isContent ? ["kind"] : []) + keys.map(\.name)
    checkedKeys =
      keys.filter { !checkedLast.contains($0.name) } + keys.filter { checkedLast.contains($0.name) }
  }

  /// Makes the table of a kind of content.
  init(
    _ kind: SceneContent.Kind, base: Root, checkedLast: Set<String> = [],
    choices: [KeyChoice] = [], _ keys: [SceneKey<Root>]
  ) {
    self.init(
      kind.rawValue, isContent: true, base: base, checkedLast: checkedLast, choices: choices,
      keys + [.repeated])
  }

  /// Reads the keys that are not read by hand.
  ///
  /// - Parameters:
  ///   - reader: The table.
  ///   - root: Receives the values; a missing or wrong value changes nothing.
  ///   - isRead: Whether a key is read.
  package func read(
    _ reader: any SceneTableReading, into root: inout Root,
    where isRead: (String) -> Bool = { _ in true }
  ) {
    for key in keys where isRead(key.name) { key.read(reader, &root) }
  }

  /// Reads the keys that are not read by hand.
  package func read(
    _ reader: any SceneTableReading, where isRead: (String) -> Bool = { _ in true }
  ) -> Root {
    var root = base
    read(reader, into: &root, where: isRead)
    return root
  }

  /// Reads a table inside of another one; the base if it is none.
  package func read(_ key: String, in reader: some SceneTableReading) -> Root {
    reader.inner(key, known: names).map { read($0) } ?? base
  }

  /// The keys and values that a file needs.
  func written(_ root: Root) -> [(key: String, value: WrittenValue)] {
    keys.flatMap { $0.write(root, base) }
  }

  /// The thing as a table in one line.
  func inline(_ root: Root) -> String {
    TOMLText.table(written(root).map { ($0.key, $0.value.inline) })
  }

  /// The values that have limits.
  ///
  /// - Parameters:
  ///   - root: The thing.
  ///   - isChecked: Whether a key is checked.
  /// - Returns: A table of them, in the order of their checks.
  package func checked(
    _ root: Root, where isChecked: (String) -> Bool = { _ in true }
  ) -> CheckedValue {
    .table(
      checkedKeys.compactMap { key in
        guard isChecked(key.name), let value = key.check(root) else { return nil }
        return (key.name, value)
      })
  }

  /// The rows of the table in docs/reference/scene-file.md.
  var guideRows: [String] {
    (isContent ? ["| `kind` | text | `\"\(name)\"` | | |"] : [])
      + keys.map { $0.guideRow(base) }
  }

  /// The JSON Schema of the table's keys, by their names.
  var keySchemas: [(name: String, schema: ValueSchema)] {
    (isContent ? [("kind", .kind(name))] : []) + keys.map { ($0.name, $0.schema(base)) }
  }

  /// The table's JSON Schema.
  ///
  /// - Parameters:
  ///   - others: Further keys that it may have.
  ///   - choices: Choices in place of the table's own; nil keeps them.
  /// - Returns: The words of the schema.
  func schema(
    with others: [(name: String, schema: ValueSchema)] = [], replacing choices: [KeyChoice]? = nil
  ) -> DocumentTable {
    var properties = DocumentTable()
    for (name, schema) in keySchemas + others { properties.append(name, .table(schema.words)) }
    let required = (isContent ? ["kind"] : []) + keys.filter(\.isRequired).map(\.name)
    var words: DocumentTable = [
      "type": .string("object"), "additionalProperties": .bool(false),
      "required": .array(DocumentArray(required.map { .string($0) })),
      "properties": .table(properties),
    ]
    let choices = (choices ?? self.choices).map { DocumentValue.table($0.schema.words) }
    if !choices.isEmpty { words.append("allOf", .array(DocumentArray(choices))) }
    return words
  }
}
