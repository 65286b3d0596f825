// SPDX-License-Identifier: Apache-2.0

/// A table of a TOML text while it is read: later headers and dotted keys may still add to it.
///
/// Inline tables and arrays of values are never open: they are whole when they are read.
final class OpenTable {
  /// How the table came to be, which decides what may be added to it.
  enum Origin {
    /// By the headers of tables inside it; its own header may follow.
    case implied
    /// By a dotted key; only dotted keys under the same header add values.
    case dotted
    /// By its own header, an element of an array of tables, or an inline table's brace.
    case header
  }

  /// What stands in a table and may still grow.
  private enum Inner {
    case table(OpenTable)
    case array(OpenArray)

    var value: DocumentValue {
      switch self {
      case .table(let table): .table(table.finished)
      case .array(let array): .array(array.finished)
      }
    }
  }

  /// An array of tables.
  private final class OpenArray {
    var tables: [OpenTable] = []
    var offsets: [Int] = []

    func append(_ offset: Int) -> OpenTable {
      let table = OpenTable(.header)
      tables.append(table)
      offsets.append(offset)
      return table
    }

    var finished: DocumentArray {
      DocumentArray(tables.map { .table($0.finished) }, offsets: offsets)
    }
  }

  /// A key's name and its byte offset.
  struct Key {
    let name: String
    let offset: Int
  }

  private var origin: Origin

  /// The members in the order of the text; nulls keep the positions of the open ones.
  private var table = DocumentTable()

  /// The open tables and arrays in it, by the indexes of their members.
  private var inner: [Int: Inner] = [:]

  init(_ origin: Origin) { self.origin = origin }

  func has(_ key: Key) -> Bool { table.has(key.name) }

  /// Adds a value.
  ///
  /// - Precondition: The table has no such key.
  func append(_ key: Key, _ value: DocumentValue, at offset: Int) {
    table.append(key.name, value, at: DocumentOffsets(key: key.offset, value: offset))
  }

  /// The table of a key inside a header's brackets, before the last; nil if the key has a value.
  func passed(_ key: Key) -> OpenTable? {
    guard let index = table.index(of: key.name) else { return added(key, .implied) }
    switch inner[index] {
    case .table(let table): return table
    case .array(let array): return array.tables.last
    case nil: return nil
    }
  }

  /// The table of a header's last key; nil if the key stands elsewhere.
  func headed(_ key: Key) -> OpenTable? {
    guard let index = table.index(of: key.name) else { return added(key, .header) }
    guard case .table(let table) = inner[index], table.origin == .implied else { return nil }
    table.origin = .header
    return table
  }

  /// A further element of an array of tables; nil if the key has another value.
  func appended(_ key: Key) -> OpenTable? {
    if let index = table.index(of: key.name) {
      guard case .array(let array) = inner[index] else { return nil }
      return array.append(key.offset)
    }
    let array = OpenArray()
    add(key, .array(array))
    return array.append(key.offset)
  }

  /// The table of a dotted key before its last part; nil if it has a header or the key a value.
  func dotted(_ key: Key) -> OpenTable? {
    guard let index = table.index(of: key.name) else { return added(key, .dotted) }
    guard case .table(let table) = inner[index], table.origin != .header else { return nil }
    table.origin = .dotted
    return table
  }

  /// The table with everything in it.
  var finished: DocumentTable {
    var finished = table
    for (index, inner) in inner { finished.members[index].value = inner.value }
    return finished
  }

  private func added(_ key: Key, _ origin: Origin) -> OpenTable {
    let table = OpenTable(origin)
    add(key, .table(table))
    return table
  }

  private func add(_ key: Key, _ value: Inner) {
    inner[table.members.count] = value
    append(key, .null, at: key.offset)
  }
}
