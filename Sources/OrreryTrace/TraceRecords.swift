// SPDX-License-Identifier: Apache-2.0

/// Number of a schema in its trace, from 1.
package struct TraceSchemaID: Hashable, Sendable {
  /// The number itself.
  package let number: UInt16
  package init(number: UInt16) { self.number = number }
}

/// Number of a channel in its trace; ours count from 1.
package struct TraceChannelID: Hashable, Sendable {
  /// The number itself.
  package let number: UInt16
  package init(number: UInt16) { self.number = number }
}

/// How the messages of a channel are to be decoded.
package struct TraceSchema: Equatable, Sendable {
  /// For `protobuf`, the full name of the message.
  package let name: String

  /// Encoding of `data`, such as `protobuf` or `jsonschema`.
  package let encoding: String

  /// For `protobuf`, a FileDescriptorSet with all imports.
  package let data: [UInt8]
}

/// A stream of messages of one topic.
package struct TraceChannel: Equatable, Sendable {
  /// Nil if the messages need no schema.
  package let schema: TraceSchemaID?
  /// Name of the stream.
  package let topic: String

  /// Encoding of the messages, such as `protobuf` or `json`.
  package let messageEncoding: String
  /// Facts about the channel, by name.
  package let metadata: [String: String]

  package init(
    schema: TraceSchemaID?, topic: String, messageEncoding: String, metadata: [String: String]
  ) {
    (self.schema, self.topic) = (schema, topic)
    (self.messageEncoding, self.metadata) = (messageEncoding, metadata)
  }
}

/// One message as read from a trace.
package struct TraceMessage {
  /// Its channel.
  package let channel: TraceChannelID
  /// Topic of its channel.
  package let topic: String
  /// Number from its writer.
  package let sequence: UInt32

  /// When it was recorded, in nanoseconds since 1970.
  package let logTimeNs: UInt64

  /// When it was published, in nanoseconds since 1970.
  package let publishTimeNs: UInt64

  /// The message itself, in the reader's memory: valid until the next call of the reader.
  package let bytes: UnsafeRawBufferPointer
}

/// A file inside a trace.
package struct TraceAttachment: Equatable, Sendable {
  /// Its name.
  package let name: String

  /// As registered with IANA: "application/toml".
  package let mediaType: String

  /// When it was recorded, in nanoseconds since 1970.
  package let logTimeNs: UInt64

  /// When it was made, in nanoseconds since 1970; 0 if unknown.
  package let createTimeNs: UInt64

  /// Location of its data in the trace: `offset ..< offset + byteCount`.
  package let offset: UInt64
  /// Bytes of its data.
  package let byteCount: UInt64
}

/// A named list of facts about a trace.
package struct TraceMetadata: Equatable, Sendable {
  /// Its name.
  package let name: String
  /// The facts, by name.
  package let values: [String: String]

  package init(name: String, values: [String: String]) {
    self.name = name
    self.values = values
  }

  /// What a copy says whose source is not whole.
  ///
  /// - Parameter reason: What the source does not have.
  package init(part reason: String) {
    self.init(name: TraceState.partRecord, values: [TraceState.reasonKey: reason])
  }
}

/// Counts of what a trace holds.
package struct TraceStatistics: Equatable, Sendable {
  /// Messages of all channels.
  package var messageCount: UInt64 = 0
  /// Schemas.
  package var schemaCount: UInt16 = 0
  /// Channels.
  package var channelCount: UInt32 = 0
  /// Files.
  package var attachmentCount: UInt32 = 0
  /// Lists of facts.
  package var metadataCount: UInt32 = 0
  /// Chunks of messages.
  package var chunkCount: UInt32 = 0

  /// Earliest and latest log time, in nanoseconds; both 0 without messages.
  package var startNs: UInt64 = 0
  /// Latest log time, in nanoseconds.
  package var endNs: UInt64 = 0

  /// Messages of each channel that has any.
  package var messageCounts: [TraceChannelID: UInt64] = [:]

  package init() {}

  /// Counts `count` messages of one channel with log times in `startNs ... endNs`.
  mutating func add(channel: TraceChannelID, count: UInt64, startNs: UInt64, endNs: UInt64) {
    guard count > 0 else { return }
    self.startNs = messageCount == 0 ? startNs : min(self.startNs, startNs)
    self.endNs = max(self.endNs, endNs)
    messageCount += count
    messageCounts[channel, default: 0] += count
  }
}
