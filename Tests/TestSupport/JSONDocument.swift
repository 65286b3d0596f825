// SPDX-License-Identifier: Apache-2.0

/// Any JSON, which tells `true` from 1.
package enum JSONDocument: Decodable, Equatable, Sendable {
  case object([String: JSONDocument])
  case array([JSONDocument])
  case string(String)
  case number(Double)
  case boolean(Bool)
  case null

  /// Whatever stands there.
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSONDocument].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSONDocument].self))
    }
  }

  /// A member of an object.
  package subscript(key: String) -> JSONDocument? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The number, if it is one.
  package var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// The string, if it is one.
  package var string: String? { if case .string(let string) = self { string } else { nil } }

  /// The members of an array; none of anything else.
  package var members: [JSONDocument] { if case .array(let array) = self { array } else { [] } }

  /// The word of JSON schemas for it.
  package var type: String {
    switch self {
    case .object: "object"
    case .array: "array"
    case .string: "string"
    case .number(let number): number == number.rounded() ? "integer" : "number"
    case .boolean: "boolean"
    case .null: "null"
    }
  }
}
