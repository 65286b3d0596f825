// SPDX-License-Identifier: Apache-2.0

import OrreryTrace

/// Writes messages, attachments and metadata of other traces into a new one.
///
/// Channels that are equal in all that they say, schema included, become one channel.
final class TraceCopyWriter {
  /// A channel without numbers.
  private struct ChannelKey: Hashable {
    let topic: String
    let encoding: String
    let metadata: [String: String]
    let schema: TraceSchemaID?
  }

  private struct SchemaKey: Hashable {
    let name: String
    let encoding: String
    let data: [UInt8]
  }

  private let writer: TraceWriter
  private var schemas: [SchemaKey: TraceSchemaID] = [:]
  private var channels: [ChannelKey: TraceChannelID] = [:]

  /// The last channel that was looked up: most follow themselves.
  private var lastChannel: (TraceChannel, TraceChannelID)?
  private var lastSource: TraceSchema?

  private(set) var messages: UInt64 = 0
  private(set) var attachments: UInt64 = 0
  private(set) var metadata: UInt64 = 0

  init(path: String, compression: TraceCompression, overwrite: Bool) throws(TraceError) {
    var options = TraceOptions()
    options.compression = compression
    // A copy may wait for the disk; a recording may not, and has four times as much.
    options.memoryBytes = 64 << 20
    writer = try TraceWriter(path: path, options: options, overwrite: overwrite)
  }

  /// Whether nothing was written.
  var isEmpty: Bool { messages == 0 && attachments == 0 && metadata == 0 }

  /// Adds a channel unless it is there, and returns its number.
  @discardableResult
  func declare(
    _ channel: TraceChannel, schema: TraceSchema?
  ) throws(TraceError) -> TraceChannelID {
    if let lastChannel, lastChannel.0 == channel, lastSource == schema { return lastChannel.1 }
    var number: TraceSchemaID?
    if let schema {
      let key = SchemaKey(name: schema.name, encoding: schema.encoding, data: schema.data)
      number = schemas[key]
      if number == nil {
        number = try writer.addSchema(
          name: schema.name, encoding: schema.encoding, data: schema.data)
        schemas[key] = number
      }
    }
    let key = ChannelKey(
      topic: channel.topic, encoding: channel.messageEncoding, metadata: channel.metadata,
      schema: number)
    let id: TraceChannelID
    if let known = channels[key] {
      id = known
    } else {
      id = try writer.addChannel(
        topic: channel.topic, messageEncoding: channel.messageEncoding, schema: number,
        metadata: channel.metadata)
      channels[key] = id
    }
    lastChannel = (channel, id)
    lastSource = schema
    return id
  }

  /// Writes a message of a trace that was salvaged.
  func write(
    _ message: TraceMessage, channel: TraceChannel, schema: TraceSchema?
  ) throws(TraceError) {
    try write(
      try declare(channel, schema: schema), sequence: message.sequence,
      logTimeNs: message.logTimeNs, publishTimeNs: message.publishTimeNs, message.bytes)
  }

  /// Writes a message into a channel from `declare`.
  func write(
    _ channel: TraceChannelID, sequence: UInt32, logTimeNs: UInt64, publishTimeNs: UInt64,
    _ bytes: UnsafeRawBufferPointer
  ) throws(TraceError) {
    try writer.write(
      channel, sequence: sequence, logTimeNs: logTimeNs, publishTimeNs: publishTimeNs,
      parts: [bytes])
    messages += 1
  }

  func add(_ attachment: TraceAttachment, _ data: [UInt8]) throws(TraceError) {
    try writer.addAttachment(
      name: attachment.name, mediaType: attachment.mediaType, data: data,
      logTimeNs: attachment.logTimeNs, createTimeNs: attachment.createTimeNs)
    attachments += 1
  }

  func add(_ record: TraceMetadata) throws(TraceError) {
    try writer.addMetadata(name: record.name, record.values)
    metadata += 1
  }

  func finish() throws(TraceError) { try writer.finish() }

  func discard() { writer.discard() }
}
