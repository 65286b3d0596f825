// SPDX-License-Identifier: Apache-2.0

/// A chunk that is being filled; `ChunkSealer` turns it into bytes of the file.
///
///     store   | lead | room for the chunk's head | schemas, channels, messages ... | indexes |
///
/// A message is copied once, into the store, and its checksum is taken on the way. Where the place of
/// the chunk in the file is known, the lead makes its blocks in memory those of the file.
struct ChunkBuilder: ~Copyable {
  private(set) var messageCount: UInt64 = 0
  private(set) var startNs: UInt64 = 0
  private(set) var endNs: UInt64 = 0
  private(set) var recordsChecksum = Checksum()

  /// Index entries of each channel, channel 1 first; reused from chunk to chunk.
  private(set) var entries: [[MessageIndexEntry]] = []

  /// Schemas and channels in this chunk, for the summary: the records, and their counts.
  private(set) var (schemas, channels) = (RecordBytes(), RecordBytes())
  private(set) var (schemaCount, channelCount): (UInt16, UInt32) = (0, 0)

  /// The sealer completes the chunk in place.
  var store: ByteStore

  /// Room for the head of a chunk that is not compressed.
  static let headRoom = ChunkHead.bytesBeforeData(.none)

  /// Bytes before the room for the head: up to a block of the file.
  private(set) var lead = 0

  /// Memory for the head of one message.
  private var head = RecordBytes()

  /// Whether copies bypass the caches, because no processor reads them again.
  private let copiesPastCaches: Bool

  /// An empty chunk that has room for `byteCount` bytes before it grows.
  init(byteCount: Int, copiesPastCaches: Bool = false) {
    store = ByteStore(capacity: byteCount)
    self.copiesPastCaches = copiesPastCaches
    clear(lead: 0)
  }

  /// Bytes for a chunk with `chunkBytes` of records, its head, its indexes, and the excess of most
  /// last messages.
  static func room(for chunkBytes: Int) -> Int {
    AlignedBytes.blockBytes + headRoom + chunkBytes + chunkBytes / 8
  }

  /// Bytes of its index in the file.
  var messageIndexBytes: Int {
    entries.reduce(0) {
      $1.isEmpty
        ? $0 : $0 + MessageIndexHead.bytesBeforeEntries + $1.count * MessageIndexEntry.byteCount
    }
  }

  /// Bytes of the summary that come from its schemas, channels and counts.
  var summaryBytes: Int {
    schemas.count + channels.count + ChannelNumbers.entryBytes * entries.count { !$0.isEmpty }
  }

  /// Bytes of the file if it is not compressed.
  var storedBytes: Int { Self.headRoom + recordBytes + messageIndexBytes }

  /// Bytes of reserved memory.
  var capacity: Int { store.capacity }

  /// The records, before the chunk is sealed.
  var records: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: store.bytes[front...])
  }

  /// Bytes of records so far.
  var recordBytes: Int { store.count - front }

  private var front: Int { lead + Self.headRoom }

  /// Empties the chunk; `lead` is where it begins in a block of the file, as far as is known.
  mutating func clear(lead: Int = 0) {
    messageCount = 0
    (startNs, endNs) = (0, 0)
    recordsChecksum = Checksum()
    for channel in entries.indices { entries[channel].removeAll(keepingCapacity: true) }
    (schemas, channels) = (RecordBytes(), RecordBytes())
    (schemaCount, channelCount) = (0, 0)
    self.lead = lead
    store.truncate(to: 0)
    _ = store.room(for: front)
    store.commit(front)
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
  mutating func append(
    _ message: TraceMessageHead, parts: [UnsafeRawBufferPointer], byteCount: Int,
    isIntact: () -> Bool
  ) -> Bool {
    let (before, checksumBefore) = (store.count, recordsChecksum)
    head.removeAll()
    head.append(message, dataBytes: byteCount)
    append(head)
    for part in parts { appendSummed(part) }
    guard isIntact() else {
      store.truncate(to: before)
      recordsChecksum = checksumBefore
      return false
    }
    let number = Int(message.channel.number)
    while entries.count < number { entries.append([]) }
    entries[number - 1].append(
      MessageIndexEntry(logTimeNs: message.logTimeNs, offset: UInt64(before - front)))
    startNs = messageCount == 0 ? message.logTimeNs : min(startNs, message.logTimeNs)
    endNs = max(endNs, message.logTimeNs)
    messageCount += 1
    return true
  }

  private mutating func append(_ record: RecordBytes) {
    record.withUnsafeBytes { appendSummed($0) }
  }

  private mutating func appendSummed(_ bytes: UnsafeRawBufferPointer) {
    let room = store.room(for: bytes.count)
    guard let to = room.baseAddress, let from = bytes.baseAddress else { return }
    recordsChecksum.copy(
      from, to: to, byteCount: bytes.count, pastCaches: copiesPastCaches)
    store.commit(bytes.count)
  }
}
