// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryDocument
import SwiftProtobuf

/// Writes a protobuf message as JSON, by the descriptors that its trace carries, whoever wrote it.
///
/// Long lists and long bytes are shortened to their count, unless all are asked for.
package final class ProtobufText {
  private var messages: [String: [Int32: Google_Protobuf_FieldDescriptorProto]] = [:]
  private var enums: [String: [Int32: String]] = [:]
  private let isWhole: Bool

  /// Elements of a list, and bytes, that are written.
  private static let shortCount = 16

  /// Levels of messages in messages.
  private static let depthMax = 64

  /// Reads descriptors; nil if they cannot be read.
  ///
  /// - Parameters:
  ///   - descriptors: A FileDescriptorSet.
  ///   - isWhole: Whether long lists are written in full.
  package init?(_ descriptors: [UInt8], isWhole: Bool) {
    self.isWhole = isWhole
    guard let set = try? Google_Protobuf_FileDescriptorSet(serializedBytes: descriptors) else {
      return nil
    }
    for file in set.file {
      let prefix = file.package.isEmpty ? "" : ".\(file.package)"
      for message in file.messageType { add(message, prefix) }
      for one in file.enumType { add(one, prefix) }
    }
  }

  private func add(_ message: Google_Protobuf_DescriptorProto, _ prefix: String) {
    let name = "\(prefix).\(message.name)"
    messages[name] = Dictionary(message.field.map { ($0.number, $0) }) { first, _ in first }
    for nested in message.nestedType { add(nested, name) }
    for one in message.enumType { add(one, name) }
  }

  private func add(_ one: Google_Protobuf_EnumDescriptorProto, _ prefix: String) {
    enums["\(prefix).\(one.name)"] = Dictionary(one.value.map { ($0.number, $0.name) }) {
      first, _ in first
    }
  }

  /// A message as a JSON object.
  ///
  /// - Parameters:
  ///   - bytes: The encoded message.
  ///   - name: Full name of the message, without a dot before it.
  /// - Returns: Nil if the name is unknown, or the bytes are not such a message.
  package func json(_ bytes: UnsafeRawBufferPointer, name: String) -> String? {
    object(bytes, ".\(name)", depth: 0)
  }

  /// A field's values, as JSON, and how many there were.
  private struct Values {
    var texts: [String] = []
    var count = 0
  }

  private func object(_ bytes: UnsafeRawBufferPointer, _ name: String, depth: Int) -> String? {
    guard depth < Self.depthMax, let fields = messages[name] else { return nil }
    var values: [Int32: Values] = [:]
    var order: [Int32] = []
    var wire = ProtobufWire(bytes)
    while wire.hasMore {
      guard let (number, type) = wire.key(), let value = wire.value(type) else { return nil }
      guard let field = fields[number] else { continue }
      if values[number] == nil { order.append(number) }
      guard add(value, field, depth: depth, to: &values[number, default: Values()]) else {
        return nil
      }
    }
    let members = order.sorted().compactMap { number -> String? in
      guard let field = fields[number], let found = values[number] else { return nil }
      let key = JSONWriter.string(field.name, .answer) + ":"
      guard field.label == .repeated else { return found.texts.last.map { key + $0 } }
      if found.count > found.texts.count {
        return key + "{\"count\":\(found.count),\"first\":[\(found.texts.joined(separator: ","))]}"
      }
      return key + "[" + found.texts.joined(separator: ",") + "]"
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func add(
    _ value: ProtobufWire.Value, _ field: Google_Protobuf_FieldDescriptorProto, depth: Int,
    to values: inout Values
  ) -> Bool {
    if case .bytes(let bytes) = value, field.label == .repeated, let type = Self.packed(field.type)
    {
      var wire = ProtobufWire(bytes)
      while wire.hasMore {
        guard let element = wire.value(type) else { return false }
        guard add(element, field, depth: depth, to: &values) else { return false }
      }
      return true
    }
    values.count += 1
    // A field that is not repeated counts as its last.
    if field.label != .repeated { values.texts.removeAll() }
    guard isWhole || values.texts.count < Self.shortCount else { return true }
    guard let text = text(value, field, depth: depth) else { return false }
    values.texts.append(text)
    return true
  }

  /// The wire type of the elements of a packed list.
  private static func packed(_ type: Google_Protobuf_FieldDescriptorProto.TypeEnum) -> UInt8? {
    switch type {
    case .double, .fixed64, .sfixed64: 1
    case .float, .fixed32, .sfixed32: 5
    case .string, .bytes, .message, .group: nil
    default: 0
    }
  }

  private func text(
    _ value: ProtobufWire.Value, _ field: Google_Protobuf_FieldDescriptorProto, depth: Int
  ) -> String? {
    switch (field.type, value) {
    case (.double, .word(let word)): Self.number(Double(bitPattern: word))
    case (.float, .word(let word)): Self.number(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
    case (.int64, .word(let word)), (.sfixed64, .word(let word)): "\(Int64(bitPattern: word))"
    case (.int32, .word(let word)), (.sfixed32, .word(let word)):
      "\(Int32(truncatingIfNeeded: word))"
    case (.uint64, .word(let word)), (.fixed64, .word(let word)): "\(word)"
    case (.uint32, .word(let word)), (.fixed32, .word(let word)):
      "\(UInt32(truncatingIfNeeded: word))"
    case (.sint32, .word(let word)), (.sint64, .word(let word)):
      "\(Int64(bitPattern: (word >> 1) ^ (0 &- (word & 1))))"
    case (.bool, .word(let word)): word == 0 ? "false" : "true"
    case (.enum, .word(let word)):
      enums[field.typeName]?[Int32(truncatingIfNeeded: word)].map {
        JSONWriter.string($0, .answer)
      } ?? "\(Int32(truncatingIfNeeded: word))"
    case (.string, .bytes(let bytes)):
      String(validating: bytes, as: UTF8.self).map { JSONWriter.string($0, .answer) }
    case (.bytes, .bytes(let bytes)):
      isWhole || bytes.count <= 4 * Self.shortCount
        ? "\"\(Data(bytes).base64EncodedString())\"" : "{\"bytes\":\(bytes.count)}"
    case (.message, .bytes(let bytes)): object(bytes, field.typeName, depth: depth + 1)
    default: nil
    }
  }

  /// Numbers that JSON does not have are texts.
  private static func number<Number: BinaryFloatingPoint & CustomStringConvertible>(
    _ value: Number
  ) -> String {
    value.isFinite ? "\(value)" : "\"\(value)\""
  }
}

/// The fields of an encoded message, one after another.
private struct ProtobufWire {
  enum Value {
    case word(UInt64)
    case bytes(UnsafeRawBufferPointer)
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var hasMore: Bool { position < bytes.count }

  mutating func key() -> (number: Int32, type: UInt8)? {
    guard let word = varint(), word >> 3 > 0, word >> 3 < 1 << 29 else { return nil }
    return (Int32(word >> 3), UInt8(word & 7))
  }

  /// The value of a wire type; nil for one that is cut off, or a group.
  mutating func value(_ type: UInt8) -> Value? {
    switch type {
    case 0: return varint().map { .word($0) }
    case 1: return fixed(8).map { .word($0) }
    case 5: return fixed(4).map { .word($0) }
    case 2:
      guard let count = varint(), count <= UInt64(bytes.count - position) else { return nil }
      defer { position += Int(count) }
      return .bytes(UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(count)]))
    default: return nil
    }
  }

  private mutating func varint() -> UInt64? {
    var word: UInt64 = 0
    for shift in 0..<10 {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      position += 1
      word |= UInt64(byte & 0x7F) << UInt64(7 * shift)
      if byte < 0x80 { return word }
    }
    return nil
  }

  private mutating func fixed(_ count: Int) -> UInt64? {
    guard bytes.count - position >= count else { return nil }
    defer { position += count }
    return (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[position + $1]) }
  }
}
