// SPDX-License-Identifier: Apache-2.0

/// The fields of a message; its data follows.
struct MessageHead {
  /// Bytes of the fields.
  static let byteCount = 2 + 4 + 8 + 8

  /// Bytes of the record before its data.
  static let bytesBeforeData = RecordHead.byteCount + byteCount

  let channel: TraceChannelID

  /// Number from its writer.
  let sequence: UInt32

  /// When it was recorded, in nanoseconds since 1970.
  let logTimeNs: UInt64

  /// When it was published, in nanoseconds since 1970.
  let publishTimeNs: UInt64
}

extension MessageHead: ContainerRecord {
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

  /// Reads the content of a Message record.
  ///
  /// - Throws: `undeclared` if its channel is not among `channels`; `recordEnds`.
  init(
    _ content: ByteCursor, channels: [TraceChannelID: TraceChannel]
  ) throws(TraceError) {
    var fields = content
    let head = try MessageHead(&fields)
    guard let channel = channels[head.channel] else {
      throw .undeclared(.channel, id: head.channel.number, offset: content.offset)
    }
    (self.channel, topic, sequence) = (head.channel, channel.topic, head.sequence)
    (logTimeNs, publishTimeNs) = (head.logTimeNs, head.publishTimeNs)
    bytes = fields.rest
  }
}
