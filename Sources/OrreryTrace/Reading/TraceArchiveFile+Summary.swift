// SPDX-License-Identifier: Apache-2.0

/// Opening by the summary.
extension TraceArchiveFile {
  /// The footer's fields.
  private struct Footer {
    let offset: UInt64
    let summaryStart: UInt64
    let checksum: UInt32
  }

  /// Reads header, footer and summary, and checks that what the summary points to lies within the data
  /// section and does not overlap.
  ///
  /// - Returns: False if the file is whole but lists no chunks or counts, so that it must be walked.
  /// - Throws: The first fault.
  func readSummary() throws(TraceError) -> Bool {
    try readHeader()
    let footer = try readFooter()
    guard footer.summaryStart != 0 else { return false }
    let dataEndBytes = UInt64(TraceFormat.recordHeadBytes + TraceFormat.dataEndBytes)
    guard footer.summaryStart <= footer.offset,
      footer.summaryStart >= UInt64(TraceFormat.magic.count) + dataEndBytes
    else {
      throw .mismatch(
        .summaryStart, offset: footer.offset, stored: footer.summaryStart, actual: footer.offset)
    }
    let dataEnd = footer.summaryStart - dataEndBytes
    let end = try source.bytes(at: dataEnd, count: dataEndBytes)
    guard end.starts(with: [TraceOpcode.dataEnd.rawValue, 4, 0, 0, 0, 0, 0, 0, 0]) else {
      throw .mismatch(.summaryStart, offset: dataEnd, stored: footer.summaryStart, actual: 0)
    }
    contents.hasDataChecksum = end.suffix(TraceFormat.dataEndBytes).contains { $0 != 0 }
    let hasStatistics = try readSummaryRecords(footer)
    try retimeEmptyChunks()
    try checkChunks(dataEnd: dataEnd, summaryStart: footer.summaryStart)
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
      let dataEndBytes = UInt64(TraceFormat.recordHeadBytes + TraceFormat.dataEndBytes)
      guard footer.summaryStart <= footer.offset,
        footer.summaryStart >= UInt64(TraceFormat.magic.count) + dataEndBytes
      else { return nil }
      let dataEnd = footer.summaryStart - dataEndBytes
      _ = try file.readSummaryRecords(footer)
      try file.retimeEmptyChunks()
      try file.checkChunks(dataEnd: dataEnd, summaryStart: footer.summaryStart)
      return TraceSummary(
        contents: file.contents, isProven: footer.checksum != 0, dataEnd: dataEnd)
    } catch {
      return nil
    }
  }

  private func readHeader() throws(TraceError) {
    let start = UInt64(TraceFormat.magic.count)
    let (opcode, byteCount) = try recordHead(at: start)
    guard opcode == TraceOpcode.header.rawValue else {
      throw .unexpectedRecord(TraceOpcode(rawValue: opcode) ?? .message, offset: start)
    }
    guard byteCount <= UInt64(limits.catalogueBytes) else {
      throw .tooLarge(.catalogueBytes, value: byteCount, limit: UInt64(limits.catalogueBytes))
    }
    var fields = try content(at: start, byteCount: byteCount)
    contents.profile = try fields.text()
    contents.library = try fields.text()
  }

  private func readFooter() throws(TraceError) -> Footer {
    let magicBytes = UInt64(TraceFormat.magic.count)
    let footerBytes = UInt64(TraceFormat.recordHeadBytes + TraceFormat.footerBytes)
    guard byteCount >= magicBytes + footerBytes + magicBytes else {
      throw .noSummary(offset: byteCount)
    }
    try readMagic(at: byteCount - magicBytes)
    let offset = byteCount - magicBytes - footerBytes
    let (opcode, size) = try recordHead(at: offset)
    guard opcode == TraceOpcode.footer.rawValue, size == footerBytes else {
      throw .noSummary(offset: offset)
    }
    var fields = try content(at: offset, byteCount: size)
    let start = try fields.number(UInt64.self)
    _ = try fields.number(UInt64.self)
    return Footer(offset: offset, summaryStart: start, checksum: try fields.number())
  }

  /// - Returns: Whether there were statistics.
  private func readSummaryRecords(_ footer: Footer) throws(TraceError) -> Bool {
    var checksum = Checksum()
    var hasStatistics = false
    var offset = footer.summaryStart
    while offset < footer.offset {
      let (raw, byteCount) = try recordHead(at: offset)
      guard byteCount <= footer.offset - offset else {
        throw .recordEnds(offset: offset, needed: byteCount, have: footer.offset - offset)
      }
      guard byteCount <= UInt64(limits.catalogueBytes) else {
        throw .tooLarge(.recordBytes, value: byteCount, limit: UInt64(limits.catalogueBytes))
      }
      checksum.update(try source.bytes(at: offset, count: byteCount))
      let fields = try content(at: offset, byteCount: byteCount)
      switch TraceOpcode(rawValue: raw) {
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
    checksum.update(
      try source.bytes(
        at: offset, count: UInt64(TraceFormat.recordHeadBytes + TraceFormat.footerBytes - 4)))
    guard footer.checksum == 0 || footer.checksum == checksum.value else {
      throw .checksum(
        .summary, offset: footer.offset, stored: footer.checksum, computed: checksum.value)
    }
    return hasStatistics
  }

  private func readStatistics(_ record: ByteCursor) throws(TraceError) {
    var fields = record
    var statistics = TraceStatistics()
    statistics.messageCount = try fields.number()
    statistics.schemaCount = try fields.number()
    statistics.channelCount = try fields.number()
    statistics.attachmentCount = try fields.number()
    statistics.metadataCount = try fields.number()
    statistics.chunkCount = try fields.number()
    statistics.startNs = try fields.number()
    statistics.endNs = try fields.number()
    statistics.messageCounts = try fields.channelMap()
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
    var fields = record
    let (startNs, endNs) = (try fields.number(UInt64.self), try fields.number(UInt64.self))
    let (offset, byteCount) = (try fields.number(UInt64.self), try fields.number(UInt64.self))
    var channels = try fields.section()
    var mask: UInt64 = 0
    while channels.remaining > 0 {
      let id = TraceChannelID(number: try channels.number())
      _ = try channels.number(UInt64.self)
      mask |= TraceChunkEntry.bit(id)
      if contents.catalogue.channels[id] == nil { contents.undeclared.insert(id) }
    }
    let indexByteCount = try fields.number(UInt64.self)
    let nameOffset = fields.offset
    guard let compression = TraceCompression(mcapName: try fields.text()) else {
      throw .unknownCompression(offset: nameOffset)
    }
    contents.totals[compression, default: TraceChunkTotals()].add(
      storedBytes: try fields.number(), recordBytes: try fields.number())
    // A chunk without indexes may have messages of any channel.
    if indexByteCount == 0 { mask = .max }
    try keepChunk(
      offset: offset, byteCount: byteCount, indexByteCount: indexByteCount, startNs: startNs,
      endNs: endNs, mask: mask)
  }

  /// Keeps a chunk whose numbers fit.
  func keepChunk(
    offset: UInt64, byteCount: UInt64, indexByteCount: UInt64, startNs: UInt64, endNs: UInt64,
    mask: UInt64
  ) throws(TraceError) {
    guard let size = UInt32(exactly: byteCount), let indexSize = UInt32(exactly: indexByteCount)
    else {
      throw .tooLarge(
        .recordBytes, value: max(byteCount, indexByteCount), limit: UInt64(UInt32.max))
    }
    guard offset <= self.byteCount else {
      throw .mismatch(.chunkIndex, offset: offset, stored: offset, actual: self.byteCount)
    }
    contents.chunks.append(
      TraceChunkEntry(
        offset: offset, startNs: startNs, endNs: endNs, channelMask: mask, byteCount: size,
        indexByteCount: indexSize))
  }

  private func readAttachmentIndex(_ record: ByteCursor, offset: UInt64) throws(TraceError) {
    try contents.checkCount()
    var fields = record
    let start = try fields.number(UInt64.self)
    let byteCount = try fields.number(UInt64.self)
    let (logTimeNs, createTimeNs) = (try fields.number(UInt64.self), try fields.number(UInt64.self))
    let dataBytes = try fields.number(UInt64.self)
    let (name, mediaType) = (try fields.text(), try fields.text())
    try contents.catalogue.keep(name.utf8.count + mediaType.utf8.count)
    let headBytes = UInt64(
      TraceFormat.recordHeadBytes + 8 + 8 + 4 + name.utf8.count + 4 + mediaType.utf8.count + 8)
    guard start <= self.byteCount, byteCount <= self.byteCount - start,
      dataBytes <= byteCount, byteCount - dataBytes >= headBytes + 4
    else { throw .mismatch(.attachmentIndex, offset: offset, stored: start, actual: byteCount) }
    contents.attachments.append(
      TraceAttachment(
        name: name, mediaType: mediaType, logTimeNs: logTimeNs, createTimeNs: createTimeNs,
        offset: start + headBytes, byteCount: dataBytes))
  }

  private func readMetadataIndex(_ record: ByteCursor) throws(TraceError) {
    try contents.checkCount()
    var fields = record
    let location = RecordLocation(
      offset: try fields.number(), byteCount: try fields.number())
    guard location.offset <= byteCount, location.byteCount <= byteCount - location.offset else {
      throw .mismatch(
        .metadataIndex, offset: location.offset, stored: location.byteCount, actual: byteCount)
    }
    contents.metadata.append(location)
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
    let head = try chunkHead(at: chunk.offset, byteCount: UInt64(chunk.byteCount))
    var records = ByteCursor(try chunkRecords(head, offset: chunk.offset), start: 0)
    while let record = try records.nextRecord() {
      if record.opcode == TraceOpcode.message.rawValue { return true }
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

  /// Opcode and whole size of the record at `offset`, checked against the file.
  func recordHead(at offset: UInt64) throws(TraceError) -> (opcode: UInt8, byteCount: UInt64) {
    let headBytes = UInt64(TraceFormat.recordHeadBytes)
    var head = ByteCursor(
      try source.bytes(at: offset, count: headBytes, atLeast: readAhead), start: offset)
    let opcode = try head.number(UInt8.self)
    let length = try head.number(UInt64.self)
    guard opcode != 0 else { throw .invalidOpcode(offset: offset) }
    let have = byteCount - offset
    guard length <= have - headBytes else {
      let needed = headBytes.addingReportingOverflow(length)
      throw .fileEnds(
        offset: offset, needed: needed.overflow ? UInt64.max : needed.partialValue, have: have)
    }
    return (opcode, headBytes + length)
  }

  /// The content of the record at `offset`, or its first bytes; valid until the next read.
  func content(at offset: UInt64, byteCount: UInt64) throws(TraceError) -> ByteCursor {
    let headBytes = UInt64(TraceFormat.recordHeadBytes)
    let bytes = try source.bytes(at: offset, count: byteCount, atLeast: readAhead)
    return ByteCursor(
      UnsafeRawBufferPointer(rebasing: bytes[Int(headBytes)...]), start: offset + headBytes)
  }
}
