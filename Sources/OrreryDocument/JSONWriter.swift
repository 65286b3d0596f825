// SPDX-License-Identifier: Apache-2.0

/// Writes values as JSON, on one line.
package struct JSONWriter {
  /// What a text is for; programs compare both byte by byte.
  package enum Form: Sendable {
    /// An answer of `orrery eval`: members in their order, `"NaN"` and `"Infinity"`, `-0.0`, whole
    /// numbers from 2⁵³ on with a point.
    case answer
    /// A control message, as Foundation's encoder writes it: members in the order of their keys'
    /// bytes, `"nan"` and `"inf"`, `-0`, whole numbers without a point.
    case message
  }

  private let form: Form
  private var bytes: [UInt8] = []

  private init(_ form: Form) { self.form = form }

  /// A value in UTF-8; a date and time, which JSON lacks, is null.
  package static func bytes(_ value: DocumentValue, _ form: Form) -> [UInt8] {
    var writer = JSONWriter(form)
    writer.write(value)
    return writer.bytes
  }

  /// A value as a text.
  package static func text(_ value: DocumentValue, _ form: Form) -> String {
    String(decoding: bytes(value, form), as: UTF8.self)
  }

  /// A string with its quotes.
  package static func string(_ value: String, _ form: Form) -> String {
    text(.string(value), form)
  }

  /// A number with the fewest digits that read back as the same bits.
  ///
  /// Numbers that JSON lacks are strings.
  package static func number(_ value: Double, _ form: Form) -> String {
    switch form {
    case .answer:
      if value.isNaN { return "\"NaN\"" }
      if value.isInfinite { return value > 0 ? "\"Infinity\"" : "\"-Infinity\"" }
      if value == value.rounded(), abs(value) < 0x1p53 {
        return value == 0 && value.sign == .minus ? "-0.0" : "\(Int64(value))"
      }
      return "\(value)"
    case .message:
      guard value.isFinite else { return value.isNaN ? "\"nan\"" : "\"\(value)\"" }
      let text = "\(value)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
  }

  private mutating func write(_ value: DocumentValue) {
    switch value {
    case .null, .dateTime: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += "\(value)".utf8
    case .number(let value): bytes += Self.number(value, form).utf8
    case .string(let value): write(value)
    case .array(let array):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in array.elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .table(let table):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members(of: table).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(member.key)
        bytes.append(UInt8(ascii: ":"))
        write(member.value)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private func members(of table: DocumentTable) -> [DocumentTable.Member] {
    switch form {
    case .answer: table.members
    case .message:
      table.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "\\\"".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      case 0x08 where form == .message: bytes += "\\b".utf8
      case 0x0c where form == .message: bytes += "\\f".utf8
      case 0x0a: bytes += "\\n".utf8
      case 0x0d: bytes += "\\r".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x00...0x0f: bytes += "\\u000\(String(byte, radix: 16))".utf8
      case 0x10...0x1f: bytes += "\\u00\(String(byte, radix: 16))".utf8
      case 0x7f where form == .answer: bytes += "\\u007f".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
