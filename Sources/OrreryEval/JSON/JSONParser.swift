// SPDX-License-Identifier: Apache-2.0

/// Parses one JSON value (RFC 8259), strictly.
///
/// Unlike Foundation's parser it distinguishes numbers from booleans, refuses duplicate keys, keeps
/// the order of keys, and refuses deep nesting at once.
package struct JSONParser {
  /// Levels of nested arrays and objects.
  package static let depthMax = 64

  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0

  /// Parses a text that is one value.
  package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes: bytes)
    let value = try parser.value()
    parser.skipSpace()
    guard parser.index == bytes.count else {
      throw parser.failure("expected the end of the line")
    }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func failure(_ reason: String) -> JSONError { JSONError(byte: index + 1, reason: reason) }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || (0x09...0x0a).contains(byte) || byte == 0x0d {
      index += 1
    }
  }

  private mutating func skip(_ character: Character) -> Bool {
    guard next == character.asciiValue else { return false }
    index += 1
    return true
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipSpace()
    switch next.map({ Character(Unicode.Scalar($0)) }) {
    case "{": return .object(try object())
    case "[": return .array(try array())
    case "\"": return .string(try string())
    case "t": return try word("true", .bool(true))
    case "f": return try word("false", .bool(false))
    case "n": return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    guard bytes[index...].starts(with: word.utf8) else { throw failure("expected a value") }
    index += word.utf8.count
    return value
  }

  private mutating func enter() throws(JSONError) {
    depth += 1
    guard depth <= Self.depthMax else {
      throw failure("nests deeper than \(Self.depthMax) levels")
    }
    index += 1
    skipSpace()
  }

  private mutating func array() throws(JSONError) -> [JSONValue] {
    try enter()
    defer { depth -= 1 }
    var values: [JSONValue] = []
    if skip("]") { return values }
    while true {
      values.append(try value())
      skipSpace()
      if skip("]") { return values }
      guard skip(",") else { throw failure("expected \",\" or \"]\"") }
    }
  }

  private mutating func object() throws(JSONError) -> [JSONMember] {
    try enter()
    defer { depth -= 1 }
    var members: [JSONMember] = []
    var keys: Set<String> = []
    if skip("}") { return members }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("expected a key in \"\"") }
      let start = index
      let key = try string()
      if !keys.insert(key).inserted {
        throw JSONError(byte: start + 1, reason: "the key \(JSONText.string(key)) stands twice")
      }
      skipSpace()
      guard skip(":") else { throw failure("expected \":\"") }
      members.append(JSONMember(key: key, value: try value()))
      skipSpace()
      if skip("}") { return members }
      guard skip(",") else { throw failure("expected \",\" or \"}\"") }
    }
  }

  private mutating func number() throws(JSONError) -> Double {
    let start = index
    _ = skip("-")
    let digitStart = index
    let count = digits()
    guard count > 0, count == 1 || bytes[digitStart] != UInt8(ascii: "0") else {
      index = start
      throw failure("expected a value")
    }
    if skip("."), digits() == 0 { throw failure("expected a digit") }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      if digits() == 0 { throw failure("expected a digit") }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      throw JSONError(byte: start + 1, reason: "the number is larger than a Double holds")
    }
    return number
  }

  private mutating func digits() -> Int {
    let start = index
    while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
    return index - start
  }

  private mutating func string() throws(JSONError) -> String {
    let start = index
    index += 1
    var text: [UInt8] = []
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw JSONError(byte: start + 1, reason: "the string is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"): text += try escape()
      case 0x00...0x1f: throw JSONError(byte: index, reason: "a control character in a string")
      default: text.append(byte)
      }
    }
    throw JSONError(byte: start + 1, reason: "a string without end")
  }

  /// The character of an escape, after its backslash, in UTF-8.
  private mutating func escape() throws(JSONError) -> [UInt8] {
    guard let byte = next else { throw failure("a string without end") }
    index += 1
    switch Character(Unicode.Scalar(byte)) {
    case "\"", "\\", "/": return [byte]
    case "b": return [0x08]
    case "f": return [0x0c]
    case "n": return [0x0a]
    case "r": return [0x0d]
    case "t": return [0x09]
    case "u":
      var units = [try unit()]
      if UTF16.isLeadSurrogate(units[0]), bytes[index...].starts(with: "\\u".utf8) {
        index += 2
        units.append(try unit())
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw failure("half of a surrogate pair")
      }
      return Array(text.utf8)
    default:
      index -= 1
      throw failure("an unknown escape in a string")
    }
  }

  private mutating func unit() throws(JSONError) -> UInt16 {
    let end = index + 4
    guard end <= bytes.count,
      bytes[index..<end].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: bytes[index..<end], as: UTF8.self), radix: 16)
    else { throw failure("expected four hexadecimal digits") }
    index = end
    return unit
  }
}
