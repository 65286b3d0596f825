// SPDX-License-Identifier: Apache-2.0

/// What tables of `bench` have in common.
enum TextTable {
  /// Lines of at most 80 characters, the second indented.
  static func wrapped(_ text: String) -> String {
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
