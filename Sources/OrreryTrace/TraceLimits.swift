// SPDX-License-Identifier: Apache-2.0

/// Limits on the memory that a trace needs in its reader; the writer keeps to them too.
package struct TraceLimits: Sendable {
  /// Largest content of one record and of one chunk's records when decompressed, in bytes.
  ///
  /// 2 GiB: no protobuf message is larger. A layout of 100 million entities has 0.9 GB.
  package var recordBytes = 2 << 30

  /// Largest sum of schemas, channels and metadata, which are kept while reading, in bytes.
  package var catalogueBytes = 16 << 20

  /// Largest number of chunks, attachments and metadata records together, in records.
  ///
  /// Four million: twelve hours of ninety 4 MiB chunks a second.
  package var indexedRecords = 4_000_000

  /// Largest compressed chunk, when decompressed, that may be of any ratio, in bytes.
  ///
  /// 256 MiB: a frame of forty million entities.
  package var largeChunkBytes = 256 << 20

  /// Largest ratio of a chunk that is larger than `largeChunkBytes`.
  ///
  /// Sixteen: layouts and frames of that size compress to a half or a quarter.
  package var largeChunkExpansion = 16

  package init() {}

  /// Largest data of one message that the writer accepts; the rest of a record's limit is for its
  /// fields and for the growth of data that compression cannot make smaller.
  package var messageBytes: Int { recordBytes - (4 << 20) }

  /// Refuses a record that is too large, unless it is of a kind that readers pass over.
  func check(_ head: RecordHead) throws(TraceError) {
    if head.kind != nil { try TraceField.recordBytes.check(head.contentBytes, max: recordBytes) }
  }

  /// Refuses a chunk that is longer than its record, or would take too much memory, before it is
  /// decompressed.
  func check(_ chunk: ChunkHead, in record: RecordLocation) throws(TraceError) {
    let dataOffset = chunk.dataOffset(at: record.offset)
    guard chunk.storedBytes <= record.end - dataOffset else {
      throw .recordEnds(
        offset: dataOffset, needed: chunk.storedBytes, have: record.end - dataOffset)
    }
    try TraceField.chunkBytes.check(chunk.recordBytes, max: recordBytes)
    let expanded = chunk.storedBytes.multipliedReportingOverflow(by: UInt64(largeChunkExpansion))
    try TraceField.chunkBytes.check(
      chunk.recordBytes,
      max: max(UInt64(largeChunkBytes), expanded.overflow ? .max : expanded.partialValue))
  }
}

extension TraceField {
  /// Refuses a quantity over its limit.
  func check(
    _ value: some BinaryInteger, max limit: some BinaryInteger
  ) throws(TraceError) {
    guard value <= limit else {
      throw .tooLarge(self, value: UInt64(value), limit: UInt64(limit))
    }
  }
}
