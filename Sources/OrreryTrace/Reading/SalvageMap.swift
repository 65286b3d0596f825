// SPDX-License-Identifier: Apache-2.0

/// A summary whose checksum is right or absent, whatever else is damaged in its file.
struct TraceSummary {
  let contents: ArchiveContents

  /// Whether it has a checksum.
  let isProven: Bool

  /// Where the data section ends, in bytes from the start of the file.
  let dataEnd: UInt64
}

/// Where records stand, as a summary knows it whose checksum is right; knows nothing without one.
///
/// A writer that was killed has such a summary of an earlier moment: there may be more chunks than it lists.
struct SalvageMap {
  /// A chunk with the message indexes behind it, or a metadata record.
  struct Region {
    let opcode: TraceOpcode
    let start: UInt64
    /// Offset of what follows the record.
    let end: UInt64
    /// Offset of what follows its message indexes.
    let indexEnd: UInt64
  }

  /// Where the data section ends; nil if that is not known.
  let dataEnd: UInt64?

  /// Whether all channels of the file are known.
  let listsChannels: Bool

  /// By rising offset, without overlap.
  private let regions: [Region]

  init(_ anySummary: TraceSummary?) {
    let summary = anySummary.flatMap { $0.isProven ? $0 : nil }
    dataEnd = summary?.dataEnd
    listsChannels = !(summary?.contents.catalogue.channels.isEmpty ?? true)
    var listed: [Region] = []
    for chunk in summary?.contents.chunks ?? [] {
      listed.append(
        Region(
          opcode: .chunk, start: chunk.offset, end: chunk.offset + UInt64(chunk.byteCount),
          indexEnd: chunk.end))
    }
    for record in summary?.contents.metadata ?? [] {
      let end = record.offset + record.byteCount
      listed.append(Region(opcode: .metadata, start: record.offset, end: end, indexEnd: end))
    }
    listed.sort { $0.start < $1.start }
    var regions: [Region] = []
    var free = UInt64(TraceFormat.magic.count)
    for region in listed where region.start >= free && region.indexEnd <= dataEnd ?? 0 {
      guard region.end > region.start else { continue }
      regions.append(region)
      free = region.indexEnd
    }
    self.regions = regions
  }

  /// The record that begins at an offset.
  func region(at offset: UInt64) -> Region? {
    region(atOrBefore: offset).flatMap { $0.start == offset ? $0 : nil }
  }

  /// Whether a message index of a chunk belongs at an offset.
  func isIndex(at offset: UInt64) -> Bool {
    region(atOrBefore: offset).map { offset >= $0.end && offset < $0.indexEnd } ?? false
  }

  /// Offset that no record from `offset` on reaches past.
  func limit(behind offset: UInt64, _ fileEnd: UInt64) -> UInt64 {
    if let region = region(atOrBefore: offset), offset < region.indexEnd {
      return offset < region.end ? region.end : region.indexEnd
    }
    let next = count(atOrBefore: offset)
    if next < regions.count { return regions[next].start }
    if let dataEnd, offset < dataEnd { return dataEnd }
    return fileEnd
  }

  /// Refuses a record that the summary speaks against.
  func check(
    _ opcode: UInt8, at offset: UInt64, byteCount: UInt64, fileEnd: UInt64
  ) throws(TraceError) {
    if let region = region(at: offset) {
      guard opcode == region.opcode.rawValue, byteCount == region.end - region.start else {
        throw .mismatch(
          region.opcode == .chunk ? .chunkIndex : .metadataIndex, offset: offset,
          stored: region.end - region.start, actual: byteCount)
      }
      return
    }
    let limit = limit(behind: offset, fileEnd)
    guard byteCount <= limit - offset else {
      throw .mismatch(.recordBytes, offset: offset, stored: byteCount, actual: limit - offset)
    }
    let isEnd = opcode == TraceOpcode.dataEnd.rawValue
    guard let dataEnd, isEnd != (offset == dataEnd) || isIndex(at: offset) else { return }
    guard !isIndex(at: offset) || opcode == TraceOpcode.messageIndex.rawValue else {
      throw .mismatch(.messageIndex, offset: offset, stored: 7, actual: UInt64(opcode))
    }
    guard isEnd == (offset == dataEnd) else {
      throw .unexpectedRecord(TraceOpcode(rawValue: opcode) ?? .dataEnd, offset: offset)
    }
  }

  private func region(atOrBefore offset: UInt64) -> Region? {
    let count = count(atOrBefore: offset)
    return count > 0 ? regions[count - 1] : nil
  }

  /// Count of regions that begin at or before an offset.
  private func count(atOrBefore offset: UInt64) -> Int {
    var (low, high) = (0, regions.count)
    while low < high {
      let middle = (low + high) / 2
      if regions[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The schemas and channels of a damaged file, and which are proven: by the checksum of a chunk, of the
/// summary, or of all data.
struct SalvageDeclarations {
  private var proven: TraceCatalogue
  private var unproven: TraceCatalogue

  init(_ summary: TraceSummary?, limits: TraceLimits) {
    let listed = summary?.contents.catalogue ?? TraceCatalogue(limits: limits)
    let isProven = summary?.isProven ?? true
    proven = isProven ? listed : TraceCatalogue(limits: limits)
    unproven = isProven ? TraceCatalogue(limits: limits) : listed
  }

  /// All schemas; of one that differs, the one that is proven.
  var schemas: [TraceSchemaID: TraceSchema] {
    unproven.schemas.merging(proven.schemas) { $1 }
  }

  /// All channels; of one that differs, the one that is proven.
  var channels: [TraceChannelID: TraceChannel] {
    unproven.channels.isEmpty
      ? proven.channels : unproven.channels.merging(proven.channels) { $1 }
  }

  /// Whether what a channel says is proven, and what its schema says.
  func isProven(_ channel: TraceChannelID) -> Bool { proven.channels[channel] != nil }

  /// Adds a Schema or Channel record.
  ///
  /// `onlyIfKnown` says that one that is not proven already is damaged.
  ///
  /// - Throws: If it differs from one that is proven, or its fields do not fit.
  mutating func add(
    _ opcode: TraceOpcode, _ fields: ByteCursor, isProven: Bool, onlyIfKnown: Bool = false
  ) throws(TraceError) {
    if isProven {
      if opcode == .schema { return try proven.addSchema(fields) }
      do throws(TraceError) {
        return try proven.addChannel(fields)
      } catch {
        // Its schema may stand outside of chunks.
        guard case .undeclared = error else { throw error }
        return try unproven.addChannel(fields, schemas: proven.schemas)
      }
    }
    do throws(TraceError) {
      if opcode == .schema {
        _ = try proven.checkSchema(fields)
      } else {
        _ = try proven.checkChannel(fields)
      }
    } catch {
      guard case .undeclared = error, !onlyIfKnown else { throw error }
      if opcode == .schema {
        try unproven.addSchema(fields)
      } else {
        try unproven.addChannel(fields, schemas: proven.schemas)
      }
    }
  }
}
