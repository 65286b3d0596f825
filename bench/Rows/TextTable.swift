// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The columns of a table of `bench`.
package struct TextTable: Sendable {
  /// The width of a column, and the side on which its cells stand.
  package enum Column: Sendable {
    /// A name: it is cut to the width.
    case left(Int)
    /// A figure: it is never cut.
    case right(Int)
  }

  private let columns: [Column]

  /// - Parameter columns: The columns from left to right.
  package init(_ columns: [Column]) { self.columns = columns }

  /// A line whose first cell is never cut, as rows may differ at its end: a long one has a line of its own.
  package func line(named name: String, _ cells: [String]) -> String {
    guard case .left(let width)? = columns.first, name.count > width else {
      return line([name] + cells)
    }
    return Self.wrapped(name) + line([""] + cells)
  }

  /// A line; cells beyond the columns are appended as they are.
  package func line(_ cells: [String]) -> String {
    let aligned = zip(cells, columns).map { cell, column in
      switch column {
      case .left(let width): String(cell.prefix(width)).alignedLeft(width)
      case .right(let width): cell.alignedRight(width)
      }
    }
    return (aligned + cells.dropFirst(columns.count)).joined() + "\n"
  }

  /// A number with commas between thousands.
  package static func grouped(_ number: Int) -> String {
    var (digits, text) = (String(number), "")
    while digits.count > 3 {
      text = "," + digits.suffix(3) + text
      digits.removeLast(3)
    }
    return digits + text
  }

  /// A size in bytes, in whole units.
  package static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : bytes >= 1 << 10 ? "\(bytes >> 10) KiB" : "\(bytes) B"
  }

  /// Wraps text to lines of at most 80 characters, all but the first indented.
  package static func wrapped(_ text: String) -> String {
    var (lines, line) = ([String](), "")
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > 80 {
        lines.append(line)
        line = "   "
      }
      line += (line.isEmpty ? "" : " ") + word.prefix(76)
    }
    return (lines + [line]).joined(separator: "\n") + "\n"
  }
}
