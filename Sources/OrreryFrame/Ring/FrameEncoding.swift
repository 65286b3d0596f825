// SPDX-License-Identifier: Apache-2.0

import OrreryBase

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

  /// Bytes of the first five, which are others in each frame.
  static var changingBytes: Int { (Int(layoutHash.rawValue) - 1) * Int(encodedBytes) }

  private var valueOffset: Int { (Int(rawValue) - 1) * Int(Self.encodedBytes) + 1 }

  /// All of them, of which the five that change are 0.
  package static func head(layoutHash: UInt64, generation: UInt64) -> FieldWriter {
    var fields = FieldWriter()
    for field in allCases {
      let value: UInt64 =
        switch field {
        case .layoutHash: layoutHash
        case .generation: generation
        default: 0
        }
      fields.append(Int(field.rawValue), fixed64: value)
    }
    return fields
  }

  /// Writes the number.
  func store(_ value: UInt64, to frame: UnsafeMutableRawPointer) {
    frame.storeBytes(of: value.littleEndian, toByteOffset: valueOffset, as: UInt64.self)
  }

  /// Reads the number.
  package func load(from frame: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: frame.loadUnaligned(fromByteOffset: valueOffset, as: UInt64.self))
  }
}

/// How a column is encoded in a frame: an `orrery.Column` with padding in front of its values.
enum ColumnEncoding {
  /// Bytes from the end of the preceding part to the first value, without the padding's content:
  /// tag and length of the column, batch, first entity, field, tag and length of the padding, the
  /// unit of 16-bit values, tag and length of the values.
  static func headBytes(_ format: ColumnDescription.Format) -> UInt64 {
    6 + 5 + 5 + 2 + 3 + (format == .float32 ? 0 : 5) + 6
  }

  /// A column's head: the bytes in front of its values, so that these begin at the layout's offset.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - start: End of the preceding part.
  /// - Returns: The bytes from there to the first value.
  static func head(of column: FrameLayout.Column, from start: UInt64) -> [UInt8] {
    let description = column.description
    let valuesBytes = Int(column.valuesBytes)
    let byteCount = Int(column.valuesOffset - start)
    let paddingBytes = byteCount - Int(headBytes(description.format))
    var fields = FieldWriter(reserving: byteCount)
    fields.append(8, length: byteCount - 6 + valuesBytes, in: 5)
    fields.append(1, fixed32: description.batch)
    fields.append(2, fixed32: description.firstEntity)
    fields.append(3, varint: UInt64(description.field))
    fields.append(4, length: paddingBytes, in: 2)
    fields.append(zeros: paddingBytes)
    switch description.format {
    case .float32: fields.append(5, length: valuesBytes, in: 5)
    case .fixed16(let unit):
      fields.append(6, fixed32: unit.bitPattern)
      fields.append(7, length: valuesBytes, in: 5)
    }
    precondition(
      fields.bytes.count == byteCount,
      "a column head of \(fields.bytes.count) bytes from \(start), values begin at \(column.valuesOffset)"
    )
    return fields.bytes
  }
}
