// SPDX-License-Identifier: Apache-2.0

/// A table of a document, which JSON calls an object: values by their keys, in the order of the text.
///
/// No key stands twice. Keys are equal as Swift's strings are: those that differ in their Unicode
/// normalization only are one key.
package struct DocumentTable: Sendable {
  /// A key and its value.
  package struct Member: Sendable {
    /// The key, without quotes.
    package let key: String

    /// Its value.
    package internal(set) var value: DocumentValue

    /// Where they stand; nil if the table was not read from a text.
    package let offsets: DocumentOffsets?
  }

  /// Keys and values.
  package internal(set) var members: [Member] = []

  /// The index of each member by its key; empty in a table that is searched from its first member.
  private var indexes: [String: Int] = [:]

  /// Members up to which a search is as fast as a dictionary.
  private static let searchedMax = 16

  /// An empty table.
  package init() {}

  /// A table of these values, in the order of their keys' bytes.
  package init(_ values: [String: DocumentValue]) {
    for (key, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      append(key, value)
    }
  }

  /// The value of a key; nil without one.
  package subscript(key: String) -> DocumentValue? { index(of: key).map { members[$0].value } }

  /// Whether it has a key.
  package func has(_ key: String) -> Bool { index(of: key) != nil }

  /// The keys that are not among these, in the order of their bytes.
  package func keys(except known: [String]) -> [String] {
    members.map(\.key).filter { !known.contains($0) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Adds a member behind the others.
  ///
  /// - Precondition: The table has no such key.
  package mutating func append(
    _ key: String, _ value: DocumentValue, at offsets: DocumentOffsets? = nil
  ) {
    assert(!has(key), "\(key) stands twice")
    members.append(Member(key: key, value: value, offsets: offsets))
    if members.count == Self.searchedMax + 1 {
      for (index, member) in members.enumerated() { indexes[member.key] = index }
    } else if members.count > Self.searchedMax {
      indexes[key] = members.count - 1
    }
  }

  func index(of key: String) -> Int? {
    members.count > Self.searchedMax ? indexes[key] : members.firstIndex { $0.key == key }
  }
}

extension DocumentTable: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, DocumentValue)...) {
    for (key, value) in elements { append(key, value) }
  }
}

extension DocumentTable: Equatable {
  /// Whether both have equal values for the same keys, in any order.
  package static func == (first: DocumentTable, second: DocumentTable) -> Bool {
    first.members.count == second.members.count
      && first.members.allSatisfy { second[$0.key] == $0.value }
  }
}

/// Where a key and its value stand in a text, in bytes from its start.
///
/// A table that a header or a dotted key names stands at its name; an element of an array has no key
/// of its own, and both offsets are the element's.
package struct DocumentOffsets: Equatable, Sendable {
  /// Bytes before the key.
  package let key: Int

  /// Bytes before the value.
  package let value: Int
}

extension DocumentTable {
  /// Where the value at a path stands.
  ///
  /// - Parameter path: The path from this table.
  /// - Returns: Nil if there is no such value, or if the table was not read from a text.
  package func offsets(at path: DocumentPath) -> DocumentOffsets? {
    var value = DocumentValue.table(self)
    var offsets: DocumentOffsets?
    for element in path.elements {
      switch (element, value) {
      case (.key(let key), .table(let table)):
        guard let index = table.index(of: key) else { return nil }
        value = table.members[index].value
        offsets = table.members[index].offsets
      case (.index(let index), .array(let array)):
        guard array.offsets.indices.contains(index) else { return nil }
        value = array.elements[index]
        offsets = DocumentOffsets(key: array.offsets[index], value: array.offsets[index])
      default: return nil
      }
    }
    return offsets
  }
}
