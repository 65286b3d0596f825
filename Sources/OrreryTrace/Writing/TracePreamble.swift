// SPDX-License-Identifier: Apache-2.0

/// What each file of a trace begins with.
struct TracePreamble {
  /// A message that each file has.
  struct Message {
    let head: TraceMessageHead
    let bytes: [UInt8]
  }

  var schemas: [RecordBytes] = []
  var channels: [RecordBytes] = []
  var attachments: [NextFile.IndexedRecord] = []
  var metadata: [NextFile.IndexedRecord] = []
  var messages: [Message] = []

  /// Attachments and lists of facts that each file begins with.
  var indexedRecords: [NextFile.IndexedRecord] { attachments + metadata }

  /// Messages that each file begins with.
  var messageCount: UInt64 { UInt64(messages.count) }
}
