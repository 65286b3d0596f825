// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Writes one trace, an MCAP file.
///
/// Messages gather in a chunk. A chunk is written, in one call, when it has its size or its age;
/// whatever ends the process, the file can be read up to its last chunk. Schemas and channels go into
/// the chunk that is open when they are added, before the messages that need them.
///
/// The same calls give the same bytes as long as no chunk closes by age. One thread at a time.
package final class TraceWriter {
  private enum State {
    case open
    case finished
    case failed(TraceError)
  }

  /// Largest age of a chunk's first message when the chunk is closed, in nanoseconds.
  package static let chunkAgeNsMax: UInt64 = 1_000_000_000

  /// Who wrote the file, in its header.
  package static let library = "orrery 0.1"

  private let chunkBytes: Int
  private let limits = TraceLimits()
  private let clock: () -> UInt64
  private var output: TraceOutput
  private var chunk: ChunkBuilder
  private var state = State.open

  /// About what is in the file.
  private var summary = SummaryBuilder()

  /// Schemas and channels in the open chunk: the records, and how many.
  private var (pendingSchemas, pendingChannels) = (RecordBytes(), RecordBytes())
  private var (schemaCount, channelCount): (UInt16, UInt16) = (0, 0)
  private var catalogueBytes = 0

  /// Monotonic time of the open chunk's first message, in nanoseconds.
  private var chunkOpenedNs: UInt64?

  /// Creates the file and writes its header.
  ///
  /// - Parameters:
  ///   - path: Where. A symbolic link is refused.
  ///   - compression: Of the chunks. A chunk that it would not make smaller is stored as it is.
  ///   - chunkBytes: Size at which a chunk is closed, 1 to 64 MiB. A message that is larger makes a
  ///     chunk of its own.
  ///   - overwrite: Whether an existing file may be emptied.
  ///   - clock: Monotonic nanoseconds.
  ///   - calls: The system.
  /// - Throws: `system`, `notRegularFile`, `beingWritten` if the file cannot be created;
  ///   `writeFailed` if it has no room for a header.
  package init(
    path: String, compression: TraceCompression = .none, chunkBytes: Int = 4 << 20,
    overwrite: Bool = false, clock: @escaping () -> UInt64 = Clock.monotonicNs,
    calls: TraceSystemCalls = .live
  ) throws(TraceError) {
    precondition(chunkBytes >= 1 && chunkBytes <= 64 << 20, "chunkBytes \(chunkBytes)")
    self.chunkBytes = chunkBytes
    self.clock = clock
    output = try TraceOutput(path: path, overwrite: overwrite, calls: calls)
    chunk = ChunkBuilder(compression: compression, chunkBytes: chunkBytes)
    var start = RecordBytes()
    start.append(raw: TraceFormat.magic)
    start.append(record: .header) { fields in
      fields.append(text: "")
      fields.append(text: Self.library)
    }
    do throws(TraceError) {
      try append(start)
    } catch {
      // A file that is ours and holds nothing would only stand in the way of the next attempt.
      if !overwrite { unlink(path) }
      throw error
    }
  }

  /// Declares how messages of some channels are to be decoded.
  ///
  /// - Returns: What `addChannel` needs.
  /// - Throws: `tooLarge` if the trace's schemas and channels exceed `TraceLimits`, or are more than
  ///   65535; what an earlier failure was.
  package func addSchema(
    name: String, encoding: String, data: [UInt8]
  ) throws(TraceError) -> TraceSchemaID {
    try checkOpen()
    try checkCount(.schemaCount, UInt64(schemaCount) + 1)
    let id = TraceSchemaID(number: schemaCount + 1)
    var record = RecordBytes()
    record.append(record: .schema) { fields in
      fields.append(id.number)
      fields.append(text: name)
      fields.append(text: encoding)
      fields.append(UInt32(truncatingIfNeeded: data.count))
      fields.append(raw: data)
    }
    try addToCatalogue(record.count)
    chunk.append(record)
    pendingSchemas.append(raw: record)
    schemaCount += 1
    return id
  }

  /// Opens a stream of messages.
  ///
  /// - Parameters:
  ///   - topic: Its name.
  ///   - messageEncoding: How messages are written, such as `protobuf` or `json`.
  ///   - schema: From `addSchema`; none if the messages explain themselves.
  ///   - metadata: Facts about the channel.
  /// - Returns: What `write` needs.
  /// - Throws: As `addSchema`.
  package func addChannel(
    topic: String, messageEncoding: String, schema: TraceSchemaID?, metadata: [String: String] = [:]
  ) throws(TraceError) -> TraceChannelID {
    try checkOpen()
    try checkCount(.channelCount, UInt64(channelCount) + 1)
    let schemaNumber = schema?.number ?? 0
    precondition(schemaNumber <= schemaCount, "schema \(schemaNumber) of \(schemaCount)")
    let id = TraceChannelID(number: channelCount + 1)
    var record = RecordBytes()
    record.append(record: .channel) { fields in
      fields.append(id.number)
      fields.append(schemaNumber)
      fields.append(text: topic)
      fields.append(text: messageEncoding)
      fields.append(map: metadata)
    }
    try addToCatalogue(record.count)
    chunk.append(record)
    pendingChannels.append(raw: record)
    channelCount += 1
    return id
  }

  /// Takes a message into the open chunk, and writes chunks that are thereby due.
  ///
  /// - Parameters:
  ///   - channel: From `addChannel`.
  ///   - sequence: The publisher's number of the message.
  ///   - logTimeNs: When it was received, in nanoseconds since 1970.
  ///   - publishTimeNs: When it was published, in nanoseconds since 1970.
  ///   - parts: The message's bytes; they are copied one after another, once.
  ///   - isIntact: Asked when they are copied, for bytes that another process may overwrite
  ///     meanwhile. False drops the message.
  /// - Returns: What `isIntact` said.
  /// - Throws: `writeFailed` if a chunk could not be written, now or earlier; nothing more can then
  ///   be written. `tooLarge` if the message exceeds `TraceLimits`; others can still be written.
  @discardableResult
  package func write(
    _ channel: TraceChannelID, sequence: UInt32, logTimeNs: UInt64, publishTimeNs: UInt64,
    parts: [UnsafeRawBufferPointer], isIntact: () -> Bool = { true }
  ) throws(TraceError) -> Bool {
    try checkOpen()
    precondition(
      channel.number >= 1 && channel.number <= channelCount,
      "channel \(channel.number) of \(channelCount)")
    let byteCount = parts.reduce(0) { $0 + $1.count }
    guard byteCount <= limits.messageBytes else {
      throw .tooLarge(
        .recordBytes, value: UInt64(byteCount), limit: UInt64(limits.messageBytes))
    }
    let recordBytes = TraceFormat.recordHeadBytes + TraceFormat.messageFieldBytes + byteCount
    if chunk.recordBytes > 0, chunk.recordBytes + recordBytes > chunkBytes { try flush() }
    let isKept = chunk.appendMessage(
      channel, sequence: sequence, logTimeNs: logTimeNs, publishTimeNs: publishTimeNs, parts: parts,
      byteCount: byteCount, isIntact: isIntact)
    if isKept, chunkOpenedNs == nil { chunkOpenedNs = clock() }
    if chunk.recordBytes >= chunkBytes { try flush() }
    try flushIfDue()
    return isKept
  }

  /// Takes a message that lies in one piece; see the other `write`.
  package func write(
    _ channel: TraceChannelID, sequence: UInt32, logTimeNs: UInt64, publishTimeNs: UInt64,
    bytes: [UInt8]
  ) throws(TraceError) {
    try bytes.span.bytes.withUnsafeBytes { (buffer) throws(TraceError) in
      _ = try write(
        channel, sequence: sequence, logTimeNs: logTimeNs, publishTimeNs: publishTimeNs,
        parts: [buffer])
    }
  }

  /// Writes a file into the trace, at once; `createTimeNs` is 0 if nobody knows when it was made.
  ///
  /// - Throws: As `write`.
  package func addAttachment(
    name: String, mediaType: String, data: [UInt8], logTimeNs: UInt64, createTimeNs: UInt64
  ) throws(TraceError) {
    try checkOpen()
    guard data.count <= limits.messageBytes else {
      throw .tooLarge(.recordBytes, value: UInt64(data.count), limit: UInt64(limits.messageBytes))
    }
    try checkIndexedRecords()
    var record = RecordBytes()
    record.append(record: .attachment) { fields in
      let start = fields.count
      fields.append(logTimeNs)
      fields.append(createTimeNs)
      fields.append(text: name)
      fields.append(text: mediaType)
      fields.append(UInt64(data.count))
      fields.append(raw: data)
      let checksum = fields.withUnsafeBytes {
        Checksum(UnsafeRawBufferPointer(rebasing: $0[start...]))
      }
      fields.append(checksum.value)
    }
    var index = RecordBytes()
    index.append(record: .attachmentIndex) { fields in
      fields.append(output.offset)
      fields.append(UInt64(record.count))
      fields.append(logTimeNs)
      fields.append(createTimeNs)
      fields.append(UInt64(data.count))
      fields.append(text: name)
      fields.append(text: mediaType)
    }
    try append(record, summaryBytes: index.count)
    summary.attachmentIndexes.append(raw: index)
    summary.statistics.attachmentCount += 1
  }

  /// Writes a named list of facts into the trace, at once.
  ///
  /// - Throws: As `write`.
  package func addMetadata(name: String, _ values: [String: String]) throws(TraceError) {
    try checkOpen()
    try checkIndexedRecords()
    var record = RecordBytes()
    record.append(record: .metadata) { fields in
      fields.append(text: name)
      fields.append(map: values)
    }
    try addToCatalogue(record.count)
    var index = RecordBytes()
    index.append(record: .metadataIndex) { fields in
      fields.append(output.offset)
      fields.append(UInt64(record.count))
      fields.append(text: name)
    }
    try append(record, summaryBytes: index.count)
    summary.metadataIndexes.append(raw: index)
    summary.statistics.metadataCount += 1
  }

  /// Writes the open chunk, if its first message has its age.
  ///
  /// To be called when no message has come until `flushDeadlineNs`.
  ///
  /// - Throws: As `write`.
  package func flushIfDue() throws(TraceError) {
    guard let flushDeadlineNs, clock() >= flushDeadlineNs else { return }
    try flush()
  }

  /// Writes the open chunk, if it holds anything.
  ///
  /// - Throws: As `write`.
  package func flush() throws(TraceError) {
    try checkOpen()
    guard chunk.recordBytes > 0 else { return }
    try checkIndexedRecords()
    let sealed = chunk.seal(offset: output.offset, checksum: output.checksum)
    let summaryBytes =
      summary.endingBytes + sealed.index.count + pendingSchemas.count + pendingChannels.count
      + (2 + 8) * sealed.messageCounts.count
    do throws(SystemCallError) {
      try output.append(sealed.bytes, checksum: sealed.checksum, summaryBytes: summaryBytes)
    } catch {
      throw fail(error, byteCount: sealed.bytes.count)
    }
    summary.schemas.append(raw: pendingSchemas)
    summary.channels.append(raw: pendingChannels)
    summary.chunkIndexes.append(raw: sealed.index)
    summary.statistics.schemaCount = schemaCount
    summary.statistics.channelCount = UInt32(channelCount)
    summary.statistics.chunkCount += 1
    for (channel, count) in sealed.messageCounts {
      summary.statistics.add(
        channel: channel, count: count, startNs: sealed.startNs, endNs: sealed.endNs)
    }
    (pendingSchemas, pendingChannels) = (RecordBytes(), RecordBytes())
    chunkOpenedNs = nil
    chunk.clear()
  }

  /// Writes the open chunk and the summary: the trace is then whole, and nothing more can be written.
  ///
  /// - Throws: As `write`.
  package func finish() throws(TraceError) {
    try flush()
    let ending = summary.ending(offset: output.offset, checksum: output.checksum)
    do throws(SystemCallError) {
      try writeEnding()
    } catch {
      throw fail(error, byteCount: ending.count)
    }
    state = .finished
  }

  /// When the open chunk has its age, in monotonic nanoseconds; nil while it has no message.
  package var flushDeadlineNs: UInt64? { chunkOpenedNs.map { $0 + Self.chunkAgeNsMax } }

  /// Bytes in the file.
  package var byteCount: UInt64 { output.offset }

  /// Messages in the file and in the open chunk.
  package var messageCount: UInt64 { summary.statistics.messageCount + chunk.messageCount }

  /// About what is in the file, without the open chunk.
  package var statistics: TraceStatistics { summary.statistics }

  // MARK: - Failing

  /// Ends the file after its last whole record, and remembers why.
  private func fail(_ cause: SystemCallError, byteCount: Int) -> TraceError {
    let (offset, lost) = (output.offset, chunk.messageCount)
    var isFinished = false
    // Without any record there is no trace to finish.
    if offset > 0 {
      do throws(SystemCallError) {
        try writeEnding()
        isFinished = true
      } catch {
        output.cutAfterLastRecord()
      }
    } else {
      output.cutAfterLastRecord()
    }
    let error = TraceError.writeFailed(
      TraceWriteFailure(
        cause: cause, offset: offset, byteCount: byteCount,
        messagesKept: summary.statistics.messageCount, messagesLost: lost, isFinished: isFinished))
    state = .failed(error)
    return error
  }

  /// Writes what ends the file over whatever stands after its last whole record.
  private func writeEnding() throws(SystemCallError) {
    let ending = summary.ending(offset: output.offset, checksum: output.checksum)
    try ending.withUnsafeBytes { (bytes) throws(SystemCallError) in try output.finish(bytes) }
  }

  /// Appends a record that is not in a chunk, keeping room for what the summary says about it.
  private func append(_ record: RecordBytes, summaryBytes: Int = 0) throws(TraceError) {
    var checksum = output.checksum
    record.withUnsafeBytes { checksum.update($0) }
    do throws(SystemCallError) {
      try record.withUnsafeBytes { (bytes) throws(SystemCallError) in
        try output.append(
          bytes, checksum: checksum, summaryBytes: summary.endingBytes + summaryBytes)
      }
    } catch {
      throw fail(error, byteCount: record.count)
    }
  }

  private func checkOpen() throws(TraceError) {
    switch state {
    case .open: return
    case .failed(let error): throw error
    case .finished: preconditionFailure("\(output.path): the trace is finished")
    }
  }

  // MARK: - Limits

  private func addToCatalogue(_ byteCount: Int) throws(TraceError) {
    guard catalogueBytes + byteCount <= limits.catalogueBytes else {
      throw .tooLarge(
        .catalogueBytes, value: UInt64(catalogueBytes + byteCount),
        limit: UInt64(limits.catalogueBytes))
    }
    catalogueBytes += byteCount
  }

  private func checkCount(_ field: TraceField, _ count: UInt64) throws(TraceError) {
    guard count <= UInt64(UInt16.max) else {
      throw .tooLarge(field, value: count, limit: UInt64(UInt16.max))
    }
  }

  private func checkIndexedRecords() throws(TraceError) {
    let statistics = summary.statistics
    let count =
      UInt64(statistics.chunkCount) + UInt64(statistics.attachmentCount)
      + UInt64(statistics.metadataCount) + 1
    guard count <= UInt64(limits.indexedRecords) else {
      throw .tooLarge(.indexedRecords, value: count, limit: UInt64(limits.indexedRecords))
    }
  }
}
