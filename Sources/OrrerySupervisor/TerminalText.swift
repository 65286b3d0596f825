// SPDX-License-Identifier: Apache-2.0

/// Texts for terminals that show ASCII alone.
package enum TerminalText {
  /// The same in ASCII: a micro sign is `u`, an ellipsis `~`, others `?`.
  package static func ascii(_ text: String) -> String {
    String(text.map { $0 == "µ" ? "u" : $0 == "…" ? "~" : $0.isASCII ? $0 : "?" })
  }

  /// Whether a locale of these variables has UTF-8.
  ///
  /// - Parameter value: Gives the value of a variable.
  /// - Returns: False also without a locale.
  package static func isUTF8(_ value: (String) -> String?) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(value).first { !$0.isEmpty }
    return locale.map { name in ["utf-8", "utf8"].contains { name.lowercased().contains($0) } }
      ?? false
  }
}
