// SPDX-License-Identifier: Apache-2.0

/// Reads one trace, an MCAP file that anyone may have written or damaged.
///
/// `nextMessage` goes through the file once, from its start, and gives its messages; schemas, channels,
/// attachments, metadata and statistics are there as far as it has come. At the end everything that
/// the file says twice has been compared: all four kinds of checksum, message indexes, and the summary
/// with the data. So no single flipped bit goes unseen.
///
/// Every length is checked against what is left of the file, and against `TraceLimits`, before it is
/// used. One thread at a time.
package final class TraceReader {
  /// What becomes of a file that is not whole.
  package enum Mode: Sendable {
    /// It is an error.
    case strict

    /// Its messages are read up to the last whole chunk, and `ending` says what came then. Checksums
    /// that a writer left out are not missed.
    case scan
  }

  /// How a trace ended.
  package enum Ending: Equatable, Sendable {
    /// With its summary and footer, all checked.
    case complete

    /// Between two records, as when a writer was ended between two writes.
    case unfinished(offset: UInt64)

    /// Within a record, as when a writer was ended within a write.
    case cutOff(offset: UInt64, needed: UInt64, have: UInt64)

    /// With something that cannot be right.
    case damaged(TraceError)
  }

  let limits: TraceLimits
  let mode: Mode
  var source: TraceSource

  /// Place of the next record, in bytes: all before it was read and is right.
  package internal(set) var offset: UInt64 = 0

  /// Nil while there may be more messages.
  package private(set) var ending: Ending?
  private var failure: TraceError?

  var catalogue: TraceCatalogue
  var isHeaderRead = false
  var dataChecksum = Checksum()
  var decompressor = ChunkDecompressor()

  /// Messages that were read and not yet given.
  private var pending: ByteCursor?

  /// What the chunk before the next record will need of its index records.
  var indexRun: MessageIndexRun?

  /// What the summary has to say.
  var chunks: [ChunkFacts] = []
  var attachmentRecords: [RecordPlace] = []
  var metadataRecords: [RecordPlace] = []

  /// Counts of all but schemas and channels.
  var counted = TraceStatistics()
  package internal(set) var attachments: [TraceAttachment] = []
  package internal(set) var metadata: [TraceMetadata] = []

  /// From the header.
  package internal(set) var profile = ""
  package internal(set) var library = ""

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

  private init(
    source: consuming TraceSource, mode: Mode, limits: TraceLimits
  ) throws(TraceError) {
    self.limits = limits
    self.mode = mode
    self.source = source
    catalogue = TraceCatalogue(limits: limits)
    try readMagic(at: 0)
    offset = UInt64(TraceFormat.magic.count)
    TraceFormat.magic.withUnsafeBytes { dataChecksum.update($0) }
  }

  /// The next message of the file, in the order in which messages were written.
  ///
  /// - Returns: Nil at the end; `ending` then says which.
  /// - Throws: In mode `strict`, what is wrong with the file, once everything before it was given and
  ///   again when called again. In mode `scan`, only `system`.
  package func nextMessage() throws(TraceError) -> TraceMessage? {
    if let failure { throw failure }
    while true {
      do throws(TraceError) {
        if let message = try nextPending() { return message }
        guard ending == nil else { return nil }
        if try readRecord() == .dataEnd {
          try readSummary()
          ending = .complete
        }
      } catch {
        try end(with: error)
      }
    }
  }

  /// Reads what is left of the trace.
  ///
  /// - Returns: How it ended.
  /// - Throws: As `nextMessage`.
  @discardableResult
  package func readToEnd() throws(TraceError) -> Ending {
    while try nextMessage() != nil {}
    return ending ?? .complete
  }

  /// What was read so far, counted from the data, whatever the summary says.
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
    try source.copy(at: attachment.offset, count: attachment.byteCount)
  }

  /// Hands a chunk's records, all of which were checked, to `nextMessage`.
  func give(_ records: ByteCursor) {
    pending = records
  }

  /// Checks the magic bytes that begin and end a file.
  func readMagic(at place: UInt64) throws(TraceError) {
    let bytes = try source.bytes(at: place, count: UInt64(TraceFormat.magic.count))
    guard bytes.elementsEqual(TraceFormat.magic) else { throw .badMagic(offset: place) }
  }

  /// Checks a stored checksum.
  func check(
    _ field: TraceField, offset: UInt64, stored: UInt32, computed: Checksum
  ) throws(TraceError) {
    if mode == .scan, stored == 0 { return }
    guard stored == computed.value else {
      throw .checksum(field, offset: offset, stored: stored, computed: computed.value)
    }
  }

  private func nextPending() throws(TraceError) -> TraceMessage? {
    while pending != nil, let record = try pending?.nextRecord() {
      if record.opcode == TraceOpcode.message.rawValue { return try message(record.fields) }
    }
    pending = nil
    return nil
  }

  private func message(_ record: ByteCursor) throws(TraceError) -> TraceMessage {
    var fields = record
    let id = TraceChannelID(number: try fields.number())
    guard let channel = channels[id] else {
      throw .undeclared(.channel, id: id.number, offset: record.offset)
    }
    return TraceMessage(
      channel: id, topic: channel.topic, sequence: try fields.number(),
      logTimeNs: try fields.number(), publishTimeNs: try fields.number(),
      bytes: try fields.take(UInt64(fields.remaining)))
  }

  private func end(with error: TraceError) throws(TraceError) {
    pending = nil
    if case .system = error { failure = error }
    if mode == .strict { failure = error }
    if let failure { throw failure }
    switch error {
    case .fileEnds(let place, _, let have) where have == 0 && place == offset:
      ending = .unfinished(offset: offset)
    case .fileEnds(_, let needed, let have):
      ending = .cutOff(offset: offset, needed: needed, have: have)
    default:
      ending = .damaged(error)
    }
  }
}
