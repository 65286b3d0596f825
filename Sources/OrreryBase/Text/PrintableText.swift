// SPDX-License-Identifier: Apache-2.0

extension String {
  /// A text from another process without what a terminal would obey.
  ///
  /// - Parameter keepsLines: Whether line feeds stay.
  /// - Returns: The text, with a question mark for each such character.
  package func printable(keepsLines: Bool = false) -> String {
    String(
      map { character in
        if keepsLines, character == "\n" { return character }
        return character.unicodeScalars.contains(where: Self.isControl) ? "?" : character
      })
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }
}
