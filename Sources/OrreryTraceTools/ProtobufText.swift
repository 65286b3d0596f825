// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
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
    object(FieldReader(bytes), ".\(name)", depth: 0)
  }

  /// A field's values, as JSON, and how many there were.
  private struct Values {
    var texts: [String] = []
    var count = 0
  }

  private func object(_ reader: FieldReader, _ name: String, depth: Int) -> String? {
    guard depth < Self.depthMax, let fields = messages[name] else { return nil }
    var values: [Int32: Values] = [:]
    var order: [Int32] = []
    var reader = reader
    while !reader.isAtEnd {
      guard let (index, value) = try? reader.next() else { return nil }
      let number = Int32(index)
      guard let field = fields[number] else { continue }
      if values[number] == nil { order.append(number) }
      guard
        add(value, of: reader.message, field, depth: depth, to: &values[number, default: Values()])
      else { return nil }
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
    _ value: FieldReader.Value, of message: UnsafeRawBufferPointer,
    _ field: Google_Protobuf_FieldDescriptorProto, depth: Int, to values: inout Values
  ) -> Bool {
    if case .bytes(let range) = value, field.label == .repeated, let type = Self.packed(field.type)
    {
      var elements = FieldReader(message, in: range)
      while !elements.isAtEnd {
        guard let element = try? elements.value(type),
          add(element, of: message, field, depth: depth, to: &values)
        else { return false }
      }
      return true
    }
    values.count += 1
    // A field that is not repeated counts as its last.
    if field.label != .repeated { values.texts.removeAll() }
    guard isWhole || values.texts.count < Self.shortCount else { return true }
    let json: String? =
      switch value {
      case .bytes(let range): text(FieldReader(message, in: range), field, depth: depth)
      default: value.word.flatMap { text($0, field) }
      }
    guard let json else { return false }
    values.texts.append(json)
    return true
  }

  /// The wire type of the elements of a packed list.
  private static func packed(_ type: Google_Protobuf_FieldDescriptorProto.TypeEnum) -> WireType? {
    switch type {
    case .double, .fixed64, .sfixed64: .fixed64
    case .float, .fixed32, .sfixed32: .fixed32
    case .string, .bytes, .message, .group: nil
    default: .varint
    }
  }

  private func text(_ word: UInt64, _ field: Google_Protobuf_FieldDescriptorProto) -> String? {
    switch field.type {
    case .double: Self.number(Double(bitPattern: word))
    case .float: Self.number(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
    case .int64, .sfixed64: "\(Int64(bitPattern: word))"
    case .int32, .sfixed32: "\(Int32(truncatingIfNeeded: word))"
    case .uint64, .fixed64: "\(word)"
    case .uint32, .fixed32: "\(UInt32(truncatingIfNeeded: word))"
    case .sint32, .sint64: "\(Int64(bitPattern: (word >> 1) ^ (0 &- (word & 1))))"
    case .bool: word == 0 ? "false" : "true"
    case .enum:
      enums[field.typeName]?[Int32(truncatingIfNeeded: word)].map {
        JSONWriter.string($0, .answer)
      } ?? "\(Int32(truncatingIfNeeded: word))"
    default: nil
    }
  }

  private func text(
    _ content: FieldReader, _ field: Google_Protobuf_FieldDescriptorProto, depth: Int
  ) -> String? {
    switch field.type {
    case .string:
      String(validating: content.rest, as: UTF8.self).map { JSONWriter.string($0, .answer) }
    case .bytes:
      isWhole || content.rest.count <= 4 * Self.shortCount
        ? "\"\(Data(content.rest).base64EncodedString())\"" : "{\"bytes\":\(content.rest.count)}"
    case .message: object(content, field.typeName, depth: depth + 1)
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
