// SPDX-License-Identifier: Apache-2.0

/// What each file of a trace begins with.
struct TracePreamble {
  /// A message that each file has.
  struct Message {
    let head: TraceMessageHead
    let bytes: [UInt8]
  }

  private(set) var schemas: [RecordBytes] = []
  private(set) var channels: [RecordBytes] = []
  private(set) var attachments: [NextFile.IndexedRecord] = []
  private(set) var metadata: [NextFile.IndexedRecord] = []
  private(set) var messages: [Message] = []

  /// Attachments and lists of facts that each file begins with.
  var indexedRecords: [NextFile.IndexedRecord] { attachments + metadata }

  /// Messages that each file begins with.
  var messageCount: UInt64 { UInt64(messages.count) }

  mutating func add(schema: RecordBytes) { schemas.append(schema) }
  mutating func add(channel: RecordBytes) { channels.append(channel) }
  mutating func add(attachment: NextFile.IndexedRecord) { attachments.append(attachment) }
  mutating func add(metadata record: NextFile.IndexedRecord) { metadata.append(record) }
  mutating func add(_ message: Message) { messages.append(message) }
}
