// SPDX-License-Identifier: Apache-2.0

/// The fields of a message; its data follows.
package struct TraceMessageHead: Equatable, Sendable {
  /// Bytes of the fields.
  static let byteCount = 2 + 4 + 8 + 8

  /// Bytes of the record before its data.
  static let bytesBeforeData = RecordHead.byteCount + byteCount

  /// Its channel.
  package let channel: TraceChannelID

  /// Number from its writer.
  package let sequence: UInt32

  /// When it was recorded, in nanoseconds since 1970.
  package internal(set) var logTimeNs: UInt64

  /// When it was published, in nanoseconds since 1970.
  package let publishTimeNs: UInt64

  /// - Parameters:
  ///   - channel: Its channel, from `addChannel`.
  ///   - sequence: Its number, of which a trace keeps 32 bits.
  ///   - logTimeNs: When it was recorded, in nanoseconds since 1970.
  ///   - publishTimeNs: When it was published, in nanoseconds since 1970; nil: when it was recorded.
  package init(
    _ channel: TraceChannelID, sequence: UInt64 = 0, logTimeNs: UInt64, publishTimeNs: UInt64? = nil
  ) {
    (self.channel, self.sequence) = (channel, UInt32(truncatingIfNeeded: sequence))
    (self.logTimeNs, self.publishTimeNs) = (logTimeNs, publishTimeNs ?? logTimeNs)
  }
}

extension TraceMessageHead: ContainerRecord {
  static let opcode = TraceOpcode.message
  static let layout: [FieldSize] = [.bytes(byteCount), .rest]

  @inline(__always)
  init(_ fields: inout ByteCursor) throws(TraceError) {
    channel = TraceChannelID(number: try fields.number())
    sequence = try fields.number()
    logTimeNs = try fields.number()
    publishTimeNs = try fields.number()
  }

  @inline(__always)
  func write(to fields: inout RecordBytes) {
    fields.append(channel.number)
    fields.append(sequence)
    fields.append(logTimeNs)
    fields.append(publishTimeNs)
  }
}

/// One message as read from a trace.
package struct TraceMessage {
  /// Its channel, number and times.
  package let head: TraceMessageHead
  /// Topic of its channel.
  package let topic: String

  /// The message itself, in the reader's memory: valid until the next call of the reader.
  package let bytes: UnsafeRawBufferPointer

  /// Reads the content of a Message record.
  ///
  /// - Throws: `undeclared` if its channel is not among `channels`; `recordEnds`.
  init(
    _ content: ByteCursor, channels: [TraceChannelID: TraceChannel]
  ) throws(TraceError) {
    var fields = content
    head = try TraceMessageHead(&fields)
    guard let channel = channels[head.channel] else {
      throw .undeclared(.channel, id: head.channel.number, offset: content.offset)
    }
    (topic, bytes) = (channel.topic, fields.rest)
  }
}
