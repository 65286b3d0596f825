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

  /// The record, or all records in a row.
  var location: RecordLocation { RecordLocation(offset: offset, byteCount: UInt64(byteCount)) }

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
