// SPDX-License-Identifier: Apache-2.0

/// A file inside a trace.
package struct TraceAttachment: Equatable, Sendable {
  /// Its names, times and size.
  package let head: TraceAttachmentHead

  /// Location of its data in the trace, in bytes from the start of the file.
  package let offset: UInt64
}

/// The fields of an attachment; its data and their checksum follow.
package struct TraceAttachmentHead: Equatable, Sendable {
  /// Bytes of the checksum behind the data.
  static let checksumBytes = 4

  /// When it was recorded, in nanoseconds since 1970.
  package let logTimeNs: UInt64

  /// When it was made, in nanoseconds since 1970; 0 if unknown.
  package let createTimeNs: UInt64

  /// Its name.
  package let name: String

  /// As registered with IANA: "application/toml".
  package let mediaType: String

  /// Bytes of its data.
  package internal(set) var dataBytes: UInt64 = 0

  /// Of data that is added to a trace; its size is found then.
  package init(name: String, mediaType: String, logTimeNs: UInt64, createTimeNs: UInt64 = 0) {
    (self.name, self.mediaType) = (name, mediaType)
    (self.logTimeNs, self.createTimeNs) = (logTimeNs, createTimeNs)
  }

  /// Bytes of the record before its data.
  var bytesBeforeData: UInt64 {
    UInt64(RecordHead.byteCount + 8 + 8 + 4 + name.utf8.count + 4 + mediaType.utf8.count + 8)
  }
}

extension TraceAttachmentHead: ContainerRecord {
  static let opcode = TraceOpcode.attachment
  static let layout: [FieldSize] = [.bytes(8 + 8), .list, .list, .data, .bytes(checksumBytes)]

  init(_ fields: inout ByteCursor) throws(TraceError) {
    logTimeNs = try fields.number()
    createTimeNs = try fields.number()
    name = try fields.text()
    mediaType = try fields.text()
    dataBytes = try fields.number()
  }

  func write(to fields: inout RecordBytes) {
    fields.append(logTimeNs)
    fields.append(createTimeNs)
    fields.append(text: name)
    fields.append(text: mediaType)
    fields.append(dataBytes)
  }
}

/// A whole Attachment record in memory.
struct AttachmentContent {
  let attachment: TraceAttachment
  let data: UnsafeRawBufferPointer

  /// Of fields and data; 0: there is none.
  let checksum: UInt32

  /// What the checksum should be.
  let computed: Checksum

  init(_ content: ByteCursor) throws(TraceError) {
    var fields = content
    let head = try TraceAttachmentHead(&fields)
    attachment = TraceAttachment(head: head, offset: fields.offset)
    data = try fields.take(head.dataBytes)
    computed = Checksum(fields.consumed)
    checksum = try fields.number()
  }
}

/// An attachment in the summary.
struct AttachmentIndexRecord {
  let record: RecordLocation
  let head: TraceAttachmentHead
}

extension AttachmentIndexRecord: ContainerRecord {
  static let opcode = TraceOpcode.attachmentIndex

  init(_ fields: inout ByteCursor) throws(TraceError) {
    record = try RecordLocation(&fields)
    let (logTimeNs, createTimeNs) = (try fields.number(UInt64.self), try fields.number(UInt64.self))
    let dataBytes = try fields.number(UInt64.self)
    var head = TraceAttachmentHead(
      name: try fields.text(), mediaType: try fields.text(), logTimeNs: logTimeNs,
      createTimeNs: createTimeNs)
    head.dataBytes = dataBytes
    self.head = head
  }

  func write(to fields: inout RecordBytes) {
    record.write(to: &fields)
    fields.append(head.logTimeNs)
    fields.append(head.createTimeNs)
    fields.append(head.dataBytes)
    fields.append(text: head.name)
    fields.append(text: head.mediaType)
  }
}
