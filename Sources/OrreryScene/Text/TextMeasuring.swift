// SPDX-License-Identifier: Apache-2.0

/// Finds out how large a text is; tests do so without fonts.
package protocol TextMeasuring {
  /// The size of one line of text.
  ///
  /// - Parameters:
  ///   - text: Without control characters.
  ///   - font: Pango font description with size in points.
  ///   - language: Locale identifier; it chooses between forms of a character.
  /// - Returns: The size.
  /// - Throws: Why it cannot be measured.
  func size(of text: String, font: String, language: String) throws -> MeasuredText

  /// Whether a flag is drawn as one picture, not as two letters.
  ///
  /// - Parameter flag: Two regional indicators.
  /// - Returns: Whether it is.
  /// - Throws: Why it cannot be found out.
  func draws(flag: String) throws -> Bool
}

/// Size of a line of text.
package struct MeasuredText: Equatable, Sendable {
  /// Points.
  package let width: Double

  /// Points from the top of the line to its bottom.
  package let height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}
