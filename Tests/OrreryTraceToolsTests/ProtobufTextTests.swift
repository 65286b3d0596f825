// SPDX-License-Identifier: Apache-2.0

import OrreryTraceTools
import SwiftProtobuf
import Testing

/// Goal: a message of any type is shown by its descriptor: each kind of number at its ends, bytes, lists and messages in
/// it.
///
/// Method: descriptors and bytes made by hand.
@Suite struct ProtobufTextTests {
  typealias Field = Google_Protobuf_FieldDescriptorProto

  /// Fields 1, 2 and so on of `t.M`, of these types.
  private static func text(
    _ types: [Field.TypeEnum], isRepeated: Bool = false, isWhole: Bool = false,
    _ bytes: [UInt8]
  ) throws -> String? {
    let set = Google_Protobuf_FileDescriptorSet.with {
      $0.file = [
        .with {
          $0.package = "t"
          $0.messageType = [
            .with {
              $0.name = "M"
              $0.field = types.enumerated().map { index, type in
                .with {
                  ($0.name, $0.number, $0.type) = ("f\(index + 1)", Int32(index + 1), type)
                  $0.label = isRepeated ? .repeated : .optional
                  if type == .message { $0.typeName = ".t.M" }
                  if type == .enum { $0.typeName = ".t.E" }
                }
              }
            }
          ]
          $0.enumType = [
            .with {
              $0.name = "E"
              $0.value = [.with { ($0.name, $0.number) = ("ONE", 1) }]
            }
          ]
        }
      ]
    }
    let text = try #require(ProtobufText(set.serializedBytes(), isWhole: isWhole))
    return bytes.withUnsafeBytes { text.json($0, name: "t.M") }
  }

  private static let eight: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 0x88]
  private static let minusOne = [UInt8](repeating: 0xFF, count: 9) + [1]

  /// The key of field 1 with a wire type, then the value.
  static let numbers: [(Field.TypeEnum, [UInt8], String)] = [
    (.fixed64, [9] + eight, "9801809732607083009"),
    (.sfixed64, [9] + eight, "-8644934341102468607"),
    (.double, [9, 0, 0, 0, 0, 0, 0, 0xF8, 0xBF], "-1.5"),
    (.double, [9, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F], "\"inf\""),
    (.fixed32, [13, 1, 2, 3, 0x84], "2214789633"),
    (.sfixed32, [13, 1, 2, 3, 0x84], "-2080177663"),
    (.float, [13, 0, 0, 0xC0, 0x3F], "1.5"),
    (.uint64, [8] + minusOne, "18446744073709551615"), (.int64, [8] + minusOne, "-1"),
    (.int32, [8] + minusOne, "-1"), (.uint32, [8] + minusOne, "4294967295"),
    (.sint64, [8] + minusOne, "-9223372036854775808"), (.sint32, [8, 1], "-1"),
    (.sint32, [8, 2], "1"), (.uint64, [8, 0x80, 1], "128"), (.uint64, [8, 0x7F], "127"),
    (.bool, [8, 0], "false"), (.bool, [8, 2], "true"), (.enum, [8, 1], "\"ONE\""),
    (.enum, [8, 2], "2"), (.string, [10, 3, 0x61, 0x22, 0x62], #""a\"b""#),
    (.bytes, [10, 0], "\"\""), (.bytes, [10, 1, 0xFF], "\"/w==\""),
    (.bytes, [10, 2, 0xFB, 0xF0], "\"+/A=\""), (.bytes, [10, 3, 1, 2, 3], "\"AQID\""),
    (.bytes, [10, 4, 0x10, 0x80, 0xFF, 0x41], "\"EID/QQ==\""),
    (.message, [10, 2, 10, 0], #"{"f1":{}}"#),
  ]

  @Test(arguments: numbers.indices)
  func valueIsShown(index: Int) throws {
    let (type, bytes, expected) = Self.numbers[index]
    #expect(try Self.text([type], bytes) == "{\"f1\":\(expected)}", "\(type) \(bytes)")
  }

  /// The last of several counts, a field that nobody knows is left out, and fields stand by number.
  @Test func fieldsAreInTheirOrder() throws {
    let bytes: [UInt8] = [16, 5, 8, 1, 8, 2, 24, 9]
    #expect(try Self.text([.uint32, .uint32], bytes) == #"{"f1":2,"f2":5}"#)
    #expect(try Self.text([.uint32], []) == "{}")
  }

  /// Packed or one by one; more than sixteen are counted, unless all are wanted.
  @Test func listsAreShortened() throws {
    func list(_ count: UInt8) -> [UInt8] { [10, count] + (0..<count) }
    func shown(_ count: Int) -> String { (0..<count).map(String.init).joined(separator: ",") }
    func text(_ bytes: [UInt8], isWhole: Bool = false) throws -> String? {
      try Self.text([.uint32], isRepeated: true, isWhole: isWhole, bytes)
    }
    #expect(try text(list(16)) == "{\"f1\":[\(shown(16))]}")
    #expect(try text(list(17)) == "{\"f1\":{\"count\":17,\"first\":[\(shown(16))]}}")
    #expect(try text(list(17), isWhole: true) == "{\"f1\":[\(shown(17))]}")
    #expect(try text([8, 0, 10, 2, 1, 2, 8, 3]) == "{\"f1\":[\(shown(4))]}")
    #expect(
      try Self.text([.fixed32], isRepeated: true, [10, 8, 1, 0, 0, 0, 0, 1, 0, 0])
        == #"{"f1":[1,256]}"#)
    #expect(
      try Self.text([.double], isRepeated: true, [10, 8, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
        == #"{"f1":[1.0]}"#)
    #expect(
      try Self.text([.string], isRepeated: true, [10, 1, 0x61, 10, 0]) == #"{"f1":["a",""]}"#)
  }

  @Test func longBytesAreCounted() throws {
    func bytes(_ count: UInt8) -> [UInt8] {
      [10, count] + [UInt8](repeating: 0, count: Int(count))
    }
    let shown = String(repeating: "A", count: 86) + "=="
    #expect(try Self.text([.bytes], bytes(64)) == "{\"f1\":\"\(shown)\"}")
    #expect(try Self.text([.bytes], bytes(65)) == #"{"f1":{"bytes":65}}"#)
    #expect(try Self.text([.bytes], isWhole: true, bytes(65))?.count == 88 + 9)
  }

  /// A message that is cut off, has a group or the number 0, or is one in another too often, is none.
  @Test func whatIsNoMessageIsNotShown() throws {
    for bytes in [
      [8], [8, 0x80], [9, 1, 2, 3, 4, 5, 6, 7], [13, 1, 2, 3], [10, 2, 0], [0, 1], [11], [12],
      [14, 0],
      [8] + [UInt8](repeating: 0x80, count: 10), [10, 1, 0xFF],
    ] as [[UInt8]] {
      #expect(try Self.text([.string], bytes) == nil, "\(bytes)")
    }
    #expect(try Self.text([.uint32], [10, 1, 5]) == nil)
    func nested(_ depth: Int) -> [UInt8] {
      (1..<depth).reduce([]) { inner, _ in
        [10] + (inner.count < 128 ? [UInt8(inner.count)] : [UInt8(inner.count & 127 | 128), 1])
          + inner
      }
    }
    #expect(try Self.text([.message], nested(64)) != nil)
    #expect(try Self.text([.message], nested(65)) == nil)
  }

  @Test func unknownNamesAndDescriptorsAreNothing() throws {
    #expect(ProtobufText([0xFF], isWhole: false) == nil)
    let text = try #require(ProtobufText([], isWhole: false))
    #expect([UInt8]().withUnsafeBytes { text.json($0, name: "t.M") } == nil)
  }
}
