// SPDX-License-Identifier: Apache-2.0

/// A record of the container: its fields in the order in which they stand in the file.
///
/// Of a record that ends in data, such as a message or a chunk, these are the fields before it.
protocol ContainerRecord {
  static var opcode: TraceOpcode { get }

  /// Reads the fields; later versions of a record may have more behind them.
  ///
  /// - Throws: `recordEnds`, `invalidText`, `duplicateKey` or `unknownCompression`, at the fault.
  init(_ fields: inout ByteCursor) throws(TraceError)

  func write(to fields: inout RecordBytes)
}

extension ContainerRecord {
  /// Reads the fields at the start of a record's content.
  init(of content: ByteCursor) throws(TraceError) {
    var fields = content
    try self.init(&fields)
  }
}

/// What every record begins with: its kind, and the size of its content.
struct RecordHead {
  /// Bytes of the head itself.
  static let byteCount = 1 + 8

  /// Where the record stands in its file; 0 of one that is being written.
  var offset: UInt64 = 0
  let opcode: UInt8

  /// Bytes behind the head.
  let contentBytes: UInt64

  /// The kind; nil for one that MCAP does not know.
  var kind: TraceOpcode? { TraceOpcode(rawValue: opcode) }

  /// The whole record, which must fit its file.
  var location: RecordLocation {
    RecordLocation(offset: offset, byteCount: UInt64(Self.byteCount) + contentBytes)
  }
}

extension RecordHead {
  /// Reads a head; nothing in it is checked.
  init(_ fields: inout ByteCursor) throws(TraceError) {
    offset = fields.offset
    opcode = try fields.number()
    contentBytes = try fields.number()
  }

  func write(to fields: inout RecordBytes) {
    fields.append(opcode)
    fields.append(contentBytes)
  }
}

/// A record behind others in memory.
struct FoundRecord {
  /// Offset of its head.
  let offset: UInt64

  /// Its kind; nil for one that MCAP does not know.
  let opcode: TraceOpcode?

  /// Its content.
  let fields: ByteCursor
}

extension ByteCursor {
  /// The next record of a chunk, nil at its end.
  mutating func nextRecord() throws(TraceError) -> FoundRecord? {
    guard remaining > 0 else { return nil }
    let at = offset
    let opcode = try number(UInt8.self)
    guard opcode != 0 else { throw .invalidOpcode(offset: at) }
    return FoundRecord(
      offset: at, opcode: TraceOpcode(rawValue: opcode), fields: try section(number(UInt64.self)))
  }

  /// The next Schema, Channel or Message of a chunk, nil at its end: records of unknown kinds are passed over.
  ///
  /// - Throws: `unexpectedRecord` for one that no chunk may have.
  mutating func nextOfChunk() throws(TraceError) -> FoundRecord? {
    while let record = try nextRecord() {
      switch record.opcode {
      case .schema, .channel, .message: return record
      case nil: continue
      case .some(let opcode): throw .unexpectedRecord(opcode, offset: record.offset)
      }
    }
    return nil
  }
}

/// Location of a record in its file.
struct RecordLocation: Equatable {
  let offset: UInt64

  /// Size with opcode and length.
  let byteCount: UInt64

  /// Offset of what follows the record, which must lie in its file.
  var end: UInt64 { offset + byteCount }

  /// Offsets of its bytes.
  var range: Range<UInt64> { offset..<end }
}

extension RecordLocation {
  /// Reads the location of what a record points to.
  init(_ fields: inout ByteCursor) throws(TraceError) {
    offset = try fields.number()
    byteCount = try fields.number()
  }

  func write(to fields: inout RecordBytes) {
    fields.append(offset)
    fields.append(byteCount)
  }
}
