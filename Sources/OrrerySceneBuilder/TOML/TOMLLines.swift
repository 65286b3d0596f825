// SPDX-License-Identifier: Apache-2.0

/// Writes a TOML document line by line.
struct TOMLLines {
  /// Columns that a line of a list may fill: thirteen currencies, as in the scenes that come with
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
  mutating func add(_ key: String, _ value: String) {
    lines.append("\(key) = \(value)")
  }

  /// Writes a list: in one line if it fits, otherwise in lines as full as possible.
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
      let item = " \(element),"
      let itemColumns = Self.columns(item)
      if filledColumns > 0, filledColumns + itemColumns > Self.columnsMax {
        lines.append(filled)
        filledColumns = 0
      }
      if filledColumns == 0 { (filled, filledColumns) = (" ", 1) }
      filled += item
      filledColumns += itemColumns
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
