// SPDX-License-Identifier: Apache-2.0

import CFrameLayout

/// A layout as `ring_column` entries, as it is stored in a ring and sent to other machines.
extension FrameLayout {
  /// The entries, one after the other.
  package var columnTable: [UInt8] {
    columns.flatMap { column in
      withUnsafeBytes(
        of: ring_column(
          batch: column.description.batch, field: column.description.field,
          first_entity: column.description.firstEntity,
          value_count: column.description.valueCount, values_offset: column.valuesOffset,
          format: column.description.format.code, unit: column.description.format.unit)
      ) { Array($0) }
    }
  }

  /// Computes a layout from entries and compares it with their offsets.
  ///
  /// - Parameter table: Whole entries, from an untrusted source.
  /// - Throws: `FrameError.corruptHeader` where an entry is wrong, `frameTooLarge`.
  package init(columnTable table: UnsafeRawBufferPointer) throws(FrameError) {
    let stride = MemoryLayout<ring_column>.stride
    guard table.count % stride == 0, table.count / stride <= Self.columnsMax else {
      throw .corruptHeader(field: "columns", value: UInt64(table.count))
    }
    var descriptions: [ColumnDescription] = []
    var valuesOffsets: [UInt64] = []
    for index in 0..<table.count / stride {
      let entry = table.loadUnaligned(fromByteOffset: index * stride, as: ring_column.self)
      guard (1...127).contains(entry.field) else {
        throw .corruptHeader(field: "columns[\(index)].field", value: UInt64(entry.field))
      }
      guard let format = ColumnDescription.Format(code: entry.format, unit: entry.unit) else {
        throw .corruptHeader(field: "columns[\(index)].format", value: UInt64(entry.format))
      }
      descriptions.append(
        ColumnDescription(
          batch: entry.batch, field: entry.field, firstEntity: entry.first_entity,
          valueCount: entry.value_count, format: format))
      valuesOffsets.append(entry.values_offset)
    }
    try self.init(columns: descriptions)
    for (index, column) in columns.enumerated()
    where column.valuesOffset != valuesOffsets[index] {
      throw .corruptHeader(
        field: "columns[\(index)].values_offset", value: valuesOffsets[index])
    }
  }
}

extension FrameLayout {
  /// The version of ring bytes and column tables; both sides must have the same.
  package static let version = FRAME_LAYOUT_VERSION
}
