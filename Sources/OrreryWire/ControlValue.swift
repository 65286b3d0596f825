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

extension ControlValue: Codable {
  package init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let value = try? single.decode(String.self) {
      self = .string(value)
    } else if let value = try? single.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? single.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? single.decode(Double.self) {
      self = .number(value)
    } else if let value = try? single.decode([ControlValue].self) {
      self = .array(value)
    } else {
      self = .object(try single.decode([String: ControlValue].self))
    }
  }

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
    guard bytes.count <= ControlRequest.bytesLimit else {
      throw ControlRefusal("\(bytes.count) bytes; at most \(ControlRequest.bytesLimit) are read")
    }
    // An object in another encoding than UTF-8 begins otherwise, or has a zero second.
    guard bytes.first == UInt8(ascii: "{"), !bytes.contains(0) else {
      throw ControlRefusal("not a JSON object in UTF-8")
    }
    // Trying what a value may be takes microseconds: the number of values is bounded before.
    let separators = bytes.count { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }
    guard separators <= Self.valuesLimit else {
      throw ControlRefusal("more than \(Self.valuesLimit) values")
    }
    do {
      self = try JSONDecoder().decode([String: ControlValue].self, from: Data(bytes))
    } catch {
      throw ControlRefusal("not a JSON object of texts, numbers, booleans, lists and objects")
    }
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

  private static var valuesLimit: Int { 1000 }
}
