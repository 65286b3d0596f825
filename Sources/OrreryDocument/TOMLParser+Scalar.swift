// SPDX-License-Identifier: Apache-2.0

/// Numbers, dates and words.
extension TOMLParser {
  mutating func scalar() throws(DocumentError) -> DocumentValue {
    let start = text.offset
    guard let first = text.next, Self.beginsScalar(first) else {
      throw text.expected(text.isAtLetter ? "a value: a text has quotes" : "a value")
    }
    text.skip(while: Self.isInScalar)
    // A date may be followed by a space and a time.
    if text.offset - start == 10, text.bytes[start + 4] == UInt8(ascii: "-"),
      text.next == UInt8(ascii: " "), text.offset + 1 < text.bytes.count,
      TextCursor.digit(text.bytes[text.offset + 1], radix: 10) != nil
    {
      text.offset += 1
      text.skip(while: Self.isInScalar)
    }
    var fault: String?
    guard let value = Self.scalar(text.bytes[start..<text.offset], fault: &fault) else {
      text.offset = start
      throw fault.map(text.error)
        ?? text.expected(
          "a number of 64 bits, a date, true, false, inf or nan"
            + (text.isAtLetter ? ": a text has quotes" : ""))
    }
    return value
  }

  private static func beginsScalar(_ byte: UInt8) -> Bool {
    TextCursor.digit(byte, radix: 10) != nil || "+-tfin".utf8.contains(byte)
  }

  private static func isInScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: ":"): true
    default: isBareKey(byte)
    }
  }

  /// Reads a word; `fault` is set if it is a date or a time that does not exist: why.
  private static func scalar(
    _ bytes: ArraySlice<UInt8>, fault: inout String?
  ) -> DocumentValue? {
    if let number = number(bytes) { return number }
    let word = String(decoding: bytes, as: UTF8.self)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "inf", "+inf": return .number(.infinity)
    case "-inf": return .number(-.infinity)
    case "nan", "+nan", "-nan": return .number(.nan)
    default: return DocumentDateTime(word, fault: &fault).map { .dateTime($0) }
    }
  }

  private static func number(_ word: ArraySlice<UInt8>) -> DocumentValue? {
    if word.first == UInt8(ascii: "0"), let radix = word.dropFirst().first.flatMap(radix) {
      guard let digits = digits(word.dropFirst(2), radix: radix) else { return nil }
      return Int64(digits, radix: radix).map { .integer($0) }
    }
    let sign = word.first == UInt8(ascii: "-") ? "-" : ""
    let unsigned = unsigned(word)
    // 12.5e-3 has its point before its exponent.
    let exponentStart = unsigned.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? unsigned.endIndex
    let pointStart = unsigned[..<exponentStart].firstIndex(of: UInt8(ascii: ".")) ?? exponentStart
    guard let whole = digits(unsigned[..<pointStart], radix: 10),
      whole.utf8.count == 1 || whole.utf8.first != UInt8(ascii: "0")
    else { return nil }
    if pointStart == unsigned.endIndex { return Int64(sign + whole).map { .integer($0) } }
    var text = sign + whole
    if pointStart < exponentStart {
      guard let fraction = digits(unsigned[(pointStart + 1)..<exponentStart], radix: 10) else {
        return nil
      }
      text += "." + fraction
    }
    if exponentStart < unsigned.endIndex {
      let exponent = unsigned[(exponentStart + 1)...]
      guard let digits = digits(Self.unsigned(exponent), radix: 10) else { return nil }
      text += (exponent.first == UInt8(ascii: "-") ? "e-" : "e") + digits
    }
    guard let number = Double(text), number.isFinite else { return nil }
    return .number(number)
  }

  /// The radix that a letter behind a 0 stands for.
  private static func radix(_ letter: UInt8) -> Int? {
    switch letter {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  private static func unsigned(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+")
    return isSigned ? text.dropFirst() : text
  }

  /// Digits without the single underscores between them; nil if there is anything else, or nothing.
  private static func digits(_ text: ArraySlice<UInt8>, radix: Int) -> String? {
    var digits: [UInt8] = []
    var isAfterDigit = false
    for byte in text {
      if byte == UInt8(ascii: "_"), isAfterDigit {
        isAfterDigit = false
      } else if TextCursor.digit(byte, radix: radix) != nil {
        digits.append(byte)
        isAfterDigit = true
      } else {
        return nil
      }
    }
    return isAfterDigit ? String(decoding: digits, as: UTF8.self) : nil
  }
}
