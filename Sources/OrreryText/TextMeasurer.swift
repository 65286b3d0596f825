// SPDX-License-Identifier: Apache-2.0

import CCairo
import Glibc

/// The logical box of a text, in points.
package struct TextSize: Equatable, Sendable {
  /// The distance to the start of a following text.
  package var width: Double

  /// From the font's ascent to its descent, once for each line.
  package var height: Double

  /// From the top to the first line's baseline.
  package var baseline: Double

  /// A size that was not measured, for tests and scenes without text.
  package init(width: Double, height: Double, baseline: Double) {
    self.width = width
    self.height = height
    self.baseline = baseline
  }
}

/// Measures text as `OrreryRender` draws it.
///
/// Metrics are neither hinted nor rounded, and font sizes are in points of the picture, so a width
/// is the same for every size of the picture. The same text, font, language and installed fonts
/// always give the same size. A measurer, and the lines that it shaped, belong to one thread.
package final class TextMeasurer {
  /// Font sizes above this are refused: twice the height of the largest picture.
  package static let fontSizeMax = 32_768.0

  /// Longest text in bytes of UTF-8: shaping time grows faster than the length.
  package static let textBytesMax = 16_384

  /// The font for flags; its size does not affect which flags it has.
  private static let flagFont = "Noto Color Emoji 20"

  /// The shaper; lives as long as this object.
  private let shaper: OpaquePointer

  /// Font descriptions that passed the check.
  private var usableFonts: Set<String> = []

  /// Whether the libraries are installed that shape text; without them every other use ends the program.
  package static var isThere: Bool { text_is_there() }

  /// Finds the installed fonts.
  ///
  /// - Parameter language: Locale or language tag; it chooses between the Chinese and Japanese
  ///   forms of a character where the font does not.
  package init(language: String = "en") {
    shaper = text_shaper_create(language)
  }

  deinit { text_shaper_destroy(shaper) }

  /// The size of a text.
  ///
  /// - Parameters:
  ///   - text: The text; a line feed begins a new line.
  ///   - font: Pango font description with a size in points: "Noto Sans 13".
  /// - Returns: The logical box.
  /// - Throws: `fontMissing`, `fontSize`, `textTooLong`, and `glyphMissing` if a character would be
  ///   drawn as a box.
  package func measure(_ text: String, font: String) throws(TextError) -> TextSize {
    try shape(text, font: font).size
  }

  /// Checks that a flag can be drawn as a flag.
  ///
  /// - Parameter emoji: Two regional indicators.
  /// - Throws: `flagMissing` if the font would draw two letters instead, `fontMissing` if there is
  ///   no colour emoji font.
  package func checkFlag(_ emoji: String) throws(TextError) {
    let scalars = emoji.unicodeScalars
    guard scalars.count == 2, scalars.allSatisfy({ (0x1F1E6...0x1F1FF).contains($0.value) }) else {
      throw .flagMissing(emoji: emoji)
    }
    try checkFont(Self.flagFont)
    let line = makeLine(emoji, font: Self.flagFont)
    // The font draws the same picture for all pairs of letters that name no region.
    let unknownFlag = makeLine("\u{1F1FF}\u{1F1FF}", font: Self.flagFont)
    guard line.glyphCount == 1, line.unknownCount == 0, line.hasColor,
      unknownFlag.glyphCount != 1 || line.firstGlyph != unknownFlag.firstGlyph
    else {
      throw .flagMissing(emoji: emoji)
    }
  }

  /// The height of a flag's visible part divided by its width.
  ///
  /// - Parameter emoji: Two regional indicators.
  /// - Returns: More than 0.
  /// - Throws: As `checkFlag`.
  package func aspect(ofFlag emoji: String) throws(TextError) -> Double {
    try checkFlag(emoji)
    let line = makeLine(emoji, font: Self.flagFont)
    guard let picture = withExtendedLifetime(line, { glyph_picture_create(line.handle) }) else {
      throw .flagMissing(emoji: emoji)
    }
    defer { glyph_picture_destroy(picture) }
    return Double(glyph_picture_height(picture)) / Double(glyph_picture_width(picture))
  }

  /// Shapes a text, for drawing or for measuring.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - font: Pango font description with a size in points.
  /// - Returns: The shaped line; it keeps this measurer alive.
  /// - Throws: As `measure`.
  package func shape(_ text: String, font: String) throws(TextError) -> ShapedLine {
    let bytes = text.utf8.count
    guard bytes <= Self.textBytesMax else {
      throw .textTooLong(bytes: bytes, limit: Self.textBytesMax)
    }
    if text.unicodeScalars.contains("\0") { throw .glyphMissing(text: text, scalar: "\0") }
    try checkFont(font)
    let line = makeLine(text, font: font)
    if line.unknownCount > 0 {
      throw .glyphMissing(text: text, scalar: firstUnknownScalar(of: text, font: font))
    }
    return line
  }

  private func makeLine(_ text: String, font: String) -> ShapedLine {
    var copy = text
    return copy.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { bytes in
        // An empty string may have no address.
        let start = bytes.baseAddress
        let handle =
          start.map { text_line_create(shaper, $0, Int32(bytes.count), font) }
          ?? text_line_create(shaper, "", 0, font)
        return ShapedLine(owning: handle, measurer: self)
      }
    }
  }

  private func checkFont(_ font: String) throws(TextError) {
    if usableFonts.contains(font) { return }
    guard text_shaper_has_font(shaper, font) else {
      let family = text_font_family(font)
      defer { free(family) }
      throw .fontMissing(family: family.map { String(cString: $0) } ?? "")
    }
    let size = text_font_size(font)
    guard size > 0, size <= Self.fontSizeMax else {
      throw .fontSize(font: font, size: size, limit: Self.fontSizeMax)
    }
    usableFonts.insert(font)
  }

  /// The first character that no font has; the text's first character if each of them can be drawn alone.
  private func firstUnknownScalar(of text: String, font: String) -> Unicode.Scalar {
    let scalars = text.unicodeScalars
    let unknown = scalars.first { makeLine(String($0), font: font).unknownCount > 0 }
    return unknown ?? scalars.first ?? " "
  }
}
