// SPDX-License-Identifier: Apache-2.0

/// A value of a document: of a scene file, a request or a control message.
package enum DocumentValue: Equatable, Sendable {
  /// Only JSON has it.
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  /// Only TOML has it.
  indirect case dateTime(DocumentDateTime)
  case array(DocumentArray)
  case table(DocumentTable)
}

/// The value as a type; nil if it has another.
extension DocumentValue {
  /// True or false.
  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// A whole number that was written as one.
  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// A number, whole or not.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// A string, without quotes and escapes.
  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// A date, a time, or both.
  package var dateTime: DocumentDateTime? {
    if case .dateTime(let value) = self { value } else { nil }
  }

  /// The elements of an array.
  package var array: [DocumentValue]? {
    if case .array(let value) = self { value.elements } else { nil }
  }

  /// A table.
  package var table: DocumentTable? {
    if case .table(let value) = self { value } else { nil }
  }
}

/// An array of a document.
package struct DocumentArray: Equatable, Sendable, ExpressibleByArrayLiteral {
  /// Values of any types.
  package let elements: [DocumentValue]

  /// The byte offset of each element; empty if the array was not read from a text.
  package let offsets: [Int]

  package init(_ elements: [DocumentValue], offsets: [Int] = []) {
    self.elements = elements
    self.offsets = offsets
  }

  package init(arrayLiteral elements: DocumentValue...) { self.init(elements) }

  /// Whether the elements are equal, wherever they were read.
  package static func == (first: DocumentArray, second: DocumentArray) -> Bool {
    first.elements == second.elements
  }
}
