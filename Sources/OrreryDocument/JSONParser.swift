// SPDX-License-Identifier: Apache-2.0

/// Parses one JSON value (RFC 8259), strictly.
///
/// Unlike Foundation's parser it distinguishes numbers from booleans, refuses duplicate keys, keeps
/// the order of keys, and refuses deep nesting at once. Every key and value keeps its offset, for
/// messages. A number without point and exponent that fits 64 bits is an integer; -0 is none,
/// because it has a sign.
package struct JSONParser {
  /// Levels of nested arrays and objects.
  package static let depthMax = 64

  private var text: TextCursor
  private var depth = 0

  /// Parses a text that is one value.
  ///
  /// - Parameter bytes: The text, which need not be UTF-8.
  /// - Returns: The value.
  /// - Throws: `DocumentError` if it is not JSON, or nests deeper than `depthMax`.
  package static func parse(_ bytes: [UInt8]) throws(DocumentError) -> DocumentValue {
    var parser = JSONParser(text: TextCursor(bytes))
    let value = try parser.value()
    try parser.end()
    return value
  }

  /// Parses a text that is one object.
  ///
  /// - Parameter text: The text; a byte-order mark is skipped.
  /// - Returns: The object.
  /// - Throws: `DocumentError` if it is no JSON object, or nests deeper than `depthMax`.
  package static func parseTable(_ text: String) throws(DocumentError) -> DocumentTable {
    var parser = JSONParser(text: TextCursor(Array(text.utf8)))
    _ = parser.text.takeWord("\u{feff}")
    parser.skipSpace()
    guard parser.text.next == UInt8(ascii: "{") else { throw parser.text.expected("\"{\"") }
    let table = try parser.object()
    try parser.end()
    return table
  }

  private init(text: TextCursor) { self.text = text }

  private mutating func end() throws(DocumentError) {
    skipSpace()
    guard text.next == nil else { throw text.expected("the end of the text") }
  }

  private mutating func skipSpace() {
    text.skip { $0 == 0x20 || (0x09...0x0a).contains($0) || $0 == 0x0d }
  }

  private mutating func value() throws(DocumentError) -> DocumentValue {
    skipSpace()
    switch text.next {
    case UInt8(ascii: "{"): return .table(try object())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(
    _ word: String, _ value: DocumentValue
  ) throws(DocumentError) -> DocumentValue {
    guard text.takeWord(word) else { throw text.expected("a value") }
    return value
  }

  private mutating func enter() throws(DocumentError) {
    depth += 1
    guard depth <= Self.depthMax else { throw .tooDeep(Self.depthMax, at: text.offset) }
    text.offset += 1
    skipSpace()
  }

  private mutating func array() throws(DocumentError) -> DocumentArray {
    try enter()
    defer { depth -= 1 }
    var elements: [DocumentValue] = []
    var offsets: [Int] = []
    if text.take("]") { return [] }
    while true {
      skipSpace()
      offsets.append(text.offset)
      elements.append(try value())
      skipSpace()
      if text.take("]") { return DocumentArray(elements, offsets: offsets) }
      guard text.take(",") else { throw text.expected("\",\" or \"]\"") }
    }
  }

  private mutating func object() throws(DocumentError) -> DocumentTable {
    try enter()
    defer { depth -= 1 }
    var table = DocumentTable()
    if text.take("}") { return table }
    while true {
      skipSpace()
      guard text.next == UInt8(ascii: "\"") else { throw text.expected("a key in \"\"") }
      let start = text.offset
      let key = try string()
      guard !table.has(key) else { throw .twice(key, at: start) }
      skipSpace()
      guard text.take(":") else { throw text.expected("\":\"") }
      skipSpace()
      let offset = text.offset
      table.append(key, try value(), at: DocumentOffsets(key: start, value: offset))
      skipSpace()
      if text.take("}") { return table }
      guard text.take(",") else { throw text.expected("\",\" or \"}\"") }
    }
  }

  private mutating func number() throws(DocumentError) -> DocumentValue {
    let start = text.offset
    _ = text.take("-")
    let digitStart = text.offset
    let count = digits()
    guard count > 0, count == 1 || text.bytes[digitStart] != UInt8(ascii: "0") else {
      throw DocumentError(offset: start, reason: "expected a value")
    }
    let digitEnd = text.offset
    if text.take("."), digits() == 0 { throw text.expected("a digit") }
    if text.take("e") || text.take("E") {
      if !text.take("+") { _ = text.take("-") }
      if digits() == 0 { throw text.expected("a digit") }
    }
    let written = text.text(from: start)
    if text.offset == digitEnd, written != "-0", let integer = Int64(written) {
      return .integer(integer)
    }
    guard let number = Double(written), number.isFinite else {
      throw DocumentError(offset: start, reason: "the number is larger than a Double holds")
    }
    return .number(number)
  }

  private mutating func digits() -> Int {
    let start = text.offset
    text.skip { (0x30...0x39).contains($0) }
    return text.offset - start
  }

  private mutating func string() throws(DocumentError) -> String {
    let start = text.offset
    text.offset += 1
    var content: [UInt8] = []
    while true {
      let plainStart = text.offset
      text.skip { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      content += text.bytes[plainStart..<text.offset]
      switch text.next {
      case UInt8(ascii: "\""):
        text.offset += 1
        guard let string = String(validating: content, as: UTF8.self) else {
          throw DocumentError(offset: start, reason: "the string is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"):
        text.offset += 1
        content += try escape()
      case nil: throw DocumentError(offset: start, reason: "a string without end")
      default: throw text.error("a control character in a string")
      }
    }
  }

  /// The character of an escape, after its backslash, in UTF-8.
  private mutating func escape() throws(DocumentError) -> [UInt8] {
    guard let byte = text.next else { throw text.error("a string without end") }
    text.offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var units = [try unit()]
      if UTF16.isLeadSurrogate(units[0]), text.takeWord("\\u") { units.append(try unit()) }
      guard let character = String(validating: units, as: UTF16.self) else {
        throw text.error("half of a surrogate pair")
      }
      return Array(character.utf8)
    default:
      text.offset -= 1
      throw text.error("an unknown escape in a string")
    }
  }

  private mutating func unit() throws(DocumentError) -> UInt16 {
    guard let unit = text.takeHexadecimal(4) else { throw text.expected("four hexadecimal digits") }
    return UInt16(unit)
  }
}
