// SPDX-License-Identifier: Apache-2.0

/// Takes whatever is whole out of a damaged trace.
///
/// A chunk or an attachment is whole if its checksum is right, another record if its fields fit. After
/// damage, reading goes on behind the record if another follows it there; otherwise at the next
/// chunk, attachment or end of data that is whole, wherever it stands. What lies between is lost, and
/// listed.
package final class TraceSalvage {
  /// What was met, in the order of the file.
  package enum Item {
    /// A message; its bytes are valid until the next read.
    case message(TraceMessage)

    /// An attachment and its data.
    case attachment(TraceAttachment, data: UnsafeRawBufferPointer)

    /// A metadata record.
    case metadata(TraceMetadata)
  }

  /// A part of the file that could not be used.
  package struct Loss: Sendable, Equatable {
    /// In bytes from the start of the file.
    package let offset: UInt64
    /// Bytes.
    package let byteCount: UInt64

    /// What it seems to have been: the name of a record, or `unreadable`.
    package let kind: String

    /// The first fault in it.
    package let fault: TraceError

    /// Whether it may have held what is in no other place: indexes and ends are made anew.
    package var isOfContent: Bool { kind != "messageIndex" && kind != "dataEnd" }
  }

  /// What could not be used, in the order of the file.
  package private(set) var losses: [Loss] = []

  /// Messages of whole chunks whose channel is declared nowhere.
  package private(set) var undeclaredMessages: UInt64 = 0

  /// Whether the data section has its end.
  ///
  /// Without it, a writer was stopped.
  package private(set) var hasEnd = false

  /// Compression of the first chunk that was whole.
  package private(set) var compression: TraceCompression?

  /// Schemas met so far, and those of the summary.
  package var schemas: [TraceSchemaID: TraceSchema] { catalogue.schemas }

  /// Channels met so far, and those of the summary.
  package var channels: [TraceChannelID: TraceChannel] { catalogue.channels }

  /// Size of the file, in bytes.
  package var byteCount: UInt64 { source.byteCount }

  private let limits: TraceLimits
  private var source: TraceSource
  private var decompressor = ChunkDecompressor()
  private var catalogue: TraceCatalogue
  private var dataChecksum = Checksum()

  /// Bytes that may still be decompressed or checked in search of a whole record: a hostile file could
  /// have one that seems to begin at each byte.
  private var searchBudget: UInt64

  /// Losses that are listed.
  private static let lossesMax = 100_000

  /// Opens a file.
  ///
  /// - Throws: `system`; `notRegularFile`.
  package convenience init(
    path: String, limits: TraceLimits = TraceLimits()
  ) throws(TraceError) {
    let summary: TraceArchiveFile?
    do throws(TraceError) {
      summary = try TraceArchiveFile(path: path, limits: limits)
    } catch {
      summary = nil
    }
    self.init(try TraceSource(path: path), limits: limits, summary: summary)
  }

  /// Opens the bytes of a file.
  package convenience init(bytes: [UInt8], limits: TraceLimits = TraceLimits()) {
    let summary = try? TraceArchiveFile(bytes: bytes, limits: limits)
    self.init(TraceSource(bytes: bytes), limits: limits, summary: summary)
  }

  private init(
    _ source: consuming TraceSource, limits: TraceLimits, summary: TraceArchiveFile?
  ) {
    searchBudget = 4 * source.byteCount + (64 << 20)
    self.limits = limits
    self.source = source
    catalogue = TraceCatalogue(limits: limits)
    // The chunk that declares a channel may be the one that is damaged.
    if let summary, summary.hasSummary { catalogue = summary.contents.catalogue }
  }

  /// Reads the file once and hands over everything that is whole.
  ///
  /// - Parameter take: Takes an item, and may throw.
  /// - Throws: `system`, and what `take` throws.
  package func run(_ take: (Item) throws(TraceError) -> Void) throws(TraceError) {
    var offset = try readStart()
    while offset < byteCount, !hasEnd {
      let fault: TraceError
      do throws(TraceError) {
        let end = try readRecord(at: offset, take)
        offset = end
        continue
      } catch {
        fault = error
      }
      if case .system = fault { throw fault }
      if let failure = taken { throw failure }
      let (next, kind) = try resume(behind: offset)
      lose(from: offset, to: next, kind: kind, fault)
      offset = next
    }
  }

  /// The error of `take`, which is no fault of the file.
  private var taken: TraceError?

  private func give(
    _ item: Item, _ take: (Item) throws(TraceError) -> Void
  ) throws(TraceError) {
    do throws(TraceError) {
      try take(item)
    } catch {
      taken = error
      throw error
    }
  }

  private func lose(from start: UInt64, to end: UInt64, kind: String, _ fault: TraceError) {
    guard losses.count < Self.lossesMax else { return }
    losses.append(Loss(offset: start, byteCount: end - start, kind: kind, fault: fault))
  }

  private func readStart() throws(TraceError) -> UInt64 {
    let magicBytes = UInt64(TraceFormat.magic.count)
    guard byteCount >= magicBytes else {
      lose(
        from: 0, to: byteCount, kind: "unreadable",
        .fileEnds(offset: 0, needed: magicBytes, have: byteCount))
      return byteCount
    }
    let bytes = try source.bytes(at: 0, count: magicBytes)
    dataChecksum.update(bytes)
    if !bytes.elementsEqual(TraceFormat.magic) {
      lose(from: 0, to: magicBytes, kind: "magic", .badMagic(offset: 0))
    }
    return magicBytes
  }

  // MARK: - Records

  private func head(at offset: UInt64) throws(TraceError) -> (opcode: UInt8, byteCount: UInt64) {
    let headBytes = UInt64(TraceFormat.recordHeadBytes)
    var head = ByteCursor(try source.bytes(at: offset, count: headBytes), start: offset)
    let opcode = try head.number(UInt8.self)
    let length = try head.number(UInt64.self)
    guard opcode != 0 else { throw .invalidOpcode(offset: offset) }
    let have = byteCount - offset
    guard length <= have - headBytes else {
      throw .fileEnds(
        offset: offset, needed: length > .max - headBytes ? .max : length + headBytes, have: have)
    }
    guard TraceOpcode(rawValue: opcode) == nil || length <= UInt64(limits.recordBytes) else {
      throw .tooLarge(.recordBytes, value: length, limit: UInt64(limits.recordBytes))
    }
    return (opcode, headBytes + length)
  }

  /// - Returns: Offset of what follows the record.
  private func readRecord(
    at offset: UInt64, _ take: (Item) throws(TraceError) -> Void
  ) throws(TraceError) -> UInt64 {
    let (raw, byteCount) = try head(at: offset)
    let end = offset + byteCount
    guard let opcode = TraceOpcode(rawValue: raw) else {
      var at = offset
      while at < end {
        let count = min(end - at, 64 << 10)
        dataChecksum.update(try source.bytes(at: at, count: count))
        at += count
      }
      return end
    }
    let record = try source.bytes(at: offset, count: byteCount)
    let before = dataChecksum
    if opcode != .dataEnd { dataChecksum.update(record) }
    let headBytes = TraceFormat.recordHeadBytes
    var fields = ByteCursor(
      UnsafeRawBufferPointer(rebasing: record[headBytes...]), start: offset + UInt64(headBytes))
    switch opcode {
    case .header:
      _ = try fields.text()
      _ = try fields.text()
    case .schema: try catalogue.addSchema(fields)
    case .channel: try catalogue.addChannel(fields)
    case .message: try give(.message(try message(fields)), take)
    case .chunk: try readChunk(fields, offset: offset, byteCount: byteCount, take)
    case .messageIndex: try checkIndex(fields)
    case .attachment: try readAttachment(fields, offset: offset, take)
    case .metadata:
      let metadata = TraceMetadata(name: try fields.text(), values: try fields.textMap())
      try give(.metadata(metadata), take)
    case .dataEnd:
      guard byteCount == UInt64(headBytes + TraceFormat.dataEndBytes) else {
        throw .trailingBytes(offset: offset, count: byteCount)
      }
      hasEnd = true
      let stored = try fields.number(UInt32.self)
      // With damage before it, it cannot be right; without, it covers what nothing else does.
      if losses.isEmpty, stored != 0, stored != before.value {
        lose(
          from: offset, to: offset, kind: "unknown",
          .checksum(.dataSection, offset: offset, stored: stored, computed: before.value))
      }
    case .footer, .chunkIndex, .attachmentIndex, .statistics, .metadataIndex, .summaryOffset:
      throw .unexpectedRecord(opcode, offset: offset)
    }
    return end
  }

  private func message(_ record: ByteCursor) throws(TraceError) -> TraceMessage {
    var fields = record
    let at = fields.offset
    let id = TraceChannelID(number: try fields.number())
    guard let channel = channels[id] else {
      throw .undeclared(.channel, id: id.number, offset: at)
    }
    return TraceMessage(
      channel: id, topic: channel.topic, sequence: try fields.number(),
      logTimeNs: try fields.number(), publishTimeNs: try fields.number(),
      bytes: try fields.take(UInt64(fields.remaining)))
  }

  /// Indexes are made anew; but one that does not fit shows that its head is damaged.
  private func checkIndex(_ record: ByteCursor) throws(TraceError) {
    var fields = record
    _ = try fields.number(UInt16.self)
    _ = try fields.section()
  }

  private func readAttachment(
    _ record: ByteCursor, offset: UInt64, _ take: (Item) throws(TraceError) -> Void
  ) throws(TraceError) {
    let (attachment, data) = try attachment(record, offset: offset)
    try give(.attachment(attachment, data: data), take)
  }

  private func attachment(
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

  // MARK: - Chunks

  /// The records of a chunk whose checksum and structure are right.
  private func wholeChunk(
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

  private func readChunk(
    _ record: ByteCursor, offset: UInt64, byteCount: UInt64,
    _ take: (Item) throws(TraceError) -> Void
  ) throws(TraceError) {
    let (records, head) = try wholeChunk(record, offset: offset, byteCount: byteCount)
    if compression == nil { compression = head.compression }
    var cursor = ByteCursor(records, start: 0)
    while let found = try cursor.nextRecord() {
      switch TraceOpcode(rawValue: found.opcode) {
      case .schema: try catalogue.addSchema(found.fields)
      case .channel: try catalogue.addChannel(found.fields)
      case .message:
        do throws(TraceError) {
          try give(.message(try message(found.fields)), take)
        } catch {
          guard taken == nil, case .undeclared = error else { throw error }
          undeclaredMessages += 1
        }
      default: continue
      }
    }
  }

  // MARK: - After damage

  /// Where to go on behind a record that could not be used, and what that seems to have been.
  private func resume(behind offset: UInt64) throws(TraceError) -> (UInt64, kind: String) {
    if let (raw, byteCount) = try plausible(at: offset), let opcode = TraceOpcode(rawValue: raw) {
      let end = offset + byteCount
      if end == self.byteCount { return (end, "\(opcode)") }
      if try plausible(at: end) != nil { return (end, "\(opcode)") }
    }
    let next = try search(from: offset + 1)
    // Cut off: the kind is that of the record that was begun.
    if next == self.byteCount,
      let opcode = TraceOpcode(rawValue: try source.bytes(at: offset, count: 1)[0])
    {
      return (next, "\(opcode)")
    }
    return (next, "unreadable")
  }

  /// The head of a record that may be one.
  private func plausible(at offset: UInt64) throws(TraceError) -> (UInt8, UInt64)? {
    do throws(TraceError) {
      let found = try head(at: offset)
      return TraceOpcode(rawValue: found.opcode) == nil ? nil : found
    } catch {
      if case .system = error { throw error }
      return nil
    }
  }

  /// The next chunk, attachment or end of data that is whole; the end of the file without one.
  private func search(from start: UInt64) throws(TraceError) -> UInt64 {
    var blockStart = start
    // Heads may reach across the end of a block.
    let overlap = UInt64(TraceFormat.recordHeadBytes)
    while blockStart + overlap <= byteCount {
      let count = min(64 << 10, byteCount - blockStart)
      for candidate in candidates(try source.bytes(at: blockStart, count: count)) {
        let offset = blockStart + UInt64(candidate)
        if try isWhole(at: offset) { return offset }
        if searchBudget == 0 { return byteCount }
      }
      guard count > overlap, blockStart + count < byteCount else { break }
      blockStart += count - overlap + 1
    }
    return byteCount
  }

  /// Positions in a block at which a record that is searched for may begin.
  private func candidates(_ block: UnsafeRawBufferPointer) -> [Int] {
    var found: [Int] = []
    guard block.count >= TraceFormat.recordHeadBytes else { return found }
    for index in 0...(block.count - TraceFormat.recordHeadBytes) {
      let opcode = block[index]
      guard opcode == 0x06 || opcode == 0x09 || opcode == 0x0F else { continue }
      // No record has 1 TiB.
      if block[index + 6] == 0, block[index + 7] == 0, block[index + 8] == 0 { found.append(index) }
    }
    return found
  }

  private func isWhole(at offset: UInt64) throws(TraceError) -> Bool {
    guard let (raw, byteCount) = try plausible(at: offset) else { return false }
    do throws(TraceError) {
      let headBytes = UInt64(TraceFormat.recordHeadBytes)
      switch TraceOpcode(rawValue: raw) {
      case .dataEnd: return byteCount == headBytes + UInt64(TraceFormat.dataEndBytes)
      case .chunk:
        let first = min(byteCount, UInt64(ChunkHead.byteCountMax))
        let start = ByteCursor(
          UnsafeRawBufferPointer(
            rebasing: try source.bytes(at: offset, count: first)[Int(headBytes)...]),
          start: offset + headBytes)
        let chunk = try ChunkHead(
          start, offset: offset, contentBytes: byteCount - headBytes, limits: limits)
        guard chunk.dataOffset + chunk.storedBytes == offset + byteCount,
          chunk.startNs <= chunk.endNs, chunk.checksum != 0
        else { return false }
        try spend(byteCount + chunk.recordBytes)
        _ = try wholeChunk(
          try content(at: offset, byteCount), offset: offset, byteCount: byteCount)
        return true
      case .attachment:
        try spend(byteCount)
        _ = try attachment(try content(at: offset, byteCount), offset: offset)
        return true
      default: return false
      }
    } catch {
      if case .system = error { throw error }
      return false
    }
  }

  private func content(at offset: UInt64, _ byteCount: UInt64) throws(TraceError) -> ByteCursor {
    let headBytes = TraceFormat.recordHeadBytes
    let bytes = try source.bytes(at: offset, count: byteCount)
    return ByteCursor(
      UnsafeRawBufferPointer(rebasing: bytes[headBytes...]), start: offset + UInt64(headBytes))
  }

  private func spend(_ bytes: UInt64) throws(TraceError) {
    guard bytes <= searchBudget else {
      searchBudget = 0
      throw .tooLarge(.recordBytes, value: bytes, limit: 0)
    }
    searchBudget -= bytes
  }
}
