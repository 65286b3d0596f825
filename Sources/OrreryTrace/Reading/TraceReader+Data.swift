// SPDX-License-Identifier: Apache-2.0

/// The data section, record by record.
extension TraceReader {
  /// Reads the record at `offset` and moves `offset` behind it.
  ///
  /// - Returns: Its kind; nil for an unknown kind, which was skipped.
  func readRecord() throws(TraceError) -> TraceOpcode? {
    let (raw, byteCount) = try recordHead()
    if raw != TraceOpcode.messageIndex.rawValue { try endIndexRun() }
    guard let opcode = TraceOpcode(rawValue: raw) else {
      try skip(byteCount)
      return nil
    }
    let record = try source.bytes(at: offset, count: byteCount)
    let content = UnsafeRawBufferPointer(rebasing: record[TraceFormat.recordHeadBytes...])
    let fields = ByteCursor(content, start: offset + UInt64(TraceFormat.recordHeadBytes))
    guard isHeaderRead || opcode == .header else {
      throw .unexpectedRecord(opcode, offset: offset)
    }
    switch opcode {
    case .header: try readHeader(fields)
    case .schema: try catalogue.addSchema(fields)
    case .channel: try catalogue.addChannel(fields)
    case .message: try readMessage(record)
    case .chunk: try readChunk(fields, byteCount: byteCount)
    case .messageIndex: try readMessageIndex(fields, byteCount: byteCount)
    case .attachment: try readAttachment(fields, byteCount: byteCount)
    case .metadata: try readMetadata(fields, byteCount: byteCount)
    case .dataEnd: try readDataEnd(fields)
    case .footer, .chunkIndex, .attachmentIndex, .statistics, .metadataIndex, .summaryOffset:
      throw .unexpectedRecord(opcode, offset: offset)
    }
    dataChecksum.update(record)
    offset += byteCount
    return opcode
  }

  /// Opcode and whole size of the record at `offset`, checked against the file and the limits.
  func recordHead() throws(TraceError) -> (opcode: UInt8, byteCount: UInt64) {
    let headBytes = UInt64(TraceFormat.recordHeadBytes)
    var head = ByteCursor(try source.bytes(at: offset, count: headBytes), start: offset)
    let opcode = try head.number(UInt8.self)
    let length = try head.number(UInt64.self)
    guard opcode != 0 else { throw .invalidOpcode(offset: offset) }
    let have = source.byteCount - offset
    guard length <= have - headBytes else {
      let needed = headBytes.addingReportingOverflow(length)
      throw .fileEnds(
        offset: offset, needed: needed.overflow ? UInt64.max : needed.partialValue, have: have)
    }
    let isKnown = TraceOpcode(rawValue: opcode) != nil
    guard !isKnown || length <= UInt64(limits.recordBytes) else {
      throw .tooLarge(.recordBytes, value: length, limit: UInt64(limits.recordBytes))
    }
    return (opcode, headBytes + length)
  }

  /// Skips a record of unknown kind, of any size.
  private func skip(_ byteCount: UInt64) throws(TraceError) {
    let end = offset + byteCount
    while offset < end {
      let count = min(end - offset, 64 << 10)
      dataChecksum.update(try source.bytes(at: offset, count: count))
      offset += count
    }
  }

  private func readHeader(_ record: ByteCursor) throws(TraceError) {
    guard !isHeaderRead else { throw .unexpectedRecord(.header, offset: offset) }
    var fields = record
    profile = try fields.text()
    library = try fields.text()
    isHeaderRead = true
  }

  /// A message outside of chunks.
  private func readMessage(_ record: UnsafeRawBufferPointer) throws(TraceError) {
    var records = ByteCursor(record, start: offset)
    guard let message = try records.nextRecord() else { return }
    var fields = message.fields
    let (channel, timeNs) = try fields.messageHead(catalogue)
    counted.add(channel: channel, count: 1, startNs: timeNs, endNs: timeNs)
    give(ByteCursor(record, start: offset))
  }

  private func readAttachment(_ record: ByteCursor, byteCount: UInt64) throws(TraceError) {
    var fields = record
    let (logTimeNs, createTimeNs) = (try fields.number(UInt64.self), try fields.number(UInt64.self))
    let (name, mediaType) = (try fields.text(), try fields.text())
    let dataBytes = try fields.number(UInt64.self)
    let dataOffset = fields.offset
    _ = try fields.take(dataBytes)
    let computed = Checksum(fields.consumed)
    try check(.attachment, offset: offset, stored: try fields.number(), computed: computed)
    try countIndexedRecord()
    try catalogue.keep(name.utf8.count + mediaType.utf8.count)
    attachments.append(
      TraceAttachment(
        name: name, mediaType: mediaType, logTimeNs: logTimeNs, createTimeNs: createTimeNs,
        offset: dataOffset, byteCount: dataBytes))
    attachmentRecords.append(RecordLocation(offset: offset, byteCount: byteCount))
    counted.attachmentCount += 1
  }

  private func readMetadata(_ record: ByteCursor, byteCount: UInt64) throws(TraceError) {
    var fields = record
    try countIndexedRecord()
    try catalogue.keep(record.remaining)
    metadata.append(TraceMetadata(name: try fields.text(), values: try fields.textMap()))
    metadataRecords.append(RecordLocation(offset: offset, byteCount: byteCount))
    counted.metadataCount += 1
  }

  private func readDataEnd(_ record: ByteCursor) throws(TraceError) {
    var fields = record
    let stored = try fields.number(UInt32.self)
    guard fields.remaining == 0 else {
      throw .trailingBytes(offset: fields.offset, count: UInt64(fields.remaining))
    }
    try check(.dataSection, offset: offset, stored: stored, computed: dataChecksum)
  }

  /// Limits the lists that grow with the file.
  func countIndexedRecord() throws(TraceError) {
    let count = chunks.count + attachmentRecords.count + metadataRecords.count + 1
    guard count <= limits.indexedRecords else {
      throw .tooLarge(
        .indexedRecords, value: UInt64(count), limit: UInt64(limits.indexedRecords))
    }
  }
}

/// Location of a record that the summary points to.
struct RecordLocation {
  let offset: UInt64

  /// Size with opcode and length.
  let byteCount: UInt64
}

extension ByteCursor {
  /// The next record of a chunk, nil at its end.
  mutating func nextRecord() throws(TraceError) -> (opcode: UInt8, fields: ByteCursor)? {
    guard remaining > 0 else { return nil }
    let at = offset
    let opcode = try number(UInt8.self)
    guard opcode != 0 else { throw .invalidOpcode(offset: at) }
    let length = try number(UInt64.self)
    let start = offset
    return (opcode, ByteCursor(try take(length), start: start))
  }

  /// Channel and log time of a Message, whose channel must be known.
  mutating func messageHead(
    _ catalogue: TraceCatalogue
  ) throws(TraceError) -> (channel: TraceChannelID, logTimeNs: UInt64) {
    let at = offset
    let channel = TraceChannelID(number: try number())
    guard catalogue.channels[channel] != nil else {
      throw .undeclared(.channel, id: channel.number, offset: at)
    }
    _ = try number(UInt32.self)
    let logTimeNs = try number(UInt64.self)
    _ = try number(UInt64.self)
    return (channel, logTimeNs)
  }
}
