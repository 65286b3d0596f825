// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Why a trace could not be written or read.
///
/// Offsets are bytes from the start of the file; inside a compressed chunk, of the chunk.
package indirect enum TraceError: ExitStatusError, Equatable {
  /// Of a file among several.
  case inFile(path: String, TraceError)

  // Files.
  case system(SystemCallError)
  case notRegularFile(path: String)
  case beingWritten(path: String)

  /// The file that is written lost its name; `to` is its name now, nil if it has none.
  case moved(path: String, to: String?)

  // Writing.
  case writeFailed(TraceWriteFailure)
  case tooLarge(TraceField, value: UInt64, limit: UInt64)

  // Reading.
  case badMagic(offset: UInt64)
  case fileEnds(offset: UInt64, needed: UInt64, have: UInt64)
  case recordEnds(offset: UInt64, needed: UInt64, have: UInt64)
  case invalidOpcode(offset: UInt64)
  case unexpectedRecord(TraceOpcode, offset: UInt64)
  case trailingBytes(offset: UInt64, count: UInt64)
  case invalidText(offset: UInt64)
  case duplicateKey(offset: UInt64)
  case checksum(TraceField, offset: UInt64, stored: UInt32, computed: UInt32)
  case unknownCompression(offset: UInt64)
  case decompression(offset: UInt64, declared: UInt64, produced: UInt64?)
  case undeclared(TraceOpcode, id: UInt16, offset: UInt64)
  case redefined(TraceOpcode, id: UInt16, offset: UInt64)
  case mismatch(TraceField, offset: UInt64, stored: UInt64, actual: UInt64)
  case notGrouped(opcode: UInt8, offset: UInt64)
  case noSummary(offset: UInt64)
}

extension TraceError {
  /// The error with the path of its file, unless it names it already.
  package func inFile(_ path: String) -> TraceError {
    switch self {
    case .inFile, .system, .notRegularFile, .beingWritten, .moved, .writeFailed: self
    default: .inFile(path: path, self)
    }
  }

  /// The error without the path of its file.
  package var cause: TraceError {
    if case .inFile(_, let cause) = self { return cause }
    return self
  }
}

extension TraceError {
  /// Exit code of a program that cannot open or read a trace.
  package var exitStatus: ExitStatus {
    switch cause {
    case .system(let error) where error.errno == ENOENT: .unavailable
    case .system(let error) where error.isShortage: .resource
    case .system, .notRegularFile: .inputOutput
    default: .badData
    }
  }
}

/// The quantity that a `TraceError` refers to.
package enum TraceField: String, Sendable {
  case recordBytes = "record size"
  case chunkBytes = "decompressed chunk size"
  case catalogueBytes = "sum of schemas, channels and metadata"
  case indexedRecords = "number of chunks, attachments and metadata records"
  case schemaCount = "number of schemas"
  case channelCount = "number of channels"
  case attachmentCount = "number of attachments"
  case metadataCount = "number of metadata records"
  case chunkCount = "number of chunks"
  case messageCount = "number of messages"
  case startTime = "earliest log time"
  case endTime = "latest log time"
  case chunkRecords = "checksum of a chunk's records"
  case attachment = "checksum of an attachment"
  case dataSection = "checksum of the data section"
  case summary = "checksum of the summary"
  case summaryStart = "start of the summary"
  case summaryOffsetStart = "start of the summary offsets"
  case groupStart = "start of a summary group"
  case groupBytes = "size of a summary group"
  case messageIndex = "message index"
  case messageIndexBytes = "size of the message indexes"
  case chunkIndex = "chunk index"
  case attachmentIndex = "attachment index"
  case metadataIndex = "metadata index"
  case statistics = "number of statistics records"
  case identifier = "identifier"
  case overlappingMessages = "number of messages in chunks that overlap in time"
  case fileCount = "number of files"
}

/// A failure to write a trace further, and what remains of the trace.
package struct TraceWriteFailure: Error, Equatable {
  /// The failed system call.
  package let cause: SystemCallError

  /// Offset in the file, and size, of the failed write in bytes.
  package let offset: UInt64
  /// Bytes of the failed write.
  package let byteCount: Int

  /// Count of messages that are whole in the file.
  package let messagesKept: UInt64

  /// Count of messages that were accepted but did not reach the file.
  package let messagesLost: UInt64

  /// Whether the part that was kept got its summary and footer.
  ///
  /// If not, the file can be scanned but is not a whole trace.
  package let isFinished: Bool

  package init(
    cause: SystemCallError, offset: UInt64, byteCount: Int, messagesKept: UInt64,
    messagesLost: UInt64, isFinished: Bool
  ) {
    self.cause = cause
    self.offset = offset
    self.byteCount = byteCount
    self.messagesKept = messagesKept
    self.messagesLost = messagesLost
    self.isFinished = isFinished
  }
}

extension TraceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .inFile(let path, let cause): "\(path): \(cause)"
    case .system, .notRegularFile, .beingWritten, .moved, .writeFailed, .tooLarge:
      writingDescription
    default: readingDescription
    }
  }

  private var writingDescription: String {
    switch self {
    case .system(let error): "\(error)\(error.errno == EEXIST ? "; --force replaces it" : "")"
    case .notRegularFile(let path): "\(path): not a regular file"
    case .beingWritten(let path): "\(path): another process is writing it"
    case .moved(let path, let to): FileIdentity.text(lost: path, to: to)
    case .writeFailed(let failure): "\(failure)"
    case .tooLarge(let field, let value, let limit): "\(field.rawValue) \(value) is over \(limit)"
    default: ""
    }
  }

  private var readingDescription: String {
    switch self {
    case .badMagic(let offset):
      "offset \(offset): not the magic bytes of MCAP\(offset == 0 ? ", so this is no trace" : "")"
    case .fileEnds(let offset, let needed, let have):
      "offset \(offset): \(needed) bytes needed, the file has \(have)"
    case .recordEnds(let offset, let needed, let have):
      "offset \(offset): \(needed) bytes needed, the record has \(have)"
    case .invalidOpcode(let offset): "offset \(offset): record of kind 0"
    case .unexpectedRecord(let opcode, let offset): "offset \(offset): unexpected \(opcode) record"
    case .trailingBytes(let offset, let count): "offset \(offset): \(count) bytes too many"
    case .invalidText(let offset): "offset \(offset): text is not UTF-8"
    case .duplicateKey(let offset): "offset \(offset): key appears twice"
    case .checksum(let field, let offset, let stored, let computed):
      "offset \(offset): \(field.rawValue) is \(stored), computed \(computed)"
    case .unknownCompression(let offset): "offset \(offset): unknown compression"
    case .decompression(let offset, let declared, let produced):
      "offset \(offset): chunk of \(declared) bytes "
        + (produced.map { "decompressed to \($0)" } ?? "cannot be decompressed to that size")
    case .undeclared(let opcode, let id, let offset):
      "offset \(offset): \(opcode) \(id) was not declared"
    case .redefined(let opcode, let id, let offset):
      "offset \(offset): \(opcode) \(id) differs from its first declaration"
    case .mismatch(let field, let offset, let stored, let actual):
      "offset \(offset): \(field.rawValue) says \(stored), the data says \(actual)"
    case .notGrouped(let opcode, let offset):
      "offset \(offset): summary records of kind \(opcode) do not stand together"
    case .noSummary(let offset): "offset \(offset): no summary"
    default: ""
    }
  }
}

extension TraceWriteFailure: CustomStringConvertible {
  package var description: String {
    "\(cause) (\(byteCount) bytes at offset \(offset)); \(messagesKept) messages kept, "
      + "\(messagesLost) lost, \(isFinished ? "trace finished" : "trace has no summary")"
  }
}
