// SPDX-License-Identifier: Apache-2.0

/// Texts in CSV.
package enum CSVText {
  /// A cell, in quotation marks where it needs them (RFC 4180).
  package static func cell(_ text: String) -> String {
    guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
