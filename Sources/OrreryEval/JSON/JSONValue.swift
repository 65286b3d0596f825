// SPDX-License-Identifier: Apache-2.0

/// A JSON value; an object keeps the order of its members.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// The value in a message.
  package var shown: String {
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

/// A member of an object: a key and its value.
package struct JSONMember: Equatable, Sendable {
  package let key: String
  package let value: JSONValue

  package init(key: String, value: JSONValue) {
    self.key = key
    self.value = value
  }
}

/// Why a text is not valid JSON, and where.
package struct JSONError: Error, Equatable, CustomStringConvertible {
  /// Position in bytes from 1.
  package let byte: Int

  /// What was expected, or which limit was exceeded.
  package let reason: String

  package var description: String { "not JSON at byte \(byte): \(reason)" }
}
