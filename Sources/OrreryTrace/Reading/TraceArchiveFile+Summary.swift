// SPDX-License-Identifier: Apache-2.0

/// Opening by the summary.
extension TraceArchiveFile {
  /// Reads header, footer and summary, and checks that what the summary points to lies within the data
  /// section and does not overlap.
  ///
  /// - Returns: False if the file is whole but lists no chunks or counts, so that it must be walked.
  /// - Throws: The first fault.
  func readSummary() throws(TraceError) -> Bool {
    let start = UInt64(TraceFormat.magic.count)
    let head = try source.head(at: start)
    guard head.kind == .header else {
      throw .unexpectedRecord(head.kind ?? .message, offset: start)
    }
    try readHeader(head.location)
    let footer = try readFooter()
    guard footer.summaryStart != 0 else { return false }
    let dataEnd = try dataEnd(before: footer)
    var end = ByteCursor(
      try source.bytes(at: dataEnd, count: UInt64(DataEndRecord.recordBytes)), start: dataEnd)
    let endHead = try RecordHead(&end)
    guard endHead.kind == .dataEnd, endHead.contentBytes == UInt64(DataEndRecord.contentBytes)
    else { throw .mismatch(.summaryStart, offset: dataEnd, stored: footer.summaryStart, actual: 0) }
    contents.hasDataChecksum = try DataEndRecord(&end).checksum != 0
    let hasStatistics = try readSummary(footer, dataEnd: dataEnd)
    contents.sortByTime()
    // Messages outside of chunks are listed nowhere.
    return hasStatistics && contents.isSelfContained
      && (!contents.chunks.isEmpty || contents.statistics.messageCount == 0)
  }

  /// The summary of a file that may be damaged elsewhere; nil if there is none, or a damaged one.
  static func summary(of source: consuming TraceSource, limits: TraceLimits) -> TraceSummary? {
    let file = TraceArchiveFile(source, limits: limits)
    do throws(TraceError) {
      let footer = try file.readFooter()
      let dataEnd = try file.dataEnd(before: footer)
      _ = try file.readSummary(footer, dataEnd: dataEnd)
      return TraceSummary(
        contents: file.contents, isProven: footer.checksum != 0, dataEnd: dataEnd)
    } catch {
      return nil
    }
  }

  /// A record that is kept, and so limited.
  func small(_ record: RecordLocation) throws(TraceError) -> ByteCursor {
    try TraceField.catalogueBytes.check(record.byteCount, max: limits.catalogueBytes)
    return try source.content(record)
  }

  func readHeader(_ record: RecordLocation) throws(TraceError) {
    let header = try HeaderRecord(of: small(record))
    (contents.profile, contents.library) = (header.profile, header.library)
  }

  /// Where the footer stands, or would stand.
  private var footerOffset: UInt64 {
    let endBytes = UInt64(FooterRecord.recordBytes + TraceFormat.magic.count)
    return byteCount - min(byteCount, endBytes)
  }

  private func readFooter() throws(TraceError) -> FooterRecord {
    let (offset, magicBytes) = (footerOffset, UInt64(TraceFormat.magic.count))
    guard offset >= magicBytes else { throw .noSummary(offset: byteCount) }
    try source.readMagic(at: byteCount - magicBytes)
    let head = try source.head(at: offset)
    guard head.kind == .footer, head.contentBytes == UInt64(FooterRecord.contentBytes) else {
      throw .noSummary(offset: offset)
    }
    return try FooterRecord(of: source.content(head.location))
  }

  /// Where DataEnd stands, by the footer.
  private func dataEnd(before footer: FooterRecord) throws(TraceError) -> UInt64 {
    let endBytes = UInt64(DataEndRecord.recordBytes)
    guard footer.summaryStart <= footerOffset,
      footer.summaryStart >= UInt64(TraceFormat.magic.count) + endBytes
    else {
      throw .mismatch(
        .summaryStart, offset: footerOffset, stored: footer.summaryStart, actual: footerOffset)
    }
    return footer.summaryStart - endBytes
  }

  /// - Returns: Whether there were statistics.
  private func readSummary(_ footer: FooterRecord, dataEnd: UInt64) throws(TraceError) -> Bool {
    let hasStatistics = try readSummaryRecords(footer)
    try retimeEmptyChunks()
    try checkChunks(dataEnd: dataEnd, summaryStart: footer.summaryStart)
    return hasStatistics
  }

  /// - Returns: Whether there were statistics.
  private func readSummaryRecords(_ footer: FooterRecord) throws(TraceError) -> Bool {
    var checksum = Checksum()
    var hasStatistics = false
    var offset = footer.summaryStart
    let end = footerOffset
    while offset < end {
      let head = try source.head(at: offset)
      let byteCount = head.location.byteCount
      guard byteCount <= end - offset else {
        throw .recordEnds(offset: offset, needed: byteCount, have: end - offset)
      }
      try TraceField.recordBytes.check(byteCount, max: limits.catalogueBytes)
      checksum.update(try source.bytes(at: offset, count: byteCount))
      let fields = try source.content(head.location)
      switch head.kind {
      case .schema: try contents.catalogue.addSchema(fields)
      case .channel:
        do throws(TraceError) {
          try contents.catalogue.addChannel(fields)
        } catch {
          guard case .undeclared = error else { throw error }
          contents.lacksSchemas = true
        }
      case .statistics:
        try readStatistics(fields)
        hasStatistics = true
      case .chunkIndex: try readChunkIndex(fields)
      case .attachmentIndex: try readAttachmentIndex(fields, offset: offset)
      case .metadataIndex: try readMetadataIndex(fields)
      case .summaryOffset, nil: break
      case .some(let opcode): throw .unexpectedRecord(opcode, offset: offset)
      }
      offset += byteCount
    }
    checksum.update(try source.bytes(at: offset, count: UInt64(FooterRecord.summedBytes)))
    guard footer.checksum == 0 || footer.checksum == checksum.value else {
      throw .checksum(.summary, offset: end, stored: footer.checksum, computed: checksum.value)
    }
    return hasStatistics
  }

  private func readStatistics(_ record: ByteCursor) throws(TraceError) {
    let statistics = try TraceStatistics(of: record)
    for id in statistics.messageCounts.keys where channels[id] == nil {
      contents.undeclared.insert(id)
    }
    if contents.chunks.isEmpty {
      // Bounded by the file: a record of the summary has at least so many bytes.
      let most = min(UInt64(statistics.chunkCount), byteCount / 64, UInt64(limits.indexedRecords))
      contents.chunks.reserveCapacity(Int(most))
    }
    contents.statistics = statistics
  }

  private func readChunkIndex(_ record: ByteCursor) throws(TraceError) {
    try contents.checkCount()
    let index = try ChunkIndexRecord(of: record)
    var mask: UInt64 = 0
    for (id, _) in index.indexOffsets.entries {
      mask |= TraceChunkEntry.bit(id)
      if contents.catalogue.channels[id] == nil { contents.undeclared.insert(id) }
    }
    contents.totals[index.compression, default: TraceChunkTotals()].add(
      storedBytes: index.storedBytes, recordBytes: index.recordBytes)
    // A chunk without indexes may have messages of any channel.
    if index.indexBytes == 0 { mask = .max }
    try keepChunk(
      index.chunk, indexByteCount: index.indexBytes, startNs: index.startNs, endNs: index.endNs,
      mask: mask)
  }

  /// Keeps a chunk whose numbers fit.
  func keepChunk(
    _ record: RecordLocation, indexByteCount: UInt64, startNs: UInt64, endNs: UInt64, mask: UInt64
  ) throws(TraceError) {
    try TraceField.recordBytes.check(max(record.byteCount, indexByteCount), max: UInt32.max)
    guard record.offset <= byteCount else {
      throw .mismatch(
        .chunkIndex, offset: record.offset, stored: record.offset, actual: byteCount)
    }
    contents.chunks.append(
      TraceChunkEntry(
        offset: record.offset, startNs: startNs, endNs: endNs, channelMask: mask,
        byteCount: UInt32(record.byteCount), indexByteCount: UInt32(indexByteCount)))
  }

  private func readAttachmentIndex(_ record: ByteCursor, offset: UInt64) throws(TraceError) {
    try contents.checkCount()
    let index = try AttachmentIndexRecord(of: record)
    let (start, size, head) = (index.record.offset, index.record.byteCount, index.head)
    let fieldBytes = head.bytesBeforeData + UInt64(TraceAttachmentHead.checksumBytes)
    guard isInFile(index.record), head.dataBytes <= size, size - head.dataBytes >= fieldBytes
    else { throw .mismatch(.attachmentIndex, offset: offset, stored: start, actual: size) }
    let attachment = TraceAttachment(head: head, offset: start + head.bytesBeforeData)
    try contents.catalogue.keep(attachment)
    contents.attachments.append(attachment)
  }

  private func readMetadataIndex(_ record: ByteCursor) throws(TraceError) {
    try contents.checkCount()
    var fields = record
    // Its name is in the record, too.
    let location = try RecordLocation(&fields)
    guard isInFile(location) else {
      throw .mismatch(
        .metadataIndex, offset: location.offset, stored: location.byteCount, actual: byteCount)
    }
    contents.metadata.append(location)
  }

  private func isInFile(_ record: RecordLocation) -> Bool {
    record.offset <= byteCount && record.byteCount <= byteCount - record.offset
  }

  /// Gives chunks without messages the times of the specification, where a writer left others.
  private func retimeEmptyChunks() throws(TraceError) {
    for (index, chunk) in contents.chunks.enumerated()
    where TraceFormat.hasTimesOfNone(chunk.startNs, chunk.endNs) {
      guard try !hasMessages(chunk) else { continue }
      contents.chunks[index] = TraceChunkEntry(
        offset: chunk.offset, startNs: 0, endNs: 0, channelMask: 0, byteCount: chunk.byteCount,
        indexByteCount: chunk.indexByteCount)
      noteEmpty(chunk.offset)
    }
  }

  /// Notes that a chunk without messages has times.
  func noteEmpty(_ offset: UInt64) {
    contents.retimed.insert(offset)
    note(TraceFormat.emptyChunkNote)
  }

  private func hasMessages(_ chunk: TraceChunkEntry) throws(TraceError) -> Bool {
    var records = try source.chunk(chunk.location, limits, &decompressor).records
    while let record = try records.nextRecord() {
      if record.opcode == .message { return true }
    }
    return false
  }

  /// Checks that the chunks lie in the data section, one behind the other.
  private func checkChunks(dataEnd: UInt64, summaryStart: UInt64) throws(TraceError) {
    let count = UInt64(contents.chunks.count)
    if count > 0, contents.statistics.chunkCount != 0,
      count != UInt64(contents.statistics.chunkCount)
    {
      throw .mismatch(
        .chunkCount, offset: summaryStart, stored: UInt64(contents.statistics.chunkCount),
        actual: count)
    }
    let isInOrder = zip(contents.chunks, contents.chunks.dropFirst()).allSatisfy {
      $0.offset < $1.offset
    }
    if !isInOrder { contents.chunks.sort { $0.offset < $1.offset } }
    var end = UInt64(TraceFormat.magic.count)
    for chunk in contents.chunks {
      guard chunk.offset >= end, chunk.end <= dataEnd, chunk.startNs <= chunk.endNs else {
        throw .mismatch(.chunkIndex, offset: summaryStart, stored: chunk.offset, actual: end)
      }
      end = chunk.end
    }
  }
}
