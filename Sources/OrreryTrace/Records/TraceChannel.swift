// SPDX-License-Identifier: Apache-2.0

/// Number of a channel in its trace; ours count from 1.
package struct TraceChannelID: Hashable, Sendable {
  /// The number itself.
  package let number: UInt16
  package init(number: UInt16) { self.number = number }
}

/// A stream of messages of one topic.
package struct TraceChannel: Hashable, Sendable {
  /// Nil if the messages need no schema.
  package var schema: TraceSchemaID?
  /// Name of the stream.
  package let topic: String

  /// Encoding of the messages, such as `protobuf` or `json`.
  package let messageEncoding: String
  /// Facts about the channel, by name.
  package var metadata: [String: String]

  package init(
    schema: TraceSchemaID?, topic: String, messageEncoding: String, metadata: [String: String] = [:]
  ) {
    (self.schema, self.topic) = (schema, topic)
    (self.messageEncoding, self.metadata) = (messageEncoding, metadata)
  }
}

/// A channel and its number.
struct ChannelRecord {
  let id: TraceChannelID
  let channel: TraceChannel
}

extension ChannelRecord: ContainerRecord {
  static let opcode = TraceOpcode.channel
  static let layout: [FieldSize] = [.bytes(2 + 2), .list, .list, .list]

  init(_ fields: inout ByteCursor) throws(TraceError) {
    id = TraceChannelID(number: try fields.number())
    let schema = TraceSchemaID(number: try fields.number())
    channel = TraceChannel(
      schema: schema.number == 0 ? nil : schema, topic: try fields.text(),
      messageEncoding: try fields.text(), metadata: try fields.textMap())
  }

  func write(to fields: inout RecordBytes) {
    fields.append(id.number)
    fields.append(channel.schema?.number ?? 0)
    fields.append(text: channel.topic)
    fields.append(text: channel.messageEncoding)
    fields.append(map: channel.metadata)
  }
}

/// A number for each of some channels, in the order in which they stand in a record.
struct ChannelNumbers {
  /// Bytes of an entry.
  static let entryBytes = 2 + 8

  private(set) var entries: [(channel: TraceChannelID, number: UInt64)] = []

  /// Offset of the first entry, for errors.
  private var start: UInt64 = 0

  init() {}

  /// Sorted by channel, so that the same map always gives the same bytes.
  init(_ map: [TraceChannelID: UInt64]) {
    entries = map.sorted { $0.key.number < $1.key.number }.map { ($0.key, $0.value) }
  }

  mutating func append(_ channel: TraceChannelID, _ number: UInt64) {
    entries.append((channel, number))
  }

  init(_ fields: inout ByteCursor) throws(TraceError) {
    var list = try fields.section()
    start = list.offset
    entries.reserveCapacity(list.remaining / Self.entryBytes)
    while list.remaining > 0 {
      entries.append((TraceChannelID(number: try list.number()), try list.number()))
    }
  }

  func write(to fields: inout RecordBytes) {
    fields.append(UInt32(entries.count * Self.entryBytes))
    for entry in entries {
      fields.append(entry.channel.number)
      fields.append(entry.number)
    }
  }

  /// The numbers by channel.
  ///
  /// - Throws: `duplicateKey`.
  func map() throws(TraceError) -> [TraceChannelID: UInt64] {
    var map: [TraceChannelID: UInt64] = [:]
    for (index, entry) in entries.enumerated() {
      guard map.updateValue(entry.number, forKey: entry.channel) == nil else {
        throw .duplicateKey(offset: start + UInt64(index * Self.entryBytes))
      }
    }
    return map
  }
}
