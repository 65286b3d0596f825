// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Why nothing more can be written into a file, and what the file holds.
struct TraceFileFailure: Error {
  let cause: SystemCallError
  let offset: UInt64
  let byteCount: Int
  let messagesKept: UInt64
  let isFinished: Bool

  /// The error for the caller, which knows how many messages were accepted.
  func error(messagesTaken: UInt64) -> TraceError {
    .writeFailed(
      TraceWriteFailure(
        cause: cause, offset: offset, byteCount: byteCount, messagesKept: messagesKept,
        messagesLost: messagesTaken - messagesKept, isFinished: isFinished))
  }
}

/// The part of a trace that is on disk: whole records, and the summary for them.
///
/// Chunks may be on their way to the disk when `write` returns; the summary counts them when they are
/// in the file. A method that throws has ended the file after its last whole record; nothing may then
/// follow.
struct TraceFile: ~Copyable {
  /// A chunk on its way to the file.
  private struct Pending {
    let buffer: ChunkBuffer
    let index: RecordBytes
    /// The file's end after it.
    let position: TraceOutput.Position
  }

  private var output: TraceOutput
  private let options: TraceOptions
  private var sealer: ChunkSealer
  private var summary = SummaryBuilder()
  private var pending: [Pending] = []
  private var done: [ChunkBuffer] = []

  /// The end of what the summary counts.
  private var kept = TraceOutput.Position()

  /// An end of records, and the messages before it.
  private struct End {
    var offset: UInt64 = 0
    var messageCount: UInt64 = 0
  }

  /// The last end of records of which every byte is in the file, and those after it: their last bytes wait
  /// for a whole block.
  private var (safe, unsafe) = (End(), [End]())

  /// Messages of the files before this one; nil: it is the first.
  private var earlierMessageCount: UInt64?

  init(_ output: consuming TraceOutput, options: TraceOptions) {
    self.output = output
    self.options = options
    sealer = ChunkSealer()
  }

  /// Bytes in the file and on their way to it.
  var byteCount: UInt64 { output.position.offset }

  /// Statistics of the file's content.
  var statistics: TraceStatistics { summary.statistics }

  /// Messages of all files.
  var messageCount: UInt64 { (earlierMessageCount ?? 0) + summary.statistics.messageCount }

  /// Whether chunks are on their way to the disk.
  var isBusy: Bool { !pending.isEmpty }

  /// Where the file was made: its path, or beside the file that it replaces.
  var madePath: String { output.madePath }

  /// Whether writes bypass the page cache.
  var isDirect: Bool { output.blocks != nil }

  /// Appends a chunk, which the caller must not use until `takeDone` returns it.
  mutating func write(_ buffer: ChunkBuffer) throws(TraceFileFailure) {
    let sealed = sealer.seal(buffer, at: output.position)
    let summaryBytes =
      summary.endingBytes + pending.reduce(0) { $0 + $1.buffer.chunk.summaryBytes + $1.index.count }
      + sealed.index.count + buffer.chunk.summaryBytes
    do throws(SystemCallError) {
      try makeRoom(for: sealed.bytes.count, summaryBytes: summaryBytes)
      if summary.statistics.chunkCount == 0, !isBusy {
        // No summary that lists a chunk is there yet: readers begin at the start.
        try output.appendAtOnce(
          sealed.bytes, lead: sealed.lead, holding: buffer, checksum: sealed.checksum)
      } else {
        try output.append(
          sealed.bytes, lead: sealed.lead, holding: buffer, checksum: sealed.checksum)
      }
    } catch {
      done.append(buffer)
      throw fail(error, byteCount: sealed.bytes.count)
    }
    pending.append(Pending(buffer: buffer, index: sealed.index, position: output.position))
    try collect()
    if options.sync == .chunk { try writeOut(syncs: true) }
  }

  /// Waits until one more write has ended.
  mutating func finishOneWrite() throws(TraceFileFailure) {
    if let blocks = output.blocks, blocks.isBusy { blocks.finishOne() }
    try collect()
  }

  /// Buffers of chunks that are in the file, or lost after a failure.
  mutating func takeDone() -> [ChunkBuffer] {
    defer { done = [] }
    return done
  }

  /// Goes on in the next file of a set, after `finish`; buffers that are to be given back stay so.
  mutating func goOn(in next: consuming TraceFile) {
    next.earlierMessageCount = messageCount
    next.done = done
    self = next
  }

  /// Which file it is, under whatever name.
  var identity: FileIdentity { output.identity }

  /// Where the file is now; nil if it has no name any more.
  var location: String? { output.location }

  /// Removes the file, unless another has taken its name.
  func remove() { output.remove() }

  /// Appends the header, and makes room behind it.
  mutating func append(header: RecordBytes) throws(TraceFileFailure) {
    try append(header, summaryBytes: 0)
    do throws(SystemCallError) {
      try makeRoom(for: 0, summaryBytes: summary.endingBytes)
    } catch {
      throw fail(error, byteCount: 0)
    }
    try writeOut(syncs: false)
  }

  /// Appends an Attachment record.
  mutating func append(attachment: NextFile.IndexedRecord) throws(TraceFileFailure) {
    let index = attachment.index(at: output.position.offset)
    try append(attachment.record, summaryBytes: index.count)
    summary.attachmentIndexes.append(raw: index)
    summary.statistics.attachmentCount += 1
  }

  /// Appends a Metadata record.
  mutating func append(metadata: NextFile.IndexedRecord) throws(TraceFileFailure) {
    let index = metadata.index(at: output.position.offset)
    try append(metadata.record, summaryBytes: index.count)
    summary.metadataIndexes.append(raw: index)
    summary.statistics.metadataCount += 1
  }

  /// Puts everything into the file; what a reader finds at its end stays as it was.
  mutating func writeOut(syncs: Bool) throws(TraceFileFailure) {
    try drain()
    do throws(SystemCallError) {
      try output.writeTail()
      (safe, unsafe) = (
        End(offset: kept.offset, messageCount: summary.statistics.messageCount), []
      )
      if syncs { try output.sync() }
    } catch {
      throw fail(error, byteCount: 0)
    }
  }

  /// Puts everything into the file, and a summary at its end, so that it opens as it is.
  mutating func checkpoint() throws(TraceFileFailure) {
    try writeOut(syncs: options.sync != .never)
    let summary = summary
    do throws(SystemCallError) {
      try output.checkpoint(summaryBytes: summary.endingBytes) { summary.ending(of: $0) }
      if options.sync != .never { try output.sync() }
    } catch {
      throw fail(error, byteCount: summary.endingBytes)
    }
  }

  /// Appends the summary and the end of the file.
  mutating func finish() throws(TraceFileFailure) {
    try drain()
    let byteCount = summary.ending(offset: 0, checksum: nil).count
    do throws(SystemCallError) {
      try writeEnding()
      if options.sync != .never { try output.sync() }
      try output.end()
    } catch {
      throw fail(error, byteCount: byteCount)
    }
  }

  // MARK: - Chunks under way

  /// Waits until all chunks are in the file.
  private mutating func drain() throws(TraceFileFailure) {
    output.blocks?.drain()
    try collect()
  }

  /// Counts the chunks that are in the file.
  private mutating func collect() throws(TraceFileFailure) {
    do throws(SystemCallError) {
      try collectFinished()
    } catch {
      throw fail(error, byteCount: output.blocks?.failure?.byteCount ?? 0)
    }
  }

  private mutating func collectFinished() throws(SystemCallError) {
    let count = output.blocks?.takeFinished() ?? pending.count
    for chunk in pending.prefix(count) {
      summary.add(chunk.buffer.chunk, index: chunk.index)
      keep(chunk.position)
      done.append(chunk.buffer)
    }
    // Other records' writes count, too.
    let chunkCount = min(count, pending.count)
    pending.removeFirst(chunkCount)
    if chunkCount > 0 { try output.takePath() }
    guard let failure = output.blocks?.failure else { return }
    throw SystemCallError(call: "write", path: output.path, errno: failure.errno)
  }

  /// Notes an end of records whose whole blocks are in the file.
  private mutating func keep(_ position: TraceOutput.Position) {
    kept = position
    let written = position.offset - UInt64(position.tail.count)
    unsafe.append(End(offset: position.offset, messageCount: summary.statistics.messageCount))
    if let last = unsafe.last(where: { $0.offset <= written }) { safe = last }
    unsafe.removeAll { $0.offset <= written }
  }

  private mutating func makeRoom(
    for byteCount: Int, summaryBytes: Int
  ) throws(SystemCallError) {
    if !output.hasRoom(for: byteCount, summaryBytes: summaryBytes), isBusy {
      output.blocks?.drain()
      try collectFinished()
    }
    let summary = summary
    try output.makeRoom(for: byteCount, summaryBytes: summaryBytes) { summary.ending(of: $0) }
  }

  /// Appends a record, and waits until its whole blocks are in the file.
  private mutating func append(
    _ record: RecordBytes, summaryBytes: Int
  ) throws(TraceFileFailure) {
    try drain()
    var checksum = output.position.checksum
    record.withUnsafeBytes { checksum.update($0) }
    do throws(SystemCallError) {
      try makeRoom(for: record.count, summaryBytes: summary.endingBytes + summaryBytes)
      try record.withUnsafeBytes { (bytes) throws(SystemCallError) in
        try output.append(bytes, lead: nil, holding: nil, checksum: checksum)
      }
    } catch {
      throw fail(error, byteCount: record.count)
    }
    output.blocks?.drain()
    try collect()
    keep(output.position)
  }

  // MARK: - Ends

  private mutating func fail(_ cause: SystemCallError, byteCount: Int) -> TraceFileFailure {
    output.blocks?.drain()
    done += pending.map(\.buffer)
    pending = []
    if earlierMessageCount != nil, summary.statistics.messageCount == 0 {
      // The set ends with the file before: this one would say nothing.
      output.remove()
      return TraceFileFailure(
        cause: cause, offset: kept.offset, byteCount: byteCount, messagesKept: messageCount,
        isFinished: true)
    }
    output.goBack(to: kept)
    let offset = kept.offset
    var (messagesKept, isFinished) = (messageCount, false)
    // Without any record there is no trace to finish.
    if offset > 0 {
      do throws(SystemCallError) {
        try writeEnding()
        isFinished = true
      } catch {
        if !output.cutAfterLastRecord() {
          // The last bytes of some records are not in the file.
          output.goBack(to: TraceOutput.Position(offset: safe.offset))
          messagesKept = (earlierMessageCount ?? 0) + safe.messageCount
          _ = output.cutAfterLastRecord()
        }
      }
    } else {
      _ = output.cutAfterLastRecord()
    }
    output.leaveToEarlier()
    return TraceFileFailure(
      cause: cause, offset: output.position.offset < offset ? output.position.offset : offset,
      byteCount: byteCount, messagesKept: messagesKept, isFinished: isFinished)
  }

  /// Writes the end of the file over any bytes after its last whole record.
  private mutating func writeEnding() throws(SystemCallError) {
    let position = output.position
    let ending = summary.ending(offset: position.offset, checksum: position.checksum)
    try ending.withUnsafeBytes { (bytes) throws(SystemCallError) in try output.finish(bytes) }
  }
}
