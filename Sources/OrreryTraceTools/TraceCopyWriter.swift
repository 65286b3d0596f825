// SPDX-License-Identifier: Apache-2.0

import OrreryTrace

/// Writes messages, attachments and metadata of other traces into a new one.
///
/// Channels that are equal in all that they say, schema included, become one channel.
final class TraceCopyWriter {
  private let writer: TraceWriter
  private var schemas: [TraceSchema: TraceSchemaID] = [:]

  /// By what they say, with the schema's number in the copy.
  private var channels: [TraceChannel: TraceChannelID] = [:]

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
    if let schema, schemas[schema] == nil { schemas[schema] = try writer.addSchema(schema) }
    var own = channel
    own.schema = schema.flatMap { schemas[$0] }
    let known = channels[own]
    let id = if let known { known } else { try writer.addChannel(own) }
    if known == nil { channels[own] = id }
    lastChannel = (channel, id)
    lastSource = schema
    return id
  }

  /// Writes a message into a channel from `declare`.
  ///
  /// - Parameters:
  ///   - head: Its times, and its number unless it has another one in the copy.
  ///   - channel: Its channel in the copy.
  ///   - sequence: Its number in the copy; nil: the same.
  ///   - bytes: The message.
  /// - Throws: As `TraceWriter`.
  func write(
    _ head: TraceMessageHead, to channel: TraceChannelID, sequence: UInt64? = nil,
    _ bytes: UnsafeRawBufferPointer
  ) throws(TraceError) {
    let own = TraceMessageHead(
      channel, sequence: sequence ?? UInt64(head.sequence), logTimeNs: head.logTimeNs,
      publishTimeNs: head.publishTimeNs)
    try writer.write(own, parts: [bytes])
    messages += 1
  }

  func add(_ attachment: TraceAttachment, _ data: [UInt8]) throws(TraceError) {
    try writer.addAttachment(attachment.head, data)
    attachments += 1
  }

  func add(_ record: TraceMetadata) throws(TraceError) {
    try writer.addMetadata(name: record.name, record.values)
    metadata += 1
  }

  func finish() throws(TraceError) { try writer.finish() }

  func discard() { writer.discard() }
}
