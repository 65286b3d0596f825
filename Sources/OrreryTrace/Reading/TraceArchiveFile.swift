// SPDX-License-Identifier: Apache-2.0

/// One file of an archive, opened without reading its messages.
///
/// A file with a summary is opened by it: a few reads, whatever the file's size. Without a summary, or with
/// one that is damaged, the heads of all records are read in turn, up to the first fault.
package final class TraceArchiveFile {
  /// As given.
  package let path: String

  /// Size in bytes.
  package var byteCount: UInt64 { source.byteCount }

  /// Whether the file has everything that its writer meant it to have.
  package internal(set) var state = TraceState.whole

  /// Known faults of other programs' writers that were met and made good.
  package private(set) var notes: [String] = []

  /// Whether the file was opened by its summary.
  package internal(set) var hasSummary = false

  /// What was found.
  var contents: ArchiveContents
  let limits: TraceLimits
  var source: TraceSource
  var decompressor = ChunkDecompressor()

  /// Opens a file.
  ///
  /// - Throws: `system` or `notRegularFile` if it cannot be read; `badMagic` or `fileEnds` if it is not
  ///   a trace. Whatever else is wrong with it, `state` says.
  package convenience init(path: String, limits: TraceLimits = TraceLimits()) throws(TraceError) {
    do throws(TraceError) {
      try self.init(try TraceSource(path: path), path: path, limits: limits)
    } catch {
      throw error.inFile(path)
    }
  }

  /// Opens the bytes of a file; `path` is its name in errors.
  package convenience init(
    bytes: [UInt8], path: String = "memory", limits: TraceLimits = TraceLimits()
  ) throws(TraceError) {
    do throws(TraceError) {
      try self.init(TraceSource(bytes: bytes), path: path, limits: limits)
    } catch {
      throw error.inFile(path)
    }
  }

  private init(
    _ source: consuming TraceSource, path: String, limits: TraceLimits
  ) throws(TraceError) {
    self.path = path
    self.limits = limits
    self.source = source
    contents = ArchiveContents(limits: limits)
    try self.source.readMagic(at: 0)
    self.source.readAhead = Self.summaryReadAhead
    var fault: TraceError?
    do throws(TraceError) {
      hasSummary = try readSummary()
    } catch {
      if case .system = error { throw error }
      fault = error
    }
    if !hasSummary {
      (contents, notes) = (ArchiveContents(limits: limits), [])
      try walk(summaryFault: fault)
      contents.sortByTime()
    }
    if state == .whole, isOwn { try checkAccount() }
  }

  /// For the summary alone.
  init(_ source: consuming TraceSource, limits: TraceLimits) {
    path = ""
    self.limits = limits
    self.source = source
    self.source.readAhead = Self.summaryReadAhead
    contents = ArchiveContents(limits: limits)
  }

  /// Smallest reads, in bytes: large for a summary, small for heads that stand far apart.
  static let (summaryReadAhead, walkReadAhead) = (64 << 10, 4 << 10)

  /// Counts, from the summary or from the indexes behind chunks.
  package var statistics: TraceStatistics { contents.statistics }

  /// Schemas of the file.
  ///
  /// Without a summary, only those whose channels have messages.
  package var schemas: [TraceSchemaID: TraceSchema] { contents.catalogue.schemas }

  /// Channels of the file.
  ///
  /// Without a summary, only those that have messages.
  package var channels: [TraceChannelID: TraceChannel] { contents.catalogue.channels }

  /// Chunks by rising `startNs`, and in the order of the file where it is equal.
  package var chunks: [TraceChunkEntry] { contents.chunks }

  /// Attachments in the order of the file.
  package var attachments: [TraceAttachment] { contents.attachments }

  /// Sizes by compression.
  package var totals: [TraceCompression: TraceChunkTotals] { contents.totals }

  /// From the header; empty where it cannot be read.
  package var profile: String { contents.profile }

  /// The library that wrote the file, from the header; empty where it cannot be read.
  package var library: String { contents.library }

  /// Whether Orrery wrote it: then it has all checksums, and a recording its account.
  package var isOwn: Bool { contents.isOwn }

  /// Finds whether a recording of Orrery's that is whole as a file has all of the run.
  ///
  /// - Throws: `system`.
  private func checkAccount() throws(TraceError) {
    guard contents.hasDataChecksum else {
      state = .unfinished(.endOfRecording)
      return
    }
    do throws(TraceError) {
      state = try metadata().stateOfFinished
    } catch {
      if case .system = error.cause { throw error }
      state = .damaged(error)
    }
  }

  /// The state of the file after the strict reader met a fault.
  ///
  /// Behind the last checkpoint of a recorder that was ended anything may be half written.
  ///
  /// - Parameters:
  ///   - fault: What was met.
  ///   - offset: Up to there everything is right, in bytes from the start of the file.
  /// - Returns: The state that the file was opened with if the fault is what that says; otherwise damaged.
  package func state(strictly fault: TraceError, at offset: UInt64) -> TraceState {
    if case .unfinished = state, TraceState(fault) == state { return state }
    let listed = chunks.map(\.end) + contents.metadata.map(\.end)
    if state == .unfinished(.endOfRecording), !contents.hasDataChecksum,
      offset >= listed.max() ?? 0
    {
      return state
    }
    return .damaged(fault)
  }

  /// Adds a note, once.
  func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  /// Reads all metadata records.
  ///
  /// - Throws: `inFile`.
  package func metadata() throws(TraceError) -> [TraceMetadata] {
    do throws(TraceError) {
      var all: [TraceMetadata] = []
      var keptBytes: UInt64 = 0
      for location in contents.metadata {
        keptBytes += location.byteCount
        try TraceField.catalogueBytes.check(keptBytes, max: limits.catalogueBytes)
        let record = try source.bytes(at: location.offset, count: location.byteCount)
        var records = ByteCursor(record, start: location.offset)
        guard let found = try records.nextRecord(), found.opcode == .metadata else {
          throw .mismatch(.metadataIndex, offset: location.offset, stored: 12, actual: 0)
        }
        all.append(try TraceMetadata(of: found.fields))
      }
      return all
    } catch {
      throw error.inFile(path)
    }
  }

  /// The contents of an attachment; its checksum is not looked at.
  ///
  /// - Throws: `inFile`.
  package func data(of attachment: TraceAttachment) throws(TraceError) -> [UInt8] {
    do throws(TraceError) {
      let dataBytes = attachment.head.dataBytes
      try TraceField.recordBytes.check(dataBytes, max: limits.recordBytes)
      return try source.copy(at: attachment.offset, count: dataBytes)
    } catch {
      throw error.inFile(path)
    }
  }
}

/// What an archive knows of a file's content.
struct ArchiveContents {
  var catalogue: TraceCatalogue
  var chunks: [TraceChunkEntry] = []
  var attachments: [TraceAttachment] = []
  var metadata: [RecordLocation] = []
  var statistics = TraceStatistics()
  var totals: [TraceCompression: TraceChunkTotals] = [:]
  var profile = ""
  var library = "" {
    didSet { isOwn = TraceFormat.isOwn(library) }
  }

  /// Whether Orrery wrote the file: asked for each message.
  private(set) var isOwn = false

  /// Whether the data section's end has a checksum.
  var hasDataChecksum = false

  /// The earliest chunk that may have messages.
  private(set) var firstFilled: Int?

  /// Offsets of chunks without messages whose times were made good.
  var retimed: Set<UInt64> = []

  /// Channels that a summary counts messages of before it declares them.
  var undeclared: Set<TraceChannelID> = []

  /// Whether a summary has a channel without its schema.
  var lacksSchemas = false

  /// Chunks, from the first, whose declarations were read in a walk.
  var declarationsRead = 0
  private let indexedMax: Int

  init(limits: TraceLimits) {
    catalogue = TraceCatalogue(limits: limits)
    indexedMax = limits.indexedRecords
  }

  /// Counts a chunk, attachment or metadata record that is about to be kept.
  func checkCount() throws(TraceError) {
    let count = chunks.count + attachments.count + metadata.count + 1
    try TraceField.indexedRecords.check(count, max: indexedMax)
  }

  /// Whether a summary names all channels, schemas, attachments and metadata that it counts.
  ///
  /// A writer may leave them out, as they are in the data section too.
  var isSelfContained: Bool {
    !lacksSchemas && undeclared.allSatisfy { catalogue.channels[$0] != nil }
      && (chunks.allSatisfy { $0.indexByteCount > 0 }
        || catalogue.channels.count >= Int(statistics.channelCount))
      && attachments.count >= Int(statistics.attachmentCount)
      && metadata.count >= Int(statistics.metadataCount)
  }

  /// Sorts the chunks by time; those of a file of ours are sorted already.
  mutating func sortByTime() {
    let isSorted = zip(chunks, chunks.dropFirst()).allSatisfy {
      ($0.startNs, $0.offset) <= ($1.startNs, $1.offset)
    }
    if !isSorted { chunks.sort { ($0.startNs, $0.offset) < ($1.startNs, $1.offset) } }
    firstFilled = chunks.firstIndex { $0.channelMask != 0 }
  }
}

extension [TraceMetadata] {
  /// The state of a file of Orrery's that is whole as a file: a recording without its account is not finished, nor is a
  /// copy of what is not whole.
  ///
  /// The account of a set of files is in the last one; each other one names the next.
  var stateOfFinished: TraceState {
    if let part = first(where: { $0.name == TraceState.partRecord }) {
      return .unfinished(.whatItsSourceLacks(part.values[TraceState.reasonKey] ?? ""))
    }
    let names = Set(map(\.name))
    let isRecording = names.contains("orrery.recording")
    let hasEnded = !names.isDisjoint(with: ["orrery.summary", TraceState.nextRecord])
    return isRecording && !hasEnded ? .unfinished(.endOfRecording) : .whole
  }
}
