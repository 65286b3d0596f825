// SPDX-License-Identifier: Apache-2.0

/// A chunk of an archive: its position in its file, and what it holds.
///
/// A writer may leave chunks out. Then an entry stands for several Message records in a row.
package struct TraceChunkEntry: Sendable {
  /// Offset of the record in the file, in bytes.
  package let offset: UInt64

  /// Earliest log time, in nanoseconds since 1970.
  package let startNs: UInt64

  /// Latest log time, in nanoseconds since 1970.
  package let endNs: UInt64

  /// One bit for each channel with messages, its number modulo 64.
  let channelMask: UInt64

  /// Size of the record with its head, or of all records in a row, in bytes.
  let byteCount: UInt32

  /// Size of the MessageIndex records behind it, in bytes; 0 for none.
  let indexByteCount: UInt32

  /// Offset of what follows the record and its indexes.
  var end: UInt64 { offset + UInt64(byteCount) + UInt64(indexByteCount) }

  /// The bit of a channel in `channelMask`.
  static func bit(_ channel: TraceChannelID) -> UInt64 { 1 << UInt64(channel.number % 64) }

  /// Whether it may have messages of a channel; false: it has none.
  package func mayHold(_ channel: TraceChannelID) -> Bool {
    channelMask & Self.bit(channel) != 0
  }

  /// Whether it may have messages of one of the channels of a mask, from a log time on.
  func mayHold(_ mask: UInt64, _ fromNs: UInt64) -> Bool {
    channelMask & mask != 0 && endNs >= fromNs
  }
}

/// Sizes of the chunks of a trace with one compression.
package struct TraceChunkTotals: Sendable, Equatable {
  /// Chunks.
  package var chunkCount: UInt64 = 0
  /// Their records as stored, in bytes.
  package var storedBytes: UInt64 = 0
  /// Their records when decompressed, in bytes.
  package var recordBytes: UInt64 = 0

  package init() {}

  /// Counts a chunk.
  ///
  /// Sums of hostile numbers stop at the largest.
  mutating func add(storedBytes stored: UInt64, recordBytes records: UInt64) {
    chunkCount += 1
    storedBytes = storedBytes.addingReportingOverflow(stored).overflow ? .max : storedBytes + stored
    recordBytes =
      recordBytes.addingReportingOverflow(records).overflow ? .max : recordBytes + records
  }
}

/// The fields of a Chunk record before its records.
struct ChunkHead {
  let startNs: UInt64
  let endNs: UInt64

  /// Size of the records when decompressed, in bytes.
  let recordBytes: UInt64
  let checksum: UInt32
  let compression: TraceCompression
  let storedBytes: UInt64

  /// Offset in the file of the stored records.
  let dataOffset: UInt64

  /// Most bytes of a chunk record before its records, with a name of a known compression.
  static let byteCountMax = TraceFormat.recordHeadBytes + 8 + 8 + 8 + 4 + 4 + 4 + 8

  /// Reads the fields of the record at `offset`; `fields` begins behind the record's head, and may end
  /// before the records.
  init(
    _ record: ByteCursor, offset: UInt64, contentBytes: UInt64, limits: TraceLimits
  ) throws(TraceError) {
    var fields = record
    startNs = try fields.number()
    endNs = try fields.number()
    recordBytes = try fields.number()
    checksum = try fields.number()
    let nameOffset = fields.offset
    let nameBytes = try fields.number(UInt32.self)
    guard nameBytes <= 4,
      let compression = TraceCompression(
        mcapName: String(decoding: try fields.take(UInt64(nameBytes)), as: UTF8.self))
    else { throw .unknownCompression(offset: nameOffset) }
    self.compression = compression
    storedBytes = try fields.number()
    dataOffset = fields.offset
    let left = contentBytes - (dataOffset - offset - UInt64(TraceFormat.recordHeadBytes))
    guard storedBytes <= left else {
      throw .recordEnds(offset: dataOffset, needed: storedBytes, have: left)
    }
    try limits.checkChunk(recordBytes: recordBytes, storedBytes: storedBytes)
  }
}

extension TraceLimits {
  /// Refuses a chunk that would take too much memory, before it is decompressed.
  func checkChunk(recordBytes declared: UInt64, storedBytes: UInt64) throws(TraceError) {
    guard declared <= UInt64(recordBytes) else {
      throw .tooLarge(.chunkBytes, value: declared, limit: UInt64(recordBytes))
    }
    let expanded = storedBytes.multipliedReportingOverflow(by: UInt64(largeChunkExpansion))
    let allowed = max(UInt64(largeChunkBytes), expanded.overflow ? .max : expanded.partialValue)
    guard declared <= allowed else {
      throw .tooLarge(.chunkBytes, value: declared, limit: allowed)
    }
  }
}
