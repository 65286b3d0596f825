// SPDX-License-Identifier: Apache-2.0

/// A TOML document that is being written, line by line.
struct TOMLLines {
  /// Columns that a line of a list fills: thirteen currencies, as in the scenes that come with
  /// Orrery.
  private static let columnsMax = 92

  private var lines: [String] = []

  /// The document, without a line end after its last line.
  var text: String { lines.joined(separator: "\n") }

  /// Begins the next table of an array.
  mutating func beginTable(_ name: String) {
    lines += ["", "[[\(name)]]"]
  }

  /// Writes a key and its value.
  mutating func add<Value>(_ key: String, _ value: Value, _ spell: (Value) -> String) {
    lines.append("\(key) = \(spell(value))")
  }

  /// Writes a key and its value, unless it is what the key has anyway.
  mutating func add<Value: Equatable>(
    _ key: String, _ value: Value, unless usual: Value, _ spell: (Value) -> String
  ) {
    if value != usual { add(key, value, spell) }
  }

  /// Writes a key and its number, unless that is to the last bit what the key has anyway.
  mutating func addNumber(_ key: String, _ value: Double, unless usual: Double) {
    if value.bitPattern != usual.bitPattern { add(key, value, TOMLText.number) }
  }

  /// Writes a key and its value if there is one.
  mutating func add<Value>(_ key: String, ifSet value: Value?, _ spell: (Value) -> String) {
    if let value { add(key, value, spell) }
  }

  /// Writes a list: in one line where it fits, or else in lines as full as they can be.
  mutating func addList(_ key: String, _ elements: [String]) {
    let line = "\(key) = [\(elements.joined(separator: ", "))]"
    if Self.columns(line) <= Self.columnsMax {
      lines.append(line)
      return
    }
    lines.append("\(key) = [")
    var filled = ""
    var filledColumns = 0
    for element in elements {
      let piece = " \(element),"
      let pieceColumns = Self.columns(piece)
      if filledColumns > 0, filledColumns + pieceColumns > Self.columnsMax {
        lines.append(filled)
        filledColumns = 0
      }
      if filledColumns == 0 { (filled, filledColumns) = (" ", 1) }
      filled += piece
      filledColumns += pieceColumns
    }
    lines += [filled, "]"]
  }

  /// Writes a list with a line for each element.
  mutating func addColumn(_ key: String, _ elements: [String]) {
    lines.append("\(key) = [")
    lines += elements.map { "  \($0)," }
    lines.append("]")
  }

  private static func columns(_ line: String) -> Int { line.unicodeScalars.count }
}
