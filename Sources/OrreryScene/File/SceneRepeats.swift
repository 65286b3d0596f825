// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryDocument
import OrrerySceneBuilder

/// Writes out the copies of the entries of a scene file that have a `repeat`.
///
/// This happens to the document, before anything else reads it: a scene with copies is the same scene as one in which
/// each of them was written by hand. The values of a copy keep the offsets of their entry, so messages lead there.
struct SceneRepeats {
  private let faults: FaultList

  /// Bytes of all copies so far, if they were written out.
  private var bytes = 0

  /// A document with all copies.
  ///
  /// - Parameters:
  ///   - document: What a scene file has.
  ///   - faults: Receives the faults of every `repeat`.
  /// - Returns: The document without any `repeat`; an entry whose `repeat` has a fault stands there once.
  static func writtenOut(_ document: DocumentTable, faults: FaultList) -> DocumentTable {
    var repeats = SceneRepeats(faults: faults)
    var result = DocumentTable()
    for member in document.members {
      let value =
        switch member.key {
        case "content":
          repeats.entries(member.value, at: member.key, SceneLimits.content, Copied.init(content:))
        case "command":
          repeats.entries(member.value, at: member.key, SceneLimits.commands, Copied.init(command:))
        default: member.value
        }
      result.append(member.key, value, at: member.offsets)
    }
    return result
  }

  private init(faults: FaultList) { self.faults = faults }

  /// An array of entries with all copies.
  private mutating func entries(
    _ value: DocumentValue, at key: String, _ limit: SceneLimit,
    _ copied: (DocumentTable) -> Copied
  ) -> DocumentValue {
    guard case .array(let array) = value,
      array.elements.contains(where: { $0.table?.has(Self.key) ?? false })
    else { return value }
    var (elements, offsets) = ([DocumentValue](), [Int]())
    for (index, element) in array.elements.enumerated() {
      var copies = [element]
      if let table = element.table, table.has(Self.key) {
        let entry = copied(table)
        let path = DocumentPath().key(key).index(index)
        let first = DocumentPath().key(key).index(elements.count)
        let times = read(entry, at: path, first: first, others: elements.count, limit)
        copies = (0..<times.count).map { .table(entry.copy($0, times)) }
      }
      elements += copies
      if array.offsets.indices.contains(index) {
        offsets += Array(repeating: array.offsets[index], count: copies.count)
      }
    }
    return .array(DocumentArray(elements, offsets: offsets))
  }

  /// The key of an entry that has copies.
  static let key = "repeat"

  /// Reads and checks how an entry is repeated.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - path: The path to it in the file.
  ///   - first: The path to its first copy.
  ///   - others: Entries before it, with their copies.
  ///   - limit: How many entries there may be.
  /// - Returns: One copy if there is a fault.
  private mutating func read(
    _ entry: Copied, at path: DocumentPath, first: DocumentPath, others: Int, _ limit: SceneLimit
  ) -> SceneRepeat {
    let reader = TableReader(entry.table, at: path, known: nil, faults: faults)
    let table = SceneRepeat.table
    guard let inner = reader.value(Self.key, "a table such as { count = 40 }", { $0.table })
    else { return table.base }
    let repeatPath = path.key(Self.key)
    let faultsBefore = faults.total
    let known = table.names.filter { $0 == "count" || entry.moved[$0] != nil }
    let own = table.read(TableReader(inner, at: repeatPath, known: known, faults: faults))
    SceneChecker(faults: faults).check(table.checked(own), at: repeatPath)
    guard faults.total == faultsBefore else { return table.base }
    if inner.has("offset"), let key = entry.moved["offset"], !entry.table.has(key) {
      faults.add(repeatPath.key("offset"), .onlyWith(key: key))
    }
    guard faults.total == faultsBefore else { return table.base }
    if own.count > 1 {
      for name in entry.names(at: first) where !name.text.contains(SceneRepeat.number) {
        faults.add(name.path, .sharedName(copies: own.count))
      }
    }
    let count = others + own.count
    if Double(count) > limit.range.upperBound {
      faults.add(repeatPath.key("count"), .outOfRange(found: "\(count)", limit: limit))
    }
    bytes += own.count * Self.bytes(of: .table(entry.table))
    if bytes > SceneLimits.fileBytesMax {
      faults.add(
        repeatPath.key("count"), .copiesTooLong(bytes: bytes, limit: SceneLimits.fileBytesMax))
    }
    return faults.total == faultsBefore ? own : table.base
  }

  /// How long a value is when it is written out: 8 bytes for a number.
  private static func bytes(of value: DocumentValue) -> Int {
    switch value {
    case .string(let text): text.utf8.count
    case .array(let array): array.elements.reduce(0) { $0 + bytes(of: $1) }
    case .table(let table):
      table.members.reduce(0) { $0 + $1.key.utf8.count + bytes(of: $1.value) }
    default: 8
    }
  }
}

/// An entry that has copies.
private struct Copied {
  let table: DocumentTable

  /// The key of the entry that each key of its `repeat` changes.
  let moved: [String: String]

  /// The value of the key that `stagger` changes, where the entry does not have it.
  let begin: Double?

  init(content table: DocumentTable) {
    self.table = table
    switch table["kind"]?.string.flatMap(SceneContent.Kind.init(rawValue:)) {
    case .field: moved = [:]
    case .orbitSystem: moved = ["offset": "center"]
    case .flowText: moved = ["offset": "position", "stagger": "start"]
    default: moved = ["offset": "position"]
    }
    begin = FlowText.table.base.start
  }

  init(command table: DocumentTable) {
    self.table = table
    let isReaction = table.has("after")
    moved = ["stagger": isReaction ? "delay" : "at"]
    begin = isReaction ? 0 : table["every"]?.number
  }

  /// The names that no other entry may have, and the paths to them.
  func names(at path: DocumentPath) -> [(text: String, path: DocumentPath)] {
    switch table["kind"]?.string {
    case SceneContent.Kind.view.rawValue:
      return table["name"]?.string.map { [($0, path.key("name"))] } ?? []
    case SceneContent.Kind.accordion.rawValue:
      return (table["rows"]?.array ?? []).enumerated().compactMap { index, row in
        row.table?["name"]?.string.map { ($0, path.key("rows").index(index).key("name")) }
      }
    default: return []
    }
  }

  /// One of the copies.
  ///
  /// - Parameters:
  ///   - index: Its index, from 0.
  ///   - times: How the entry is repeated.
  /// - Returns: The entry with the copy's own values.
  func copy(_ index: Int, _ times: SceneRepeat) -> DocumentTable {
    let number = "\(index + 1)"
    var copy = DocumentTable()
    for member in table.members where member.key != "repeat" {
      var value = Self.numbered(member.value, number)
      if index > 0, member.key == moved["stagger"] {
        value = Self.added(value, Double(index) * times.stagger)
      } else if index > 0, member.key == moved["offset"], case .array(let pair) = value {
        let moves = [Double(index) * times.offset.x, Double(index) * times.offset.y]
        let sums = zip(pair.elements, moves).map(Self.added)
        value = .array(
          DocumentArray(sums + pair.elements.dropFirst(sums.count), offsets: pair.offsets))
      }
      copy.append(member.key, value, at: member.offsets)
    }
    if index > 0, times.stagger != 0, let key = moved["stagger"], !copy.has(key), let begin {
      let offsets = table.offsets(at: DocumentPath().key("repeat"))
      copy.append(key, Self.added(.number(begin), Double(index) * times.stagger), at: offsets)
    }
    return copy
  }

  /// A number plus another one, to a billionth: three times 0.05 is 0.15, as in a file written by hand.
  private static func added(_ value: DocumentValue, _ other: Double) -> DocumentValue {
    guard other != 0, let number = value.number, number.isFinite else { return value }
    return .number(((number + other) * 1e9).rounded() / 1e9)
  }

  /// A value with the copy's number in its texts, and in keys, which are names where a command sets values.
  private static func numbered(_ value: DocumentValue, _ number: String) -> DocumentValue {
    switch value {
    case .string(let text): return .string(numbered(text, number))
    case .array(let array):
      let elements = array.elements.map { numbered($0, number) }
      return .array(DocumentArray(elements, offsets: array.offsets))
    case .table(let table):
      var result = DocumentTable()
      for member in table.members {
        let key = numbered(member.key, number)
        // A name that stands twice: the one without a number is then unknown.
        result.append(
          table.has(key) ? member.key : key, numbered(member.value, number), at: member.offsets)
      }
      return .table(result)
    default: return value
    }
  }

  private static func numbered(_ text: String, _ number: String) -> String {
    text.contains(SceneRepeat.number) ? text.replacing(SceneRepeat.number, with: number) : text
  }
}
