// SPDX-License-Identifier: Apache-2.0

/// Writes values as JSON for people: in lines of up to 100 columns, indented by two spaces.
package struct JSONLayout {
  /// Columns that a line of several values may fill.
  private static let columnsMax = 100

  private var lines: [String] = []

  /// A value as a text, with its members in their order and without a line end after its last line.
  ///
  /// - Complexity: O(n) in the length of the text, times its depth.
  package static func text(_ value: DocumentValue) -> String {
    var layout = JSONLayout()
    layout.add(value, depth: 0, head: "", tail: "")
    return layout.lines.joined(separator: "\n")
  }

  private init() {}

  /// Adds a value in one line if it fits, else a line or more for each value in it.
  private mutating func add(_ value: DocumentValue, depth: Int, head: String, tail: String) {
    let indent = String(repeating: "  ", count: depth)
    let line = indent + head + Self.inline(value) + tail
    if line.unicodeScalars.count <= Self.columnsMax {
      lines.append(line)
      return
    }
    switch value {
    case .array(let array) where !array.elements.isEmpty:
      lines.append(indent + head + "[")
      for (index, element) in array.elements.enumerated() {
        let isLast = index == array.elements.count - 1
        add(element, depth: depth + 1, head: "", tail: isLast ? "" : ",")
      }
      lines.append(indent + "]" + tail)
    case .table(let table) where !table.members.isEmpty:
      lines.append(indent + head + "{")
      for (index, member) in table.members.enumerated() {
        let isLast = index == table.members.count - 1
        add(member.value, depth: depth + 1, head: Self.head(member), tail: isLast ? "" : ",")
      }
      lines.append(indent + "}" + tail)
    default: lines.append(line)
    }
  }

  private static func head(_ member: DocumentTable.Member) -> String {
    JSONWriter.string(member.key, .answer) + ": "
  }

  private static func inline(_ value: DocumentValue) -> String {
    switch value {
    case .array(let array):
      "[\(array.elements.map(inline).joined(separator: ", "))]"
    case .table(let table):
      "{\(table.members.map { head($0) + inline($0.value) }.joined(separator: ", "))}"
    default: JSONWriter.text(value, .answer)
    }
  }
}
