// SPDX-License-Identifier: Apache-2.0

/// Reads one trace, an MCAP file that anyone may have written or damaged.
///
/// `nextMessage` reads the file once, from its start, and returns its messages. Schemas, channels,
/// attachments, metadata and statistics are available as far as it has read. At the end, all
/// redundant data has been compared: all four kinds of checksum, the message indexes, and the
/// summary with the data. So no single flipped bit goes unnoticed.
///
/// There are two other readers: `TraceArchive` opens one or several files by their summaries and reads any message
/// of them; `TraceSalvage` takes what is whole out of a damaged file.
///
/// Every length is checked against the rest of the file, and against `TraceLimits`, before it is
/// used. One thread at a time may use a reader.
package final class TraceReader {
  /// What to do with a file that is not whole.
  package enum Mode: Sendable {
    /// The file is an error.
    case strict

    /// Its messages are read up to the last whole chunk, and `ending` says what followed.
    case scan
  }

  let limits: TraceLimits
  let mode: Mode
  var source: TraceSource

  /// Offset of the next record, in bytes: everything before it was read and is correct.
  package internal(set) var offset: UInt64 = 0

  /// What was found at the end: of a file that is whole, everything was checked; nil while there may be more messages.
  package private(set) var ending: TraceState?
  private var failure: TraceError?

  var catalogue: TraceCatalogue
  var isHeaderRead = false
  var dataChecksum = Checksum()
  var decompressor = ChunkDecompressor()

  /// Messages that were read and not yet returned.
  private var pending: ByteCursor?

  /// The index records that are expected after the last chunk.
  var indexRun: MessageIndexRun?

  /// The records that the summary must list.
  var chunks: [ChunkFacts] = []
  var attachmentRecords: [RecordLocation] = []
  var metadataRecords: [RecordLocation] = []

  /// Counts of all but schemas and channels.
  var counted = TraceStatistics()
  /// Files in the trace, as far as it was read.
  package internal(set) var attachments: [TraceAttachment] = []
  /// Lists of facts in the trace, as far as it was read.
  package internal(set) var metadata: [TraceMetadata] = []

  /// From the header.
  package internal(set) var profile = ""
  /// The library that wrote the trace, from the header.
  package internal(set) var library = ""

  /// Checksums that the writer left out, as MCAP allows; Orrery's never does in a file that it has ended.
  package internal(set) var absentChecksums: Set<TraceField> = []

  /// Known faults of other programs' writers that were met; they are no damage.
  package internal(set) var notes: Set<String> = []

  /// Of a file that is whole as a file.
  private var stateOfFinished: TraceState {
    if isCheckpoint { return .unfinished(.endOfRecording) }
    return isOwn ? metadata.stateOfFinished : .whole
  }

  /// Whether Orrery wrote the file: nothing is excused.
  var isOwn: Bool { TraceFormat.isOwn(library) }

  /// Whether the summary is that of a checkpoint, behind which more may have been written.
  var isCheckpoint: Bool { isOwn && absentChecksums.contains(.dataSection) }

  /// Opens a file and checks its first bytes.
  ///
  /// - Throws: `system` or `notRegularFile` if it cannot be read; `badMagic` or `fileEnds` if it is
  ///   not a trace, in every mode.
  package convenience init(
    path: String, mode: Mode = .strict, limits: TraceLimits = TraceLimits()
  ) throws(TraceError) {
    try self.init(source: try TraceSource(path: path), mode: mode, limits: limits)
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: `badMagic` or `fileEnds` if it is not a trace, in every mode.
  package convenience init(
    bytes: [UInt8], mode: Mode = .strict, limits: TraceLimits = TraceLimits()
  ) throws(TraceError) {
    try self.init(source: TraceSource(bytes: bytes), mode: mode, limits: limits)
  }

  init(
    source: consuming TraceSource, mode: Mode, limits: TraceLimits
  ) throws(TraceError) {
    self.limits = limits
    self.mode = mode
    self.source = source
    catalogue = TraceCatalogue(limits: limits)
    try self.source.readMagic(at: 0)
    offset = UInt64(TraceFormat.magic.count)
    TraceFormat.magic.withUnsafeBytes { dataChecksum.update($0) }
  }

  /// The next message of the file, in the order in which messages were written.
  ///
  /// - Returns: Nil at the end; `ending` then says how the trace ended.
  /// - Throws: In mode `strict`, what is wrong with the file, after all messages before the fault
  ///   were returned, and again on each later call. In mode `scan`, only `system`.
  package func nextMessage() throws(TraceError) -> TraceMessage? {
    if let failure { throw failure }
    while true {
      do throws(TraceError) {
        if let message = try nextPending() { return message }
        guard ending == nil else { return nil }
        if try readRecord() == .dataEnd {
          try readSummary()
          ending = stateOfFinished
        }
      } catch {
        try end(with: error)
      }
    }
  }

  /// Reads the rest of the trace.
  ///
  /// - Returns: How it ended.
  /// - Throws: As `nextMessage`.
  @discardableResult
  package func readToEnd() throws(TraceError) -> TraceState {
    while try nextMessage() != nil {}
    return ending ?? .whole
  }

  /// Statistics of everything read so far, counted from the data and not taken from the summary.
  package var statistics: TraceStatistics {
    var statistics = counted
    statistics.schemaCount = UInt16(catalogue.schemas.count)
    statistics.channelCount = UInt32(catalogue.channels.count)
    return statistics
  }

  /// Schemas read so far.
  package var schemas: [TraceSchemaID: TraceSchema] { catalogue.schemas }

  /// Channels read so far.
  package var channels: [TraceChannelID: TraceChannel] { catalogue.channels }

  /// The contents of an attachment.
  ///
  /// - Throws: `system`; `fileEnds` if the file was shortened.
  package func data(of attachment: TraceAttachment) throws(TraceError) -> [UInt8] {
    try source.copy(at: attachment.offset, count: attachment.head.dataBytes)
  }

  /// Hands a chunk's records, which were all checked, to `nextMessage`.
  func give(_ records: ByteCursor) {
    pending = records
  }

  /// Checks a stored checksum; 0 says that there is none.
  func check(
    _ field: TraceField, offset: UInt64, stored: UInt32, computed: Checksum
  ) throws(TraceError) {
    guard stored != computed.value else { return }
    guard stored == 0, !isOwn || field == .dataSection else {
      throw .checksum(field, offset: offset, stored: stored, computed: computed.value)
    }
    absentChecksums.insert(field)
  }

  private func nextPending() throws(TraceError) -> TraceMessage? {
    while pending != nil, let record = try pending?.nextRecord() {
      if record.opcode == .message { return try TraceMessage(record.fields, channels: channels) }
    }
    pending = nil
    return nil
  }

  private func end(with error: TraceError) throws(TraceError) {
    pending = nil
    if case .system = error { failure = error }
    if mode == .strict { failure = error }
    if let failure { throw failure }
    ending = TraceState(error)
  }
}
