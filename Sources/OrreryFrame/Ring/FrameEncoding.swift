// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The seven numbers at the head of a frame, in the order of their field numbers.
///
/// Each is a protobuf `fixed64`: one tag byte and eight bytes, so number n lies at (n − 1) · 9.
package enum FrameField: UInt8, CaseIterable {
  case sequence = 1
  case tick
  case simTimeNs
  case publishTimeNs
  case stateHash
  case layoutHash
  case generation

  /// Bytes of one field with its tag.
  package static var encodedBytes: UInt64 { 9 }

  /// Bytes of all of them.
  package static var allBytes: Int { Int(generation.rawValue) * Int(encodedBytes) }

  private var valueOffset: Int { (Int(rawValue) - 1) * Int(Self.encodedBytes) + 1 }

  private var tag: UInt8 { rawValue << 3 | WireType.fixed64 }

  /// Writes the tag in front of the number.
  func writeTag(to frame: UnsafeMutableRawPointer) {
    frame.storeBytes(of: tag, toByteOffset: valueOffset - 1, as: UInt8.self)
  }

  /// Writes the number.
  func store(_ value: UInt64, to frame: UnsafeMutableRawPointer) {
    frame.storeBytes(of: value.littleEndian, toByteOffset: valueOffset, as: UInt64.self)
  }

  /// Reads the number.
  package func load(from frame: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: frame.loadUnaligned(fromByteOffset: valueOffset, as: UInt64.self))
  }

  /// Whether two frames agree in what all frames of a run share: the tags, and the last two
  /// numbers.
  package static func haveSameConstants(
    _ frame: UnsafeRawPointer, _ other: UnsafeRawPointer
  ) -> Bool {
    let constants = (Int(layoutHash.rawValue) - 1) * Int(encodedBytes)
    for tag in stride(from: 0, to: constants, by: Int(encodedBytes)) {
      guard
        frame.load(fromByteOffset: tag, as: UInt8.self)
          == other.load(fromByteOffset: tag, as: UInt8.self)
      else { return false }
    }
    return memcmp(frame + constants, other + constants, allBytes - constants) == 0
  }
}

/// Protobuf's wire types.
enum WireType {
  static let varint: UInt8 = 0
  static let fixed64: UInt8 = 1
  static let bytes: UInt8 = 2
  static let fixed32: UInt8 = 5
}

/// How a column is encoded in a frame: an `orrery.Column` with padding in front of its values.
enum ColumnEncoding {
  /// Bytes from the end of the preceding part to the first value, without the padding's content:
  /// tag and length of the column, batch, first entity, field, tag and length of the padding, the
  /// unit of 16-bit values, tag and length of the values.
  static func headBytes(_ format: ColumnDescription.Format) -> UInt64 {
    6 + 5 + 5 + 2 + 3 + (format == .float32 ? 0 : 5) + 6
  }

  /// Writes a column's head so that its values begin at the layout's offset.
  static func write(
    _ column: FrameLayout.Column, from start: UInt64, to frame: UnsafeMutableRawPointer
  ) {
    let description = column.description
    var cursor = Cursor(pointer: frame + Int(start))
    cursor.write(8 << 3 | WireType.bytes)
    let bodyBytes = column.valuesOffset + column.valuesBytes - (start + 6)
    cursor.writeLength(bodyBytes, bytes: 5)
    cursor.write(1 << 3 | WireType.fixed32)
    cursor.write(description.batch)
    cursor.write(2 << 3 | WireType.fixed32)
    cursor.write(description.firstEntity)
    cursor.write(3 << 3 | WireType.varint)
    cursor.write(UInt8(description.field))
    let paddingBytes = column.valuesOffset - (start + headBytes(description.format))
    cursor.write(4 << 3 | WireType.bytes)
    cursor.writeLength(paddingBytes, bytes: 2)
    cursor.pointer += Int(paddingBytes)
    switch description.format {
    case .float32:
      cursor.write(5 << 3 | WireType.bytes)
    case .fixed16(let unit):
      cursor.write(6 << 3 | WireType.fixed32)
      cursor.write(unit.bitPattern)
      cursor.write(7 << 3 | WireType.bytes)
    }
    cursor.writeLength(column.valuesBytes, bytes: 5)
    precondition(
      cursor.pointer == frame + Int(column.valuesOffset),
      "column head ends at \(cursor.pointer - frame), values begin at \(column.valuesOffset)")
  }

  /// Writes bytes one after the other.
  private struct Cursor {
    var pointer: UnsafeMutableRawPointer

    mutating func write(_ byte: UInt8) {
      pointer.storeBytes(of: byte, as: UInt8.self)
      pointer += 1
    }

    mutating func write(_ word: UInt32) {
      pointer.storeBytes(of: word.littleEndian, as: UInt32.self)
      pointer += 4
    }

    /// Writes a varint of a fixed number of bytes.
    mutating func writeLength(_ length: UInt64, bytes: Int) {
      precondition(length >> (7 * UInt64(bytes)) == 0, "length \(length) in \(bytes) bytes")
      for index in 0..<bytes {
        let more: UInt8 = index < bytes - 1 ? 0x80 : 0
        write(UInt8(truncatingIfNeeded: length >> (7 * UInt64(index))) & 0x7f | more)
      }
    }
  }
}
