// SPDX-License-Identifier: Apache-2.0

/// Where the summary's records of one kind stand.
struct SummaryOffsetRecord {
  /// Their kind.
  let group: UInt8

  /// Offset of the first, and the size of all of them.
  let location: RecordLocation
}

extension SummaryOffsetRecord: ContainerRecord {
  static let opcode = TraceOpcode.summaryOffset

  init(_ fields: inout ByteCursor) throws(TraceError) {
    group = try fields.number()
    location = try RecordLocation(&fields)
  }

  func write(to fields: inout RecordBytes) {
    fields.append(group)
    location.write(to: &fields)
  }
}
