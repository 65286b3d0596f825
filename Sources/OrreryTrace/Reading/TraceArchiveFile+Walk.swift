// SPDX-License-Identifier: Apache-2.0

/// A chunk whose message indexes are being read, or Message records in a row outside of chunks.
private struct OpenEntry {
  let offset: UInt64
  var startNs: UInt64
  var endNs: UInt64
  var byteCount: UInt64
  var indexByteCount: UInt64 = 0
  var mask: UInt64 = 0
  var counts: [TraceChannelID: UInt64] = [:]
  let head: ChunkHead?
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
    readAhead = 4096
    defer { readAhead = 64 << 10 }
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
      let (raw, byteCount) = try recordHead(at: offset)
      offset += byteCount
      if raw == TraceOpcode.footer.rawValue { break }
    }
    try readMagic(at: offset)
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
    let (raw, byteCount) = try recordHead(at: offset)
    let opcode = TraceOpcode(rawValue: raw)
    if opcode != .messageIndex, opcode != .message || open?.head != nil { try close(&open) }
    guard let opcode else {
      offset += byteCount
      return true
    }
    guard byteCount <= UInt64(limits.recordBytes) + UInt64(TraceFormat.recordHeadBytes) else {
      throw .tooLarge(.recordBytes, value: byteCount, limit: UInt64(limits.recordBytes))
    }
    switch opcode {
    case .header:
      var fields = try small(at: offset, byteCount)
      contents.profile = try fields.text()
      contents.library = try fields.text()
    case .schema: try contents.catalogue.addSchema(try small(at: offset, byteCount))
    case .channel: try contents.catalogue.addChannel(try small(at: offset, byteCount))
    case .message: try walkMessage(at: offset, byteCount, &open)
    case .chunk: open = try walkChunk(at: offset, byteCount)
    case .messageIndex: try walkIndex(at: offset, byteCount, &open)
    case .attachment: try walkAttachment(at: offset, byteCount)
    case .metadata:
      try contents.checkCount()
      contents.metadata.append(RecordLocation(offset: offset, byteCount: byteCount))
      contents.statistics.metadataCount += 1
    case .dataEnd:
      var fields = try content(at: offset, byteCount: byteCount)
      contents.hasDataChecksum = try fields.number(UInt32.self) != 0
      offset += byteCount
      return false
    default: throw .unexpectedRecord(opcode, offset: offset)
    }
    offset += byteCount
    return true
  }

  /// A record that is kept, and so limited.
  private func small(at offset: UInt64, _ byteCount: UInt64) throws(TraceError) -> ByteCursor {
    guard byteCount <= UInt64(limits.catalogueBytes) else {
      throw .tooLarge(.catalogueBytes, value: byteCount, limit: UInt64(limits.catalogueBytes))
    }
    return try content(at: offset, byteCount: byteCount)
  }

  private func walkChunk(at offset: UInt64, _ byteCount: UInt64) throws(TraceError) -> OpenEntry {
    try contents.checkCount()
    let head = try chunkHead(at: offset, byteCount: byteCount)
    return OpenEntry(
      offset: offset, startNs: head.startNs, endNs: head.endNs, byteCount: byteCount, head: head)
  }

  /// The fields of the chunk record at `offset`.
  func chunkHead(at offset: UInt64, byteCount: UInt64) throws(TraceError) -> ChunkHead {
    let first = min(byteCount, UInt64(ChunkHead.byteCountMax))
    return try ChunkHead(
      try content(at: offset, byteCount: first), offset: offset,
      contentBytes: byteCount - UInt64(TraceFormat.recordHeadBytes), limits: limits)
  }

  private func walkIndex(
    at offset: UInt64, _ byteCount: UInt64, _ open: inout OpenEntry?
  ) throws(TraceError) {
    guard var entry = open, entry.head != nil else {
      throw .unexpectedRecord(.messageIndex, offset: offset)
    }
    let first = min(byteCount, UInt64(TraceFormat.recordHeadBytes + 2 + 4))
    var fields = try content(at: offset, byteCount: first)
    let channel = TraceChannelID(number: try fields.number())
    let listBytes = UInt64(try fields.number(UInt32.self))
    let have = byteCount - first
    guard listBytes <= have else {
      throw .recordEnds(offset: fields.offset, needed: listBytes, have: have)
    }
    entry.indexByteCount += byteCount
    if listBytes > 0 {
      entry.mask |= TraceChunkEntry.bit(channel)
      entry.counts[channel, default: 0] += listBytes / (8 + 8)
    }
    open = entry
  }

  private func walkMessage(
    at offset: UInt64, _ byteCount: UInt64, _ open: inout OpenEntry?
  ) throws(TraceError) {
    let headBytes = UInt64(TraceFormat.recordHeadBytes + TraceFormat.messageFieldBytes)
    guard byteCount >= headBytes else {
      throw .recordEnds(offset: offset, needed: headBytes, have: byteCount)
    }
    var fields = try content(at: offset, byteCount: headBytes)
    let (channel, timeNs) = try fields.messageHead(contents.catalogue)
    if let entry = open, entry.byteCount + byteCount > Self.bareRunBytes { try close(&open) }
    if open == nil { try contents.checkCount() }
    var entry =
      open
      ?? OpenEntry(offset: offset, startNs: timeNs, endNs: timeNs, byteCount: 0, head: nil)
    entry.byteCount += byteCount
    entry.startNs = min(entry.startNs, timeNs)
    entry.endNs = max(entry.endNs, timeNs)
    entry.mask |= TraceChunkEntry.bit(channel)
    entry.counts[channel, default: 0] += 1
    open = entry
  }

  private func walkAttachment(at offset: UInt64, _ byteCount: UInt64) throws(TraceError) {
    try contents.checkCount()
    // Names are short; longer ones than this are no attachment of anybody's.
    let first = min(byteCount, 64 << 10)
    var fields = try content(at: offset, byteCount: first)
    let (logTimeNs, createTimeNs) = (try fields.number(UInt64.self), try fields.number(UInt64.self))
    let (name, mediaType) = (try fields.text(), try fields.text())
    let dataBytes = try fields.number(UInt64.self)
    let used = fields.offset - offset
    let have = byteCount - used
    guard have >= 4, dataBytes <= have - 4 else {
      throw .recordEnds(offset: fields.offset, needed: dataBytes, have: have)
    }
    try contents.catalogue.keep(name.utf8.count + mediaType.utf8.count)
    contents.attachments.append(
      TraceAttachment(
        name: name, mediaType: mediaType, logTimeNs: logTimeNs, createTimeNs: createTimeNs,
        offset: fields.offset, byteCount: dataBytes))
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
      offset: entry.offset, byteCount: entry.byteCount, indexByteCount: entry.indexByteCount,
      startNs: entry.startNs, endNs: entry.endNs, mask: entry.mask)
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
        guard try recordHead(at: earlier.offset).opcode == TraceOpcode.chunk.rawValue else {
          continue
        }
        var again = OpenEntry(
          offset: earlier.offset, startNs: 0, endNs: 0, byteCount: UInt64(earlier.byteCount),
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
    let head = try chunkHead(at: entry.offset, byteCount: entry.byteCount)
    var records = ByteCursor(try chunkRecords(head, offset: entry.offset), start: 0)
    while true {
      let at = records.offset
      guard let record = try records.nextRecord() else { return }
      var fields = record.fields
      switch TraceOpcode(rawValue: record.opcode) {
      case .schema: try contents.catalogue.addSchema(fields)
      case .channel: try contents.catalogue.addChannel(fields)
      case .message:
        if isIndexed { continue }
        let (channel, _) = try fields.messageHead(contents.catalogue)
        entry.mask |= TraceChunkEntry.bit(channel)
        entry.counts[channel, default: 0] += 1
      case nil: continue
      case .some(let opcode): throw .unexpectedRecord(opcode, offset: at)
      }
    }
  }

  /// The records of a chunk, decompressed and checked; valid until the next read.
  func chunkRecords(
    _ head: ChunkHead, offset: UInt64
  ) throws(TraceError) -> UnsafeRawBufferPointer {
    let stored = try source.bytes(at: head.dataOffset, count: head.storedBytes)
    let records = try decompressor.records(
      stored, head.compression, declared: Int(head.recordBytes), offset: offset)
    let computed = Checksum(records).value
    guard head.checksum == 0 || head.checksum == computed else {
      throw .checksum(
        .chunkRecords, offset: offset, stored: head.checksum, computed: computed)
    }
    return records
  }
}
