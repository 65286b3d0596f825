// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// Reads typed values from one object of a request.
///
/// An unknown key is an error, and so is a value of the wrong type; each error has the path to it.
struct RequestReader {
  /// The path to the object; empty for the request itself.
  let path: String

  private let members: [String: JSONValue]

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - value: The object.
  ///   - path: The path to it.
  ///   - known: The allowed keys.
  /// - Throws: An error if the value is not an object or has an unknown key.
  init(_ value: JSONValue, at path: String, known: [String]) throws(EvalError) {
    guard case .object(let list) = value else {
      throw EvalError(path: path, reason: "\(value.shown) is not an object")
    }
    self.path = path
    members = Dictionary(list.map { ($0.key, $0.value) }) { first, _ in first }
    try allowOnly(known)
  }

  /// Refuses every key that is not one of these.
  func allowOnly(_ known: [String]) throws(EvalError) {
    guard let key = members.keys.sorted().first(where: { !known.contains($0) }) else { return }
    let nearest = NearestName.find(key, among: known)
    let shown = JSONText.string(String(key.prefix(100)))
    throw EvalError(
      path: path,
      reason: "unknown key \(shown); \(nearest.map { "did you mean \($0)? " } ?? "")"
        + "allowed: \(known.joined(separator: ", "))")
  }

  /// The path to a member.
  func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  func has(_ key: String) -> Bool { members[key] != nil }

  func isNull(_ key: String) -> Bool { members[key] == .null }

  /// A required member.
  func value(_ key: String, _ expected: String) throws(EvalError) -> JSONValue {
    guard let value = members[key] else {
      throw EvalError(path: path(of: key), reason: "missing; \(expected) is wanted")
    }
    return value
  }

  func wrongType(_ key: String, _ value: JSONValue, _ expected: String) -> EvalError {
    EvalError(path: path(of: key), reason: "\(value.shown) is not \(expected)")
  }

  /// The names of all members, in no order.
  var keys: [String] { Array(members.keys) }

  /// A number; `other` if it is missing.
  func number(_ key: String, else other: Double? = nil) throws(EvalError) -> Double {
    if !has(key), let other { return other }
    let value = try value(key, "a number")
    guard case .number(let number) = value else { throw wrongType(key, value, "a number") }
    return number
  }

  /// A number in a range.
  func number(
    _ key: String, else other: Double? = nil, in range: ClosedRange<Double>, _ unit: String = ""
  ) throws(EvalError) -> Double {
    let number = try number(key, else: other)
    guard range.contains(number) else {
      let allowed = "\(JSONText.number(range.lowerBound))...\(JSONText.number(range.upperBound))"
      throw .outOfRange(path(of: key), number, unit.isEmpty ? allowed : "\(allowed) \(unit)")
    }
    return number
  }

  /// A number greater than 0.
  func positive(_ key: String, else other: Double? = nil) throws(EvalError) -> Double {
    let number = try number(key, else: other)
    guard number > 0 else { throw .outOfRange(path(of: key), number, "more than 0") }
    return number
  }

  /// A whole number in a range.
  func count(
    _ key: String, else other: Int? = nil, in range: ClosedRange<Int>
  ) throws(EvalError) -> Int {
    let number = try number(key, else: other.map(Double.init))
    guard let count = Int(exactly: number), range.contains(count) else {
      throw .outOfRange(
        path(of: key), number, "whole numbers \(range.lowerBound)...\(range.upperBound)")
    }
    return count
  }

  func string(_ key: String, else other: String? = nil) throws(EvalError) -> String {
    if !has(key), let other { return other }
    let value = try value(key, "a string")
    guard case .string(let string) = value else { throw wrongType(key, value, "a string") }
    return string
  }

  func bool(_ key: String, else other: Bool) throws(EvalError) -> Bool {
    guard let value = members[key] else { return other }
    guard case .bool(let bool) = value else { throw wrongType(key, value, "true or false") }
    return bool
  }

  /// One of several words.
  func word<Value>(
    _ key: String, else other: String? = nil, _ words: [(String, Value)]
  ) throws(EvalError) -> Value {
    let text = try string(key, else: other)
    if let value = words.first(where: { $0.0 == text })?.1 { return value }
    let nearest = NearestName.find(text, among: words.map(\.0))
    throw EvalError(
      path: path(of: key),
      reason: "\(JSONValue.string(text).shown) is not known; "
        + "\(nearest.map { "did you mean \($0)? " } ?? "")"
        + "allowed: \(words.map(\.0).joined(separator: ", "))")
  }

  /// A list of numbers.
  func numbers(_ key: String) throws(EvalError) -> [Double] {
    let values = try list(key, "an array of numbers", countMax: EvalLimits.listCountMax)
    var numbers: [Double] = []
    numbers.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      guard case .number(let number) = value else {
        throw EvalError(
          path: "\(path(of: key))[\(index)]", reason: "\(value.shown) is not a number")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// A list of strings.
  func strings(_ key: String, countMax: Int) throws(EvalError) -> [String] {
    var strings: [String] = []
    for (index, value) in try list(key, "an array of strings", countMax: countMax).enumerated() {
      guard case .string(let string) = value else {
        throw EvalError(
          path: "\(path(of: key))[\(index)]", reason: "\(value.shown) is not a string")
      }
      strings.append(string)
    }
    return strings
  }

  /// A list of objects.
  func objects(
    _ key: String, countMax: Int, known: [String]
  ) throws(EvalError) -> [RequestReader] {
    var readers: [RequestReader] = []
    for (index, value) in try list(key, "an array of objects", countMax: countMax).enumerated() {
      readers.append(try RequestReader(value, at: "\(path(of: key))[\(index)]", known: known))
    }
    return readers
  }

  /// An object inside this one.
  func object(_ key: String, known: [String]) throws(EvalError) -> RequestReader {
    try RequestReader(try value(key, "an object"), at: path(of: key), known: known)
  }

  /// Numbers by freely chosen names, in the order of the request.
  func namedNumbers(_ key: String) throws(EvalError) -> [(name: String, value: Double)] {
    let value = try value(key, "an object of numbers")
    guard case .object(let list) = value else {
      throw wrongType(key, value, "an object of numbers")
    }
    guard list.count <= EvalLimits.propertyCountMax else {
      throw .outOfRange(
        path(of: key), Double(list.count), "at most \(EvalLimits.propertyCountMax) names")
    }
    var numbers: [(name: String, value: Double)] = []
    for member in list {
      guard case .number(let number) = member.value else {
        throw EvalError(
          path: "\(path(of: key)).\(member.key)", reason: "\(member.value.shown) is not a number")
      }
      numbers.append((member.key, number))
    }
    return numbers
  }

  /// A value in the notation, with the notation's own errors.
  func notation<Value>(
    _ key: String, _ read: (String) throws(NotationError) -> Value
  ) throws(EvalError) -> Value {
    let text = try string(key)
    do {
      return try read(text)
    } catch {
      throw EvalError(path: path(of: key), reason: "\(error)")
    }
  }

  private func list(
    _ key: String, _ expected: String, countMax: Int
  ) throws(EvalError) -> [JSONValue] {
    let value = try value(key, expected)
    guard case .array(let values) = value else { throw wrongType(key, value, expected) }
    guard values.count <= countMax else {
      throw .outOfRange(path(of: key), Double(values.count), "at most \(countMax) elements")
    }
    return values
  }
}
