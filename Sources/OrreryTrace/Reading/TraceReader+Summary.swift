// SPDX-License-Identifier: Apache-2.0

/// State of the reading of a summary.
struct SummaryProgress {
  /// Adjacent records of one kind.
  struct Group {
    let opcode: UInt8
    let start: UInt64
    var byteCount: UInt64
  }

  /// Offset of the first record after DataEnd.
  let start: UInt64
  var checksum = Checksum()
  var groups: [Group] = []
  var offsetStart: UInt64 = 0
  var listedGroups: Set<UInt8> = []
  var schemas: Set<TraceSchemaID> = []
  var channels: Set<TraceChannelID> = []
  var chunks: Set<UInt64> = []
  var attachments: Set<UInt64> = []
  var metadata: Set<UInt64> = []
  var statisticsCount: UInt64 = 0

  init(start: UInt64) {
    self.start = start
  }
}

/// The summary, its offsets and the footer: all must agree with the data section.
extension TraceReader {
  /// Reads from after DataEnd to the end of the file.
  func readSummary() throws(TraceError) {
    var progress = SummaryProgress(start: offset)
    while true {
      let (raw, byteCount) = try recordHead()
      if raw == TraceOpcode.footer.rawValue {
        try readFooter(progress, byteCount: byteCount)
        return
      }
      guard byteCount <= UInt64(limits.recordBytes) else {
        throw .tooLarge(.recordBytes, value: byteCount, limit: UInt64(limits.recordBytes))
      }
      let record = try source.bytes(at: offset, count: byteCount)
      progress.checksum.update(record)
      let content = UnsafeRawBufferPointer(rebasing: record[TraceFormat.recordHeadBytes...])
      let fields = ByteCursor(content, start: offset + UInt64(TraceFormat.recordHeadBytes))
      if raw == TraceOpcode.summaryOffset.rawValue {
        if progress.offsetStart == 0 { progress.offsetStart = offset }
        try readSummaryOffset(fields, &progress)
      } else {
        try group(raw, byteCount, &progress)
        try readSummaryRecord(raw, fields, &progress)
      }
      offset += byteCount
    }
  }

  /// Adds a record to its group.
  private func group(
    _ opcode: UInt8, _ byteCount: UInt64, _ progress: inout SummaryProgress
  ) throws(TraceError) {
    guard progress.offsetStart == 0 else { throw .notGrouped(opcode: opcode, offset: offset) }
    if let last = progress.groups.indices.last, progress.groups[last].opcode == opcode {
      progress.groups[last].byteCount += byteCount
      return
    }
    guard !progress.groups.contains(where: { $0.opcode == opcode }) else {
      throw .notGrouped(opcode: opcode, offset: offset)
    }
    progress.groups.append(
      SummaryProgress.Group(opcode: opcode, start: offset, byteCount: byteCount))
  }

  private func readSummaryRecord(
    _ raw: UInt8, _ fields: ByteCursor, _ progress: inout SummaryProgress
  ) throws(TraceError) {
    guard let opcode = TraceOpcode(rawValue: raw) else { return }
    switch opcode {
    case .schema:
      // Some writers declare what has no messages only here.
      if !isOwn { try catalogue.addSchema(fields) }
      if let id = try catalogue.checkSchema(fields) { progress.schemas.insert(id) }
    case .channel:
      if !isOwn { try catalogue.addChannel(fields) }
      progress.channels.insert(try catalogue.checkChannel(fields))
    case .statistics: try readStatistics(fields, &progress)
    case .chunkIndex: try readChunkIndex(fields, &progress)
    case .attachmentIndex: try readAttachmentIndex(fields, &progress)
    case .metadataIndex: try readMetadataIndex(fields, &progress)
    default: throw .unexpectedRecord(opcode, offset: offset)
    }
  }

  private func readStatistics(
    _ record: ByteCursor, _ progress: inout SummaryProgress
  ) throws(TraceError) {
    progress.statisticsCount += 1
    try expect(.statistics, offset, stored: progress.statisticsCount, actual: 1)
    var fields = record
    let actual = statistics
    try expectCount(.messageCount, stored: try fields.number(), actual: actual.messageCount)
    try expectCount(
      .schemaCount, stored: UInt64(try fields.number(UInt16.self)),
      actual: UInt64(actual.schemaCount))
    let counts: [(TraceField, UInt32)] = [
      (.channelCount, actual.channelCount), (.attachmentCount, actual.attachmentCount),
      (.metadataCount, actual.metadataCount), (.chunkCount, actual.chunkCount),
    ]
    for (field, count) in counts {
      try expectCount(
        field, stored: UInt64(try fields.number(UInt32.self)), actual: UInt64(count))
    }
    let startNs = try fields.number(UInt64.self)
    // As in the chunk that leaves time 0 out.
    if actual.startNs > 0 || !notes.contains(TraceFormat.timeZeroNote) {
      try expect(.startTime, offset, stored: startNs, actual: actual.startNs)
    }
    try expectCount(.endTime, stored: try fields.number(), actual: actual.endNs)
    let stored = try fields.channelMap()
    // An empty map gives no counts.
    guard !stored.isEmpty else { return }
    for channel in Set(stored.keys).union(actual.messageCounts.keys) {
      try expectCount(
        .messageCount, stored: stored[channel] ?? 0, actual: actual.messageCounts[channel] ?? 0)
    }
  }

  /// Compares a count in the summary with that of the data, which has more behind a checkpoint.
  private func expectCount(
    _ field: TraceField, stored: UInt64, actual: UInt64
  ) throws(TraceError) {
    if isCheckpoint, stored <= actual { return }
    try expect(field, offset, stored: stored, actual: actual)
  }

  private func readChunkIndex(
    _ record: ByteCursor, _ progress: inout SummaryProgress
  ) throws(TraceError) {
    var fields = record
    let (startNs, endNs) = (try fields.number(UInt64.self), try fields.number(UInt64.self))
    let start = try fields.number(UInt64.self)
    guard let index = Self.index(of: start, count: chunks.count, { chunks[$0].location.offset }),
      progress.chunks.insert(start).inserted
    else { throw .mismatch(.chunkIndex, offset: offset, stored: start, actual: 0) }
    let chunk = chunks[index]
    try expect(.startTime, offset, stored: startNs, actual: chunk.startNs)
    try expect(.endTime, offset, stored: endNs, actual: chunk.endNs)
    try expect(.chunkIndex, offset, stored: try fields.number(), actual: chunk.location.byteCount)
    let indexOffsets = try fields.channelMap()
    for channel in Set(indexOffsets.keys).union(chunk.indexOffsets.keys) {
      try expect(
        .messageIndex, offset, stored: indexOffsets[channel] ?? 0,
        actual: chunk.indexOffsets[channel] ?? 0)
    }
    try expect(.messageIndexBytes, offset, stored: try fields.number(), actual: chunk.indexBytes)
    guard try fields.text() == chunk.compression.mcapName else {
      throw .unknownCompression(offset: offset)
    }
    try expect(.chunkIndex, offset, stored: try fields.number(), actual: chunk.storedBytes)
    try expect(.chunkIndex, offset, stored: try fields.number(), actual: chunk.recordBytes)
  }

  private func readAttachmentIndex(
    _ record: ByteCursor, _ progress: inout SummaryProgress
  ) throws(TraceError) {
    var fields = record
    let start = try fields.number(UInt64.self)
    let records = attachmentRecords
    guard let index = Self.index(of: start, count: records.count, { records[$0].offset }),
      progress.attachments.insert(start).inserted
    else { throw .mismatch(.attachmentIndex, offset: offset, stored: start, actual: 0) }
    let attachment = attachments[index]
    let numbers = [
      records[index].byteCount, attachment.logTimeNs, attachment.createTimeNs, attachment.byteCount,
    ]
    for number in numbers {
      try expect(.attachmentIndex, offset, stored: try fields.number(), actual: number)
    }
    guard try fields.text() == attachment.name, try fields.text() == attachment.mediaType else {
      throw .mismatch(.attachmentIndex, offset: offset, stored: start, actual: start)
    }
  }

  private func readMetadataIndex(
    _ record: ByteCursor, _ progress: inout SummaryProgress
  ) throws(TraceError) {
    var fields = record
    let start = try fields.number(UInt64.self)
    let records = metadataRecords
    guard let index = Self.index(of: start, count: records.count, { records[$0].offset }),
      progress.metadata.insert(start).inserted
    else { throw .mismatch(.metadataIndex, offset: offset, stored: start, actual: 0) }
    try expect(
      .metadataIndex, offset, stored: try fields.number(), actual: records[index].byteCount)
    guard try fields.text() == metadata[index].name else {
      throw .mismatch(.metadataIndex, offset: offset, stored: start, actual: start)
    }
  }

  private func readSummaryOffset(
    _ record: ByteCursor, _ progress: inout SummaryProgress
  ) throws(TraceError) {
    var fields = record
    let opcode = try fields.number(UInt8.self)
    let (start, byteCount) = (try fields.number(UInt64.self), try fields.number(UInt64.self))
    // Some writers list kinds that have no records.
    if byteCount == 0 { return }
    guard let group = progress.groups.first(where: { $0.opcode == opcode }),
      progress.listedGroups.insert(opcode).inserted
    else { throw .notGrouped(opcode: opcode, offset: offset) }
    try expect(.groupStart, offset, stored: start, actual: group.start)
    try expect(.groupBytes, offset, stored: byteCount, actual: group.byteCount)
  }

  private func readFooter(_ progress: SummaryProgress, byteCount: UInt64) throws(TraceError) {
    let headBytes = UInt64(TraceFormat.recordHeadBytes)
    let length = byteCount - headBytes
    guard length == UInt64(TraceFormat.footerBytes) else {
      throw .mismatch(
        .recordBytes, offset: offset, stored: length, actual: UInt64(TraceFormat.footerBytes))
    }
    try checkIsWhole(progress)
    let record = try source.bytes(at: offset, count: byteCount)
    var checksum = progress.checksum
    checksum.update(UnsafeRawBufferPointer(rebasing: record[..<(record.count - 4)]))
    var fields = ByteCursor(
      UnsafeRawBufferPointer(rebasing: record[Int(headBytes)...]), start: offset + headBytes)
    try expect(
      .summaryStart, offset, stored: try fields.number(),
      actual: offset == progress.start ? 0 : progress.start)
    let offsetStart = try fields.number(UInt64.self)
    // Some writers have an empty list of offsets.
    if isOwn || progress.offsetStart != 0 || offsetStart != offset {
      try expect(.summaryOffsetStart, offset, stored: offsetStart, actual: progress.offsetStart)
    }
    try check(.summary, offset: offset, stored: try fields.number(), computed: checksum)
    offset += byteCount
    try readMagic(at: offset)
    offset += UInt64(TraceFormat.magic.count)
    guard offset == source.byteCount else {
      throw .trailingBytes(offset: offset, count: source.byteCount - offset)
    }
  }

  /// Checks that the summary lists either all or none of each kind.
  private func checkIsWhole(_ progress: SummaryProgress) throws(TraceError) {
    let lists: [(TraceField, listed: Int, actual: Int)] = [
      (.chunkIndex, progress.chunks.count, chunks.count),
      (.attachmentIndex, progress.attachments.count, attachmentRecords.count),
      (.metadataIndex, progress.metadata.count, metadataRecords.count),
      (.groupStart, progress.listedGroups.count, progress.groups.count),
    ]
    for list in lists where list.listed > 0 {
      try expectCount(list.0, stored: UInt64(list.listed), actual: UInt64(list.actual))
    }
    guard !progress.chunks.isEmpty, !isCheckpoint else { return }
    if !progress.channels.isEmpty {
      for id in statistics.messageCounts.keys where !progress.channels.contains(id) {
        throw .undeclared(.channel, id: id.number, offset: offset)
      }
    }
    if progress.schemas.isEmpty { return }
    for id in progress.channels {
      guard let schema = channels[id]?.schema, !progress.schemas.contains(schema) else { continue }
      throw .undeclared(.schema, id: schema.number, offset: offset)
    }
  }

  /// Index of `value` among `count` rising numbers.
  private static func index(
    of value: UInt64, count: Int, _ element: (Int) -> UInt64
  ) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if element(middle) < value { low = middle + 1 } else { high = middle }
    }
    return low < count && element(low) == value ? low : nil
  }
}
