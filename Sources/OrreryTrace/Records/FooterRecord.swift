// SPDX-License-Identifier: Apache-2.0

/// The last record of a file.
struct FooterRecord {
  /// Bytes of the content, which is never extended.
  static let contentBytes = 8 + 8 + 4

  /// Bytes of the whole record.
  static let recordBytes = RecordHead.byteCount + contentBytes

  /// Bytes of the record that the checksum covers: all but itself.
  static let summedBytes = recordBytes - 4

  /// Offset of the first record behind DataEnd; 0 if there is none but this.
  let summaryStart: UInt64

  /// Offset of the first SummaryOffset; 0 if there is none.
  let summaryOffsetStart: UInt64

  /// Of the summary and of this record; 0: there is none.
  var checksum: UInt32
}

extension FooterRecord: ContainerRecord {
  static let opcode = TraceOpcode.footer

  init(_ fields: inout ByteCursor) throws(TraceError) {
    summaryStart = try fields.number()
    summaryOffsetStart = try fields.number()
    checksum = try fields.number()
  }

  func write(to fields: inout RecordBytes) {
    fields.append(summaryStart)
    fields.append(summaryOffsetStart)
    fields.append(checksum)
  }
}
