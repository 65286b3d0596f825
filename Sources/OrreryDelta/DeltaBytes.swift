// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// The fixed parts of an encoded `orrery.DeltaFrame`.
///
///     0        9             63                  72
///     | seven numbers, as in | tag base_sequence | tag len₅ | column | tag len₅ | column | …
///     | a Frame              |                   |
enum DeltaBytes {
  /// Bytes in front of the columns.
  static var headBytes: Int { FrameField.allBytes + Int(FrameField.encodedBytes) }

  /// Tag and length in front of each column.
  static let columnHeadBytes = 6

  /// What is in front of the columns, with what all messages of a layout have in common.
  static func head(layoutHash: UInt64, generation: UInt64) -> [UInt8] {
    var fields = FrameField.head(layoutHash: layoutHash, generation: generation)
    fields.append(8, fixed64: 0)
    return fields.bytes
  }

  /// Writes the numbers of one message into its head.
  static func write(
    _ stamp: FrameStamp, sequence: UInt64, base: UInt64, to message: UnsafeMutableRawPointer
  ) {
    stamp.write(sequence: sequence, to: message)
    message.storeBytes(
      of: base.littleEndian, toByteOffset: FrameField.allBytes + 1, as: UInt64.self)
  }

  /// The field of a column's packed changes.
  ///
  /// Readers of the older form, which know no predictors, know `columns` only and refuse the other one.
  enum ColumnField: Int {
    case columns = 9
    case predictedColumns = 10
  }

  /// Writes tag and length of a column.
  static func writeColumnHead(
    of field: ColumnField, byteCount: Int, to message: UnsafeMutableRawPointer
  ) {
    message.storeHead(of: field.rawValue, length: byteCount, in: columnHeadBytes - 1)
  }
}
