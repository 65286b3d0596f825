// SPDX-License-Identifier: Apache-2.0

/// What tables of `bench` have in common.
package enum TextTable {
  /// A cell, with spaces on its left or its right; what stands on the left is cut to the width.
  package static func padded(_ text: String, _ width: Int, isRight: Bool = true) -> String {
    let space = String(repeating: " ", count: max(width - text.count, 0))
    return isRight ? space + text : text.prefix(width) + space
  }

  /// Lines of at most 80 characters, the second indented.
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
