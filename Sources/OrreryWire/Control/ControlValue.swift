// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// A value of a control message, as JSON has them; there is no null.
package enum ControlValue: Equatable, Sendable {
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([ControlValue])
  case object([String: ControlValue])

  /// A word that is no count, as JSON carries it: sixteen hexadecimal digits.
  package static func word(_ value: UInt64) -> ControlValue { .string(hexadecimal(value)) }

  /// A count or a sequence, which JSON's readers take for a signed number.
  package static func count(_ value: UInt64) -> ControlValue {
    .integer(Int64(clamping: value))
  }
}

extension ControlValue {
  /// What `JSONSerialization` makes of a value; nil for null.
  fileprivate init?(_ value: Any) {
    switch value {
    case let text as String:
      self = .string(text)
    case let number as NSNumber:
      // A boolean is a number here, and says so by its type only.
      switch String(cString: number.objCType) {
      case "c", "B": self = .bool(number.boolValue)
      case "d", "f", "Q": self = .number(number.doubleValue)
      default: self = .integer(number.int64Value)
      }
    case let list as [Any]:
      let values = list.compactMap { ControlValue($0) }
      guard values.count == list.count else { return nil }
      self = .array(values)
    case let object as [String: Any]:
      let values = object.compactMapValues { ControlValue($0) }
      guard values.count == object.count else { return nil }
      self = .object(values)
    default:
      return nil
    }
  }
}

extension ControlValue: Encodable {
  /// Writes it as JSON has it.
  package func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    switch self {
    case .bool(let value): try single.encode(value)
    case .integer(let value): try single.encode(value)
    case .number(let value): try single.encode(value)
    case .string(let value): try single.encode(value)
    case .array(let value): try single.encode(value)
    case .object(let value): try single.encode(value)
    }
  }
}

extension [String: ControlValue] {
  /// Reads one JSON object.
  ///
  /// - Parameter bytes: Of somebody who may be hostile: over 64 KiB, more than a thousand values, or
  ///   anything but one object of UTF-8 is refused. Foundation's parser bounds the depth.
  /// - Throws: `ControlRefusal` with the reason.
  package init(json bytes: UnsafeRawBufferPointer) throws(ControlRefusal) {
    guard bytes.count <= ControlRequest.bytesMax else {
      throw ControlRefusal("\(bytes.count) bytes; at most \(ControlRequest.bytesMax) are read")
    }
    // An object in another encoding than UTF-8 begins otherwise, or has a zero second.
    guard bytes.first == UInt8(ascii: "{"), !bytes.contains(0) else {
      throw ControlRefusal("not a JSON object in UTF-8")
    }
    // The number of values is what reading them takes time for: it is bounded before.
    let separators = bytes.count { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }
    guard separators <= Self.valuesMax else {
      throw ControlRefusal("more than \(Self.valuesMax) values")
    }
    // Four times as fast as decoding into a type of ours, which asks each value what it may be.
    let object = try? JSONSerialization.jsonObject(with: Data(bytes))
    guard let object, case .object(let fields) = ControlValue(object) else {
      throw ControlRefusal("not a JSON object of texts, numbers, booleans, lists and objects")
    }
    self = fields
  }

  /// One line of JSON.
  package var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let data = try? encoder.encode(self) else {
      preconditionFailure("\(self) cannot be encoded")
    }
    return Array(data)
  }

  private static var valuesMax: Int { 1000 }
}
