// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Writes one trace, an MCAP file.
///
/// Messages are collected in a chunk. A chunk that reaches its size or age is handed over to the
/// writer's own threads, which compress it and write it. So `write` only copies, and
/// waits only while `ChunkPool` has no memory left. Once a second a summary of what is there is
/// written: whatever ends the process, the file opens. Schemas and channels go into the chunk that is
/// open when they are added, before the messages that need them.
///
/// A trace may become several files, each of them whole: `splitIfDue` begins the next one, with all
/// schemas and channels, and with what was written as its preamble.
///
/// The same calls give the same bytes as long as no chunk closes by age. One thread at a time
/// calls.
///
/// A failure on the writer's own thread ends the file there. The next call and all later ones throw
/// it; messages in chunks that were not yet written are lost, and counted. A writer that is
/// released without `finish` waits until the chunks handed over are written.
package final class TraceWriter {
  private enum State {
    case open
    case finished
    case failed(TraceError)
  }

  /// Age of a chunk's first message at which the chunk is closed, in nanoseconds.
  package static let chunkAgeNsMax: UInt64 = 1_000_000_000

  /// Name of the writing program in the file's header.
  package static let library = "orrery 0.1"

  /// Time between two checkpoints, in nanoseconds.
  package static let checkpointNs: UInt64 = 1_000_000_000

  /// Time from a file's beginning to its first checkpoint: a chunk before it has none soon, and one of a
  /// fast run does not wait long.
  private static let firstCheckpointNs: UInt64 = 10_000_000

  /// Time between two looks at whether the path still leads to the file, in nanoseconds.
  private static let pathCheckNs: UInt64 = 1_000_000_000

  /// Bytes of summaries that may be written in a second; the time between checkpoints grows with them.
  private static let checkpointBytesPerSecond = 4 << 20

  /// The path that was asked for.
  private let path: String
  private let options: TraceOptions
  private let overwrite: Bool
  private let limits = TraceLimits()
  private let clock: () -> UInt64
  private let calls: TraceSystemCalls
  private let queue: ChunkQueue
  private var buffer: ChunkBuffer
  private var state = State.open

  /// Paths of the files, in their order; the last is the one that is open.
  package private(set) var paths: [String]

  /// Where the open file was made: its path, or beside the file that it replaces.
  private var madePath: String

  /// When the open file was begun, in monotonic nanoseconds.
  private var fileOpenedNs: UInt64

  /// Which file the open one is, and when its path was last looked at, in monotonic nanoseconds.
  private var identity: FileIdentity
  private var pathCheckedNs: UInt64

  /// End of the open file after the chunks handed over, if none is compressed.
  private var nextOffset: UInt64 = 0
  private let knowsOffsets: Bool

  /// When the last checkpoint was asked for, and whether something was handed over since.
  private var checkpointedNs: UInt64
  private var isCheckpointDue = false
  private var isFirstCheckpoint = true

  /// What each file begins with, if there may be several.
  private var preamble = TracePreamble()

  private var (schemaCount, channelCount): (UInt16, UInt16) = (0, 0)
  private var catalogueBytes = 0

  /// Count of chunks, attachments and metadata records that were handed over or written.
  private var indexedCount: UInt64 = 0

  /// Accepted messages of the files before the open one.
  private var fileMessageCount: UInt64 = 0

  /// Monotonic time of the open chunk's first message, in nanoseconds.
  private var chunkOpenedNs: UInt64?

  /// Log time of the newest message.
  private var logTimeNsMax: UInt64 = 0

  /// Count of accepted messages: in the file, in chunks handed over, and in the open chunk.
  package private(set) var messageCount: UInt64 = 0

  /// Creates the file and writes its header.
  ///
  /// - Parameters:
  ///   - path: Path of the file. A symbolic link is refused. The files of a set have numbers in it.
  ///   - options: How it is stored.
  ///   - overwrite: Whether an existing file may be replaced: once a chunk of the new one is written.
  ///   - clock: Monotonic nanoseconds.
  ///   - calls: The system calls to use.
  /// - Throws: `system`, `notRegularFile`, `beingWritten` if the file or the thread cannot be created, or if a
  ///   file of the set is there; `writeFailed` if it has no room for a header.
  package init(
    path: String, options: TraceOptions, overwrite: Bool = false,
    clock: @escaping () -> UInt64 = Clock.monotonicNs, calls: TraceSystemCalls = .direct
  ) throws(TraceError) {
    let chunkBytes = options.chunkBytes
    precondition(chunkBytes >= 1 && chunkBytes <= 64 << 20, "chunkBytes \(chunkBytes)")
    precondition((1...19).contains(options.zstdLevel), "zstdLevel \(options.zstdLevel)")
    self.path = path
    self.options = options
    self.overwrite = overwrite
    self.clock = clock
    self.calls = calls
    fileOpenedNs = clock()
    (checkpointedNs, pathCheckedNs) = (fileOpenedNs, fileOpenedNs)
    // Not in the middle of the recording.
    if !overwrite, options.splits, let file = options.existing(path).first {
      throw .system(SystemCallError(call: "open", path: file, errno: EEXIST))
    }
    let first = options.splits ? TraceOptions.path(path, part: 1) : path
    paths = [first]
    let file = try Self.open(first, options: options, overwrite: overwrite, calls: calls)
    knowsOffsets = file.isDirect && options.compression == .none
    (identity, madePath) = (file.identity, file.madePath)
    do throws(TraceError) {
      queue = try Self.startQueue(file, options: options)
      buffer = queue.firstBuffer(byteCount: ChunkBuilder.room(for: chunkBytes))
      try withFile { (file) throws(TraceFileFailure) in try file.append(header: Self.header) }
    } catch {
      // Our empty file would only block the next attempt.
      unlink(madePath)
      throw error
    }
  }

  /// The same, with most options as they are by default.
  package convenience init(
    path: String, compression: TraceCompression = .none, chunkBytes: Int = 4 << 20,
    overwrite: Bool = false, clock: @escaping () -> UInt64 = Clock.monotonicNs,
    calls: TraceSystemCalls = .direct
  ) throws(TraceError) {
    var options = TraceOptions()
    options.compression = compression
    options.chunkBytes = chunkBytes
    try self.init(path: path, options: options, overwrite: overwrite, clock: clock, calls: calls)
  }

  private static func open(
    _ path: String, options: TraceOptions, overwrite: Bool, calls: TraceSystemCalls
  ) throws(TraceError) -> TraceFile {
    TraceFile(
      try TraceOutput(
        path: path, overwrite: overwrite, freeSpace: options.freeSpace, calls: calls),
      options: options)
  }

  private static func startQueue(
    _ file: consuming TraceFile, options: TraceOptions
  ) throws(TraceError) -> ChunkQueue {
    do throws(SystemCallError) {
      return try ChunkQueue(file, options: options)
    } catch {
      throw .system(error)
    }
  }

  private static var header: RecordBytes {
    var start = RecordBytes()
    start.append(raw: TraceFormat.magic)
    start.append(HeaderRecord(profile: "", library: Self.library))
    return start
  }

  /// Declares how messages of some channels are to be decoded.
  ///
  /// - Returns: The schema's number, for `addChannel`.
  /// - Throws: `tooLarge` if the trace's schemas and channels exceed `TraceLimits`, or are more
  ///   than 65535; the error of an earlier failure.
  package func addSchema(_ schema: TraceSchema) throws(TraceError) -> TraceSchemaID {
    try checkOpen()
    try TraceField.schemaCount.check(Int(schemaCount) + 1, max: UInt16.max)
    let id = TraceSchemaID(number: schemaCount + 1)
    let record = RecordBytes(SchemaRecord(id: id, schema: schema))
    try addToCatalogue(record.count)
    buffer.chunk.append(schema: record)
    if options.splits { preamble.schemas.append(record) }
    schemaCount += 1
    return id
  }

  /// Opens a stream of messages.
  ///
  /// - Parameter channel: The stream; its schema is from `addSchema`.
  /// - Returns: The channel's number, for `write`.
  /// - Throws: As `addSchema`.
  package func addChannel(_ channel: TraceChannel) throws(TraceError) -> TraceChannelID {
    try checkOpen()
    try TraceField.channelCount.check(Int(channelCount) + 1, max: UInt16.max)
    let schemaNumber = channel.schema?.number ?? 0
    precondition(schemaNumber <= schemaCount, "schema \(schemaNumber) of \(schemaCount)")
    let id = TraceChannelID(number: channelCount + 1)
    let record = RecordBytes(ChannelRecord(id: id, channel: channel))
    try addToCatalogue(record.count)
    buffer.chunk.append(channel: record)
    if options.splits { preamble.channels.append(record) }
    channelCount += 1
    return id
  }

  /// Adds a message to the open chunk, and hands over the chunks that are then due.
  ///
  /// - Parameters:
  ///   - head: Its channel, number and times.
  ///   - parts: The message's bytes; they are copied one after another, once.
  ///   - isPreamble: Whether each further file begins with this message, too.
  ///   - isIntact: Called after they are copied, for bytes that another process may overwrite
  ///     meanwhile. False drops the message.
  /// - Returns: The result of `isIntact`.
  /// - Throws: `writeFailed` if a chunk could not be written, now or earlier, and `moved` if the file lost
  ///   its path; nothing more can then be written. `tooLarge` if the message exceeds `TraceLimits`; others can still be written.
  @discardableResult
  package func write(
    _ head: TraceMessageHead, parts: [UnsafeRawBufferPointer], isPreamble: Bool = false,
    isIntact: () -> Bool = { true }
  ) throws(TraceError) -> Bool {
    try checkOpen()
    let number = head.channel.number
    precondition(number >= 1 && number <= channelCount, "channel \(number) of \(channelCount)")
    let byteCount = parts.reduce(0) { $0 + $1.count }
    try TraceField.recordBytes.check(byteCount, max: limits.messageBytes)
    let recordBytes = TraceMessageHead.bytesBeforeData + byteCount
    let openBytes = buffer.chunk.recordBytes
    if openBytes > 0, openBytes + recordBytes > options.chunkBytes { try handOver() }
    let isKept = buffer.chunk.append(
      head, parts: parts, byteCount: byteCount, isIntact: isIntact)
    if isKept {
      messageCount += 1
      logTimeNsMax = max(logTimeNsMax, head.logTimeNs)
    }
    if isKept, isPreamble, options.splits {
      preamble.messages.append(
        TracePreamble.Message(head: head, bytes: parts.flatMap { Array($0) }))
    }
    if isKept, chunkOpenedNs == nil { chunkOpenedNs = clock() }
    if buffer.chunk.recordBytes >= options.chunkBytes { try handOver() }
    try flushIfDue()
    return isKept
  }

  /// Adds a message of contiguous bytes; see the other `write`.
  package func write(
    _ head: TraceMessageHead, bytes: [UInt8], isPreamble: Bool = false
  ) throws(TraceError) {
    try bytes.span.bytes.withUnsafeBytes { (bytes) throws(TraceError) in
      _ = try write(head, parts: [bytes], isPreamble: isPreamble)
    }
  }

  /// Writes a file into the trace, after the chunks handed over so far.
  ///
  /// Each further file has a preamble's files, too.
  ///
  /// - Throws: As `write`.
  package func addAttachment(
    _ file: TraceAttachmentHead, _ data: [UInt8], isPreamble: Bool = false
  ) throws(TraceError) {
    try checkOpen()
    try TraceField.recordBytes.check(data.count, max: limits.messageBytes)
    try checkIndexedRecords()
    var head = file
    head.dataBytes = UInt64(data.count)
    var record = RecordBytes()
    record.append(head, dataBytes: data.count + TraceAttachmentHead.checksumBytes)
    record.append(raw: data)
    record.append(record.checksum(from: RecordHead.byteCount).value)
    let attachment = NextFile.IndexedRecord(record) { [head] location in
      RecordBytes(AttachmentIndexRecord(record: location, head: head))
    }
    try withFile { (file) throws(TraceFileFailure) in try file.append(attachment: attachment) }
    if isPreamble, options.splits { preamble.attachments.append(attachment) }
    indexedCount += 1
  }

  /// Writes a named list of facts into the trace, after the chunks handed over so far.
  ///
  /// Each further file has those that were written before the first message that is not of the preamble.
  ///
  /// - Throws: As `write`.
  package func addMetadata(name: String, _ values: [String: String]) throws(TraceError) {
    try checkOpen()
    try checkIndexedRecords()
    let metadata = Self.metadata(name, values)
    try addToCatalogue(metadata.record.count)
    try withFile { (file) throws(TraceFileFailure) in try file.append(metadata: metadata) }
    if options.splits, messageCount == preamble.messageCount { preamble.metadata.append(metadata) }
    indexedCount += 1
  }

  private static func metadata(
    _ name: String, _ values: [String: String]
  ) -> NextFile.IndexedRecord {
    NextFile.IndexedRecord(RecordBytes(TraceMetadata(name: name, values: values))) { location in
      RecordBytes(MetadataIndexRecord(record: location, name: name))
    }
  }

  /// Begins the next file if the open one is large or old enough, and `byteCount` more bytes are to
  /// come.
  ///
  /// Call it before a message is encoded that needs those before it, as a change of a frame does. Only
  /// this call begins a file, so a file is larger than its limit by what is written between two calls.
  ///
  /// - Returns: Whether a file was begun.
  /// - Throws: As `init` for the next file, after the open one was finished; as `write`.
  package func splitIfDue(adding byteCount: Int = 0) throws(TraceError) -> Bool {
    guard options.splits else { return false }
    try checkOpen()
    guard preamble.messageCount < messageCount - fileMessageCount, isFileFull(byteCount) else {
      return false
    }
    try checkPath()
    try handOver()
    let next = TraceOptions.path(path, part: paths.count + 1)
    let file: TraceFile
    do throws(TraceError) {
      file = try Self.open(next, options: options, overwrite: overwrite, calls: calls)
    } catch {
      // The set is whole without it.
      try finish()
      state = .failed(error)
      throw error
    }
    (identity, madePath) = (file.identity, file.madePath)
    let header = Self.header
    let name = next.split(separator: "/").last.map(String.init) ?? next
    queue.addFile(
      NextFile(
        file, header: header, preamble: preamble,
        notice: Self.metadata(TraceState.nextRecord, ["file": name])))
    paths.append(next)
    (fileOpenedNs, fileMessageCount) = (clock(), messageCount)
    (checkpointedNs, isFirstCheckpoint) = (fileOpenedNs, true)
    let records = preamble.indexedRecords
    indexedCount = UInt64(records.count)
    nextOffset = records.reduce(UInt64(header.count)) { $0 + UInt64($1.record.count) }
    setLead()
    for schema in preamble.schemas { buffer.chunk.append(schema: schema) }
    for channel in preamble.channels { buffer.chunk.append(channel: channel) }
    // Files follow each other in time: in this one the preamble is logged when the file before it ends.
    let beginNs = logTimeNsMax
    for message in preamble.messages {
      var head = message.head
      head.logTimeNs = max(head.logTimeNs, beginNs)
      try write(head, bytes: message.bytes)
    }
    return true
  }

  private func isFileFull(_ byteCount: Int) -> Bool {
    if let limit = options.fileBytesMax,
      queue.byteCountBound + UInt64(buffer.chunk.storedBytes + byteCount) > limit
    {
      return true
    }
    if let limit = options.fileAgeNsMax, clock() >= fileOpenedNs + limit { return true }
    return false
  }

  /// Hands over the open chunk if its first message is old enough, lets a summary be written if it
  /// is time, and once a second looks whether the file still has its path.
  ///
  /// Call it when no message has come by `flushDeadlineNs`.
  ///
  /// - Throws: As `write`.
  package func flushIfDue() throws(TraceError) {
    let now = clock()
    if case .open = state, now >= pathCheckedNs + Self.pathCheckNs {
      pathCheckedNs = now
      try checkPath()
    }
    if let flushDeadlineNs, now >= flushDeadlineNs {
      try checkOpen()
      try handOver()
    } else if isCheckpointDue {
      checkpointIfDue()
    }
  }

  /// Asks for a summary in the file, unless the last one is new.
  private func checkpointIfDue() {
    let now = clock()
    let summaryBytes = Int(indexedCount) * 100
    let interval =
      isFirstCheckpoint
      ? Self.firstCheckpointNs
      : UInt64(max(1, summaryBytes / Self.checkpointBytesPerSecond)) * Self.checkpointNs
    guard now >= checkpointedNs + interval else { return }
    isFirstCheckpoint = false
    (checkpointedNs, isCheckpointDue) = (now, false)
    queue.addCheckpoint()
  }

  /// Hands over the open chunk unless it is empty, and waits until all chunks are in the file.
  ///
  /// - Parameter progress: Called whenever chunks were written, with the count of those left.
  /// - Throws: As `write`.
  package func flush(progress: (Int) -> Void = { _ in }) throws(TraceError) {
    try checkOpen()
    try handOver()
    queue.waitUntilIdle(progress: progress)
    try checkOpen()
    try withFile { (file) throws(TraceFileFailure) in try file.writeOut(syncs: false) }
  }

  /// Writes the open chunk and the summary: the trace is then whole, and nothing more can be
  /// written.
  ///
  /// Of an earlier set that was overwritten, the files that follow are removed.
  ///
  /// - Throws: As `write`.
  package func finish() throws(TraceError) {
    try finishFile()
    state = .finished
    try checkPath()
    if overwrite, options.splits {
      for path in options.existing(path) where !paths.contains(path) { unlink(path) }
    }
  }

  private func finishFile() throws(TraceError) {
    try checkOpen()
    try handOver()
    try withFile { (file) throws(TraceFileFailure) in try file.finish() }
  }

  /// Ends the trace if the path of the open file no longer leads to it.
  private func checkPath() throws(TraceError) {
    // It may take its path, and leave where it was made, between two looks.
    guard let path = paths.last,
      [path, madePath, path].allSatisfy({ calls.isLost(identity, $0) })
    else { return }
    // Where it is now, it is whole.
    if case .open = state { try finishFile() }
    let error = TraceError.moved(path: path, to: queue.readFile { $0.location })
    state = .failed(error)
    throw error
  }

  /// Removes the file of a recording that did not begin, and leaves the one that it would have replaced;
  /// nothing more can then be written.
  package func discard() {
    state = .finished
    unlink(madePath)
  }

  /// When the open chunk is old enough to be closed, in monotonic nanoseconds; nil while it has no
  /// message.
  package var flushDeadlineNs: UInt64? { chunkOpenedNs.map { $0 + Self.chunkAgeNsMax } }

  /// Bytes in memory that go into the file, before compression, and bytes in the file; without waiting.
  package var load: (queuedBytes: UInt64, fileBytes: UInt64) {
    let (queuedBytes, fileBytes) = queue.load
    return (queuedBytes + UInt64(buffer.chunk.recordBytes), fileBytes)
  }

  /// Bytes in the file, after the chunks handed over are written.
  package var byteCount: UInt64 { queue.readFile { $0.byteCount } }

  /// Statistics of the file, after the chunks handed over are written.
  package var statistics: TraceStatistics { queue.readFile { $0.statistics } }

  // MARK: - Writing

  /// Hands the open chunk, unless it is empty, to the writer's thread, and opens another.
  private func handOver() throws(TraceError) {
    guard buffer.chunk.recordBytes > 0 else { return }
    try checkIndexedRecords()
    let storedBytes = UInt64(buffer.chunk.storedBytes)
    do throws(TraceFileFailure) {
      buffer = try queue.exchange(buffer)
    } catch {
      throw fail(error)
    }
    nextOffset += storedBytes
    setLead()
    indexedCount += 1
    chunkOpenedNs = nil
    isCheckpointDue = true
    checkpointIfDue()
  }

  /// Makes the blocks of the open chunk, which must be empty, those of the file.
  private func setLead() {
    guard knowsOffsets, buffer.chunk.recordBytes == 0 else { return }
    buffer.clear(lead: Int(nextOffset % UInt64(AlignedBytes.blockBytes)))
  }

  /// Waits until the chunks handed over are written, then uses the file.
  private func withFile(
    _ body: (inout TraceFile) throws(TraceFileFailure) -> Void
  ) throws(TraceError) {
    do throws(TraceFileFailure) {
      try queue.withFile(body)
    } catch {
      throw fail(error)
    }
    nextOffset = queue.readFile { $0.byteCount }
    setLead()
  }

  private func checkOpen() throws(TraceError) {
    switch state {
    case .open: if let failure = queue.failure { throw fail(failure) }
    case .failed(let error): throw error
    case .finished: preconditionFailure("\(path): the trace is finished")
    }
  }

  /// Keeps the error that ended the trace, with the count of messages that did not reach it.
  private func fail(_ failure: TraceFileFailure) -> TraceError {
    let error = failure.error(messagesTaken: messageCount)
    state = .failed(error)
    return error
  }

  // MARK: - Limits

  private func addToCatalogue(_ byteCount: Int) throws(TraceError) {
    try TraceField.catalogueBytes.check(catalogueBytes + byteCount, max: limits.catalogueBytes)
    catalogueBytes += byteCount
  }

  private func checkIndexedRecords() throws(TraceError) {
    try TraceField.indexedRecords.check(indexedCount + 1, max: limits.indexedRecords)
  }
}
