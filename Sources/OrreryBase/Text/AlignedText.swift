// SPDX-License-Identifier: Apache-2.0

/// Cells of tables, which are as wide as their column or, if the text is longer, as the text.
extension String {
  /// The text at the left of a column.
  package func alignedLeft(_ width: Int) -> String { self + filling(width, " ") }

  /// The text at the right of a column.
  ///
  /// - Parameters:
  ///   - width: Characters of the column.
  ///   - filler: What stands before the text: zeros before digits.
  /// - Returns: At least `width` characters.
  package func alignedRight(_ width: Int, filler: Character = " ") -> String {
    filling(width, filler) + self
  }

  private func filling(_ width: Int, _ filler: Character) -> String {
    String(repeating: filler, count: max(width - count, 0))
  }
}
