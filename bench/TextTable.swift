// SPDX-License-Identifier: Apache-2.0

/// Helpers for all tables of `bench`.
package enum TextTable {
  /// Pads a cell: right-aligned, or left-aligned and cut to the width.
  package static func padded(_ text: String, _ width: Int, isRight: Bool = true) -> String {
    let space = String(repeating: " ", count: max(width - text.count, 0))
    return isRight ? space + text : text.prefix(width) + space
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
