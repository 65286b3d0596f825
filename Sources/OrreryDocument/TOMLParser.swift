// SPDX-License-Identifier: Apache-2.0

/// Parses a TOML 1.0 text, strictly.
///
/// Every key and value keeps its offset, for messages. Integers have 64 bits; the character U+0000
/// is refused in strings too. Nesting is limited, and with it the depth of every recursion over the
/// document: by `depthMax` in a header, and again below it.
package struct TOMLParser {
  var text: TextCursor
  private let depthMax: Int

  /// Parses a whole text.
  ///
  /// - Parameters:
  ///   - text: The text; a byte-order mark is skipped.
  ///   - depthMax: Keys in a header; keys, arrays and inline tables around a value below it.
  /// - Returns: The document.
  /// - Throws: `DocumentError` at the first error.
  package static func parse(
    _ text: String, depthMax: Int
  ) throws(DocumentError) -> DocumentTable {
    var parser = TOMLParser(text: TextCursor(Array(text.utf8)), depthMax: depthMax)
    return try parser.document()
  }

  private init(text: TextCursor, depthMax: Int) {
    self.text = text
    self.depthMax = depthMax
  }

  private mutating func document() throws(DocumentError) -> DocumentTable {
    if let nul = text.bytes.firstIndex(of: 0) {
      throw DocumentError(offset: nul, reason: Self.nulReason)
    }
    _ = text.takeWord("\u{feff}")
    let root = OpenTable(.header)
    var table = root
    while try skipBlankLines() {
      if text.next == UInt8(ascii: "[") {
        table = try header(in: root)
      } else {
        try readPair(into: table, depth: 0)
      }
      skipSpaces()
      try skipComment()
      guard text.next == nil || takeLineEnd() else { throw text.expected("the end of the line") }
    }
    return root.finished
  }

  /// Reads `[a.b]` or `[[a.b]]`.
  ///
  /// - Returns: The table of the keys that follow.
  private mutating func header(in root: OpenTable) throws(DocumentError) -> OpenTable {
    text.offset += 1
    let isArray = text.take("[")
    let (path, last) = try keys(countMax: depthMax)
    try expect("]", "]")
    if isArray { try expect("]", "]]") }
    var table = root
    for key in path { table = try opened(table.passed(key), by: key) }
    return try opened(isArray ? table.appended(last) : table.headed(last), by: last)
  }

  /// Reads `a.b = value`.
  private mutating func readPair(into table: OpenTable, depth: Int) throws(DocumentError) {
    let (path, last) = try keys(countMax: max(depthMax - depth, 1))
    try expect("=", "=")
    skipSpaces()
    var table = table
    for key in path { table = try opened(table.dotted(key), by: key) }
    guard !table.has(last) else { throw .twice(last.name, at: last.offset) }
    let offset = text.offset
    table.append(last, try value(depth: depth + path.count), at: offset)
  }

  private func opened(
    _ table: OpenTable?, by key: OpenTable.Key
  ) throws(DocumentError) -> OpenTable {
    guard let table else { throw .twice(key.name, at: key.offset) }
    return table
  }

  /// Reads one key, or several joined by dots.
  private mutating func keys(
    countMax: Int
  ) throws(DocumentError) -> (path: [OpenTable.Key], last: OpenTable.Key) {
    var path: [OpenTable.Key] = []
    while true {
      skipSpaces()
      let start = text.offset
      let isQuoted = text.next == UInt8(ascii: "\"") || text.next == UInt8(ascii: "'")
      let key = OpenTable.Key(name: isQuoted ? try string() : try bareKey(), offset: start)
      skipSpaces()
      guard text.take(".") else { return (path, key) }
      path.append(key)
      guard path.count < countMax else { throw .tooDeep(depthMax, at: text.offset) }
    }
  }

  private mutating func bareKey() throws(DocumentError) -> String {
    let start = text.offset
    text.skip(while: Self.isBareKey)
    guard text.offset > start else { throw text.expected("a key") }
    return text.text(from: start)
  }

  private mutating func value(depth: Int) throws(DocumentError) -> DocumentValue {
    guard depth < depthMax else { throw .tooDeep(depthMax, at: text.offset) }
    switch text.next {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let isLong = text.starts(with: "\"\"\"") || text.starts(with: "'''")
      return .string(isLong ? try longString() : try string())
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "{"): return .table(try inlineTable(depth: depth + 1))
    default: return try scalar()
    }
  }

  private mutating func array(depth: Int) throws(DocumentError) -> DocumentArray {
    text.offset += 1
    var elements: [DocumentValue] = []
    var offsets: [Int] = []
    while true {
      _ = try skipBlankLines()
      if text.take("]") { break }
      offsets.append(text.offset)
      elements.append(try value(depth: depth))
      _ = try skipBlankLines()
      if text.take("]") { break }
      try expect(",", ", or ]")
    }
    return DocumentArray(elements, offsets: offsets)
  }

  private mutating func inlineTable(depth: Int) throws(DocumentError) -> DocumentTable {
    text.offset += 1
    let table = OpenTable(.header)
    skipSpaces()
    if text.take("}") { return table.finished }
    while true {
      try readPair(into: table, depth: depth)
      skipSpaces()
      if text.take("}") { return table.finished }
      try expect(",", ", or }")
      skipSpaces()
      if text.next == UInt8(ascii: "}") { throw text.error("no comma stands before }") }
    }
  }

  private mutating func expect(
    _ character: Unicode.Scalar, _ what: String
  ) throws(DocumentError) {
    guard text.take(character) else { throw text.expected(what) }
  }

  // MARK: - Spaces

  mutating func skipSpaces() {
    text.skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// Takes one line end.
  mutating func takeLineEnd() -> Bool { text.takeWord("\n") || text.takeWord("\r\n") }

  /// Skips spaces, line ends and comments.
  ///
  /// - Returns: false at the end of the text.
  /// - Throws: `DocumentError` for a control character in a comment.
  private mutating func skipBlankLines() throws(DocumentError) -> Bool {
    repeat {
      skipSpaces()
      try skipComment()
    } while takeLineEnd()
    return text.next != nil
  }

  private mutating func skipComment() throws(DocumentError) {
    guard text.take("#") else { return }
    text.skip { !Self.isControl($0) }
    let isEnd = text.next == nil || text.starts(with: "\n") || text.starts(with: "\r\n")
    guard isEnd else { throw text.error("a control character in a comment") }
  }

  // MARK: - Characters

  static let nulReason = "holds the character U+0000"

  /// Whether strings and comments cannot hold a byte as it is.
  static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7f
  }

  static func isBareKey(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
