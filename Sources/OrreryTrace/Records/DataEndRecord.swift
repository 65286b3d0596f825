// SPDX-License-Identifier: Apache-2.0

/// The end of the data section.
struct DataEndRecord {
  /// Bytes of the content, which is never extended.
  static let contentBytes = 4

  /// Bytes of the whole record.
  static let recordBytes = RecordHead.byteCount + contentBytes

  /// Of all bytes before this record; 0: there is none.
  let checksum: UInt32
}

extension DataEndRecord: ContainerRecord {
  static let opcode = TraceOpcode.dataEnd
  static let layout: [FieldSize] = [.bytes(contentBytes)]

  init(_ fields: inout ByteCursor) throws(TraceError) { checksum = try fields.number() }

  func write(to fields: inout RecordBytes) { fields.append(checksum) }
}
