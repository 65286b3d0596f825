// SPDX-License-Identifier: Apache-2.0

/// A chunk in the data section, to be compared with its ChunkIndex.
struct ChunkFacts {
  let location: RecordLocation
  let startNs: UInt64
  let endNs: UInt64
  let compression: TraceCompression
  let storedBytes: UInt64
  let recordBytes: UInt64
  var indexOffsets: [TraceChannelID: UInt64] = [:]
  var indexBytes: UInt64 = 0
}

/// The MessageIndex records that must follow a chunk.
struct MessageIndexRun {
  /// One message: its offset in the chunk's records, and its log time.
  struct Entry: Equatable {
    let offset: UInt64
    let logTimeNs: UInt64
  }

  /// The entries still expected, in the order of the chunk's records.
  var expected: [TraceChannelID: [Entry]] = [:]
  var facts: ChunkFacts
}

/// Chunks and the message indexes after them.
extension TraceReader {
  /// Checks a Chunk record and everything in it, and hands over its messages.
  func readChunk(_ record: ByteCursor, byteCount: UInt64) throws(TraceError) {
    try countIndexedRecord()
    var fields = record
    let (startNs, endNs) = (try fields.number(UInt64.self), try fields.number(UInt64.self))
    let recordBytes = try fields.number(UInt64.self)
    let stored = try fields.number(UInt32.self)
    let nameOffset = fields.offset
    guard let compression = TraceCompression(mcapName: try fields.text()) else {
      throw .unknownCompression(offset: nameOffset)
    }
    let storedBytes = try fields.number(UInt64.self)
    try limits.checkChunk(recordBytes: recordBytes, storedBytes: storedBytes)
    let records = try decompressor.records(
      try fields.take(storedBytes), compression, declared: Int(recordBytes), offset: offset)
    try check(.chunkRecords, offset: offset, stored: stored, computed: Checksum(records))

    var run = MessageIndexRun(
      facts: ChunkFacts(
        location: RecordLocation(offset: offset, byteCount: byteCount), startNs: startNs,
        endNs: endNs, compression: compression, storedBytes: storedBytes, recordBytes: recordBytes))
    try readRecords(ByteCursor(records, start: 0), into: &run)
    try checkTimes(run)
    for (channel, entries) in run.expected {
      counted.add(
        channel: channel, count: UInt64(entries.count),
        startNs: entries.map(\.logTimeNs).min() ?? 0, endNs: endNs)
    }
    counted.chunkCount += 1
    indexRun = run
    give(ByteCursor(records, start: 0))
  }

  private func readRecords(
    _ chunk: ByteCursor, into run: inout MessageIndexRun
  ) throws(TraceError) {
    var records = chunk
    while true {
      let at = records.offset
      guard let record = try records.nextRecord() else { return }
      guard let opcode = TraceOpcode(rawValue: record.opcode) else { continue }
      var fields = record.fields
      switch opcode {
      case .schema: try catalogue.addSchema(fields)
      case .channel: try catalogue.addChannel(fields)
      case .message:
        let (channel, logTimeNs) = try fields.messageHead(catalogue)
        run.expected[channel, default: []].append(
          MessageIndexRun.Entry(offset: at, logTimeNs: logTimeNs))
      default: throw .unexpectedRecord(opcode, offset: at)
      }
    }
  }

  private func checkTimes(_ run: MessageIndexRun) throws(TraceError) {
    var (startNs, endNs) = (UInt64.max, UInt64.zero)
    for entries in run.expected.values {
      for entry in entries {
        startNs = min(startNs, entry.logTimeNs)
        endNs = max(endNs, entry.logTimeNs)
      }
    }
    if run.expected.isEmpty { startNs = 0 }
    if !isOwn, run.expected.isEmpty,
      TraceFormat.hasTimesOfNone(run.facts.startNs, run.facts.endNs)
    {
      notes.insert(TraceFormat.emptyChunkNote)
      return
    }
    if !isOwn, startNs == 0, run.facts.startNs > 0, run.facts.startNs <= endNs {
      notes.insert(TraceFormat.timeZeroNote)
    } else {
      try expect(.startTime, offset, stored: run.facts.startNs, actual: startNs)
    }
    try expect(.endTime, offset, stored: run.facts.endNs, actual: endNs)
  }

  /// Checks that a MessageIndex record matches what the chunk before it holds of one channel.
  func readMessageIndex(_ record: ByteCursor, byteCount: UInt64) throws(TraceError) {
    guard var run = indexRun else { throw .unexpectedRecord(.messageIndex, offset: offset) }
    indexRun = nil
    var fields = record
    let channel = TraceChannelID(number: try fields.number())
    guard let actual = run.expected.removeValue(forKey: channel) else {
      throw .undeclared(.channel, id: channel.number, offset: offset)
    }
    var entries = try fields.section()
    var stored: [MessageIndexRun.Entry] = []
    stored.reserveCapacity(entries.remaining / (8 + 8))
    while entries.remaining > 0 {
      let logTimeNs = try entries.number(UInt64.self)
      stored.append(MessageIndexRun.Entry(offset: try entries.number(), logTimeNs: logTimeNs))
    }
    // Some writers sort them by time.
    stored.sort { $0.offset < $1.offset }
    try expect(
      .messageIndex, offset, stored: UInt64(stored.count), actual: UInt64(actual.count))
    for (one, other) in zip(stored, actual) where one != other {
      try expect(.messageIndex, offset, stored: one.offset, actual: other.offset)
      try expect(.messageIndex, offset, stored: one.logTimeNs, actual: other.logTimeNs)
    }
    run.facts.indexOffsets[channel] = offset
    run.facts.indexBytes += byteCount
    indexRun = run
  }

  /// Checks that the chunk before `offset` had an index for every channel, or none at all, which
  /// MCAP allows.
  func endIndexRun() throws(TraceError) {
    guard let run = indexRun else { return }
    indexRun = nil
    let indexed = run.facts.indexOffsets.count
    if indexed > 0 {
      try expect(
        .messageIndex, offset, stored: UInt64(indexed),
        actual: UInt64(indexed + run.expected.count))
    }
    chunks.append(run.facts)
  }

  /// Compares a number in a record with that of the data.
  func expect(
    _ field: TraceField, _ offset: UInt64, stored: UInt64, actual: UInt64
  ) throws(TraceError) {
    guard stored == actual else {
      throw .mismatch(field, offset: offset, stored: stored, actual: actual)
    }
  }
}
