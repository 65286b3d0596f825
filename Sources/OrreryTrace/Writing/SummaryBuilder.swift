// SPDX-License-Identifier: Apache-2.0

/// Collects the summary of the records that are in the file so far.
struct SummaryBuilder {
  var schemas = RecordBytes()
  var channels = RecordBytes()
  var chunkIndexes = RecordBytes()
  var attachmentIndexes = RecordBytes()
  var metadataIndexes = RecordBytes()
  var statistics = TraceStatistics()

  /// Bytes enough for statistics without their map, six summary offsets, footer, data end and
  /// magic.
  private static let fixedBytes = 512

  /// Upper bound of the size of `ending`, in bytes.
  var endingBytes: Int {
    Self.fixedBytes + schemas.count + channels.count + chunkIndexes.count
      + attachmentIndexes.count + metadataIndexes.count
      + ChannelNumbers.entryBytes * statistics.messageCounts.count
  }

  /// Adds a chunk that is in the file.
  mutating func add(_ chunk: borrowing ChunkBuilder, index: RecordBytes) {
    schemas.append(raw: chunk.schemas)
    channels.append(raw: chunk.channels)
    chunkIndexes.append(raw: index)
    statistics.schemaCount += chunk.schemaCount
    statistics.channelCount += chunk.channelCount
    statistics.chunkCount += 1
    for (number, entries) in chunk.entries.enumerated() {
      statistics.add(
        channel: TraceChannelID(number: UInt16(number + 1)), count: UInt64(entries.count),
        startNs: chunk.startNs, endNs: chunk.endNs)
    }
  }

  /// The end of a file of `end` bytes that has room before it, without a checksum of the data section.
  func ending(of end: UInt64) -> RecordBytes {
    let byteCount = ending(offset: 0, checksum: nil).count
    return ending(offset: end - UInt64(byteCount), checksum: nil)
  }

  /// Everything after the last record of the data section, which has `offset` bytes with `checksum`;
  /// nil: none is written.
  func ending(offset: UInt64, checksum: Checksum?) -> RecordBytes {
    var ending = RecordBytes(DataEndRecord(checksum: checksum?.value ?? 0))
    let dataEndBytes = ending.count
    let summaryStart = offset + UInt64(dataEndBytes)
    let groups: [(opcode: TraceOpcode, records: RecordBytes)] = [
      (.schema, schemas), (.channel, channels), (.statistics, RecordBytes(statistics)),
      (.chunkIndex, chunkIndexes), (.attachmentIndex, attachmentIndexes),
      (.metadataIndex, metadataIndexes),
    ]
    var summaryOffsets = RecordBytes()
    for group in groups where group.records.count > 0 {
      let location = RecordLocation(
        offset: offset + UInt64(ending.count), byteCount: UInt64(group.records.count))
      summaryOffsets.append(
        SummaryOffsetRecord(group: group.opcode.rawValue, location: location))
      ending.append(raw: group.records)
    }
    let summaryOffsetStart = offset + UInt64(ending.count)
    ending.append(raw: summaryOffsets)
    var footer = FooterRecord(
      summaryStart: summaryStart, summaryOffsetStart: summaryOffsetStart, checksum: 0)
    var summary = ending.checksum(from: dataEndBytes)
    RecordBytes(footer).withUnsafeBytes {
      summary.update(UnsafeRawBufferPointer(rebasing: $0[..<FooterRecord.summedBytes]))
    }
    footer.checksum = summary.value
    ending.append(footer)
    ending.append(raw: TraceFormat.magic)
    return ending
  }
}
