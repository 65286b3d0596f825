// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

import OrreryEval

/// Goal: JSON is read as RFC 8259 says, and written so that it reads back as the same bits.
///
/// Method: known texts, a round trip of random bits, and Foundation as a second reader.
@Suite struct JSONTests {
  static func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

  @Test func valuesAreRead() throws {
    #expect(
      try Self.parse(" [1 , -2.5e3, true,false,null, \"a\" ]\n")
        == .array([
          .number(1), .number(-2500), .bool(true), .bool(false), .null, .string("a"),
        ]))
    #expect(
      try Self.parse(#"{"b":{},"a":[]}"#)
        == .object([
          JSONMember(key: "b", value: .object([])), JSONMember(key: "a", value: .array([])),
        ]))
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
    #expect(throws: JSONError.self) { try Self.parse(text) }
  }

  @Test func numbersAreWrittenAsShortAsPossible() {
    #expect(
      [0, 1, -3, 0.1, 1e15, 123_456_789_012_345, 1e-7, 0.3 - 0.1].map(JSONText.number) == [
        "0", "1", "-3", "0.1", "1000000000000000", "123456789012345", "1e-07",
        "0.19999999999999998",
      ])
    #expect(
      [Double.nan, .infinity, -.infinity, -0.0].map(JSONText.number) == [
        "\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "-0.0",
      ])
  }

  @Test func randomNumbersComeBackBitForBit() throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<10_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      guard case .number(let read) = try Self.parse(JSONText.number(number)) else {
        Issue.record("\(number) is no number")
        continue
      }
      #expect(read.bitPattern == number.bitPattern, "\(number)")
    }
  }

  @Test func foundationReadsWhatIsWritten() throws {
    let text = "a\"\\\n\r\t\u{1}\u{7f}é😀/"
    let value = JSONValue.object([
      JSONMember(key: text, value: .array([.string(text), .null, .bool(true), .number(-1.5)]))
    ])
    let data = Data(JSONText.text(value).utf8)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [Any]])
    #expect(object[text]?.first as? String == text)
    #expect(object[text]?.last as? Double == -1.5)
    #expect(try Self.parse(JSONText.text(value)) == value)
  }
}
