// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// A JSON value of a control message; null is not allowed.
package enum ControlValue: Equatable, Sendable {
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([ControlValue])
  case object([String: ControlValue])

  /// A 64-bit word that is not a count, such as a hash: a string of sixteen hexadecimal digits.
  package static func word(_ value: UInt64) -> ControlValue { .string(hexadecimal(value)) }

  /// A count or a sequence, clamped to the signed integers that JSON readers support.
  package static func count(_ value: UInt64) -> ControlValue {
    .integer(Int64(clamping: value))
  }
}

extension ControlValue {
  /// Converts a value of `JSONSerialization`; nil for null.
  fileprivate init?(_ value: Any) {
    switch value {
    case let text as String:
      self = .string(text)
    case let number as NSNumber:
      // Foundation stores a boolean as a number; only its type tells it apart.
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
  /// Writes the value as JSON.
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
  /// - Parameter bytes: Untrusted bytes. Over 64 KiB, more than a thousand values, or anything but
  ///   one object in UTF-8 is refused. Foundation's parser limits the depth.
  /// - Throws: `ControlRefusal` with the reason.
  package init(json bytes: UnsafeRawBufferPointer) throws(ControlRefusal) {
    guard bytes.count <= ControlRequest.bytesMax else {
      throw ControlRefusal("\(bytes.count) bytes; at most \(ControlRequest.bytesMax) are read")
    }
    // In UTF-16 and UTF-32 an object begins with another byte, or contains a zero byte.
    guard bytes.first == UInt8(ascii: "{"), !bytes.contains(0) else {
      throw ControlRefusal("not a JSON object in UTF-8")
    }
    // Parsing time grows with the number of values, so it is limited before parsing.
    let separators = bytes.count { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }
    guard separators <= Self.valuesMax else {
      throw ControlRefusal("more than \(Self.valuesMax) values")
    }
    // Four times as fast as `Decodable`, which tries each type for each value.
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
