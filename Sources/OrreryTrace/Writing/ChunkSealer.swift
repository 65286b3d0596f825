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

  /// Makes the chunk's bytes, for a file that ends at `position`.
  ///
  /// The chunk must be cleared before it is filled again.
  mutating func seal(_ buffer: ChunkBuffer, at position: TraceOutput.Position) -> Sealed {
    let offset = position.offset
    let recordBytes = buffer.chunk.recordBytes
    let packed = buffer.packed
    let storedBytes = packed?.byteCount ?? recordBytes
    let chunk = ChunkHead(
      startNs: buffer.chunk.startNs, endNs: buffer.chunk.endNs, recordBytes: UInt64(recordBytes),
      checksum: buffer.chunk.recordsChecksum.value, compression: packed?.compression ?? .none,
      storedBytes: UInt64(storedBytes))
    var head = RecordBytes()
    head.append(chunk, dataBytes: storedBytes)
    let location = RecordLocation(offset: offset, byteCount: UInt64(head.count + storedBytes))
    let (indexes, indexOffsets) = Self.messageIndexes(of: buffer.chunk, at: location.end)
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
      total.append(buffer.chunk.recordsChecksum, byteCount: recordBytes)
    }
    indexes.withUnsafeBytes { total.update($0) }
    let index = ChunkIndexRecord(
      chunk, location, indexOffsets: indexOffsets, indexBytes: UInt64(indexes.count))
    return Sealed(bytes: bytes, lead: lead, checksum: total, index: RecordBytes(index))
  }

  private static func enclose(
    _ store: inout ByteStore, head: RecordBytes, start: Int, tail: RecordBytes
  ) {
    head.withUnsafeBytes { store.replace(at: start, with: $0) }
    tail.withUnsafeBytes { store.append($0) }
  }

  private static func messageIndexes(
    of chunk: borrowing ChunkBuilder, at fileOffset: UInt64
  ) -> (records: RecordBytes, offsets: ChannelNumbers) {
    var records = RecordBytes()
    var offsets = ChannelNumbers()
    for (number, entries) in chunk.entries.enumerated() where !entries.isEmpty {
      let channel = TraceChannelID(number: UInt16(number + 1))
      offsets.append(channel, fileOffset + UInt64(records.count))
      let head = MessageIndexHead(channel: channel, entryCount: entries.count)
      records.append(head, dataBytes: Int(head.entryBytes))
      for entry in entries { entry.write(to: &records) }
    }
    return (records, offsets)
  }
}
