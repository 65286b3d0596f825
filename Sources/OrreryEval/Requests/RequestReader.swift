// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryScene

/// Reads typed values from one object of a request.
///
/// An unknown key is an error, and so is a value of the wrong type; each error has the path to it.
struct RequestReader {
  /// The path to the object; empty for the request itself.
  let path: DocumentPath

  private let table: DocumentTable

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - value: The object.
  ///   - path: The path to it.
  ///   - known: The allowed keys.
  /// - Throws: An error if the value is not an object or has an unknown key.
  init(_ value: DocumentValue, at path: DocumentPath, known: [String]) throws(EvalError) {
    guard let table = value.table else {
      throw EvalError(path: path, reason: "\(value.shown) is not an object")
    }
    self.path = path
    self.table = table
    try allowOnly(known)
  }

  /// Refuses every key that is not one of these.
  func allowOnly(_ known: [String]) throws(EvalError) {
    guard let key = table.keys(except: known).first else { return }
    let nearest = NearestName.find(key, among: known)
    let shown = JSONWriter.string(String(key.prefix(100)), .answer)
    throw EvalError(
      path: path,
      reason: "unknown key \(shown); \(nearest.map { "did you mean \($0)? " } ?? "")"
        + "allowed: \(known.joined(separator: ", "))")
  }

  func has(_ key: String) -> Bool { table.has(key) }

  func isNull(_ key: String) -> Bool { table[key] == .null }

  /// A required member.
  func value(_ key: String, _ expected: String) throws(EvalError) -> DocumentValue {
    guard let value = table[key] else {
      throw EvalError(path: path.key(key), reason: "missing; \(expected) is wanted")
    }
    return value
  }

  /// The names of all members, in the order of the request.
  var keys: [String] { table.members.map(\.key) }

  /// A number; `other` if it is missing.
  func number(_ key: String, else other: Double? = nil) throws(EvalError) -> Double {
    if !has(key), let other { return other }
    return try typed(try value(key, "a number"), at: path.key(key), "a number") { $0.number }
  }

  /// A number in a range.
  func number(
    _ key: String, else other: Double? = nil, in range: ClosedRange<Double>, _ unit: String = ""
  ) throws(EvalError) -> Double {
    let number = try number(key, else: other)
    guard range.contains(number) else {
      let ends = [range.lowerBound, range.upperBound].map { JSONWriter.number($0, .answer) }
      let allowed = ends.joined(separator: "...")
      throw .outOfRange(path.key(key), number, unit.isEmpty ? allowed : "\(allowed) \(unit)")
    }
    return number
  }

  /// A number greater than 0.
  func positive(_ key: String, else other: Double? = nil) throws(EvalError) -> Double {
    let number = try number(key, else: other)
    guard number > 0 else { throw .outOfRange(path.key(key), number, "more than 0") }
    return number
  }

  /// A whole number in a range.
  func count(
    _ key: String, else other: Int? = nil, in range: ClosedRange<Int>
  ) throws(EvalError) -> Int {
    let number = try number(key, else: other.map(Double.init))
    guard let count = Int(exactly: number), range.contains(count) else {
      throw .outOfRange(
        path.key(key), number, "whole numbers \(range.lowerBound)...\(range.upperBound)")
    }
    return count
  }

  func string(_ key: String, else other: String? = nil) throws(EvalError) -> String {
    if !has(key), let other { return other }
    return try typed(try value(key, "a string"), at: path.key(key), "a string") { $0.string }
  }

  func bool(_ key: String, else other: Bool) throws(EvalError) -> Bool {
    guard let value = table[key] else { return other }
    return try typed(value, at: path.key(key), "true or false") { $0.bool }
  }

  /// One of several words.
  func word<Value>(
    _ key: String, else other: String? = nil, _ words: [(String, Value)]
  ) throws(EvalError) -> Value {
    let text = try string(key, else: other)
    if let value = words.first(where: { $0.0 == text })?.1 { return value }
    let nearest = NearestName.find(text, among: words.map(\.0))
    throw EvalError(
      path: path.key(key),
      reason: "\(DocumentValue.string(text).shown) is not known; "
        + "\(nearest.map { "did you mean \($0)? " } ?? "")"
        + "allowed: \(words.map(\.0).joined(separator: ", "))")
  }

  /// A list of numbers.
  func numbers(_ key: String) throws(EvalError) -> [Double] {
    let values = try list(
      try value(key, "an array of numbers"), at: path.key(key), "an array of numbers",
      countMax: EvalLimits.listCountMax)
    var numbers: [Double] = []
    numbers.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      numbers.append(try typed(value, at: path.key(key).index(index), "a number") { $0.number })
    }
    return numbers
  }

  /// A list of whole numbers that are exact as a `Double`, and not negative.
  func wholeNumbers(_ key: String) throws(EvalError) -> [Int] {
    var counts: [Int] = []
    for (index, number) in try numbers(key).enumerated() {
      guard let count = Int(exactly: number), (0...1 << 53).contains(count) else {
        throw .outOfRange(path.key(key).index(index), number, "whole numbers 0...\(1 << 53)")
      }
      counts.append(count)
    }
    return counts
  }

  /// A list of strings.
  func strings(_ key: String, countMax: Int) throws(EvalError) -> [String] {
    try elements(key, "an array of strings", countMax: countMax) {
      (value, path) throws(EvalError) in
      try typed(value, at: path, "a string") { $0.string }
    }
  }

  /// A list of objects.
  func objects(
    _ key: String, countMax: Int, known: [String]
  ) throws(EvalError) -> [RequestReader] {
    try elements(key, "an array of objects", countMax: countMax) {
      (value, path) throws(EvalError) in
      try RequestReader(value, at: path, known: known)
    }
  }

  /// An object inside this one.
  func object(_ key: String, known: [String]) throws(EvalError) -> RequestReader {
    try RequestReader(try value(key, "an object"), at: path.key(key), known: known)
  }

  /// Numbers by freely chosen names, in the order of the request.
  func namedNumbers(_ key: String) throws(EvalError) -> [(name: String, value: Double)] {
    try members(key, "an object of numbers", countMax: EvalLimits.propertyCountMax) {
      (member, path) throws(EvalError) in
      (member.key, try typed(member.value, at: path, "a number") { $0.number })
    }
  }

  /// A value in the notation, with the notation's own errors.
  func notation<Value>(
    _ key: String, _ read: (String) throws(NotationError) -> Value
  ) throws(EvalError) -> Value {
    let text = try string(key)
    do {
      return try read(text)
    } catch {
      throw EvalError(path: path.key(key), reason: "\(error)")
    }
  }

  /// A formula with its own errors.
  func formula(_ key: String, variables: [String]) throws(EvalError) -> Formula {
    let text = try string(key)
    do throws(FormulaError) {
      return try FormulaParser.parse(text, variables: variables)
    } catch {
      throw EvalError(path: path.key(key), reason: "\(error)")
    }
  }

  /// A list of lists of numbers, each with the same count.
  func rows(_ key: String, of names: [String]) throws(EvalError) -> [[Double]] {
    let expected = "[\(names.joined(separator: ", "))]"
    let countMax = EvalLimits.listCountMax / names.count
    return try elements(key, "an array of \(expected)", countMax: countMax) {
      (value, path) throws(EvalError) in
      var row: [Double] = []
      for (column, element) in try typed(value, at: path, expected, { $0.array }).enumerated() {
        row.append(try typed(element, at: path.index(column), "a number") { $0.number })
      }
      guard row.count == names.count else {
        throw EvalError(path: path, reason: "\(row.count) numbers; \(expected) is wanted")
      }
      return row
    }
  }

  /// Lists of objects by freely chosen names, in the order of the request.
  func namedObjects(
    _ key: String, countMax: Int, known: [String]
  ) throws(EvalError) -> [(name: String, objects: [RequestReader])] {
    try members(key, "an object", countMax: EvalLimits.propertyCountMax) {
      (member, path) throws(EvalError) in
      let values = try list(
        member.value, at: path, "an array of objects", countMax: countMax)
      var objects: [RequestReader] = []
      for (index, value) in values.enumerated() {
        objects.append(try RequestReader(value, at: path.index(index), known: known))
      }
      return (member.key, objects)
    }
  }

  /// Readers of the objects of a table with freely chosen names, in the order of the request.
  func members(
    _ key: String, countMax: Int, known: [String]
  ) throws(EvalError) -> [(name: String, reader: RequestReader)] {
    try members(key, "an object", countMax: countMax) { (member, path) throws(EvalError) in
      (member.key, try RequestReader(member.value, at: path, known: known))
    }
  }

  /// Reads each member of a table with freely chosen names, in the order of the request.
  private func members<Member>(
    _ key: String, _ expected: String, countMax: Int,
    _ read: (DocumentTable.Member, DocumentPath) throws(EvalError) -> Member
  ) throws(EvalError) -> [Member] {
    let path = path.key(key)
    let table = try typed(try value(key, expected), at: path, expected) { $0.table }
    guard table.members.count <= countMax else {
      throw .outOfRange(path, Double(table.members.count), "at most \(countMax) names")
    }
    var members: [Member] = []
    for member in table.members { members.append(try read(member, path.key(member.key))) }
    return members
  }

  /// Reads each element of a list.
  private func elements<Element>(
    _ key: String, _ expected: String, countMax: Int,
    _ read: (DocumentValue, DocumentPath) throws(EvalError) -> Element
  ) throws(EvalError) -> [Element] {
    let path = path.key(key)
    let values = try list(try value(key, expected), at: path, expected, countMax: countMax)
    var elements: [Element] = []
    for (index, value) in values.enumerated() {
      elements.append(try read(value, path.index(index)))
    }
    return elements
  }

  private func list(
    _ value: DocumentValue, at path: DocumentPath, _ expected: String, countMax: Int
  ) throws(EvalError) -> [DocumentValue] {
    let values = try typed(value, at: path, expected) { $0.array }
    guard values.count <= countMax else {
      throw .outOfRange(path, Double(values.count), "at most \(countMax) elements")
    }
    return values
  }

  private func typed<Value>(
    _ value: DocumentValue, at path: @autoclosure () -> DocumentPath, _ expected: String,
    _ read: (DocumentValue) -> Value?
  ) throws(EvalError) -> Value {
    if let typed = read(value) { return typed }
    throw EvalError(path: path(), reason: "\(value.shown) is not \(expected)")
  }
}

extension DocumentValue {
  /// The value in a message.
  package var shown: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): JSONWriter.number(Double(value), .answer)
    case .number(let value): JSONWriter.number(value, .answer)
    case .string(let value):
      value.utf8.count <= 40 ? JSONWriter.string(value, .answer) : "a long string"
    case .dateTime: "a date or time"
    case .array(let array): "an array of \(array.elements.count)"
    case .table: "an object"
    }
  }
}
