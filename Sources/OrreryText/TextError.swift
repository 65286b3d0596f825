// SPDX-License-Identifier: Apache-2.0

/// Why text cannot be measured or drawn.
package enum TextError: Error, Equatable, CustomStringConvertible {
  /// No font of this family is installed; empty if the description names none.
  case fontMissing(family: String)

  /// The size in a font description is missing, not positive, or above the limit.
  case fontSize(font: String, size: Double, limit: Double)

  /// No installed font has this character: it would be drawn as a box.
  case glyphMissing(text: String, scalar: Unicode.Scalar)

  /// The text has more bytes of UTF-8 than one line may have.
  case textTooLong(bytes: Int, limit: Int)

  /// The colour emoji font has no flag for these two letters, or they are not two letters.
  case flagMissing(emoji: String)

  /// Whether installing a font would help.
  package var isOfMachine: Bool {
    switch self {
    case .fontMissing(let family): !family.isEmpty
    case .glyphMissing: true
    case .fontSize, .textTooLong, .flagMissing: false
    }
  }

  package var description: String {
    switch self {
    case .fontMissing(let family):
      return family.isEmpty
        ? "the font names no family" : "font family \"\(family)\" is not installed"
    case .fontSize(let font, let size, let limit):
      return "font \"\(font)\": size \(size) is not above 0 and at most \(limit)"
    case .glyphMissing(let text, let scalar):
      let number = String(scalar.value, radix: 16, uppercase: true)
      let padding = String(repeating: "0", count: max(0, 4 - number.count))
      return "no installed font has U+\(padding)\(number) of \"\(text)\""
    case .textTooLong(let bytes, let limit):
      return "text has \(bytes) bytes, limit \(limit)"
    case .flagMissing(let emoji):
      let letters = emoji.unicodeScalars.map { scalar in
        let letter = Unicode.Scalar(scalar.value &- 0x1F1E6 &+ 65)
        return letter.map { (65...90).contains($0.value) ? String($0) : "?" } ?? "?"
      }
      return "the colour emoji font has no flag for \"\(letters.joined())\""
    }
  }
}
