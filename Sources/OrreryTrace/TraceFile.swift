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
/// A method that throws has ended the file after its last whole record; nothing may then follow.
struct TraceFile: ~Copyable {
  private var output: TraceOutput
  private var sealer: ChunkSealer
  private var summary = SummaryBuilder()

  init(_ output: consuming TraceOutput, compression: TraceCompression) {
    self.output = output
    sealer = ChunkSealer(compression)
  }

  /// Bytes in the file.
  var byteCount: UInt64 { output.offset }

  /// Statistics of the file's content.
  var statistics: TraceStatistics { summary.statistics }

  /// Appends a chunk, which must be cleared before it is filled again.
  mutating func write(_ chunk: inout ChunkBuilder) throws(TraceFileFailure) {
    let sealed = sealer.seal(&chunk, offset: output.offset, checksum: output.checksum)
    let channelsWithMessages = chunk.entries.count { !$0.isEmpty }
    let summaryBytes =
      sealed.index.count + chunk.schemas.count + chunk.channels.count
      + (2 + 8) * channelsWithMessages
    try append(sealed.bytes, checksum: sealed.checksum, summaryBytes: summaryBytes)
    summary.add(chunk, index: sealed.index)
  }

  /// Appends the header.
  mutating func append(header: RecordBytes) throws(TraceFileFailure) {
    try append(header, summaryBytes: 0)
  }

  /// Appends an Attachment record; `index` is given its offset.
  mutating func append(
    attachment record: RecordBytes, index: (_ offset: UInt64) -> RecordBytes
  ) throws(TraceFileFailure) {
    let index = index(output.offset)
    try append(record, summaryBytes: index.count)
    summary.attachmentIndexes.append(raw: index)
    summary.statistics.attachmentCount += 1
  }

  /// Appends a Metadata record; `index` is given its offset.
  mutating func append(
    metadata record: RecordBytes, index: (_ offset: UInt64) -> RecordBytes
  ) throws(TraceFileFailure) {
    let index = index(output.offset)
    try append(record, summaryBytes: index.count)
    summary.metadataIndexes.append(raw: index)
    summary.statistics.metadataCount += 1
  }

  /// Appends the summary and the end of the file.
  mutating func finish() throws(TraceFileFailure) {
    let ending = summary.ending(offset: output.offset, checksum: output.checksum)
    do throws(SystemCallError) {
      try writeEnding()
    } catch {
      throw fail(error, byteCount: ending.count)
    }
  }

  private mutating func append(
    _ record: RecordBytes, summaryBytes: Int
  ) throws(TraceFileFailure) {
    var checksum = output.checksum
    record.withUnsafeBytes { checksum.update($0) }
    try record.withUnsafeBytes { (bytes) throws(TraceFileFailure) in
      try append(bytes, checksum: checksum, summaryBytes: summaryBytes)
    }
  }

  /// Appends records, and keeps room for their part of the summary.
  private mutating func append(
    _ bytes: UnsafeRawBufferPointer, checksum: Checksum, summaryBytes: Int
  ) throws(TraceFileFailure) {
    do throws(SystemCallError) {
      try output.append(
        bytes, checksum: checksum, summaryBytes: summary.endingBytes + summaryBytes)
    } catch {
      throw fail(error, byteCount: bytes.count)
    }
  }

  private mutating func fail(_ cause: SystemCallError, byteCount: Int) -> TraceFileFailure {
    let offset = output.offset
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
    return TraceFileFailure(
      cause: cause, offset: offset, byteCount: byteCount,
      messagesKept: summary.statistics.messageCount, isFinished: isFinished)
  }

  /// Writes the end of the file over any bytes after its last whole record.
  private mutating func writeEnding() throws(SystemCallError) {
    let ending = summary.ending(offset: output.offset, checksum: output.checksum)
    try ending.withUnsafeBytes { (bytes) throws(SystemCallError) in try output.finish(bytes) }
  }
}
