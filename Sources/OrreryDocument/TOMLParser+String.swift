// SPDX-License-Identifier: Apache-2.0

/// The four kinds of strings: with escapes or without, on one line or on several.
extension TOMLParser {
  /// Reads a string of one line.
  mutating func string() throws(DocumentError) -> String {
    let quote = text.bytes[text.offset]
    text.offset += 1
    var content: [UInt8] = []
    while true {
      takePlain(quote, into: &content)
      switch text.next {
      case quote:
        text.offset += 1
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): content += try escape().utf8
      case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        throw text.expected("the end of the string")
      default: throw text.error("a control character in a string")
      }
    }
  }

  /// Reads a string between three quotes on each side.
  mutating func longString() throws(DocumentError) -> String {
    let quote = text.bytes[text.offset]
    let quotes = String(repeating: Character(Unicode.Scalar(quote)), count: 3)
    text.offset += 3
    // A line end right behind the quotes does not belong to the string.
    _ = takeLineEnd()
    var content: [UInt8] = []
    while true {
      takePlain(quote, into: &content)
      switch text.next {
      case quote:
        if text.takeWord(quotes) {
          // Up to two quotes before the closing three belong to the string.
          for _ in 0..<2 where text.next == quote {
            content.append(quote)
            text.offset += 1
          }
          return String(decoding: content, as: UTF8.self)
        }
        content.append(quote)
        text.offset += 1
      case UInt8(ascii: "\\"):
        if !skipFoldedLine() { content += try escape().utf8 }
      case nil: throw text.expected("the end of the string")
      default:
        guard takeLineEnd() else { throw text.error("a control character in a string") }
        content.append(UInt8(ascii: "\n"))
      }
    }
  }

  /// Takes the bytes that stand for themselves; in a string without escapes backslashes do.
  private mutating func takePlain(_ quote: UInt8, into content: inout [UInt8]) {
    let hasEscapes = quote == UInt8(ascii: "\"")
    let start = text.offset
    text.skip {
      !Self.isControl($0) && $0 != quote && !(hasEscapes && $0 == UInt8(ascii: "\\"))
    }
    content += text.bytes[start..<text.offset]
  }

  /// Skips a backslash at the end of a line, with all spaces and line ends behind it.
  ///
  /// - Returns: Whether there was one.
  private mutating func skipFoldedLine() -> Bool {
    let start = text.offset
    text.offset += 1
    skipSpaces()
    guard takeLineEnd() else {
      text.offset = start
      return false
    }
    repeat { skipSpaces() } while takeLineEnd()
    return true
  }

  /// Reads an escape.
  private mutating func escape() throws(DocumentError) -> String {
    let start = text.offset
    text.offset += 1
    guard let byte = text.next else { throw text.expected("the end of the string") }
    text.offset += 1
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): return String(Unicode.Scalar(byte))
    case UInt8(ascii: "u"): return try character(digits: 4, from: start)
    case UInt8(ascii: "U"): return try character(digits: 8, from: start)
    default:
      text.offset -= 1
      throw text.expected("one of b t n f r u U \" \\ after the backslash")
    }
  }

  private mutating func character(
    digits: Int, from start: Int
  ) throws(DocumentError) -> String {
    let digitStart = text.offset
    guard let scalar = text.takeHexadecimal(digits).flatMap(Unicode.Scalar.init) else {
      text.offset = digitStart
      throw text.expected("\(digits) hexadecimal digits of a character")
    }
    guard scalar.value != 0 else { throw DocumentError(offset: start, reason: Self.nulReason) }
    return String(scalar)
  }
}
