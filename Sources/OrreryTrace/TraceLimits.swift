// SPDX-License-Identifier: Apache-2.0

/// What a trace may ask of its reader's memory, and therefore what the writer accepts.
package struct TraceLimits: Sendable {
  /// Largest content of one record and of one chunk's records when decompressed, in bytes.
  ///
  /// 256 MiB: frames of 32 million entities with two columns each.
  package var recordBytes = 256 << 20

  /// Largest sum of schemas, channels and metadata, which are kept while reading, in bytes.
  package var catalogueBytes = 16 << 20

  /// Largest number of chunks, attachments and metadata records together, in records.
  ///
  /// Four million: twelve hours of ninety 4 MiB chunks a second.
  package var indexedRecords = 4_000_000

  package init() {}

  /// Largest data of one message that the writer takes; the rest of a record's limit is for its fields
  /// and for what compression adds to data that it cannot compress.
  package var messageBytes: Int { recordBytes - (4 << 20) }
}
