// SPDX-License-Identifier: Apache-2.0

/// A chunk whose message indexes are being read, or Message records in a row outside of chunks.
private struct OpenEntry {
  let offset: UInt64
  var byteCount: UInt64
  var startNs: UInt64
  var endNs: UInt64
  var indexByteCount: UInt64 = 0
  var mask: UInt64 = 0
  var counts: [TraceChannelID: UInt64] = [:]
  let head: ChunkHead?

  /// The record, or all of the records in a row.
  var location: RecordLocation { RecordLocation(offset: offset, byteCount: byteCount) }
}

/// Opening record by record, for a file without a usable summary.
extension TraceArchiveFile {
  /// Most bytes of Message records in a row that make one entry.
  private static let bareRunBytes: UInt64 = 4 << 20

  /// Reads the heads of all records, up to the first fault, and says in `state` what that was.
  ///
  /// Data of chunks is only read where a channel is met for the first time, or where indexes are missing.
  ///
  /// - Parameter fault: What is wrong with the summary; nil if it is right but lists no chunks.
  /// - Throws: `system`.
  func walk(summaryFault fault: TraceError?) throws(TraceError) {
    source.readAhead = Self.walkReadAhead
    defer { source.readAhead = Self.summaryReadAhead }
    var offset = UInt64(TraceFormat.magic.count)
    var open: OpenEntry?
    do throws(TraceError) {
      var isData = true
      while isData {
        isData = try walkRecord(at: &offset, &open)
      }
      try close(&open)
      try walkSummary(from: offset)
      state = fault.map { .damaged($0) } ?? .whole
    } catch {
      if case .system = error { throw error }
      // A chunk that is whole counts, whatever follows it; its indexes may not be all there.
      open?.indexByteCount = 0
      if open?.head != nil {
        open?.mask = 0
        open?.counts = [:]
      }
      do throws(TraceError) {
        try close(&open)
      } catch {
        if case .system = error { throw error }
      }
      state = TraceState(error)
    }
  }

  /// Moves behind the summary and the end of the file.
  private func walkSummary(from dataEnd: UInt64) throws(TraceError) {
    var offset = dataEnd
    while true {
      let head = try source.head(at: offset)
      offset = head.location.end
      if head.kind == .footer { break }
    }
    try source.readMagic(at: offset)
    offset += UInt64(TraceFormat.magic.count)
    guard offset == byteCount else {
      throw .trailingBytes(offset: offset, count: byteCount - offset)
    }
  }

  /// Reads the record at `offset`, and moves `offset` behind it.
  ///
  /// - Returns: False after the end of the data section.
  private func walkRecord(
    at offset: inout UInt64, _ open: inout OpenEntry?
  ) throws(TraceError) -> Bool {
    let head = try source.head(at: offset)
    let (record, opcode) = (head.location, head.kind)
    if opcode != .messageIndex, opcode != .message || open?.head != nil { try close(&open) }
    try limits.check(head)
    switch opcode {
    case .header: try readHeader(record)
    case .schema: try contents.catalogue.addSchema(try small(record))
    case .channel: try contents.catalogue.addChannel(try small(record))
    case .message: try walkMessage(record, &open)
    case .chunk:
      try contents.checkCount()
      let chunk = try source.chunkHead(record, limits)
      open = OpenEntry(
        offset: offset, byteCount: record.byteCount, startNs: chunk.startNs, endNs: chunk.endNs,
        head: chunk)
    case .messageIndex: try walkIndex(record, &open)
    case .attachment: try walkAttachment(record)
    case .metadata:
      try contents.checkCount()
      contents.metadata.append(record)
      contents.statistics.metadataCount += 1
    case .dataEnd:
      contents.hasDataChecksum = try DataEndRecord(of: source.content(record)).checksum != 0
    case nil: break
    case .some(let opcode): throw .unexpectedRecord(opcode, offset: offset)
    }
    offset = record.end
    return opcode != .dataEnd
  }

  private func walkIndex(
    _ record: RecordLocation, _ open: inout OpenEntry?
  ) throws(TraceError) {
    guard var entry = open, entry.head != nil else {
      throw .unexpectedRecord(.messageIndex, offset: record.offset)
    }
    let headBytes = MessageIndexHead.bytesBeforeEntries
    let index = try MessageIndexHead(of: source.content(record, first: headBytes))
    let (entryBytes, start) = (UInt64(index.entryBytes), record.offset + UInt64(headBytes))
    guard entryBytes <= record.end - start else {
      throw .recordEnds(offset: start, needed: entryBytes, have: record.end - start)
    }
    entry.indexByteCount += record.byteCount
    if entryBytes > 0 {
      entry.mask |= TraceChunkEntry.bit(index.channel)
      entry.counts[index.channel, default: 0] += entryBytes / UInt64(MessageIndexEntry.byteCount)
    }
    open = entry
  }

  private func walkMessage(
    _ record: RecordLocation, _ open: inout OpenEntry?
  ) throws(TraceError) {
    let first = UInt64(TraceMessageHead.bytesBeforeData)
    guard record.byteCount >= first else {
      throw .recordEnds(offset: record.offset, needed: first, have: record.byteCount)
    }
    let message = try contents.catalogue.messageHead(
      of: source.content(record, first: TraceMessageHead.bytesBeforeData))
    let timeNs = message.logTimeNs
    if let entry = open, entry.byteCount + record.byteCount > Self.bareRunBytes { try close(&open) }
    if open == nil { try contents.checkCount() }
    var entry =
      open
      ?? OpenEntry(
        offset: record.offset, byteCount: 0, startNs: timeNs, endNs: timeNs, head: nil)
    entry.byteCount += record.byteCount
    entry.startNs = min(entry.startNs, timeNs)
    entry.endNs = max(entry.endNs, timeNs)
    entry.mask |= TraceChunkEntry.bit(message.channel)
    entry.counts[message.channel, default: 0] += 1
    open = entry
  }

  private func walkAttachment(_ record: RecordLocation) throws(TraceError) {
    try contents.checkCount()
    // Names are short; longer ones than this are no attachment of anybody's.
    let head = try TraceAttachmentHead(of: source.content(record, first: 64 << 10))
    let attachment = TraceAttachment(head: head, offset: record.offset + head.bytesBeforeData)
    let (have, sumBytes) = (
      record.end - attachment.offset, UInt64(TraceAttachmentHead.checksumBytes)
    )
    guard have >= sumBytes, head.dataBytes <= have - sumBytes else {
      throw .recordEnds(offset: attachment.offset, needed: head.dataBytes, have: have)
    }
    try contents.catalogue.keep(attachment)
    contents.attachments.append(attachment)
    contents.statistics.attachmentCount += 1
  }

  /// Keeps the entry, after its channels are known.
  private func close(_ open: inout OpenEntry?) throws(TraceError) {
    guard var entry = open else { return }
    open = nil
    if let head = entry.head {
      let isNew = entry.counts.keys.contains { contents.catalogue.channels[$0] == nil }
      if isNew || entry.indexByteCount == 0 { try readCatalogue(of: &entry) }
      contents.totals[head.compression, default: TraceChunkTotals()].add(
        storedBytes: head.storedBytes, recordBytes: head.recordBytes)
      contents.statistics.chunkCount += 1
    }
    if TraceFormat.hasTimesOfNone(entry.startNs, entry.endNs), entry.counts.isEmpty {
      (entry.startNs, entry.endNs) = (0, 0)
      noteEmpty(entry.offset)
    }
    guard entry.startNs <= entry.endNs else {
      throw .mismatch(.endTime, offset: entry.offset, stored: entry.endNs, actual: entry.startNs)
    }
    for (channel, count) in entry.counts {
      contents.statistics.add(
        channel: channel, count: count, startNs: entry.startNs, endNs: entry.endNs)
    }
    contents.statistics.schemaCount = UInt16(truncatingIfNeeded: schemas.count)
    contents.statistics.channelCount = UInt32(channels.count)
    try keepChunk(
      entry.location, indexByteCount: entry.indexByteCount, startNs: entry.startNs,
      endNs: entry.endNs, mask: entry.mask)
  }

  /// Reads the declarations in a chunk; and in all chunks before it, each once, if one of its channels was
  /// declared there.
  private func readCatalogue(of entry: inout OpenEntry) throws(TraceError) {
    do throws(TraceError) {
      try readRecords(of: &entry)
      try checkChannels(of: entry)
    } catch {
      guard case .undeclared = error else { throw error }
      while contents.declarationsRead < contents.chunks.count {
        let earlier = contents.chunks[contents.declarationsRead]
        contents.declarationsRead += 1
        guard try source.head(at: earlier.offset).kind == .chunk else { continue }
        var again = OpenEntry(
          offset: earlier.offset, byteCount: UInt64(earlier.byteCount), startNs: 0, endNs: 0,
          indexByteCount: 1, head: nil)
        try readRecords(of: &again)
      }
      entry.counts = entry.indexByteCount > 0 ? entry.counts : [:]
      try readRecords(of: &entry)
      try checkChannels(of: entry)
    }
  }

  private func checkChannels(of entry: OpenEntry) throws(TraceError) {
    for channel in entry.counts.keys where contents.catalogue.channels[channel] == nil {
      throw .undeclared(.channel, id: channel.number, offset: entry.offset)
    }
  }

  private func readRecords(of entry: inout OpenEntry) throws(TraceError) {
    let isIndexed = entry.indexByteCount > 0
    var records = try source.chunk(entry.location, limits, &decompressor).records
    while let record = try records.nextOfChunk() {
      if isIndexed, record.opcode == .message { continue }
      guard let message = try contents.catalogue.take(record) else { continue }
      entry.mask |= TraceChunkEntry.bit(message.channel)
      entry.counts[message.channel, default: 0] += 1
    }
  }
}
