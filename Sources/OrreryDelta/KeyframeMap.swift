// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// Where the parts of an encoded `orrery.Frame` lie.
struct KeyframeMap {
  /// A column's values.
  struct Column {
    /// Offset of the first value.
    let offset: Int
    let count: Int
    /// Bytes of a value: 2 or 4.
    let valueBytes: Int
  }

  /// Offsets of the seven numbers, by `FrameField`.
  private(set) var numbers: [Int]

  private(set) var columns: [Column] = []

  /// Reads the heads of a frame.
  ///
  /// - Parameter frame: Any bytes.
  /// - Throws: `malformed`: it is no frame, lacks a number, or its values are not packed.
  init(_ frame: UnsafeRawBufferPointer) throws(DeltaError) {
    numbers = Array(repeating: -1, count: FrameField.allCases.count)
    var fields = FieldCursor(frame)
    while true {
      let start = fields.offset
      guard let field = try fields.next() else { break }
      switch field.value {
      case .fixed64 where (1...numbers.count).contains(Int(clamping: field.number)):
        numbers[Int(field.number) - 1] = fields.offset - 8
      case .bytes(let range) where field.number == 8:
        columns.append(try Self.column(frame, range))
      default: throw .malformed(offset: start)
      }
    }
    guard !numbers.contains(-1) else { throw .malformed(offset: frame.count) }
  }

  private static func column(
    _ frame: UnsafeRawBufferPointer, _ range: Range<Int>
  ) throws(DeltaError) -> Column {
    var fields = FieldCursor(frame, in: range)
    var values: (range: Range<Int>, valueBytes: Int)?
    while true {
      let start = fields.offset
      guard let field = try fields.next() else { break }
      switch (field.number, field.value) {
      case (1, .fixed32), (2, .fixed32), (3, .varint), (4, .bytes), (6, .fixed32): break
      case (5, .bytes(let range)) where values == nil && range.count % 4 == 0:
        values = (range, 4)
      case (7, .bytes(let range)) where values == nil && range.count % 2 == 0:
        values = (range, 2)
      default: throw .malformed(offset: start)
      }
    }
    guard let values else { return Column(offset: range.upperBound, count: 0, valueBytes: 4) }
    return Column(
      offset: values.range.lowerBound, count: values.range.count / values.valueBytes,
      valueBytes: values.valueBytes)
  }

  /// Reads one of the seven numbers.
  func number(_ field: FrameField, in frame: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(
      littleEndian: frame.loadUnaligned(
        fromByteOffset: numbers[Int(field.rawValue) - 1], as: UInt64.self))
  }
}
