// SPDX-License-Identifier: Apache-2.0

/// Turns filled chunks into bytes of the file, one after another.
///
///     store  | lead | room for the chunk's head | schemas, channels, messages ... | message indexes |
///     packed |      | room for the chunk's head | the same records, compressed    | message indexes |
///
/// Head, records and indexes then lie side by side and are written together.
struct ChunkSealer: ~Copyable {
  /// A chunk ready to be written.
  struct Sealed {
    /// The Chunk record and its MessageIndex records; valid until the buffer is next changed.
    let bytes: UnsafeRawBufferPointer

    /// The memory before them, up to a block of the file; nil if its blocks are not the file's.
    let lead: UnsafeMutableRawBufferPointer?

    /// Checksum of the whole file with these bytes.
    let checksum: Checksum

    /// The ChunkIndex record for the summary.
    let index: RecordBytes
  }

  /// Compression and size of the stored records of a chunk.
  private struct Storage {
    let compression: TraceCompression
    let byteCount: Int
  }

  /// Bytes of a Chunk record's content before its records, without the name of the compression.
  private static let fieldBytes = 8 + 8 + 8 + 4 + 4 + 8

  /// Bytes of a Chunk record before its records.
  static func headBytes(_ compression: TraceCompression) -> Int {
    TraceFormat.recordHeadBytes + fieldBytes + compression.mcapName.utf8.count
  }

  /// Makes the chunk's bytes, for a file that ends at `position`.
  ///
  /// The chunk must be cleared before it is filled again.
  mutating func seal(_ buffer: ChunkBuffer, at position: TraceOutput.Position) -> Sealed {
    let offset = position.offset
    let recordCount = buffer.chunk.recordBytes
    let packed = buffer.packed
    let storage =
      packed.map { Storage(compression: $0.compression, byteCount: $0.byteCount) }
      ?? Storage(compression: .none, byteCount: recordCount)
    let head = Self.head(of: buffer.chunk, storage)
    let chunkBytes = head.count + storage.byteCount
    let (indexes, indexOffsets) = Self.messageIndexes(
      of: buffer.chunk, at: offset + UInt64(chunkBytes))
    var total = position.checksum
    head.withUnsafeBytes { total.update($0) }
    let bytes: UnsafeRawBufferPointer
    var lead: UnsafeMutableRawBufferPointer?
    if let packed {
      Self.enclose(&buffer.packedStore, head: head, start: 0, tail: indexes)
      bytes = buffer.packedStore.bytes
      total.append(packed.checksum, byteCount: packed.byteCount)
    } else {
      let start = buffer.chunk.lead
      Self.enclose(&buffer.chunk.store, head: head, start: start, tail: indexes)
      bytes = UnsafeRawBufferPointer(rebasing: buffer.chunk.store.bytes[start...])
      if start == Int(offset % UInt64(AlignedBytes.blockBytes)) {
        lead = buffer.chunk.store.front(start)
      }
      total.append(buffer.chunk.recordsChecksum, byteCount: recordCount)
    }
    indexes.withUnsafeBytes { total.update($0) }
    var index = RecordBytes()
    index.append(record: .chunkIndex) { fields in
      fields.append(buffer.chunk.startNs)
      fields.append(buffer.chunk.endNs)
      fields.append(offset)
      fields.append(UInt64(chunkBytes))
      fields.append(map: indexOffsets)
      fields.append(UInt64(indexes.count))
      fields.append(text: storage.compression.mcapName)
      fields.append(UInt64(storage.byteCount))
      fields.append(UInt64(recordCount))
    }
    return Sealed(bytes: bytes, lead: lead, checksum: total, index: index)
  }

  private static func enclose(
    _ store: inout ByteStore, head: RecordBytes, start: Int, tail: RecordBytes
  ) {
    head.withUnsafeBytes { store.replace(at: start, with: $0) }
    tail.withUnsafeBytes { store.append($0) }
  }

  private static func head(of chunk: borrowing ChunkBuilder, _ storage: Storage) -> RecordBytes {
    var head = RecordBytes()
    head.append(TraceOpcode.chunk.rawValue)
    let name = storage.compression.mcapName
    head.append(UInt64(fieldBytes + name.utf8.count + storage.byteCount))
    head.append(chunk.startNs)
    head.append(chunk.endNs)
    head.append(UInt64(chunk.recordBytes))
    head.append(chunk.recordsChecksum.value)
    head.append(text: name)
    head.append(UInt64(storage.byteCount))
    return head
  }

  private static func messageIndexes(
    of chunk: borrowing ChunkBuilder, at fileOffset: UInt64
  ) -> (records: RecordBytes, offsets: [TraceChannelID: UInt64]) {
    var records = RecordBytes()
    var offsets: [TraceChannelID: UInt64] = [:]
    for (number, entries) in chunk.entries.enumerated() where !entries.isEmpty {
      let channel = TraceChannelID(number: UInt16(number + 1))
      offsets[channel] = fileOffset + UInt64(records.count)
      records.append(record: .messageIndex) { fields in
        fields.append(channel.number)
        fields.append(UInt32(entries.count * (8 + 8)))
        for entry in entries {
          fields.append(entry.logTimeNs)
          fields.append(entry.offset)
        }
      }
    }
    return (records, offsets)
  }
}
