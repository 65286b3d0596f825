// SPDX-License-Identifier: Apache-2.0

/// A chunk in the summary.
struct ChunkIndexRecord: ContainerRecord {
  static let opcode = TraceOpcode.chunkIndex

  /// Earliest log time of its messages, in nanoseconds since 1970; 0 without messages.
  let startNs: UInt64

  /// Latest log time of its messages, in nanoseconds since 1970.
  let endNs: UInt64
  let chunk: RecordLocation

  /// Offset of the MessageIndex of each channel that has one.
  let indexOffsets: ChannelNumbers

  /// Size of all MessageIndex records of the chunk, in bytes.
  let indexBytes: UInt64
  let compression: TraceCompression

  /// Size of the stored records, in bytes.
  let storedBytes: UInt64

  /// Size of the records when decompressed, in bytes.
  let recordBytes: UInt64

  init(
    _ head: ChunkHead, _ chunk: RecordLocation, indexOffsets: ChannelNumbers, indexBytes: UInt64
  ) {
    (startNs, endNs, self.chunk) = (head.startNs, head.endNs, chunk)
    (self.indexOffsets, self.indexBytes) = (indexOffsets, indexBytes)
    compression = head.compression
    (storedBytes, recordBytes) = (head.storedBytes, head.recordBytes)
  }

  init(_ fields: inout ByteCursor) throws(TraceError) {
    startNs = try fields.number()
    endNs = try fields.number()
    chunk = try RecordLocation(&fields)
    indexOffsets = try ChannelNumbers(&fields)
    indexBytes = try fields.number()
    compression = try fields.compression()
    storedBytes = try fields.number()
    recordBytes = try fields.number()
  }

  func write(to fields: inout RecordBytes) {
    fields.append(startNs)
    fields.append(endNs)
    chunk.write(to: &fields)
    indexOffsets.write(to: &fields)
    fields.append(indexBytes)
    fields.append(text: compression.mcapName)
    fields.append(storedBytes)
    fields.append(recordBytes)
  }
}
