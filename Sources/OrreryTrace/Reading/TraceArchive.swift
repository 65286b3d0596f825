// SPDX-License-Identifier: Apache-2.0

/// One trace in one or several files, as of a recording that was split, or of several shards: its messages in
/// the order of their log times, and any of them by its location.
///
/// Opening reads no messages (`TraceArchiveFile`). Memory does not grow with the files: 40 bytes are kept for
/// each chunk, and decompressed chunks up to `cacheBytes`, or one larger chunk. Chunks that are read
/// are checked against their checksum. One thread at a time may use an archive.
package final class TraceArchive {
  /// The files, in the order given.
  package let files: [TraceArchiveFile]

  let limits: TraceLimits
  private var cache: [ChunkKey: LoadedChunk] = [:]
  private var cachedBytes = 0
  private var useCount: UInt64 = 0

  /// Decompressed chunks kept in memory together, in bytes; the last one that was read always is.
  package static let cacheBytes = 32 << 20

  /// Files of one archive.
  package static let fileCountMax = 4096

  /// Opens files.
  ///
  /// - Throws: `inFile` if one of them is not a trace; `system` and `notRegularFile` if it cannot be read;
  ///   `tooLarge` for too many files, or too many chunks in all.
  package convenience init(
    paths: [String], limits: TraceLimits = TraceLimits()
  ) throws(TraceError) {
    try TraceField.fileCount.check(paths.count, max: Self.fileCountMax)
    var files: [TraceArchiveFile] = []
    for path in paths { files.append(try TraceArchiveFile(path: path, limits: limits)) }
    try self.init(files, limits: limits)
  }

  /// Makes an archive of files that are open.
  ///
  /// - Throws: `tooLarge` for too many chunks in all.
  package init(
    _ files: [TraceArchiveFile], limits: TraceLimits = TraceLimits()
  ) throws(TraceError) {
    self.files = files
    self.limits = limits
    let count = files.reduce(0) { $0 + $1.chunks.count }
    try TraceField.indexedRecords.check(count, max: limits.indexedRecords)
  }

  /// Earliest log time of all files, in nanoseconds since 1970; nil without messages.
  package var startNs: UInt64? {
    files.filter { $0.statistics.messageCount > 0 }.map(\.statistics.startNs).min()
  }

  /// Latest log time of all files, in nanoseconds since 1970; nil without messages.
  package var endNs: UInt64? {
    files.filter { $0.statistics.messageCount > 0 }.map(\.statistics.endNs).max()
  }

  /// Topics of all files.
  package var topics: Set<String> {
    Set(files.flatMap { $0.channels.values.map(\.topic) })
  }

  /// The messages of some topics in a range of log times, by rising log time.
  ///
  /// Messages of equal time come in the order of the files, and in a file in the order in which they were
  /// written.
  ///
  /// - Parameters:
  ///   - topics: The topics; nil for all.
  ///   - fromNs: First log time, in nanoseconds since 1970.
  ///   - toNs: Last log time, in nanoseconds since 1970.
  /// - Returns: The messages, to be taken one after another.
  package func messages(
    topics: Set<String>? = nil, fromNs: UInt64 = 0, toNs: UInt64 = .max
  ) -> TraceArchiveMessages {
    TraceArchiveMessages(self, topics: topics, fromNs: fromNs, toNs: toNs)
  }

  /// Locations of the messages of a chunk, in the order in which they were written.
  ///
  /// They come from the chunk's indexes; from the chunk itself if it has none.
  ///
  /// - Parameters:
  ///   - file: Index into `files`.
  ///   - chunk: Index into that file's `chunks`.
  ///   - topic: Only this topic; nil for all.
  /// - Returns: The locations.
  /// - Throws: `inFile`.
  package func locations(
    file: Int, chunk: Int, topic: String? = nil
  ) throws(TraceError) -> [TraceMessageLocation] {
    let owner = files[file]
    do throws(TraceError) {
      let entry = owner.chunks[chunk]
      let isOfTopic = { (id: TraceChannelID) in
        topic == nil || owner.channels[id]?.topic == topic
      }
      if entry.indexByteCount > 0 {
        return try owner.indexedMessages(entry).filter { isOfTopic($0.channel) }.map {
          TraceMessageLocation(file: file, chunk: chunk, reference: $0)
        }
      }
      return try load(file: file, chunk: chunk).messages.filter { isOfTopic($0.channel) }.map {
        TraceMessageLocation(file: file, chunk: chunk, reference: $0)
      }
    } catch {
      throw error.inFile(owner.path)
    }
  }

  /// The message at a location; its bytes are valid until the next call of the archive.
  ///
  /// The whole chunk is read and its checksum checked, unless it is in the cache.
  ///
  /// - Throws: `inFile`.
  package func message(
    at location: TraceMessageLocation
  ) throws(TraceError) -> TraceArchiveMessage {
    let owner = files[location.file]
    do throws(TraceError) {
      let loaded = try load(file: location.file, chunk: location.chunk)
      return try message(location, in: loaded.records)
    } catch {
      throw error.inFile(owner.path)
    }
  }

  /// The message at a location, or its first bytes: of its data at most `byteCount`.
  ///
  /// Only what is needed is read, and decompressed; so no checksum is checked. For a search.
  ///
  /// - Throws: `inFile`.
  package func prefix(
    of location: TraceMessageLocation, byteCount: Int
  ) throws(TraceError) -> TraceArchiveMessage {
    let owner = files[location.file]
    do throws(TraceError) {
      if let loaded = cache[ChunkKey(file: location.file, chunk: location.chunk)] {
        return try message(location, in: loaded.records, prefix: byteCount)
      }
      let records = try owner.firstRecords(
        owner.chunks[location.chunk], from: location.offset,
        byteCount: TraceMessageHead.bytesBeforeData + max(0, byteCount))
      return try message(location, in: records.bytes, start: records.start, prefix: byteCount)
    } catch {
      throw error.inFile(owner.path)
    }
  }

  /// The message at a location, out of records that begin at `start` in its chunk.
  func message(
    _ location: TraceMessageLocation, in records: UnsafeRawBufferPointer, start: UInt64 = 0,
    prefix: Int? = nil
  ) throws(TraceError) -> TraceArchiveMessage {
    guard location.offset >= start, location.offset - start <= UInt64(records.count) else {
      throw .recordEnds(
        offset: location.offset, needed: 1, have: start + UInt64(records.count))
    }
    let rest = UnsafeRawBufferPointer(rebasing: records[Int(location.offset - start)...])
    var fields = ByteCursor(rest, start: location.offset)
    let (head, fieldBytes) = (try RecordHead(&fields), UInt64(TraceMessageHead.byteCount))
    guard head.kind == .message else {
      throw .mismatch(
        .messageIndex, offset: location.offset, stored: 5, actual: UInt64(head.opcode))
    }
    guard head.contentBytes >= fieldBytes else {
      throw .recordEnds(offset: location.offset, needed: fieldBytes, have: head.contentBytes)
    }
    let message = try TraceMessageHead(&fields)
    guard let declared = files[location.file].channels[message.channel],
      message.channel == location.channel
    else { throw .undeclared(.channel, id: message.channel.number, offset: location.offset) }
    let dataBytes = head.contentBytes - fieldBytes
    let kept = prefix.map { min(dataBytes, UInt64(max(0, $0)), UInt64(fields.remaining)) }
    return TraceArchiveMessage(
      location: location, head: message, topic: declared.topic,
      bytes: try fields.take(kept ?? dataBytes))
  }

  // MARK: - Chunks in memory

  /// The records of a chunk, from the cache or from the file.
  func load(file: Int, chunk: Int) throws(TraceError) -> LoadedChunk {
    useCount += 1
    let key = ChunkKey(file: file, chunk: chunk)
    if let loaded = cache[key] {
      loaded.lastUse = useCount
      return loaded
    }
    let entry = files[file].chunks[chunk]
    try makeRoom(for: entry, of: files[file])
    let loaded = try files[file].load(entry)
    loaded.lastUse = useCount
    cachedBytes += loaded.byteCount
    cache[key] = loaded
    return loaded
  }

  private func makeRoom(
    for entry: TraceChunkEntry, of file: TraceArchiveFile
  ) throws(TraceError) {
    let needed = try file.recordBytes(entry)
    while !cache.isEmpty, cachedBytes + needed > Self.cacheBytes,
      let oldest = cache.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      cachedBytes -= oldest.value.byteCount
      cache[oldest.key] = nil
    }
  }

  /// Gives back the memory of a chunk that is not needed again.
  func forget(file: Int, chunk: Int) {
    let key = ChunkKey(file: file, chunk: chunk)
    guard let loaded = cache.removeValue(forKey: key) else { return }
    cachedBytes -= loaded.byteCount
  }
}

/// A chunk of an archive.
struct ChunkKey: Hashable {
  let file: Int
  let chunk: Int
}

/// The location of a message in an archive.
package struct TraceMessageLocation: Sendable, Equatable {
  /// Index into `TraceArchive.files`.
  package let file: Int

  /// Index into that file's `chunks`.
  package let chunk: Int

  /// Its channel in that file.
  package let channel: TraceChannelID

  /// Its log time, in nanoseconds since 1970.
  package let logTimeNs: UInt64

  /// Offset of its record in the chunk's records, in bytes.
  let offset: UInt64

  init(file: Int, chunk: Int, reference: MessageReference) {
    (self.file, self.chunk, channel) = (file, chunk, reference.channel)
    (logTimeNs, offset) = (reference.logTimeNs, UInt64(reference.offset))
  }
}

/// One message as read from an archive.
package struct TraceArchiveMessage {
  /// Where it is.
  package let location: TraceMessageLocation
  /// Its channel, number and times.
  package let head: TraceMessageHead
  /// Topic of its channel.
  package let topic: String

  /// The message itself, in the archive's memory: valid until the next call of the archive.
  package let bytes: UnsafeRawBufferPointer

  /// Index into `TraceArchive.files`.
  package var file: Int { location.file }
}
