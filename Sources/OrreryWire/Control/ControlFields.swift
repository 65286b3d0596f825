// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument

extension DocumentValue {
  /// A 64-bit word that is not a count, such as a hash: a string of sixteen hexadecimal digits.
  package static func word(_ value: UInt64) -> DocumentValue { .string(hexadecimal(value)) }

  /// A count or a sequence, clamped to the signed integers that JSON readers support.
  package static func count(_ value: UInt64) -> DocumentValue {
    .integer(Int64(clamping: value))
  }

  /// The value of `word`; nil if it is none.
  package var wordValue: UInt64? {
    guard let string, string.utf8.count == 16 else { return nil }
    return UInt64(string, radix: 16)
  }

  /// The value of `count`, a whole number from 0; nil if it is none.
  package var countValue: UInt64? { integer.flatMap { UInt64(exactly: $0) } }

  /// Whether it is null, or an array or a table with a null somewhere.
  fileprivate var hasNull: Bool {
    switch self {
    case .null: true
    case .array(let array): array.elements.contains(where: \.hasNull)
    case .table(let table): table.members.contains(where: \.value.hasNull)
    default: false
    }
  }
}

/// The fields of a control message.
extension [String: DocumentValue] {
  /// Reads one JSON object.
  ///
  /// - Parameter bytes: Untrusted bytes. Over 64 KiB, more than a thousand values, or anything but
  ///   one object in UTF-8 is refused; so is null, and what `JSONParser` refuses.
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
    let object = try? JSONParser.parse([UInt8](bytes))
    guard let table = object?.table, !table.members.contains(where: \.value.hasNull) else {
      throw ControlRefusal("not a JSON object of texts, numbers, booleans, lists and objects")
    }
    self.init(uniqueKeysWithValues: table.members.map { ($0.key, $0.value) })
  }

  /// Reads an object from an array.
  package init(json bytes: [UInt8]) throws(ControlRefusal) {
    let read = bytes.withUnsafeBytes { buffer in
      Result { () throws(ControlRefusal) in try Self(json: buffer) }
    }
    self = try read.get()
  }

  /// One line of JSON.
  package var json: [UInt8] { JSONWriter.bytes(.table(DocumentTable(self)), .message) }

  private static var valuesMax: Int { 1000 }
}
