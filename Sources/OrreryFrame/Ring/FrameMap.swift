// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import OrreryBase

/// Where the parts of an encoded `orrery.Frame` lie, whoever encoded it.
package struct FrameMap {
  /// A column.
  package struct Column {
    /// Offset of the first value.
    package fileprivate(set) var offset: Int
    /// Values.
    package fileprivate(set) var count = 0
    /// Bytes of a value: 2 or 4.
    package fileprivate(set) var valueBytes = 4

    fileprivate var batch: UInt32 = 0
    fileprivate var firstEntity: UInt32 = 0
    fileprivate var field: UInt64 = 0
    fileprivate var unit: Float = 0
  }

  /// Offsets of the seven numbers, by `FrameField`.
  package private(set) var numbers: [Int]

  /// In the order of the frame.
  package private(set) var columns: [Column] = []

  /// Reads the heads of a frame.
  ///
  /// - Parameter frame: Any bytes.
  /// - Throws: `Fault`: it is no frame, lacks a number, has too many columns, or its values are not packed.
  package init(_ frame: UnsafeRawBufferPointer) throws(FieldReader.Fault) {
    numbers = Array(repeating: -1, count: FrameField.allCases.count)
    var fields = FieldReader(frame)
    var start = 0
    while let (number, value) = try fields.next() {
      switch value {
      case .fixed64 where number <= numbers.count: numbers[number - 1] = fields.offset - 8
      case .bytes(let range) where number == 8 && columns.count < FrameLayout.columnsMax:
        columns.append(try Self.column(frame, range))
      default: throw FieldReader.Fault(offset: start)
      }
      start = fields.offset
    }
    guard !numbers.contains(-1) else { throw FieldReader.Fault(offset: frame.count) }
  }

  private static func column(
    _ frame: UnsafeRawBufferPointer, _ range: Range<Int>
  ) throws(FieldReader.Fault) -> Column {
    var column = Column(offset: range.upperBound)
    var fields = FieldReader(frame, in: range)
    var (start, hasValues) = (range.lowerBound, false)
    while let (number, value) = try fields.next() {
      switch (number, value) {
      case (1, .fixed32(let batch)): column.batch = batch
      case (2, .fixed32(let entity)): column.firstEntity = entity
      case (3, .varint(let field)): column.field = field
      case (4, .bytes): break
      case (6, .fixed32(let bits)): column.unit = Float(bitPattern: bits)
      case (5, .bytes(let values)) where !hasValues && values.count % 4 == 0:
        (column.offset, column.count, hasValues) = (values.lowerBound, values.count / 4, true)
      case (7, .bytes(let values)) where !hasValues && values.count % 2 == 0:
        (column.offset, column.count, hasValues) = (values.lowerBound, values.count / 2, true)
        column.valueBytes = 2
      default: throw FieldReader.Fault(offset: start)
      }
      start = fields.offset
    }
    return column
  }

  /// Reads one of the seven numbers.
  package func number(_ field: FrameField, in frame: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(
      littleEndian: frame.loadUnaligned(
        fromByteOffset: numbers[Int(field.rawValue) - 1], as: UInt64.self))
  }

  /// The layout of frames with these columns; nil if there is none.
  ///
  /// The frame has it only if its columns also lie where the layout has them.
  package var layout: FrameLayout? {
    let descriptions = columns.compactMap(\.description)
    guard descriptions.count == columns.count else { return nil }
    return try? FrameLayout(columns: descriptions)
  }
}

extension FrameMap.Column {
  /// What the column says of itself; nil if no column may have that.
  fileprivate var description: ColumnDescription? {
    let code = unit.bitPattern == 0 ? COLUMN_FLOAT32 : COLUMN_FIXED16
    guard (1...127).contains(field), let valueCount = UInt32(exactly: count),
      let format = ColumnDescription.Format(code: UInt32(code), unit: unit),
      format.valueBytes == UInt64(valueBytes)
    else { return nil }
    return ColumnDescription(
      batch: batch, field: UInt32(field), firstEntity: firstEntity, valueCount: valueCount,
      format: format)
  }
}
