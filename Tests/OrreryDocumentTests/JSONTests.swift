// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryDocument
import TestSupport
import Testing

/// Goal: JSON is read as RFC 8259 says, and written so that it reads back as the same bits.
///
/// Method: known texts, a round trip of random bits, and Foundation as a second reader.
@Suite struct JSONTests {
  static func parse(_ text: String) throws -> DocumentValue {
    try JSONParser.parse(Array(text.utf8))
  }

  @Test func valuesAreRead() throws {
    #expect(
      try Self.parse(" [1 , -2.5e3, true,false,null, \"a\" ]\n")
        == .array([
          .integer(1), .number(-2500), .bool(true), .bool(false), .null, .string("a"),
        ]))
    let table = try Self.parse(#"{"b":{},"a":[]}"#)
    #expect(table == .table(["b": .table([:]), "a": .array([])]))
    #expect(table.table?.members.map(\.key) == ["b", "a"])
    #expect(
      try Self.parse(#""\"\\\/\b\f\n\r\té\u00e9\ud83d\ude00""#)
        == .string("\"\\/\u{8}\u{c}\n\r\téé😀"))
  }

  @Test(arguments: [
    "", "[1,]", "[1 2]", "{\"a\" 1}", "{a:1}", "{\"a\":1,}", "tru", "nul", "01", "1.", ".5", "+1",
    "1e", "\"\\x\"", "\"\\u12\"", "\"\\ud83d\"", "\"\\udc00a\"", "\"a", "\"\n\"", "[1]]", "--1",
    "[", "\"\\",
    "\"\\u",
  ])
  func whatIsNoneIsRefused(text: String) {
    #expect(throws: DocumentError.self) { try Self.parse(text) }
  }

  private static func answer(_ number: Double) -> String { JSONWriter.number(number, .answer) }

  private static func message(_ number: Double) -> String { JSONWriter.number(number, .message) }

  @Test func numbersAreWrittenAsShortAsPossible() {
    #expect(
      [0, 1, -3, 0.1, 1e15, 123_456_789_012_345, 1e-7, 0.3 - 0.1].map(Self.answer) == [
        "0", "1", "-3", "0.1", "1000000000000000", "123456789012345", "1e-07",
        "0.19999999999999998",
      ])
    #expect(
      [Double.nan, .infinity, -.infinity, -0.0].map(Self.answer) == [
        "\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "-0.0",
      ])
  }

  @Test func randomNumbersComeBackBitForBit() throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<10_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      for text in [Self.answer(number), Self.message(number)] {
        let read = try #require(try Self.parse(text).number, "\(number)")
        #expect(read.bitPattern == number.bitPattern, "\(number)")
      }
    }
  }

  @Test func foundationReadsWhatIsWritten() throws {
    let text = "a\"\\\n\r\t\u{1}\u{7f}é😀/"
    let value = DocumentValue.table([
      text: .array([.string(text), .null, .bool(true), .integer(.min), .number(-1.5)])
    ])
    for form in [JSONWriter.Form.answer, .message] {
      let data = Data(JSONWriter.bytes(value, form))
      let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [Any]])
      #expect(object[text]?.first as? String == text)
      #expect(object[text]?.last as? Double == -1.5)
      #expect(try Self.parse(JSONWriter.text(value, form)) == value)
    }
  }

  /// Space is what RFC 8259 says, and no other byte.
  @Test func fourBytesAreSpace() throws {
    for byte in UInt8(0)...0x7f {
      // A quote makes a string of what follows.
      if byte == 0x22 { continue }
      let isSpace = [0x20, 0x09, 0x0a, 0x0d].contains(byte)
      for text in [[byte, 0x31], [0x31, byte], [0x5b, byte, 0x31, byte, 0x5d]] as [[UInt8]] {
        let value = try? JSONParser.parse(text)
        let expected: DocumentValue = text[0] == 0x5b ? .array([.integer(1)]) : .integer(1)
        if isSpace { #expect(value == expected, "byte \(byte)") }
        // Digits and signs make another number; nothing else is one.
        if !isSpace, !(0x2d...0x39).contains(byte) { #expect(value == nil, "byte \(byte)") }
      }
    }
  }

  @Test(arguments: [
    ("1e2", 100.0), ("1E2", 100), ("1e+2", 100), ("1e-2", 0.01), ("1E+02", 100), ("1E-02", 0.01),
    ("-0.5e1", -5), ("10", 10), ("0", 0), ("0.25", 0.25), ("-7", -7), ("0e5", 0),
  ])
  func numbersHaveSignsAndExponents(text: String, number: Double) throws {
    #expect(try Self.parse(text).number == number)
    #expect(try Self.parse("[\(text)]").array?.map(\.number) == [number])
  }

  /// The byte and the reason, from 1.
  @Test(arguments: [
    ("", 1, "expected a value"), (" x", 2, "expected a value"), ("tru", 1, "expected a value"),
    ("-", 1, "expected a value"), ("-a", 1, "expected a value"), ("1.e", 3, "expected a digit"),
    ("1e+", 4, "expected a digit"), ("1 2", 3, "expected the end of the text"),
    ("[1 2]", 4, "expected \",\" or \"]\""), ("{\"a\":1 2", 8, "expected \",\" or \"}\""),
    ("{\"a\" 1}", 6, "expected \":\""), ("{1:2}", 2, "expected a key in \"\""),
    ("{\"a\":1,}", 8, "expected a key in \"\""), ("[\"a", 2, "a string without end"),
    ("\"a\\", 4, "a string without end"), ("\"\u{1f}\"", 2, "a control character in a string"),
    ("\"\\x\"", 3, "an unknown escape in a string"),
    ("\"\\u12g4\"", 4, "expected four hexadecimal digits"),
    ("\"\\u123", 4, "expected four hexadecimal digits"),
    ("\"\\ud800\\u0041\"", 14, "half of a surrogate pair"),
    ("[1e999]", 2, "the number is larger than a Double holds"),
    ("{\"a\":1,\"a\":2}", 8, "the key \"a\" stands twice"),
  ])
  func errorsSayWhere(text: String, byte: Int, reason: String) {
    let error = #expect(throws: DocumentError.self) { try Self.parse(text) }
    #expect(error?.offset == byte - 1)
    #expect(error?.reason == reason)
  }

  @Test func sixtyFourLevelsAreRead() throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      for (depth, isRead) in [(63, true), (64, true), (65, false)] {
        let inner = open == "[" ? "" : "1"
        let text =
          String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
        #expect(((try? Self.parse(text)) != nil) == isRead, "\(depth) of \(open)")
      }
      // Beside each other they are not in each other.
      let pair = open == "[" ? "[]" : "{}"
      #expect(throws: Never.self) {
        try Self.parse("[" + Array(repeating: pair, count: 100).joined(separator: ",") + "]")
      }
    }
  }

  /// Control characters are escaped, and nothing else but quotes and backslashes.
  @Test func charactersAreEscapedWhereTheyMustBe() {
    let known: [UInt32: String] = [
      0x09: "\\t", 0x0a: "\\n", 0x0d: "\\r", 0x22: "\\\"", 0x5c: "\\\\",
    ]
    for value in UInt32(0)..<0x100 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let hex = String(value, radix: 16)
      let escape = "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      let expected =
        known[value] ?? (value < 0x20 || value == 0x7f ? escape : String(Character(scalar)))
      let text = String(Character(scalar))
      #expect(JSONWriter.string(text, .answer) == "\"\(expected)\"", "\(hex)")
      let message = [0x08: "\\b", 0x0c: "\\f", 0x7f: "\u{7f}"][value] ?? expected
      #expect(JSONWriter.string(text, .message) == "\"\(message)\"", "\(hex)")
    }
  }

  @Test func wholeNumbersHaveNoPointUpToTheirLastExactOne() {
    for write in [Self.answer, Self.message] {
      #expect(write(9_007_199_254_740_991) == "9007199254740991")
      #expect(write(-9_007_199_254_740_991) == "-9007199254740991")
      #expect(write(1e16) == "1e+16")
    }
    #expect(Self.answer(9_007_199_254_740_992) == "9007199254740992.0")
    #expect(Self.message(9_007_199_254_740_992) == "9007199254740992")
  }

  /// A number without point and exponent is an integer where it fits, and a sign is never lost.
  @Test(
    arguments: [
      ("0", .integer(0)), ("-1", .integer(-1)), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9.223372036854775808e18)),
      ("-9223372036854775809", .number(-9.223372036854775808e18)), ("1.0", .number(1)),
      ("1e0", .number(1)), ("-0.0", .number(-0.0)),
    ] as [(String, DocumentValue)])
  func wholeNumbersAreIntegersWhereTheyFit(text: String, value: DocumentValue) throws {
    #expect(try Self.parse(text) == value)
  }

  @Test func signOfZeroIsKept() throws {
    #expect(try Self.parse("-0").number?.sign == .minus)
    #expect(Self.message(-0.0) == "-0")
    #expect(Self.answer(-0.0) == "-0.0")
  }

  /// Foundation's encoder wrote control messages before, and programs compare their bytes.
  @Test func messagesHaveTheBytesOfFoundationsEncoder() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    var random = SeededRandom(seed: 11)
    var numbers = (0..<1_000).map { _ in Double(bitPattern: random.next()) }
    numbers += [
      0, -0.0, 1, -2, 0.1, 1e15, 1e16, 0x1p53, .leastNonzeroMagnitude, .nan, .infinity, -.infinity,
    ]
    for number in numbers {
      let expected = String(decoding: try encoder.encode([number]), as: UTF8.self)
      #expect(JSONWriter.text(.array([.number(number)]), .message) == expected)
    }
    let texts = (UInt32(0)...0x7f).compactMap(Unicode.Scalar.init).map { String($0) } + ["ä€😀"]
    for text in texts {
      let expected = String(decoding: try encoder.encode([text: text]), as: UTF8.self)
      #expect(JSONWriter.text(.table([text: .string(text)]), .message) == expected)
    }
    let keys = ["b", "B", "a10", "a9", "é", "", "a", "Z", "_"]
    let values = Dictionary(uniqueKeysWithValues: keys.map { ($0, Int64($0.utf8.count)) })
    let table = DocumentTable(values.mapValues { .integer($0) })
    let expected = String(decoding: try encoder.encode(values), as: UTF8.self)
    #expect(JSONWriter.text(.table(table), .message) == expected)
  }
}
