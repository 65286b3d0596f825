// SPDX-License-Identifier: Apache-2.0

/// Measures texts; tests have an implementation without fonts.
package protocol TextMeasuring {
  /// The size of one line of text.
  ///
  /// - Parameters:
  ///   - text: Without control characters.
  ///   - font: Pango font description with size in points.
  ///   - language: Locale identifier; it chooses between forms of a character.
  /// - Returns: The size.
  /// - Throws: The reason if the text cannot be measured.
  func size(of text: String, font: String, language: String) throws -> MeasuredText

  /// Whether a flag is drawn as one picture, not as two letters.
  ///
  /// - Parameter flag: Two regional indicators.
  /// - Returns: True for one picture.
  /// - Throws: The reason if the font cannot be asked.
  func draws(flag: String) throws -> Bool

  /// Height of a flag divided by its width, more than 0.
  ///
  /// - Parameter flag: Two regional indicators that are drawn as one picture.
  /// - Returns: The aspect.
  /// - Throws: The reason if the font cannot be asked.
  func aspect(ofFlag flag: String) throws -> Double
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
