// SPDX-License-Identifier: Apache-2.0

/// The fields of a chunk; its stored records follow.
struct ChunkHead {
  /// Bytes of the content before the name of the compression.
  static let bytesBeforeName = 8 + 8 + 8 + 4

  /// Bytes of a record before its stored records, without the name of the compression.
  private static let bytesWithoutName = RecordHead.byteCount + bytesBeforeName + 4 + 8

  /// Bytes of a record before its stored records.
  static func bytesBeforeData(_ compression: TraceCompression) -> Int {
    bytesWithoutName + compression.mcapName.utf8.count
  }

  /// Most bytes of a record before its stored records.
  static let bytesBeforeDataMax = bytesWithoutName + TraceCompression.nameBytesMax

  /// Earliest log time of its messages, in nanoseconds since 1970; 0 without messages.
  let startNs: UInt64

  /// Latest log time of its messages, in nanoseconds since 1970.
  let endNs: UInt64

  /// Size of the records when decompressed, in bytes.
  let recordBytes: UInt64

  /// Of the records when decompressed; 0: there is none.
  let checksum: UInt32
  let compression: TraceCompression

  /// Size of the stored records, in bytes.
  let storedBytes: UInt64
}

extension ChunkHead: ContainerRecord {
  static let opcode = TraceOpcode.chunk
  static let layout: [FieldSize] = [.bytes(bytesBeforeName), .list, .data]

  init(_ fields: inout ByteCursor) throws(TraceError) {
    startNs = try fields.number()
    endNs = try fields.number()
    recordBytes = try fields.number()
    checksum = try fields.number()
    compression = try fields.compression()
    storedBytes = try fields.number()
  }

  func write(to fields: inout RecordBytes) {
    fields.append(startNs)
    fields.append(endNs)
    fields.append(recordBytes)
    fields.append(checksum)
    fields.append(text: compression.mcapName)
    fields.append(storedBytes)
  }
}

extension ChunkHead {
  /// Offset of the stored records, for the record at an offset.
  func dataOffset(at offset: UInt64) -> UInt64 {
    offset + UInt64(Self.bytesBeforeData(compression))
  }

  /// Refuses a chunk that is not compressed and stores more or fewer bytes than it declares.
  ///
  /// - Throws: `decompression`, with the offset of the record.
  func checkIsStored(at offset: UInt64) throws(TraceError) {
    guard storedBytes == recordBytes else {
      throw .decompression(offset: offset, declared: recordBytes, produced: storedBytes)
    }
  }

  /// Compares the records, decompressed, with their checksum.
  ///
  /// - Throws: `checksum`, with the offset of the record.
  func check(_ records: UnsafeRawBufferPointer, at offset: UInt64) throws(TraceError) {
    let computed = Checksum(records).value
    guard checksum == 0 || checksum == computed else {
      throw .checksum(.chunkRecords, offset: offset, stored: checksum, computed: computed)
    }
  }
}
