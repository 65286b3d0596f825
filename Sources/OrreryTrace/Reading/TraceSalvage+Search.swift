// SPDX-License-Identifier: Apache-2.0

extension TraceOpcode {
  /// Whether its records stand in the data section.
  var isOfData: Bool {
    switch self {
    case .header, .schema, .channel, .message, .chunk, .messageIndex, .attachment, .metadata,
      .dataEnd:
      true
    case .footer, .chunkIndex, .attachmentIndex, .statistics, .metadataIndex, .summaryOffset: false
    }
  }
}

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
    let headBytes = UInt64(TraceFormat.recordHeadBytes)
    guard limit - offset >= headBytes else { return nil }
    var head = ByteCursor(try source.bytes(at: offset, count: headBytes), start: offset)
    _ = try head.number(UInt8.self)
    let length = try head.number(UInt64.self)
    return length <= limit - offset - headBytes ? offset + headBytes + length : nil
  }

  /// The head of a record that may be one.
  func plausible(
    at offset: UInt64
  ) throws(TraceError) -> (opcode: TraceOpcode, byteCount: UInt64)? {
    do throws(TraceError) {
      let found = try head(at: offset)
      return TraceOpcode(rawValue: found.opcode).map { ($0, found.byteCount) }
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
      let found: (opcode: UInt8, byteCount: UInt64)
      do throws(TraceError) {
        found = try head(at: offset)
      } catch {
        if case .system = error { throw error }
        return false
      }
      guard found.byteCount <= limit - offset else { return false }
      let end = offset + found.byteCount
      guard let opcode = TraceOpcode(rawValue: found.opcode) else {
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
    let start = offset + UInt64(TraceFormat.recordHeadBytes)
    var fields = ByteCursor(try source.bytes(at: start, count: 2), start: start)
    return channels[TraceChannelID(number: try fields.number())] != nil
  }

  /// The end of a record in which nothing confirms its length, if one bit of that is damaged: of a message outside of
  /// chunks, or of an unknown kind.
  func lengthRepaired(at offset: UInt64, limit: UInt64) throws(TraceError) -> UInt64? {
    let headBytes = UInt64(TraceFormat.recordHeadBytes)
    guard limit - offset >= headBytes else { return nil }
    var head = ByteCursor(try source.bytes(at: offset, count: headBytes), start: offset)
    let opcode = try head.number(UInt8.self)
    let length = try head.number(UInt64.self)
    let lengthMin =
      opcode == TraceOpcode.message.rawValue ? UInt64(TraceFormat.messageFieldBytes) : 0
    let lengths = (0..<UInt64.bitWidth).map { length ^ 1 << UInt64($0) }
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
      let end = try head(at: offset)
      guard
        end.byteCount == UInt64(TraceFormat.recordHeadBytes + TraceFormat.dataEndBytes)
      else { return false }
      var at = offset + end.byteCount
      for _ in 0..<Self.chainMax where at < byteCount {
        let found = try head(at: at)
        switch TraceOpcode(rawValue: found.opcode) {
        case .footer:
          return at + found.byteCount + UInt64(TraceFormat.magic.count) >= byteCount
        case .header, .message, .chunk, .messageIndex, .attachment, .metadata, .dataEnd:
          return false
        default: at += found.byteCount
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
    var at = offset
    try pass(UInt64(TraceFormat.recordHeadBytes), &at, limit)
    switch opcode {
    case .header:
      try passText(&at, limit)
      try passText(&at, limit)
    case .schema:
      try pass(2, &at, limit)
      for _ in 0..<3 { try passText(&at, limit) }
    case .channel:
      try pass(2 + 2, &at, limit)
      for _ in 0..<3 { try passText(&at, limit) }
    case .message:
      try pass(UInt64(TraceFormat.messageFieldBytes), &at, limit)
      return limit
    case .chunk:
      try pass(8 + 8 + 8 + 4, &at, limit)
      try passText(&at, limit)
      try passBytes(&at, limit)
    case .messageIndex:
      try pass(2, &at, limit)
      try passText(&at, limit)
    case .attachment:
      try pass(8 + 8, &at, limit)
      try passText(&at, limit)
      try passText(&at, limit)
      try passBytes(&at, limit)
      try pass(4, &at, limit)
    case .metadata:
      try passText(&at, limit)
      try passText(&at, limit)
    case .dataEnd: try pass(UInt64(TraceFormat.dataEndBytes), &at, limit)
    case .footer, .chunkIndex, .attachmentIndex, .statistics, .metadataIndex, .summaryOffset:
      throw .unexpectedRecord(opcode, offset: offset)
    }
    return at
  }

  private func pass(_ count: UInt64, _ at: inout UInt64, _ limit: UInt64) throws(TraceError) {
    guard count <= limit - at else {
      throw .recordEnds(offset: at, needed: count, have: limit - at)
    }
    at += count
  }

  /// A text, a map or an array: its length in four bytes, and as many.
  private func passText(_ at: inout UInt64, _ limit: UInt64) throws(TraceError) {
    let start = at
    try pass(4, &at, limit)
    var fields = ByteCursor(try source.bytes(at: start, count: 4), start: start)
    try pass(UInt64(try fields.number(UInt32.self)), &at, limit)
  }

  /// Bytes after their length in eight.
  private func passBytes(_ at: inout UInt64, _ limit: UInt64) throws(TraceError) {
    let start = at
    try pass(8, &at, limit)
    var fields = ByteCursor(try source.bytes(at: start, count: 8), start: start)
    try pass(try fields.number(UInt64.self), &at, limit)
  }

  // MARK: - What is whole

  /// The content of the record at an offset; valid until the next read.
  func content(at offset: UInt64, _ byteCount: UInt64) throws(TraceError) -> ByteCursor {
    let headBytes = TraceFormat.recordHeadBytes
    let bytes = try source.bytes(at: offset, count: byteCount)
    return ByteCursor(
      UnsafeRawBufferPointer(rebasing: bytes[headBytes...]), start: offset + UInt64(headBytes))
  }

  /// The records of a chunk whose checksum and structure are right.
  func wholeChunk(
    _ record: ByteCursor, offset: UInt64, byteCount: UInt64
  ) throws(TraceError) -> (UnsafeRawBufferPointer, ChunkHead) {
    var fields = record
    let head = try ChunkHead(
      fields, offset: offset, contentBytes: byteCount - UInt64(TraceFormat.recordHeadBytes),
      limits: limits)
    _ = try fields.take(head.dataOffset - fields.offset)
    let records = try decompressor.records(
      try fields.take(head.storedBytes), head.compression, declared: Int(head.recordBytes),
      offset: offset)
    let computed = Checksum(records).value
    guard head.checksum == 0 || head.checksum == computed else {
      throw .checksum(.chunkRecords, offset: offset, stored: head.checksum, computed: computed)
    }
    var cursor = ByteCursor(records, start: 0)
    while true {
      let at = cursor.offset
      guard let found = try cursor.nextRecord() else { return (records, head) }
      switch TraceOpcode(rawValue: found.opcode) {
      case .schema, .channel, nil: continue
      case .message:
        guard found.fields.remaining >= TraceFormat.messageFieldBytes else {
          throw .recordEnds(
            offset: at, needed: UInt64(TraceFormat.messageFieldBytes),
            have: UInt64(found.fields.remaining))
        }
      case .some(let opcode): throw .unexpectedRecord(opcode, offset: at)
      }
    }
  }

  /// Whether a record's content is the index of a channel's messages in a chunk: all of their times and offsets.
  func isIndex(_ record: Range<UInt64>, of chunk: Range<UInt64>) throws(TraceError) -> Bool {
    let headBytes = UInt64(TraceFormat.recordHeadBytes)
    let copy: [UInt8] = try source.copy(
      at: record.lowerBound + headBytes, count: UInt64(record.count) - headBytes)
    return try copy.span.bytes.withUnsafeBytes { (bytes) throws(TraceError) in
      var fields = ByteCursor(bytes, start: 0)
      let channel = try fields.number(UInt16.self)
      var entries = try fields.section()
      guard entries.remaining > 0, entries.remaining % (8 + 8) == 0 else { return false }
      let byteCount = UInt64(chunk.count)
      var records = ByteCursor(
        try wholeChunk(
          try content(at: chunk.lowerBound, byteCount), offset: chunk.lowerBound,
          byteCount: byteCount
        ).0, start: 0)
      while true {
        let at = records.offset
        guard let found = try records.nextRecord() else { return entries.remaining == 0 }
        guard found.opcode == TraceOpcode.message.rawValue else { continue }
        var message = found.fields
        guard try message.number(UInt16.self) == channel else { continue }
        _ = try message.number(UInt32.self)
        guard entries.remaining > 0, try entries.number() == message.number(UInt64.self),
          try entries.number() == at
        else { return false }
      }
    }
  }

  /// An attachment whose checksum is right, or that has none.
  func attachment(
    _ record: ByteCursor, offset: UInt64
  ) throws(TraceError) -> (TraceAttachment, UnsafeRawBufferPointer) {
    var fields = record
    let (logTimeNs, createTimeNs) = (try fields.number(UInt64.self), try fields.number(UInt64.self))
    let (name, mediaType) = (try fields.text(), try fields.text())
    let dataBytes = try fields.number(UInt64.self)
    let at = fields.offset
    let data = try fields.take(dataBytes)
    let computed = Checksum(fields.consumed).value
    let stored = try fields.number(UInt32.self)
    guard stored == 0 || stored == computed else {
      throw .checksum(.attachment, offset: offset, stored: stored, computed: computed)
    }
    return (
      TraceAttachment(
        name: name, mediaType: mediaType, logTimeNs: logTimeNs, createTimeNs: createTimeNs,
        offset: at, byteCount: dataBytes), data
    )
  }

  /// The next chunk, attachment or end of data that is whole; `end` without one.
  func search(
    from start: UInt64, to end: UInt64, chunksOnly: Bool = false
  ) throws(TraceError) -> UInt64 {
    var blockStart = start
    // Heads may reach across the end of a block.
    let overlap = UInt64(TraceFormat.recordHeadBytes)
    while blockStart < end, end - blockStart >= overlap {
      let count = min(UInt64(Self.searchBlockBytes), end - blockStart)
      let block = try source.bytes(at: blockStart, count: count)
      for candidate in Self.candidates(block, chunksOnly: chunksOnly) {
        let offset = blockStart + UInt64(candidate)
        if let found = try plausible(at: offset), found.byteCount <= end - offset,
          try isWhole(found.opcode, at: offset, byteCount: found.byteCount)
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
    guard block.count >= TraceFormat.recordHeadBytes else { return found }
    let last = block.count - TraceFormat.recordHeadBytes
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
        switch block[index] {
        case 0x06: found.append(index)
        case 0x09, 0x0F: if !chunksOnly { found.append(index) }
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
    _ opcode: TraceOpcode, at offset: UInt64, byteCount: UInt64
  ) throws(TraceError) -> Bool {
    do throws(TraceError) {
      let end = offset + byteCount
      guard try possibleFieldsEnd(opcode, at: offset, limit: end) == end else { return false }
      switch opcode {
      case .dataEnd: return try isEnd(at: offset)
      case .chunk:
        let headBytes = UInt64(TraceFormat.recordHeadBytes)
        let first = min(byteCount, UInt64(ChunkHead.byteCountMax))
        let chunk = try ChunkHead(
          try content(at: offset, first), offset: offset, contentBytes: byteCount - headBytes,
          limits: limits)
        guard chunk.startNs <= chunk.endNs, chunk.checksum != 0 else { return false }
        try spend(byteCount + chunk.recordBytes)
        _ = try wholeChunk(
          try content(at: offset, byteCount), offset: offset, byteCount: byteCount)
        return true
      case .attachment:
        try spend(byteCount)
        var last = try content(at: offset, byteCount)
        _ = try last.take(UInt64(last.remaining - 4))
        guard try last.number(UInt32.self) != 0 else { return false }
        _ = try attachment(try content(at: offset, byteCount), offset: offset)
        return true
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
