// SPDX-License-Identifier: Apache-2.0

/// A chunk that is being filled; `ChunkSealer` turns it into bytes of the file.
///
///     store   | room for the chunk's head | schemas, channels, messages ... | room for its indexes |
///
/// A message is copied once, into the store, and its checksum is taken block by block while the copy
/// is still in the cache.
struct ChunkBuilder: ~Copyable {
  /// One message in its channel's index.
  struct IndexEntry {
    let logTimeNs: UInt64

    /// Offset from the start of the chunk's records, in bytes.
    let offset: UInt64
  }

  private(set) var messageCount: UInt64 = 0
  private(set) var startNs: UInt64 = 0
  private(set) var endNs: UInt64 = 0
  private(set) var recordsChecksum = Checksum()

  /// Index entries of each channel, channel 1 first; reused from chunk to chunk.
  private(set) var entries: [[IndexEntry]] = []

  /// Schemas and channels in this chunk, for the summary: the records, and their counts.
  private(set) var (schemas, channels) = (RecordBytes(), RecordBytes())
  private(set) var (schemaCount, channelCount): (UInt16, UInt32) = (0, 0)

  /// The sealer completes the chunk in place.
  var store: ByteStore

  /// Room for the head of a chunk with any compression.
  static let headRoom = 64

  /// Bytes copied before each update of the checksum: a quarter of a common 1 MiB second-level
  /// cache.
  private static let blockBytes = 256 << 10

  /// An empty chunk that has room for `byteCount` bytes before it grows.
  init(byteCount: Int) {
    store = ByteStore(capacity: byteCount)
    clear()
  }

  /// Bytes for a chunk with `chunkBytes` of records, its head, its indexes, and the excess of most
  /// last messages.
  static func room(for chunkBytes: Int) -> Int { headRoom + chunkBytes + chunkBytes / 8 }

  /// Bytes of reserved memory.
  var capacity: Int { store.capacity }

  /// The records, before the chunk is sealed.
  var records: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: store.bytes[Self.headRoom...])
  }

  /// Bytes of records so far.
  var recordBytes: Int { store.count - Self.headRoom }

  /// Empties the chunk.
  mutating func clear() {
    messageCount = 0
    (startNs, endNs) = (0, 0)
    recordsChecksum = Checksum()
    for channel in entries.indices { entries[channel].removeAll(keepingCapacity: true) }
    (schemas, channels) = (RecordBytes(), RecordBytes())
    (schemaCount, channelCount) = (0, 0)
    store.truncate(to: 0)
    _ = store.room(for: Self.headRoom)
    store.commit(Self.headRoom)
  }

  /// Appends a Schema record.
  mutating func append(schema record: RecordBytes) {
    append(record)
    schemas.append(raw: record)
    schemaCount += 1
  }

  /// Appends a Channel record.
  mutating func append(channel record: RecordBytes) {
    append(record)
    channels.append(raw: record)
    channelCount += 1
  }

  /// Appends a Message record; `byteCount` is the size of all parts together.
  ///
  /// `isIntact` is called after all parts are copied. If it returns false, the message is removed
  /// again.
  ///
  /// - Returns: The result of `isIntact`.
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
    startNs = messageCount == 0 ? logTimeNs : min(startNs, logTimeNs)
    endNs = max(endNs, logTimeNs)
    messageCount += 1
    return true
  }

  private mutating func append(_ record: RecordBytes) {
    record.withUnsafeBytes { appendSummed($0) }
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
