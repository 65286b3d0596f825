// SPDX-License-Identifier: Apache-2.0

/// The chunk that is being filled, and the bytes it becomes.
///
///     store   | room for the chunk's head | schemas, channels, messages ...      | message indexes |
///     second  | room for the chunk's head | the same records, compressed         | message indexes |
///
/// A message is copied once, into the store, and its checksum is taken block by block while the copy
/// is still in the cache. Head, records and indexes then lie side by side and leave in one write.
struct ChunkBuilder: ~Copyable {
  /// One message, as its channel's index will tell it.
  private struct IndexEntry {
    let logTimeNs: UInt64

    /// From the start of the chunk's records, in bytes.
    let offset: UInt64
  }

  /// A chunk ready to be written.
  struct Sealed {
    /// The Chunk record and its MessageIndex records; valid until the builder is next changed.
    let bytes: UnsafeRawBufferPointer

    /// Of the whole file with these bytes.
    let checksum: Checksum

    /// The ChunkIndex record for the summary.
    let index: RecordBytes

    let messageCount: UInt64
    let startNs: UInt64
    let endNs: UInt64
    let messageCounts: [(channel: TraceChannelID, count: UInt64)]
  }

  private(set) var messageCount: UInt64 = 0
  private var startNs = UInt64.max
  private var endNs: UInt64 = 0
  private var recordsChecksum = Checksum()

  /// Entries of channel 1 first; reused from chunk to chunk.
  private var entries: [[IndexEntry]] = []
  private var store: ByteStore
  private var second: ByteStore
  private let compressor: ChunkCompressor

  /// Content of a Chunk record before its records, without the name of the compression.
  private static let fieldBytes = 8 + 8 + 8 + 4 + 4 + 8

  /// Room for the head of a chunk with any compression.
  private static let headRoom = 64

  /// Bytes copied before their checksum is taken: a quarter of a common 1 MiB second-level cache.
  private static let blockBytes = 256 << 10

  init(compression: TraceCompression, chunkBytes: Int) {
    compressor = ChunkCompressor(compression)
    // The message that overfills a chunk and the indexes need more; the store grows once for them.
    store = ByteStore(capacity: Self.headRoom + chunkBytes + chunkBytes / 8)
    second = ByteStore(capacity: 0)
    clear()
  }

  /// Bytes of records so far.
  var recordBytes: Int { store.count - Self.headRoom }

  /// Empties the chunk.
  mutating func clear() {
    messageCount = 0
    startNs = .max
    endNs = 0
    recordsChecksum = Checksum()
    for channel in entries.indices { entries[channel].removeAll(keepingCapacity: true) }
    store.truncate(to: 0)
    _ = store.room(for: Self.headRoom)
    store.commit(Self.headRoom)
  }

  /// Appends Schema or Channel records.
  mutating func append(_ records: RecordBytes) {
    records.withUnsafeBytes { appendSummed($0) }
  }

  /// Appends a Message record; `byteCount` is what the parts have together.
  ///
  /// `isIntact` is asked when all is copied. If it says no, the message is taken out again.
  ///
  /// - Returns: What `isIntact` said.
  mutating func appendMessage(
    _ channel: TraceChannelID, sequence: UInt32, logTimeNs: UInt64, publishTimeNs: UInt64,
    parts: [UnsafeRawBufferPointer], byteCount: Int, isIntact: () -> Bool
  ) -> Bool {
    let (before, checksumBefore) = (store.count, recordsChecksum)
    var head = RecordBytes()
    head.append(TraceOpcode.message.rawValue)
    head.append(UInt64(TraceFormat.messageFieldBytes + byteCount))
    head.append(channel.number)
    head.append(sequence)
    head.append(logTimeNs)
    head.append(publishTimeNs)
    append(head)
    for part in parts { appendSummed(part) }
    guard isIntact() else {
      store.truncate(to: before)
      recordsChecksum = checksumBefore
      return false
    }
    while entries.count < Int(channel.number) { entries.append([]) }
    entries[Int(channel.number) - 1].append(
      IndexEntry(logTimeNs: logTimeNs, offset: UInt64(before - Self.headRoom)))
    messageCount += 1
    startNs = min(startNs, logTimeNs)
    endNs = max(endNs, logTimeNs)
    return true
  }

  /// Makes the chunk's bytes for a file of `offset` bytes with `checksum`.
  ///
  /// The builder must be cleared before it takes more.
  mutating func seal(offset: UInt64, checksum: Checksum) -> Sealed {
    let recordCount = recordBytes
    let records = UnsafeRawBufferPointer(rebasing: store.bytes[Self.headRoom...])
    second.truncate(to: 0)
    _ = second.room(for: Self.headRoom)
    second.commit(Self.headRoom)
    let isCompressed = compressor.compress(records, into: &second)
    let compression = isCompressed ? compressor.compression : .none
    let storedCount = isCompressed ? second.count - Self.headRoom : recordCount

    let head = head(compression: compression, recordCount: recordCount, storedCount: storedCount)
    let start = Self.headRoom - head.count
    let chunkEnd = offset + UInt64(head.count + storedCount)
    let (indexes, indexOffsets) = messageIndexes(at: chunkEnd)
    var total = checksum
    let bytes: UnsafeRawBufferPointer
    if isCompressed {
      Self.frame(&second, head: head, start: start, tail: indexes)
      bytes = UnsafeRawBufferPointer(rebasing: second.bytes[start...])
      total.update(bytes)
    } else {
      Self.frame(&store, head: head, start: start, tail: indexes)
      bytes = UnsafeRawBufferPointer(rebasing: store.bytes[start...])
      head.withUnsafeBytes { total.update($0) }
      total.append(recordsChecksum, byteCount: recordCount)
      indexes.withUnsafeBytes { total.update($0) }
    }
    let index = chunkIndex(
      offset: offset, chunkBytes: head.count + storedCount, indexOffsets: indexOffsets,
      indexBytes: indexes.count, compression: compression, storedCount: storedCount,
      recordCount: recordCount)
    return Sealed(
      bytes: bytes, checksum: total, index: index, messageCount: messageCount,
      startNs: messageCount > 0 ? startNs : 0, endNs: endNs,
      messageCounts: entries.indices.compactMap { number in
        entries[number].isEmpty
          ? nil : (TraceChannelID(number: UInt16(number + 1)), UInt64(entries[number].count))
      })
  }

  private static func frame(
    _ store: inout ByteStore, head: RecordBytes, start: Int, tail: RecordBytes
  ) {
    head.withUnsafeBytes { store.replace(at: start, with: $0) }
    tail.withUnsafeBytes { store.append($0) }
  }

  private func head(
    compression: TraceCompression, recordCount: Int, storedCount: Int
  ) -> RecordBytes {
    var head = RecordBytes()
    head.append(TraceOpcode.chunk.rawValue)
    let nameBytes = compression.mcapName.utf8.count
    head.append(UInt64(Self.fieldBytes + nameBytes + storedCount))
    head.append(messageCount > 0 ? startNs : 0)
    head.append(endNs)
    head.append(UInt64(recordCount))
    head.append(recordsChecksum.value)
    head.append(text: compression.mcapName)
    head.append(UInt64(storedCount))
    return head
  }

  private func messageIndexes(
    at fileOffset: UInt64
  ) -> (records: RecordBytes, offsets: [TraceChannelID: UInt64]) {
    var records = RecordBytes()
    var offsets: [TraceChannelID: UInt64] = [:]
    for (number, channelEntries) in entries.enumerated() where !channelEntries.isEmpty {
      let channel = TraceChannelID(number: UInt16(number + 1))
      offsets[channel] = fileOffset + UInt64(records.count)
      records.append(record: .messageIndex) { fields in
        fields.append(channel.number)
        fields.append(UInt32(channelEntries.count * (8 + 8)))
        for entry in channelEntries {
          fields.append(entry.logTimeNs)
          fields.append(entry.offset)
        }
      }
    }
    return (records, offsets)
  }

  private func chunkIndex(
    offset: UInt64, chunkBytes: Int, indexOffsets: [TraceChannelID: UInt64], indexBytes: Int,
    compression: TraceCompression, storedCount: Int, recordCount: Int
  ) -> RecordBytes {
    var index = RecordBytes()
    index.append(record: .chunkIndex) { fields in
      fields.append(messageCount > 0 ? startNs : 0)
      fields.append(endNs)
      fields.append(offset)
      fields.append(UInt64(chunkBytes))
      fields.append(map: indexOffsets)
      fields.append(UInt64(indexBytes))
      fields.append(text: compression.mcapName)
      fields.append(UInt64(storedCount))
      fields.append(UInt64(recordCount))
    }
    return index
  }

  private mutating func appendSummed(_ bytes: UnsafeRawBufferPointer) {
    let room = store.room(for: bytes.count)
    var done = 0
    while done < bytes.count {
      let end = min(done + Self.blockBytes, bytes.count)
      let block = UnsafeMutableRawBufferPointer(rebasing: room[done..<end])
      block.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[done..<end]))
      recordsChecksum.update(UnsafeRawBufferPointer(block))
      done = end
    }
    store.commit(bytes.count)
  }
}
