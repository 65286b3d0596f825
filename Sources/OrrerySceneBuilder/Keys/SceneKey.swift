// SPDX-License-Identifier: Apache-2.0

/// One key of a table of a scene file: how its value is read, written, checked and described.
package struct SceneKey<Root: Sendable>: Sendable {
  /// Its name in a scene file.
  let name: String

  /// Reads its value, if it is there.
  private(set) var read: @Sendable (any SceneTableReading, inout Root) -> Void

  /// The key and its value as text, if a file needs it; compares with a thing of defaults.
  let write: @Sendable (Root, Root) -> [(key: String, value: WrittenValue)]

  /// Its value with its limit, if there is one.
  let check: @Sendable (Root) -> CheckedValue?

  /// Its type, range, default and meaning in docs/reference/scene-file.md, from a thing of defaults.
  private let columns: @Sendable (Root) -> [String]

  /// What an editor knows of its value.
  private let valueSchema: ValueSchema

  /// Whether every table must have it.
  private(set) var isRequired: Bool

  /// The same key, to be read by hand; whether a table must have it is then decided there.
  var byHand: SceneKey {
    var key = self
    key.read = { _, _ in }
    key.isRequired = false
    return key
  }

  /// Its row in docs/reference/scene-file.md.
  func guideRow(_ base: Root) -> String {
    (["`\(name)`"] + columns(base)).reduce("|") { $0 + ($1.isEmpty ? " |" : " \($1) |") }
  }

  /// The JSON Schema of its value, with the guide's words for meaning, range and default.
  func schema(_ base: Root) -> ValueSchema {
    let columns = columns(base)
    let words = columns[2].isEmpty ? "" : "default: " + columns[2]
    return valueSchema.described(
      [columns[3], columns[1], words].filter { !$0.isEmpty }.joined(separator: "; "))
  }

  /// A key with a default.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - path: Its value.
  ///   - type: The type of its value.
  ///   - meaning: What the guide says of it.
  ///   - range: The guide's words for its range, if not the type's.
  ///   - words: The guide's words for its default, if not the value.
  ///   - isAlwaysWritten: Whether it is written even if it equals the default.
  /// - Returns: The key.
  static func key<Value: Equatable & Sendable>(
    _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ type: SceneValueType<Value>,
    _ meaning: String = "", range: String? = nil, default words: String? = nil,
    isAlwaysWritten: Bool = false
  ) -> SceneKey {
    SceneKey(
      name: name,
      read: { reader, root in if let value = type.read(reader, name) { root[keyPath: path] = value }
      },
      write: { root, base in
        let (value, plain) = (root[keyPath: path], base[keyPath: path])
        let written = type.write(value)
        let isDefault = value == plain && written.inline == type.write(plain).inline
        return isDefault && !isAlwaysWritten ? [] : [(name, written)]
      },
      check: { type.check($0[keyPath: path]) },
      columns: { base in
        let words = words ?? "`\(type.write(base[keyPath: path]).inline)`"
        return [type.name, range ?? type.range, words, meaning]
      }, valueSchema: type.schema, isRequired: false)
  }

  /// A key that must be there.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - path: Its value.
  ///   - type: The type of its value.
  ///   - meaning: What the guide says of it.
  ///   - range: The guide's words for its range, if not the type's.
  ///   - expected: What is wanted where it is missing, if not the type's words.
  /// - Returns: The key.
  static func required<Value: Equatable & Sendable>(
    _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ type: SceneValueType<Value>,
    _ meaning: String = "", range: String? = nil, expected: String? = nil
  ) -> SceneKey {
    var key = key(name, path, type, meaning, range: range, default: "", isAlwaysWritten: true)
    let read = key.read
    key.isRequired = true
    key.read = { reader, root in
      reader.require(name, expected ?? type.expected)
      read(reader, &root)
    }
    return key
  }

  /// A key whose value may be nil.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - path: Its value.
  ///   - type: The type of its value.
  ///   - meaning: What the guide says of it.
  ///   - range: The guide's words for its range, if not the type's.
  ///   - words: The guide's words for nil.
  ///   - expected: What is wanted where it is missing; nil if it may be.
  ///   - isRequired: Whether every table must have it, and not only those in which it is read.
  ///   - plain: A value that is not written.
  ///   - check: Its value with its limit, if it depends on other keys.
  /// - Returns: The key.
  static func optional<Value: Equatable & Sendable>(
    _ name: String, _ path: WritableKeyPath<Root, Value?> & Sendable,
    _ type: SceneValueType<Value>, _ meaning: String = "", range: String? = nil,
    default words: String = "", expected: String? = nil, isRequired: Bool = false,
    unless plain: Value? = nil, check: (@Sendable (Root, Value) -> CheckedValue?)? = nil
  ) -> SceneKey {
    var key = shown(
      name, path, type, meaning, range: range, default: words, isRequired: isRequired,
      unless: plain, check: check)
    key.read = { reader, root in
      if let expected { reader.require(name, expected) }
      if let value = type.read(reader, name) { root[keyPath: path] = value }
    }
    return key
  }

  /// A key whose value may be nil, and which is read by hand.
  static func shown<Value: Equatable & Sendable>(
    _ name: String, _ path: KeyPath<Root, Value?> & Sendable, _ type: SceneValueType<Value>,
    _ meaning: String = "", range: String? = nil, default words: String = "",
    isRequired: Bool = false, unless plain: Value? = nil,
    check: (@Sendable (Root, Value) -> CheckedValue?)? = nil
  ) -> SceneKey {
    SceneKey(
      name: name, read: { _, _ in },
      write: { root, _ in
        guard let value = root[keyPath: path], value != plain else { return [] }
        return [(name, type.write(value))]
      },
      check: { root in
        root[keyPath: path].flatMap { value in check.map { $0(root, value) } ?? type.check(value) }
      },
      columns: { _ in [type.name, range ?? type.range, words, meaning] },
      valueSchema: type.schema, isRequired: isRequired)
  }

  /// A key that is read and checked by hand.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - type: The guide's words for its type.
  ///   - meaning: What the guide says of it.
  ///   - range: The guide's words for its range.
  ///   - words: The guide's words for its default.
  ///   - isRequired: Whether every table must have it.
  ///   - schema: What an editor knows of its value.
  ///   - write: What a file needs of it; it may write other keys of the table.
  /// - Returns: The key.
  static func other(
    _ name: String, _ type: String, _ meaning: String = "", range: String = "",
    default words: String = "", isRequired: Bool = false, schema: ValueSchema,
    write: @escaping @Sendable (Root) -> [(key: String, value: WrittenValue)] = { _ in [] }
  ) -> SceneKey {
    SceneKey(
      name: name, read: { _, _ in }, write: { root, _ in write(root) }, check: { _ in nil },
      columns: { _ in [type, range, words, meaning] }, valueSchema: schema, isRequired: isRequired)
  }
}
