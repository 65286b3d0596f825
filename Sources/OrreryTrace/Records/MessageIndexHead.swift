// SPDX-License-Identifier: Apache-2.0

/// The channel of an index of the messages in the chunk before it; its entries follow.
struct MessageIndexHead: ContainerRecord {
  static let opcode = TraceOpcode.messageIndex
  static let layout: [FieldSize] = [.bytes(2), .list]

  /// Bytes of the record before its entries.
  static let bytesBeforeEntries = RecordHead.byteCount + 2 + 4

  let channel: TraceChannelID

  /// Size of the entries, in bytes.
  let entryBytes: UInt32

  init(channel: TraceChannelID, entryCount: Int) {
    (self.channel, entryBytes) = (channel, UInt32(entryCount * MessageIndexEntry.byteCount))
  }

  init(_ fields: inout ByteCursor) throws(TraceError) {
    channel = TraceChannelID(number: try fields.number())
    entryBytes = try fields.number()
  }

  func write(to fields: inout RecordBytes) {
    fields.append(channel.number)
    fields.append(entryBytes)
  }
}

/// One message in the index of its channel.
struct MessageIndexEntry: Equatable {
  static let byteCount = 8 + 8

  let logTimeNs: UInt64

  /// Offset from the start of the chunk's records, in bytes.
  let offset: UInt64
}

extension MessageIndexEntry {
  @inline(__always)
  init(_ fields: inout ByteCursor) throws(TraceError) {
    logTimeNs = try fields.number()
    offset = try fields.number()
  }

  @inline(__always)
  func write(to fields: inout RecordBytes) {
    fields.append(logTimeNs)
    fields.append(offset)
  }
}
