// SPDX-License-Identifier: Apache-2.0

/// Turns filled chunks into bytes of the file, one after another.
///
///     store      | room for the chunk's head | schemas, channels, messages ...   | message indexes |
///     compressed | room for the chunk's head | the same records, compressed      | message indexes |
///
/// Head, records and indexes then lie side by side and are written in one call.
struct ChunkSealer: ~Copyable {
  /// A chunk ready to be written.
  struct Sealed {
    /// The Chunk record and its MessageIndex records; valid until chunk or sealer are next changed.
    let bytes: UnsafeRawBufferPointer

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

  private let compressor: ChunkCompressor
  private var compressed = ByteStore(capacity: 0)

  /// Bytes of a Chunk record's content before its records, without the name of the compression.
  private static let fieldBytes = 8 + 8 + 8 + 4 + 4 + 8

  init(_ compression: TraceCompression) { compressor = ChunkCompressor(compression) }

  /// Makes the chunk's bytes, for a file of `offset` bytes with `checksum`.
  ///
  /// The chunk must be cleared before it is filled again.
  mutating func seal(_ chunk: inout ChunkBuilder, offset: UInt64, checksum: Checksum) -> Sealed {
    let recordCount = chunk.recordBytes
    compressed.truncate(to: 0)
    _ = compressed.room(for: ChunkBuilder.headRoom)
    compressed.commit(ChunkBuilder.headRoom)
    let isCompressed = compressor.compress(chunk.records, into: &compressed)
    let storage =
      isCompressed
      ? Storage(
        compression: compressor.compression, byteCount: compressed.count - ChunkBuilder.headRoom)
      : Storage(compression: .none, byteCount: recordCount)

    let head = Self.head(of: chunk, storage)
    let start = ChunkBuilder.headRoom - head.count
    let chunkBytes = head.count + storage.byteCount
    let (indexes, indexOffsets) = Self.messageIndexes(of: chunk, at: offset + UInt64(chunkBytes))
    var total = checksum
    let bytes: UnsafeRawBufferPointer
    if isCompressed {
      Self.enclose(&compressed, head: head, start: start, tail: indexes)
      bytes = UnsafeRawBufferPointer(rebasing: compressed.bytes[start...])
      total.update(bytes)
    } else {
      Self.enclose(&chunk.store, head: head, start: start, tail: indexes)
      bytes = UnsafeRawBufferPointer(rebasing: chunk.store.bytes[start...])
      head.withUnsafeBytes { total.update($0) }
      total.append(chunk.recordsChecksum, byteCount: recordCount)
      indexes.withUnsafeBytes { total.update($0) }
    }
    var index = RecordBytes()
    index.append(record: .chunkIndex) { fields in
      fields.append(chunk.startNs)
      fields.append(chunk.endNs)
      fields.append(offset)
      fields.append(UInt64(chunkBytes))
      fields.append(map: indexOffsets)
      fields.append(UInt64(indexes.count))
      fields.append(text: storage.compression.mcapName)
      fields.append(UInt64(storage.byteCount))
      fields.append(UInt64(recordCount))
    }
    return Sealed(bytes: bytes, checksum: total, index: index)
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
