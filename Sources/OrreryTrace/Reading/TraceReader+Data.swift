// SPDX-License-Identifier: Apache-2.0

/// The data section, record by record.
extension TraceReader {
  /// Reads the record at `offset` and moves `offset` behind it.
  ///
  /// - Returns: Its kind; nil for an unknown kind, which was skipped.
  func readRecord() throws(TraceError) -> TraceOpcode? {
    let head = try source.head(at: offset, limits)
    let location = head.location
    if head.kind != .messageIndex { try endIndexRun() }
    guard let opcode = head.kind else {
      // Of any size.
      try source.sum(location.range, into: &dataChecksum)
      offset = location.end
      return nil
    }
    let record = try source.bytes(at: offset, count: location.byteCount)
    let fields = try source.content(location)
    guard isHeaderRead || opcode == .header else {
      throw .unexpectedRecord(opcode, offset: offset)
    }
    switch opcode {
    case .header: try readHeader(fields)
    case .schema: try catalogue.addSchema(fields)
    case .channel: try catalogue.addChannel(fields)
    case .message:
      let message = try catalogue.messageHead(of: fields)
      counted.add(
        channel: message.channel, count: 1, startNs: message.logTimeNs, endNs: message.logTimeNs)
      give(ByteCursor(record, start: offset))
    case .chunk: try readChunk(fields, location)
    case .messageIndex: try readMessageIndex(fields, location)
    case .attachment: try readAttachment(fields, location)
    case .metadata: try readMetadata(fields, location)
    case .dataEnd: try readDataEnd(fields)
    default: throw .unexpectedRecord(opcode, offset: offset)
    }
    dataChecksum.update(record)
    offset = location.end
    return opcode
  }

  private func readHeader(_ record: ByteCursor) throws(TraceError) {
    guard !isHeaderRead else { throw .unexpectedRecord(.header, offset: offset) }
    let header = try HeaderRecord(of: record)
    (profile, library) = (header.profile, header.library)
    isHeaderRead = true
  }

  private func readAttachment(
    _ record: ByteCursor, _ location: RecordLocation
  ) throws(TraceError) {
    let content = try AttachmentContent(record)
    try check(.attachment, offset: offset, stored: content.checksum, computed: content.computed)
    try countIndexedRecord()
    try catalogue.keep(content.attachment)
    attachments.append(content.attachment)
    attachmentRecords.append(location)
    counted.attachmentCount += 1
  }

  private func readMetadata(_ record: ByteCursor, _ location: RecordLocation) throws(TraceError) {
    try countIndexedRecord()
    try catalogue.keep(record.remaining)
    metadata.append(try TraceMetadata(of: record))
    metadataRecords.append(location)
    counted.metadataCount += 1
  }

  private func readDataEnd(_ record: ByteCursor) throws(TraceError) {
    var fields = record
    let end = try DataEndRecord(&fields)
    guard fields.remaining == 0 else {
      throw .trailingBytes(offset: fields.offset, count: UInt64(fields.remaining))
    }
    try check(.dataSection, offset: offset, stored: end.checksum, computed: dataChecksum)
  }

  /// Limits the lists that grow with the file.
  func countIndexedRecord() throws(TraceError) {
    let count = chunks.count + attachmentRecords.count + metadataRecords.count + 1
    try TraceField.indexedRecords.check(count, max: limits.indexedRecords)
  }
}
