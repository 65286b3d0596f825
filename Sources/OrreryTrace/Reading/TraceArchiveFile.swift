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

  /// How the file ends, or its first fault.
  ///
  /// Chunks' contents are not looked at.
  package internal(set) var ending = TraceReader.Ending.complete

  /// Whether the file was opened by its summary.
  package internal(set) var hasSummary = false

  /// What was found.
  var contents: ArchiveContents
  let limits: TraceLimits
  var source: TraceSource
  var decompressor = ChunkDecompressor()

  /// Smallest read, in bytes: large for a summary, small for heads that stand far apart.
  var readAhead = 64 << 10

  /// Opens a file.
  ///
  /// - Throws: `system` or `notRegularFile` if it cannot be read; `badMagic` or `fileEnds` if it is not
  ///   a trace. Whatever else is wrong with it, `ending` says.
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
    try readMagic(at: 0)
    var fault: TraceError?
    do throws(TraceError) {
      hasSummary = try readSummary()
    } catch {
      if case .system = error { throw error }
      fault = error
    }
    if hasSummary { return }
    contents = ArchiveContents(limits: limits)
    try walk(summaryFault: fault)
    contents.sortByTime()
  }

  /// For the summary alone.
  init(_ source: consuming TraceSource, limits: TraceLimits) {
    path = ""
    self.limits = limits
    self.source = source
    contents = ArchiveContents(limits: limits)
  }

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

  /// Reads all metadata records.
  ///
  /// - Throws: `inFile`.
  package func metadata() throws(TraceError) -> [TraceMetadata] {
    do throws(TraceError) {
      var all: [TraceMetadata] = []
      var keptBytes: UInt64 = 0
      for location in contents.metadata {
        keptBytes += location.byteCount
        guard keptBytes <= UInt64(limits.catalogueBytes) else {
          throw .tooLarge(
            .catalogueBytes, value: keptBytes, limit: UInt64(limits.catalogueBytes))
        }
        let record = try source.bytes(at: location.offset, count: location.byteCount)
        var records = ByteCursor(record, start: location.offset)
        guard let found = try records.nextRecord(), found.opcode == TraceOpcode.metadata.rawValue
        else { throw .mismatch(.metadataIndex, offset: location.offset, stored: 12, actual: 0) }
        var fields = found.fields
        all.append(TraceMetadata(name: try fields.text(), values: try fields.textMap()))
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
      guard attachment.byteCount <= UInt64(limits.recordBytes) else {
        throw .tooLarge(
          .recordBytes, value: attachment.byteCount, limit: UInt64(limits.recordBytes))
      }
      return try source.copy(at: attachment.offset, count: attachment.byteCount)
    } catch {
      throw error.inFile(path)
    }
  }

  /// Checks the magic bytes that begin and end a file.
  func readMagic(at start: UInt64) throws(TraceError) {
    let bytes = try source.bytes(at: start, count: UInt64(TraceFormat.magic.count))
    guard bytes.elementsEqual(TraceFormat.magic) else { throw .badMagic(offset: start) }
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
  var library = ""

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
    guard count <= indexedMax else {
      throw .tooLarge(.indexedRecords, value: UInt64(count), limit: UInt64(indexedMax))
    }
  }

  /// Sorts the chunks by time; those of a file of ours are sorted already.
  mutating func sortByTime() {
    let isSorted = zip(chunks, chunks.dropFirst()).allSatisfy {
      ($0.startNs, $0.offset) <= ($1.startNs, $1.offset)
    }
    if !isSorted { chunks.sort { ($0.startNs, $0.offset) < ($1.startNs, $1.offset) } }
  }
}
