// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryTrace

/// Where a recorder's messages go: into a file at once, or into memory until somebody wants them.
package protocol TraceSink: AnyObject {
  /// Declares how messages of some channels are to be decoded; see `TraceWriter`.
  func addSchema(_ schema: TraceSchema) throws(TraceError) -> TraceSchemaID

  /// Opens a stream of messages; see `TraceWriter`.
  func addChannel(_ channel: TraceChannel) throws(TraceError) -> TraceChannelID

  /// Takes a message; see `TraceWriter`.
  @discardableResult
  func write(
    _ head: TraceMessageHead, parts: [UnsafeRawBufferPointer], isPreamble: Bool,
    isIntact: () -> Bool
  ) throws(TraceError) -> Bool

  /// Takes a file; see `TraceWriter`.
  func addAttachment(
    _ file: TraceAttachmentHead, _ data: [UInt8], isPreamble: Bool
  ) throws(TraceError)

  /// Begins the next file if one is due; see `TraceWriter`.
  ///
  /// - Returns: Whether it did: what follows must not depend on what the file before it has.
  func splitIfDue(adding byteCount: Int) throws(TraceError) -> Bool

  /// The files so far.
  var paths: [String] { get }

  /// Takes a named list of facts; see `TraceWriter`.
  func addMetadata(name: String, _ values: [String: String]) throws(TraceError)

  /// Lets go what is old enough.
  func flushIfDue() throws(TraceError)

  /// Waits until all messages are where they go.
  func flush(progress: (Int) -> Void) throws(TraceError)

  /// Takes nothing more.
  func finish() throws(TraceError)

  /// Bytes that have not got where they go, and that have; without waiting.
  var sinkLoad: SinkLoad { get }
}

/// How much of a recording is on its way.
package struct SinkLoad: Equatable, Sendable {
  /// Bytes in memory that go into the file.
  package var queuedBytes: UInt64
  /// Bytes in the file.
  package var fileBytes: UInt64

  package init(queuedBytes: UInt64 = 0, fileBytes: UInt64 = 0) {
    (self.queuedBytes, self.fileBytes) = (queuedBytes, fileBytes)
  }
}

extension TraceWriter: TraceSink {
  /// What the queue of chunks knows.
  package var sinkLoad: SinkLoad {
    SinkLoad(queuedBytes: load.queuedBytes, fileBytes: load.fileBytes)
  }
}

extension TraceSink {
  /// Opens the stream of a topic's messages.
  ///
  /// - Returns: The channel.
  /// - Throws: As `addSchema` and `addChannel`.
  package func addChannel(_ topic: Topic) throws(TraceError) -> TraceChannelID {
    let schema = try addSchema(
      TraceSchema(name: topic.schemaName, encoding: Topic.encoding, data: topic.descriptorSet))
    return try addChannel(
      TraceChannel(schema: schema, topic: topic.rawValue, messageEncoding: Topic.encoding))
  }

  /// Takes a message whose bytes nobody overwrites.
  package func write(
    _ head: TraceMessageHead, parts: [UnsafeRawBufferPointer], isPreamble: Bool = false
  ) throws(TraceError) {
    _ = try write(head, parts: parts, isPreamble: isPreamble, isIntact: { true })
  }

  /// Takes a message of contiguous bytes.
  package func write(
    _ head: TraceMessageHead, bytes: [UInt8], isPreamble: Bool = false
  ) throws(TraceError) {
    try bytes.span.bytes.withUnsafeBytes { (bytes) throws(TraceError) in
      try write(head, parts: [bytes], isPreamble: isPreamble)
    }
  }
}
