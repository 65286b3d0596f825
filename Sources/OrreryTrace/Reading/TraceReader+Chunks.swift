// SPDX-License-Identifier: Apache-2.0

/// A chunk in the data section, to be compared with its ChunkIndex.
struct ChunkFacts {
  let location: RecordLocation
  let head: ChunkHead
  var indexOffsets: [TraceChannelID: UInt64] = [:]
  var indexBytes: UInt64 = 0
}

/// The MessageIndex records that must follow a chunk.
struct MessageIndexRun {
  /// The entries still expected, in the order of the chunk's records.
  var expected: [TraceChannelID: [MessageIndexEntry]] = [:]
  var facts: ChunkFacts
}

/// Chunks and the message indexes after them.
extension TraceReader {
  /// Checks a Chunk record and everything in it, and hands over its messages.
  func readChunk(_ record: ByteCursor, _ location: RecordLocation) throws(TraceError) {
    try countIndexedRecord()
    var fields = record
    let head = try ChunkHead(&fields)
    try limits.check(head, in: location)
    let records = try decompressor.records(
      try fields.take(head.storedBytes), of: head, offset: offset)
    try check(.chunkRecords, offset: offset, stored: head.checksum, computed: Checksum(records))

    var run = MessageIndexRun(facts: ChunkFacts(location: location, head: head))
    try readRecords(ByteCursor(records, start: 0), into: &run)
    try checkTimes(run)
    for (channel, entries) in run.expected {
      counted.add(
        channel: channel, count: UInt64(entries.count),
        startNs: entries.map(\.logTimeNs).min() ?? 0, endNs: head.endNs)
    }
    counted.chunkCount += 1
    indexRun = run
    give(ByteCursor(records, start: 0))
  }

  private func readRecords(
    _ chunk: ByteCursor, into run: inout MessageIndexRun
  ) throws(TraceError) {
    var records = chunk
    while let record = try records.nextOfChunk() {
      guard let message = try catalogue.take(record) else { continue }
      run.expected[message.channel, default: []].append(
        MessageIndexEntry(logTimeNs: message.logTimeNs, offset: record.offset))
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
    let stored = run.facts.head
    if !isOwn, run.expected.isEmpty, TraceFormat.hasTimesOfNone(stored.startNs, stored.endNs) {
      notes.insert(TraceFormat.emptyChunkNote)
      return
    }
    if !isOwn, startNs == 0, stored.startNs > 0, stored.startNs <= endNs {
      notes.insert(TraceFormat.timeZeroNote)
    } else {
      try expect(.startTime, offset, stored: stored.startNs, actual: startNs)
    }
    try expect(.endTime, offset, stored: stored.endNs, actual: endNs)
  }

  /// Checks that a MessageIndex record matches what the chunk before it holds of one channel.
  func readMessageIndex(_ record: ByteCursor, _ location: RecordLocation) throws(TraceError) {
    guard var run = indexRun else { throw .unexpectedRecord(.messageIndex, offset: offset) }
    indexRun = nil
    var fields = record
    let head = try MessageIndexHead(&fields)
    guard let actual = run.expected.removeValue(forKey: head.channel) else {
      throw .undeclared(.channel, id: head.channel.number, offset: offset)
    }
    var entries = try fields.section(UInt64(head.entryBytes))
    var stored: [MessageIndexEntry] = []
    stored.reserveCapacity(entries.remaining / MessageIndexEntry.byteCount)
    while entries.remaining > 0 { stored.append(try MessageIndexEntry(&entries)) }
    // Some writers sort them by time.
    stored.sort { $0.offset < $1.offset }
    try expect(
      .messageIndex, offset, stored: UInt64(stored.count), actual: UInt64(actual.count))
    for (one, other) in zip(stored, actual) where one != other {
      try expect(.messageIndex, offset, stored: one.offset, actual: other.offset)
      try expect(.messageIndex, offset, stored: one.logTimeNs, actual: other.logTimeNs)
    }
    run.facts.indexOffsets[head.channel] = offset
    run.facts.indexBytes += location.byteCount
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
