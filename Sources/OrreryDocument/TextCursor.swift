// SPDX-License-Identifier: Apache-2.0

/// A text that a parser reads byte by byte.
struct TextCursor {
  let bytes: [UInt8]

  /// The offset of the next byte.
  var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next byte; nil at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Whether the rest begins with a word.
  func starts(with word: String) -> Bool { bytes[offset...].starts(with: word.utf8) }

  /// Takes the next byte if it is this character.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// Takes the next bytes if they are this word.
  mutating func takeWord(_ word: String) -> Bool {
    guard starts(with: word) else { return false }
    offset += word.utf8.count
    return true
  }

  mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while let byte = next, isSkipped(byte) { offset += 1 }
  }

  /// Takes hexadecimal digits; nil, and nothing is taken, if there are fewer.
  mutating func takeHexadecimal(_ count: Int) -> UInt32? {
    guard offset + count <= bytes.count else { return nil }
    var number: UInt32 = 0
    for byte in bytes[offset..<offset + count] {
      guard let digit = Self.digit(byte, radix: 16) else { return nil }
      number = number << 4 | UInt32(digit)
    }
    offset += count
    return number
  }

  /// The text from an offset to the next byte.
  func text(from start: Int) -> String { String(decoding: bytes[start..<offset], as: UTF8.self) }

  /// An error at the next byte.
  func error(_ reason: String) -> DocumentError { DocumentError(offset: offset, reason: reason) }

  /// Whether the next byte is a letter of ASCII.
  var isAtLetter: Bool {
    next.map { Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x80 } ?? false
  }

  func expected(_ what: String) -> DocumentError { error("expected \(what)") }

  /// The value of a digit; nil if it is none.
  static func digit(_ byte: UInt8, radix: Int) -> Int? {
    let value: Int? =
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
      default: nil
      }
    return value.flatMap { $0 < radix ? $0 : nil }
  }
}
