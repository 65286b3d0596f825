// SPDX-License-Identifier: Apache-2.0

/// A message in a chunk: 16 bytes.
struct MessageReference {
  let logTimeNs: UInt64

  /// Offset of its record in the chunk's records, in bytes: `TraceLimits.recordBytes` fits.
  let offset: UInt32
  let channel: TraceChannelID
}

/// A chunk's records in memory.
final class LoadedChunk {
  private let store: ByteStore

  /// In the order in which they were written.
  let messages: [MessageReference]

  /// Number of the last use, to find the chunk that was not used for the longest time.
  var lastUse: UInt64 = 0

  init(_ store: consuming ByteStore, messages: [MessageReference]) {
    self.store = store
    self.messages = messages
  }

  var records: UnsafeRawBufferPointer { store.bytes }

  /// Memory, in bytes.
  var byteCount: Int { store.capacity + messages.count * MemoryLayout<MessageReference>.stride }
}

/// Reading chunks of an archive.
extension TraceArchiveFile {
  /// Bytes of memory for the records of an entry.
  func recordBytes(_ entry: TraceChunkEntry) throws(TraceError) -> Int {
    if try opcode(of: entry) == .message { return Int(entry.byteCount) }
    return Int(try source.chunkHead(entry.location, limits).recordBytes)
  }

  /// Reads, decompresses and checks the records of an entry.
  func load(_ entry: TraceChunkEntry) throws(TraceError) -> LoadedChunk {
    if try opcode(of: entry) == .message {
      var store = ByteStore(capacity: Int(entry.byteCount))
      try source.fill(store.room(for: Int(entry.byteCount)), from: entry.offset)
      store.commit(Int(entry.byteCount))
      let messages = try references(store.bytes, entry)
      return LoadedChunk(store, messages: messages)
    }
    let head = try source.chunkHead(entry.location, limits)
    if !contents.retimed.contains(entry.offset) {
      guard head.startNs == entry.startNs else {
        throw .mismatch(
          .startTime, offset: entry.offset, stored: entry.startNs, actual: head.startNs)
      }
      guard head.endNs == entry.endNs else {
        throw .mismatch(.endTime, offset: entry.offset, stored: entry.endNs, actual: head.endNs)
      }
    }
    // Memory is only touched as far as the decompressor fills it.
    var store = ByteStore(capacity: Int(head.recordBytes))
    let dataOffset = head.dataOffset(at: entry.offset)
    if head.compression == .none {
      try head.checkIsStored(at: entry.offset)
      try source.fill(store.room(for: Int(head.storedBytes)), from: dataOffset)
      store.commit(Int(head.storedBytes))
    } else {
      let stored = try source.bytes(at: dataOffset, count: head.storedBytes)
      try decompressor.decompress(stored, of: head, offset: entry.offset, into: &store)
    }
    try head.check(store.bytes, at: entry.offset)
    let messages = try references(store.bytes, entry)
    return LoadedChunk(store, messages: messages)
  }

  /// The kind of the record that an entry stands for, whose size is checked.
  private func opcode(of entry: TraceChunkEntry) throws(TraceError) -> TraceOpcode {
    let head = try source.head(at: entry.offset)
    let (found, listed) = (head.location.byteCount, UInt64(entry.byteCount))
    if head.kind == .message, found <= listed { return .message }
    guard head.kind == .chunk, found == listed else {
      throw .mismatch(.chunkIndex, offset: entry.offset, stored: listed, actual: found)
    }
    return .chunk
  }

  private func references(
    _ bytes: UnsafeRawBufferPointer, _ entry: TraceChunkEntry
  ) throws(TraceError) -> [MessageReference] {
    var records = ByteCursor(bytes, start: 0)
    var references: [MessageReference] = []
    var firstNs = entry.startNs
    while let record = try records.nextOfChunk() {
      guard record.opcode == .message else { continue }
      let message = try contents.catalogue.messageHead(of: record.fields)
      let timeNs = message.logTimeNs
      firstNs = min(firstNs, timeNs)
      guard timeNs <= entry.endNs else {
        throw .mismatch(.endTime, offset: entry.offset, stored: entry.endNs, actual: timeNs)
      }
      references.append(
        MessageReference(
          logTimeNs: timeNs, offset: UInt32(truncatingIfNeeded: record.offset),
          channel: message.channel))
    }
    guard firstNs < entry.startNs else { return references }
    guard !isOwn, firstNs == 0 else {
      throw .mismatch(.startTime, offset: entry.offset, stored: entry.startNs, actual: firstNs)
    }
    note(TraceFormat.timeZeroNote)
    return references
  }

  /// The time from which on a chunk may have messages: other programs' writers may leave time 0 out of the first one.
  func earliestNs(ofChunk index: Int) -> UInt64 {
    isOwn || index != contents.firstFilled ? chunks[index].startNs : 0
  }

  /// The messages of a chunk that has indexes, from these, in the order in which they were written.
  func indexedMessages(_ entry: TraceChunkEntry) throws(TraceError) -> [MessageReference] {
    var offset = entry.offset + UInt64(entry.byteCount)
    var references: [MessageReference] = []
    while offset < entry.end {
      let head = try source.head(at: offset)
      let (record, left) = (head.location, entry.end - offset)
      guard head.kind == .messageIndex, record.byteCount <= left else {
        throw .mismatch(
          .messageIndexBytes, offset: offset, stored: left, actual: record.byteCount)
      }
      var fields = try source.content(record)
      let index = try MessageIndexHead(&fields)
      guard channels[index.channel] != nil else {
        throw .undeclared(.channel, id: index.channel.number, offset: offset)
      }
      var entries = try fields.section(UInt64(index.entryBytes))
      while entries.remaining > 0 {
        let found = try MessageIndexEntry(&entries)
        try TraceField.messageIndex.check(found.offset, max: UInt32.max)
        references.append(
          MessageReference(
            logTimeNs: found.logTimeNs, offset: UInt32(found.offset), channel: index.channel))
      }
      offset = record.end
    }
    references.sort { $0.offset < $1.offset }
    return references
  }

  /// Bytes of an entry's records from `offset` on: as many as asked for, or up to the end.
  ///
  /// - Returns: The bytes, valid until the next read, and their offset in the records.
  func firstRecords(
    _ entry: TraceChunkEntry, from offset: UInt64, byteCount: Int
  ) throws(TraceError) -> (bytes: UnsafeRawBufferPointer, start: UInt64) {
    let size = UInt64(byteCount)
    if try opcode(of: entry) == .message {
      guard offset <= UInt64(entry.byteCount) else {
        throw .recordEnds(offset: offset, needed: size, have: 0)
      }
      let count = min(size, UInt64(entry.byteCount) - offset)
      return (
        try source.bytes(at: entry.offset + offset, count: count, atLeast: source.readAhead), offset
      )
    }
    let head = try source.chunkHead(entry.location, limits)
    let dataOffset = head.dataOffset(at: entry.offset)
    guard offset <= head.recordBytes else {
      throw .recordEnds(offset: offset, needed: size, have: 0)
    }
    let count = min(size, head.recordBytes - offset)
    if head.compression == .none {
      try head.checkIsStored(at: entry.offset)
      return (
        try source.bytes(at: dataOffset + offset, count: count, atLeast: source.readAhead), offset
      )
    }
    let stored = try source.bytes(at: dataOffset, count: head.storedBytes)
    let bytes = try decompressor.first(
      Int(offset + count), of: stored, head.compression, offset: entry.offset)
    return (UnsafeRawBufferPointer(rebasing: bytes[Int(offset)...]), offset)
  }
}
