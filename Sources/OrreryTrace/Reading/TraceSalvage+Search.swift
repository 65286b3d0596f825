// SPDX-License-Identifier: Apache-2.0

/// Where reading goes on after damage, and what is whole wherever it stands.
extension TraceSalvage {
  // MARK: - After damage

  /// Where to go on behind a record that could not be used, and what that seems to have been.
  func resume(
    at offset: UInt64, _ fault: TraceError
  ) throws(TraceError) -> (UInt64, kind: String) {
    if let region = map.region(at: offset) { return (region.end, "\(region.opcode)") }
    if offset == map.dataEnd {
      hasEnd = true
      return (byteCount, "dataEnd")
    }
    let limit = map.limit(behind: offset, byteCount)
    let isIndex = map.isIndex(at: offset)
    let opcode = TraceOpcode(rawValue: try source.bytes(at: offset, count: 1)[0])
    // An index is no content; but only if it is certain that it was one.
    let isSafe = opcode != .messageIndex && opcode != .dataEnd
    let kind = isIndex ? "messageIndex" : opcode.flatMap { isSafe ? "\($0)" : nil } ?? "unreadable"
    let headEnd = try recordEnd(at: offset, limit: limit)
    if opcode == nil, let headEnd, try isChain(from: headEnd) { return (headEnd, kind) }
    var fieldsEnd: UInt64?
    if let opcode, opcode != .message {
      fieldsEnd = try possibleFieldsEnd(opcode, at: offset, limit: limit)
    } else {
      fieldsEnd = try lengthRepaired(at: offset, limit: limit)
    }
    if let opcode, let headEnd, headEnd == fieldsEnd, try isChain(from: headEnd) {
      return (headEnd, opcode == .messageIndex ? "\(opcode)" : kind)
    }
    // The length is damaged, or a field; not both. Inside a chunk, too, records follow each other.
    for end in [headEnd, fieldsEnd].compactMap({ $0 }).sorted() {
      if try isChain(from: end) { return (end, kind) }
    }
    let next = try search(from: offset + 1, to: limit)
    // Cut off: the kind is that of the record that was begun.
    if case .fileEnds = fault, next == byteCount, let opcode { return (next, "\(opcode)") }
    return (next, isIndex ? kind : "unreadable")
  }

  /// Where a record ends by its length, of whatever kind it is; nil if that is not before `limit`.
  private func recordEnd(at offset: UInt64, limit: UInt64) throws(TraceError) -> UInt64? {
    let headBytes = UInt64(RecordHead.byteCount)
    guard limit - offset >= headBytes else { return nil }
    let head = try source.anyHead(at: offset)
    return head.contentBytes <= limit - offset - headBytes ? head.location.end : nil
  }

  /// The head of a record that may be one.
  private func plausible(at offset: UInt64) throws(TraceError) -> RecordHead? {
    do throws(TraceError) {
      return try source.head(at: offset, limits)
    } catch {
      if case .system = error { throw error }
      return nil
    }
  }

  /// Whether something stands at an offset whose length is confirmed by lengths inside it, or the end of what
  /// may stand there.
  func isChain(from start: UInt64) throws(TraceError) -> Bool {
    var offset = start
    // Private records confirm nothing, and messages only that their channel is known; several in a row do.
    for _ in 0..<Self.chainMax {
      guard offset < byteCount, offset != map.dataEnd, map.region(at: offset) == nil else {
        return true
      }
      let limit = map.limit(behind: offset, byteCount)
      guard let found = try plausible(at: offset), found.location.end <= limit else { return false }
      let end = found.location.end
      guard let opcode = found.kind else {
        guard found.opcode >= TraceFormat.roomOpcode else { return false }
        offset = end
        continue
      }
      guard opcode.isOfData, opcode != .header else { return false }
      if opcode == .dataEnd { return try isEnd(at: offset) }
      guard let fieldsEnd = try possibleFieldsEnd(opcode, at: offset, limit: end) else {
        return false
      }
      if opcode == .message {
        if try isOfKnownChannel(at: offset) { return true }
      } else if fieldsEnd == end {
        return true
      }
      offset = end
    }
    return true
  }

  private static var chainMax: Int { 8 }

  /// Whether the message at an offset has a channel that was declared.
  private func isOfKnownChannel(at offset: UInt64) throws(TraceError) -> Bool {
    let record = try source.anyHead(at: offset).location
    let fields = try source.content(record, first: TraceMessageHead.bytesBeforeData)
    return channels[try TraceMessageHead(of: fields).channel] != nil
  }

  /// The end of a record in which nothing confirms its length, if one bit of that is damaged: of a message outside of
  /// chunks, or of an unknown kind.
  func lengthRepaired(at offset: UInt64, limit: UInt64) throws(TraceError) -> UInt64? {
    let headBytes = UInt64(RecordHead.byteCount)
    guard limit - offset >= headBytes else { return nil }
    let head = try source.anyHead(at: offset)
    let lengthMin = head.kind == .message ? UInt64(TraceMessageHead.byteCount) : 0
    let lengths = (0..<UInt64.bitWidth).map { head.contentBytes ^ 1 << UInt64($0) }
    for other in lengths.sorted() {
      guard other >= lengthMin, other <= limit - offset - headBytes else { continue }
      if try isChain(from: offset + headBytes + other) { return offset + headBytes + other }
    }
    return nil
  }

  /// Whether a DataEnd at an offset is the one that ends the data: behind it come records of a summary, up to the end of the file.
  func isEnd(at offset: UInt64) throws(TraceError) -> Bool {
    if let dataEnd = map.dataEnd { return offset == dataEnd }
    do throws(TraceError) {
      let end = try source.head(at: offset, limits)
      guard end.contentBytes == UInt64(DataEndRecord.contentBytes) else { return false }
      var at = end.location.end
      for _ in 0..<Self.chainMax where at < byteCount {
        let found = try source.head(at: at, limits)
        at = found.location.end
        switch found.kind {
        case .footer: return at + UInt64(TraceFormat.magic.count) >= byteCount
        case .header, .message, .chunk, .messageIndex, .attachment, .metadata, .dataEnd:
          return false
        default: continue
        }
      }
      return true
    } catch {
      if case .system = error { throw error }
      // The file is cut off within the summary.
      if case .fileEnds = error { return true }
      return false
    }
  }

  // MARK: - Lengths inside records

  /// As `fieldsEnd`; nil if the fields do not fit.
  func possibleFieldsEnd(
    _ opcode: TraceOpcode, at offset: UInt64, limit: UInt64
  ) throws(TraceError) -> UInt64? {
    do throws(TraceError) {
      return try fieldsEnd(opcode, at: offset, limit: limit)
    } catch {
      if case .system = error { throw error }
      return nil
    }
  }

  /// Where the fields of a record end, by the lengths that they have; nothing is read of what they hold.
  ///
  /// - Throws: If they reach past `limit`.
  func fieldsEnd(
    _ opcode: TraceOpcode, at offset: UInt64, limit: UInt64
  ) throws(TraceError) -> UInt64 {
    guard let layout = opcode.layout else { throw .unexpectedRecord(opcode, offset: offset) }
    var at = offset
    try pass(UInt64(RecordHead.byteCount), &at, limit)
    for field in layout {
      switch field {
      case .bytes(let count): try pass(UInt64(count), &at, limit)
      case .list: try pass(try count(UInt32.self, &at, limit), &at, limit)
      case .data: try pass(try count(UInt64.self, &at, limit), &at, limit)
      case .rest: at = limit
      }
    }
    return at
  }

  private func pass(_ count: UInt64, _ at: inout UInt64, _ limit: UInt64) throws(TraceError) {
    guard count <= limit - at else {
      throw .recordEnds(offset: at, needed: count, have: limit - at)
    }
    at += count
  }

  /// The count of the bytes that follow it.
  private func count<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type, _ at: inout UInt64, _ limit: UInt64
  ) throws(TraceError) -> UInt64 {
    let (start, size) = (at, UInt64(MemoryLayout<Number>.size))
    try pass(size, &at, limit)
    var fields = ByteCursor(try source.bytes(at: start, count: size), start: start)
    return UInt64(try fields.number(type))
  }

  // MARK: - What is whole

  /// The records of a chunk whose checksum and structure are right.
  func wholeChunk(
    _ record: RecordLocation
  ) throws(TraceError) -> (head: ChunkHead, records: ByteCursor) {
    // In one read.
    _ = try source.bytes(at: record.offset, count: record.byteCount)
    let chunk = try source.chunk(record, limits, &decompressor)
    var records = chunk.records
    while let found = try records.nextOfChunk() {
      let (have, needed) = (found.fields.remaining, TraceMessageHead.byteCount)
      guard found.opcode != .message || have >= needed else {
        throw .recordEnds(offset: found.offset, needed: UInt64(needed), have: UInt64(have))
      }
    }
    return chunk
  }

  /// Whether a record's content is the index of a channel's messages in a chunk: all of their times and offsets.
  func isIndex(
    _ record: RecordLocation, of chunk: RecordLocation
  ) throws(TraceError) -> Bool {
    let headBytes = UInt64(RecordHead.byteCount)
    let copy: [UInt8] = try source.copy(
      at: record.offset + headBytes, count: record.byteCount - headBytes)
    return try copy.span.bytes.withUnsafeBytes { (bytes) throws(TraceError) in
      var fields = ByteCursor(bytes, start: 0)
      let head = try MessageIndexHead(&fields)
      var entries = try fields.section(UInt64(head.entryBytes))
      guard entries.remaining > 0, entries.remaining % MessageIndexEntry.byteCount == 0 else {
        return false
      }
      var records = try wholeChunk(chunk).records
      while let found = try records.nextRecord() {
        guard found.opcode == .message else { continue }
        let message = try TraceMessageHead(of: found.fields)
        guard message.channel == head.channel else { continue }
        let expected = MessageIndexEntry(logTimeNs: message.logTimeNs, offset: found.offset)
        guard entries.remaining > 0, try MessageIndexEntry(&entries) == expected else {
          return false
        }
      }
      return entries.remaining == 0
    }
  }

  /// An attachment whose checksum is right, or that has none.
  func attachment(_ record: RecordLocation) throws(TraceError) -> AttachmentContent {
    let content = try AttachmentContent(source.content(record))
    guard content.checksum == 0 || content.checksum == content.computed.value else {
      throw .checksum(
        .attachment, offset: record.offset, stored: content.checksum,
        computed: content.computed.value)
    }
    return content
  }

  /// The next chunk, attachment or end of data that is whole; `end` without one.
  func search(
    from start: UInt64, to end: UInt64, chunksOnly: Bool = false
  ) throws(TraceError) -> UInt64 {
    var blockStart = start
    // Heads may reach across the end of a block.
    let overlap = UInt64(RecordHead.byteCount)
    while blockStart < end, end - blockStart >= overlap {
      let count = min(UInt64(Self.searchBlockBytes), end - blockStart)
      let block = try source.bytes(at: blockStart, count: count)
      for candidate in Self.candidates(block, chunksOnly: chunksOnly) {
        let offset = blockStart + UInt64(candidate)
        if let found = try plausible(at: offset), let opcode = found.kind,
          found.location.end <= end, try isWhole(opcode, found.location)
        {
          return offset
        }
        if searchBudget == 0 { return end }
      }
      guard count > overlap, blockStart + count < end else { break }
      blockStart += count - overlap + 1
    }
    return end
  }

  private static var searchBlockBytes: Int { 64 << 10 }

  /// Positions in a block at which a record that is searched for may begin.
  private static func candidates(_ block: UnsafeRawBufferPointer, chunksOnly: Bool) -> [Int] {
    var found: [Int] = []
    guard block.count >= RecordHead.byteCount else { return found }
    let last = block.count - RecordHead.byteCount
    var index = 0
    while index <= last {
      let head = block.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // Room that nothing was written into is zeros.
      if head == 0 {
        index += 8
        continue
      }
      // No record has 1 TiB.
      if UInt64(littleEndian: head) >> 48 == 0, block[index + 8] == 0 {
        switch TraceOpcode(rawValue: block[index]) {
        case .chunk: found.append(index)
        case .attachment, .dataEnd: if !chunksOnly { found.append(index) }
        default: break
        }
      }
      index += 1
    }
    return found
  }

  /// Whether the bytes of a record are those of a chunk or attachment whose checksum is right, or of an end of
  /// data.
  func isWhole(
    _ opcode: TraceOpcode, _ record: RecordLocation
  ) throws(TraceError) -> Bool {
    do throws(TraceError) {
      let (offset, end) = (record.offset, record.end)
      guard try possibleFieldsEnd(opcode, at: offset, limit: end) == end else { return false }
      switch opcode {
      case .dataEnd: return try isEnd(at: offset)
      case .chunk:
        let chunk = try source.chunkHead(record, limits)
        guard chunk.startNs <= chunk.endNs, chunk.checksum != 0 else { return false }
        try spend(record.byteCount + chunk.recordBytes)
        _ = try wholeChunk(record)
        return true
      case .attachment:
        try spend(record.byteCount)
        return try attachment(record).checksum != 0
      default: return false
      }
    } catch {
      if case .system = error { throw error }
      return false
    }
  }

  private func spend(_ bytes: UInt64) throws(TraceError) {
    guard bytes <= searchBudget else {
      searchBudget = 0
      throw .tooLarge(.recordBytes, value: bytes, limit: 0)
    }
    searchBudget -= bytes
  }
}
