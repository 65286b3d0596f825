// SPDX-License-Identifier: Apache-2.0

/// A value of JSON; an object keeps its members' order.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// What it is, as a message says it.
  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): JSONText.number(value)
    case .string(let value): value.utf8.count <= 40 ? JSONText.string(value) : "a long string"
    case .array(let values): "an array of \(values.count)"
    case .object: "an object"
    }
  }
}

/// A key with its value.
struct JSONMember: Equatable, Sendable {
  let key: String
  let value: JSONValue
}

/// Why a text is no JSON, and where.
struct JSONError: Error, Equatable, CustomStringConvertible {
  /// In bytes from 1.
  let byte: Int

  /// What was expected, or which limit was passed.
  let reason: String

  var description: String { "not JSON at byte \(byte): \(reason)" }
}
