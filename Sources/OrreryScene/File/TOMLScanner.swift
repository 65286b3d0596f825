// SPDX-License-Identifier: Apache-2.0

/// Finds the offsets of keys and values in a TOML text.
///
/// The parser that reads the values gives no offsets, so this scanner reads the same text. It
/// follows only the structure: keys, tables, arrays and strings.
///
/// It also refuses texts that would break the parser: structure that is not TOML (toml++ ends the
/// process by an assertion at `[,`), keys nested too deep (its tables are freed by recursion), and
/// escapes for the character U+0000 (TOMLKit's strings end there).
package struct TOMLScanner {
  /// Why a text must not reach the parser.
  package struct Refusal: Error, Equatable {
    /// What is wrong.
    package let reason: Reason

    /// Where, in bytes from the start of the text.
    package let offset: Int

    /// What can be wrong with the structure of a text.
    package enum Reason: Equatable, Sendable {
      case tooDeep
      case nulEscape
      /// The token expected at the offset.
      case expected(String)
    }
  }

  /// Byte offsets of the wanted keys that were found.
  package private(set) var keyOffsets: [ScenePath: Int] = [:]

  /// Byte offsets of the wanted values that were found; a table's is that of its name.
  package private(set) var valueOffsets: [ScenePath: Int] = [:]

  private let bytes: [UInt8]
  private let wanted: Set<ScenePath>
  private var index = 0

  /// Number of elements so far in each array of tables.
  private var tableCounts: [ScenePath: Int] = [:]

  /// The table of the last header; keys that follow belong to it.
  private var table = ScenePath()

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8.
  ///   - wanted: The paths to find; with none the scan is faster.
  package init(_ bytes: [UInt8], wanted: Set<ScenePath> = []) {
    self.bytes = bytes
    self.wanted = wanted
  }

  /// Scans the text.
  ///
  /// - Throws: `Refusal` if the text must not reach the parser.
  package mutating func scan() throws(Refusal) {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
    while skipBlankLines() {
      if peek() == UInt8(ascii: "[") {
        try scanHeader()
      } else {
        try scanPair(in: table, depth: 0)
      }
      skipSpaces()
      let end = peek()
      let isEnd = end == nil || [UInt8(ascii: "#"), 0x0a, 0x0d].contains(end)
      if !isEnd { throw expected("the end of the line") }
    }
  }

  /// Reads `[a.b]` or `[[a.b]]` and makes it the table of the keys that follow.
  private mutating func scanHeader() throws(Refusal) {
    index += 1
    let isArray = peek() == UInt8(ascii: "[")
    if isArray { index += 1 }
    let keys = try scanKeys()
    try expect(UInt8(ascii: "]"), "]")
    if isArray { try expect(UInt8(ascii: "]"), "]]") }
    var path = ScenePath()
    for (number, key) in keys.enumerated() {
      path = path.key(key.name)
      record(path, key: key.offset, value: key.offset)
      if isArray, number == keys.count - 1 { tableCounts[path, default: 0] += 1 }
      if let count = tableCounts[path] {
        path = path.index(count - 1)
        record(path, key: key.offset, value: key.offset)
      }
    }
    table = path
  }

  /// Reads `a.b = value`.
  private mutating func scanPair(in table: ScenePath, depth: Int) throws(Refusal) {
    var path = table
    for key in try scanKeys() {
      path = path.key(key.name)
      record(path, key: key.offset, value: nil)
    }
    try expect(UInt8(ascii: "="), "=")
    skipSpaces()
    try scanValue(at: path, depth: depth)
  }

  private mutating func scanValue(at path: ScenePath, depth: Int) throws(Refusal) {
    guard depth < SceneLimits.fileDepthMax else { throw Refusal(reason: .tooDeep, offset: index) }
    record(path, key: nil, value: index)
    switch peek() {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): try scanString()
    case UInt8(ascii: "["): try scanArray(at: path, depth: depth + 1)
    case UInt8(ascii: "{"): try scanInlineTable(at: path, depth: depth + 1)
    default: try scanScalar()
    }
  }

  private mutating func scanArray(at path: ScenePath, depth: Int) throws(Refusal) {
    index += 1
    var count = 0
    while true {
      _ = skipBlankLines()
      if take(UInt8(ascii: "]")) { return }
      try scanValue(at: wanted.isEmpty ? path : path.index(count), depth: depth)
      count += 1
      _ = skipBlankLines()
      if take(UInt8(ascii: "]")) { return }
      try expect(UInt8(ascii: ","), ", or ]")
    }
  }

  private mutating func scanInlineTable(at path: ScenePath, depth: Int) throws(Refusal) {
    index += 1
    while true {
      skipSpaces()
      if take(UInt8(ascii: "}")) { return }
      try scanPair(in: path, depth: depth)
      skipSpaces()
      if take(UInt8(ascii: "}")) { return }
      try expect(UInt8(ascii: ","), ", or }")
    }
  }

  /// Skips a number, a date, or one of the words true, false, inf and nan.
  private mutating func scanScalar() throws(Refusal) {
    let start = index
    guard let first = peek(), Self.beginsScalar(first) else { throw expected("a value") }
    while let byte = peek(), Self.isInScalar(byte) { index += 1 }
    // A date may be followed by a space and a time.
    let isDate = index - start == 10 && bytes[start + 4] == UInt8(ascii: "-")
    if isDate, peek() == UInt8(ascii: " "), index + 1 < bytes.count,
      Self.isDigit(bytes[index + 1])
    {
      index += 1
      while let byte = peek(), Self.isInScalar(byte) { index += 1 }
    }
  }

  /// A key's name and its byte offset.
  private struct Key {
    let name: String
    let offset: Int
  }

  /// Reads one key, or several joined by dots.
  private mutating func scanKeys() throws(Refusal) -> [Key] {
    var keys: [Key] = []
    repeat {
      guard keys.count < SceneLimits.fileDepthMax else {
        throw Refusal(reason: .tooDeep, offset: index)
      }
      skipSpaces()
      let start = index
      if peek() == UInt8(ascii: "\"") || peek() == UInt8(ascii: "'") {
        keys.append(Key(name: try scanString(), offset: start))
      } else {
        while let byte = peek(), Self.isBareKey(byte) { index += 1 }
        if index == start { throw expected("a key") }
        keys.append(Key(name: String(decoding: bytes[start..<index], as: UTF8.self), offset: start))
      }
      skipSpaces()
    } while take(UInt8(ascii: "."))
    return keys
  }

  /// Skips a string of any of the four kinds.
  ///
  /// - Returns: The string's value; empty for multi-line strings, which cannot be keys.
  @discardableResult
  private mutating func scanString() throws(Refusal) -> String {
    let quote = bytes[index]
    let hasEscapes = quote == UInt8(ascii: "\"")
    if index + 2 < bytes.count, bytes[index + 1] == quote, bytes[index + 2] == quote {
      index += 3
      try scanLongString(quote: quote)
      return ""
    }
    index += 1
    var name: [UInt8] = []
    while let byte = peek(), byte != UInt8(ascii: "\n") {
      index += 1
      if byte == quote { return String(decoding: name, as: UTF8.self) }
      if hasEscapes, byte == UInt8(ascii: "\\") {
        name.append(contentsOf: Array(try scanEscape().utf8))
      } else {
        name.append(byte)
      }
    }
    throw expected("the end of the string")
  }

  /// Skips the rest of a multi-line string; up to two quotes before its closing three belong to it.
  private mutating func scanLongString(quote: UInt8) throws(Refusal) {
    while let byte = peek() {
      index += 1
      if quote == UInt8(ascii: "\""), byte == UInt8(ascii: "\\") {
        _ = try scanEscape()
      } else if byte == quote, index + 1 < bytes.count, bytes[index] == quote,
        bytes[index + 1] == quote
      {
        index += 2
        for _ in 0..<2 where peek() == quote { index += 1 }
        return
      }
    }
    throw expected("the end of the string")
  }

  /// Reads an escape after its backslash.
  private mutating func scanEscape() throws(Refusal) -> String {
    guard let byte = peek() else { throw expected("the end of the string") }
    let start = index - 1
    index += 1
    switch byte {
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let count = byte == UInt8(ascii: "u") ? 4 : 8
      guard index + count <= bytes.count,
        let number = UInt32(
          String(decoding: bytes[index..<index + count], as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(number)
      else { throw expected("\(count) hexadecimal digits of a character") }
      if number == 0 { throw Refusal(reason: .nulEscape, offset: start) }
      index += count
      return String(Character(scalar))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "r"): return "\r"
    default: return String(decoding: [byte], as: UTF8.self)
    }
  }

  /// Records the first key offset and the first value offset of a wanted path.
  private mutating func record(_ path: ScenePath, key: Int?, value: Int?) {
    guard !wanted.isEmpty, wanted.contains(path) else { return }
    if let key, keyOffsets[path] == nil { keyOffsets[path] = key }
    if let value, valueOffsets[path] == nil { valueOffsets[path] = value }
  }

  private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ byte: UInt8, _ what: String) throws(Refusal) {
    guard take(byte) else { throw expected(what) }
  }

  private func expected(_ what: String) -> Refusal {
    Refusal(reason: .expected(what), offset: index)
  }

  private mutating func skipSpaces() {
    while let byte = peek(), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { index += 1 }
  }

  /// Skips spaces, line ends and comments.
  ///
  /// - Returns: false at the end of the text.
  private mutating func skipBlankLines() -> Bool {
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): index += 1
      case UInt8(ascii: "#"): while let byte = peek(), byte != UInt8(ascii: "\n") { index += 1 }
      default: return true
      }
    }
    return false
  }

  private static func isBareKey(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func beginsScalar(_ byte: UInt8) -> Bool {
    isDigit(byte) || "+-tfin".utf8.contains(byte)
  }

  private static func isInScalar(_ byte: UInt8) -> Bool {
    isBareKey(byte) || "+.:".utf8.contains(byte)
  }
}
