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
      let head = try source.head(at: offset, limits)
      let byteCount = head.location.byteCount
      if head.kind == .footer { return try readFooter(head, progress) }
      try TraceField.recordBytes.check(byteCount, max: limits.recordBytes)
      progress.checksum.update(try source.bytes(at: offset, count: byteCount))
      let fields = try source.content(head.location)
      if head.kind == .summaryOffset {
        if progress.offsetStart == 0 { progress.offsetStart = offset }
        try readSummaryOffset(fields, &progress)
      } else {
        try group(head.opcode, byteCount, &progress)
        if let kind = head.kind { try readSummaryRecord(kind, fields, &progress) }
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
    _ opcode: TraceOpcode, _ fields: ByteCursor, _ progress: inout SummaryProgress
  ) throws(TraceError) {
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
    let (stored, actual) = (try TraceStatistics(of: record), statistics)
    try expectCount(.messageCount, stored: stored.messageCount, actual: actual.messageCount)
    let counts: [(TraceField, stored: UInt32, actual: UInt32)] = [
      (.schemaCount, UInt32(stored.schemaCount), UInt32(actual.schemaCount)),
      (.channelCount, stored.channelCount, actual.channelCount),
      (.attachmentCount, stored.attachmentCount, actual.attachmentCount),
      (.metadataCount, stored.metadataCount, actual.metadataCount),
      (.chunkCount, stored.chunkCount, actual.chunkCount),
    ]
    for count in counts {
      try expectCount(count.0, stored: UInt64(count.stored), actual: UInt64(count.actual))
    }
    // As in the chunk that leaves time 0 out.
    if actual.startNs > 0 || !notes.contains(TraceFormat.timeZeroNote) {
      try expect(.startTime, offset, stored: stored.startNs, actual: actual.startNs)
    }
    try expectCount(.endTime, stored: stored.endNs, actual: actual.endNs)
    // An empty map gives no counts.
    guard !stored.messageCounts.isEmpty else { return }
    for channel in Set(stored.messageCounts.keys).union(actual.messageCounts.keys) {
      try expectCount(
        .messageCount, stored: stored.messageCounts[channel] ?? 0,
        actual: actual.messageCounts[channel] ?? 0)
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
    let index = try ChunkIndexRecord(of: record)
    let start = index.chunk.offset
    guard let number = Self.index(of: start, count: chunks.count, { chunks[$0].location.offset }),
      progress.chunks.insert(start).inserted
    else { throw .mismatch(.chunkIndex, offset: offset, stored: start, actual: 0) }
    let chunk = chunks[number]
    try expect(.startTime, offset, stored: index.startNs, actual: chunk.head.startNs)
    try expect(.endTime, offset, stored: index.endNs, actual: chunk.head.endNs)
    try expect(
      .chunkIndex, offset, stored: index.chunk.byteCount, actual: chunk.location.byteCount)
    let indexOffsets = try index.indexOffsets.map()
    for channel in Set(indexOffsets.keys).union(chunk.indexOffsets.keys) {
      try expect(
        .messageIndex, offset, stored: indexOffsets[channel] ?? 0,
        actual: chunk.indexOffsets[channel] ?? 0)
    }
    try expect(.messageIndexBytes, offset, stored: index.indexBytes, actual: chunk.indexBytes)
    guard index.compression == chunk.head.compression else {
      throw .unknownCompression(offset: offset)
    }
    try expect(.chunkIndex, offset, stored: index.storedBytes, actual: chunk.head.storedBytes)
    try expect(.chunkIndex, offset, stored: index.recordBytes, actual: chunk.head.recordBytes)
  }

  private func readAttachmentIndex(
    _ record: ByteCursor, _ progress: inout SummaryProgress
  ) throws(TraceError) {
    let index = try AttachmentIndexRecord(of: record)
    let (start, records) = (index.record.offset, attachmentRecords)
    guard let number = Self.index(of: start, count: records.count, { records[$0].offset }),
      progress.attachments.insert(start).inserted
    else { throw .mismatch(.attachmentIndex, offset: offset, stored: start, actual: 0) }
    let (head, actual) = (index.head, attachments[number].head)
    let numbers = [
      (index.record.byteCount, records[number].byteCount), (head.logTimeNs, actual.logTimeNs),
      (head.createTimeNs, actual.createTimeNs), (head.dataBytes, actual.dataBytes),
    ]
    for (stored, actual) in numbers {
      try expect(.attachmentIndex, offset, stored: stored, actual: actual)
    }
    guard head == actual else {
      throw .mismatch(.attachmentIndex, offset: offset, stored: start, actual: start)
    }
  }

  private func readMetadataIndex(
    _ record: ByteCursor, _ progress: inout SummaryProgress
  ) throws(TraceError) {
    let index = try MetadataIndexRecord(of: record)
    let (start, records) = (index.record.offset, metadataRecords)
    guard let number = Self.index(of: start, count: records.count, { records[$0].offset }),
      progress.metadata.insert(start).inserted
    else { throw .mismatch(.metadataIndex, offset: offset, stored: start, actual: 0) }
    try expect(
      .metadataIndex, offset, stored: index.record.byteCount, actual: records[number].byteCount)
    guard index.name == metadata[number].name else {
      throw .mismatch(.metadataIndex, offset: offset, stored: start, actual: start)
    }
  }

  private func readSummaryOffset(
    _ record: ByteCursor, _ progress: inout SummaryProgress
  ) throws(TraceError) {
    let listed = try SummaryOffsetRecord(of: record)
    // Some writers list kinds that have no records.
    if listed.location.byteCount == 0 { return }
    guard let group = progress.groups.first(where: { $0.opcode == listed.group }),
      progress.listedGroups.insert(listed.group).inserted
    else { throw .notGrouped(opcode: listed.group, offset: offset) }
    try expect(.groupStart, offset, stored: listed.location.offset, actual: group.start)
    try expect(.groupBytes, offset, stored: listed.location.byteCount, actual: group.byteCount)
  }

  private func readFooter(_ head: RecordHead, _ progress: SummaryProgress) throws(TraceError) {
    try expect(
      .recordBytes, offset, stored: head.contentBytes, actual: UInt64(FooterRecord.contentBytes))
    try checkIsWhole(progress)
    let footer = try FooterRecord(of: source.content(head.location))
    var checksum = progress.checksum
    checksum.update(try source.bytes(at: offset, count: UInt64(FooterRecord.summedBytes)))
    try expect(
      .summaryStart, offset, stored: footer.summaryStart,
      actual: offset == progress.start ? 0 : progress.start)
    // Some writers have an empty list of offsets.
    if isOwn || progress.offsetStart != 0 || footer.summaryOffsetStart != offset {
      try expect(
        .summaryOffsetStart, offset, stored: footer.summaryOffsetStart,
        actual: progress.offsetStart)
    }
    try check(.summary, offset: offset, stored: footer.checksum, computed: checksum)
    offset = head.location.end
    try source.readMagic(at: offset)
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
