// SPDX-License-Identifier: Apache-2.0

/// MCAP bytes made by hand, after its specification and without the module's own code.
enum Handmade {
  static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]

  /// Magic and a header: 26 bytes.
  static let start = join(magic, record(0x01, join(text(""), text("x"))))

  /// The same of a file of Orrery's: 35 bytes.
  static let ownStart = join(magic, record(0x01, join(text(""), text("orrery 0.1"))))

  static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

  /// CRC-32 bit by bit.
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var rest: UInt32 = .max
    for byte in bytes {
      rest ^= UInt32(byte)
      for _ in 0..<8 { rest = (rest >> 1) ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~rest
  }

  // MARK: - Fields

  static func number<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> [UInt8] {
    (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> Number(8 * $0)) }
  }

  static func text(_ text: String) -> [UInt8] {
    join(number(UInt32(text.utf8.count)), Array(text.utf8))
  }

  /// In the order given.
  static func map(_ entries: [(String, String)]) -> [UInt8] {
    let bytes = entries.flatMap { join(text($0.0), text($0.1)) }
    return join(number(UInt32(bytes.count)), bytes)
  }

  /// Numbers by channel, in the order given.
  static func map(_ entries: [(UInt16, UInt64)]) -> [UInt8] {
    let bytes = entries.flatMap { join(number($0.0), number($0.1)) }
    return join(number(UInt32(bytes.count)), bytes)
  }

  // MARK: - Records

  static func record(_ opcode: UInt8, _ content: [UInt8]) -> [UInt8] {
    join([opcode], number(UInt64(content.count)), content)
  }

  static func schema(
    _ id: UInt16, _ name: String, _ encoding: String = "enc", _ data: [UInt8] = []
  ) -> [UInt8] {
    record(
      0x03,
      join(number(id), text(name), text(encoding), number(UInt32(data.count)), data))
  }

  static func channel(
    _ id: UInt16, schema: UInt16 = 0, topic: String = "/a", encoding: String = "raw",
    metadata: [(String, String)] = []
  ) -> [UInt8] {
    record(
      0x04, join(number(id), number(schema), text(topic), text(encoding), map(metadata)))
  }

  static func message(
    _ channel: UInt16, sequence: UInt32 = 0, at logTimeNs: UInt64, published: UInt64 = 0,
    _ bytes: [UInt8] = []
  ) -> [UInt8] {
    record(
      0x05,
      join(number(channel), number(sequence), number(logTimeNs), number(published), bytes))
  }

  /// A chunk of these records, which says of itself what it is told to say.
  static func chunk(
    _ records: [UInt8], from startNs: UInt64 = 0, to endNs: UInt64 = 0, compression: String = "",
    declared: Int? = nil, checksum sum: UInt32? = nil
  ) -> [UInt8] {
    record(
      0x06,
      join(
        number(startNs), number(endNs), number(UInt64(declared ?? records.count)),
        number(sum ?? checksum(records)), text(compression), number(UInt64(records.count)), records)
    )
  }

  /// Times and places of a channel's messages.
  static func messageIndex(_ channel: UInt16, _ entries: [(UInt64, UInt64)]) -> [UInt8] {
    let bytes = entries.flatMap { join(number($0.0), number($0.1)) }
    return record(0x07, join(number(channel), number(UInt32(bytes.count)), bytes))
  }

  static func attachment(
    _ name: String, _ mediaType: String, _ data: [UInt8], logTimeNs: UInt64, createTimeNs: UInt64,
    checksum sum: UInt32? = nil
  ) -> [UInt8] {
    let fields = join(
      number(logTimeNs), number(createTimeNs), text(name), text(mediaType),
      number(UInt64(data.count)), data)
    return record(0x09, join(fields, number(sum ?? checksum(fields))))
  }

  static func metadata(_ name: String, _ values: [(String, String)] = []) -> [UInt8] {
    record(0x0C, join(text(name), map(values)))
  }

  static func dataEnd(after data: [UInt8], checksum sum: UInt32? = nil) -> [UInt8] {
    record(0x0F, number(sum ?? checksum(data)))
  }

  static func statistics(
    messages: UInt64 = 0, schemas: UInt16 = 0, channels: UInt32 = 0, attachments: UInt32 = 0,
    metadata: UInt32 = 0, chunks: UInt32 = 0, from startNs: UInt64 = 0, to endNs: UInt64 = 0,
    counts: [(UInt16, UInt64)] = []
  ) -> [UInt8] {
    let some = join(number(messages), number(schemas), number(channels), number(attachments))
    return record(
      0x0B,
      join(
        some, number(metadata), number(chunks), number(startNs), number(endNs), map(counts)))
  }

  static func chunkIndex(
    at offset: UInt64, byteCount: UInt64, from startNs: UInt64, to endNs: UInt64,
    indexes: [(UInt16, UInt64)], indexBytes: UInt64, compression: String = "", stored: UInt64,
    records: UInt64
  ) -> [UInt8] {
    let some = join(number(startNs), number(endNs), number(offset), number(byteCount))
    return record(
      0x08,
      join(
        some, map(indexes), number(indexBytes), text(compression), number(stored), number(records)))
  }

  static func attachmentIndex(
    at offset: UInt64, byteCount: UInt64, logTimeNs: UInt64, createTimeNs: UInt64,
    dataBytes: UInt64, _ name: String, _ mediaType: String
  ) -> [UInt8] {
    let some = join(number(offset), number(byteCount), number(logTimeNs), number(createTimeNs))
    return record(0x0A, join(some, number(dataBytes), text(name), text(mediaType)))
  }

  static func metadataIndex(at offset: UInt64, byteCount: UInt64, _ name: String) -> [UInt8] {
    record(0x0D, join(number(offset), number(byteCount), text(name)))
  }

  static func summaryOffset(_ opcode: UInt8, at start: UInt64, byteCount: UInt64) -> [UInt8] {
    record(0x0E, join([opcode], number(start), number(byteCount)))
  }

  // MARK: - Files

  /// One entry for each run of records of one kind.
  static func summaryOffsets(_ summary: [[UInt8]], from start: Int) -> [[UInt8]] {
    var groups: [(opcode: UInt8, start: Int, byteCount: Int)] = []
    var offset = start
    for record in summary {
      if let last = groups.indices.last, groups[last].opcode == record[0] {
        groups[last].byteCount += record.count
      } else {
        groups.append((record[0], offset, record.count))
      }
      offset += record.count
    }
    return groups.map {
      summaryOffset($0.opcode, at: UInt64($0.start), byteCount: UInt64($0.byteCount))
    }
  }

  /// What is wrong about the end of a file.
  struct Fault {
    var dataChecksum: UInt32?
    var summaryStart: UInt64?
    var summaryOffsetStart: UInt64?
    var checksum: UInt32?
    var footerTail: [UInt8] = []
  }

  /// Everything up to the last magic: the data section with its end, summary, offsets, footer.
  static func whole(
    _ data: [UInt8], summary: [[UInt8]] = [], offsets: [[UInt8]]? = nil, but fault: Fault = Fault()
  ) -> [UInt8] {
    var file = join(data, dataEnd(after: data, checksum: fault.dataChecksum))
    let start = file.count
    let offsets = offsets ?? summaryOffsets(summary, from: start)
    for record in summary { file += record }
    let offsetStart = file.count
    for record in offsets { file += record }
    let hasSummary = file.count > start
    let head = join(
      [0x02], number(UInt64(20 + fault.footerTail.count)),
      number(fault.summaryStart ?? (hasSummary ? UInt64(start) : 0)),
      number(fault.summaryOffsetStart ?? (offsets.isEmpty ? 0 : UInt64(offsetStart))))
    let sum = fault.checksum ?? checksum(Array(file[start...]) + head)
    return join(file, head, number(sum), fault.footerTail, magic)
  }

  /// All records outside of chunks, and where they stand.
  static func records(_ file: [UInt8]) -> [(opcode: UInt8, range: Range<Int>)] {
    var records: [(UInt8, Range<Int>)] = []
    var offset = 8
    while offset < file.count - 8 {
      let length = (0..<8).reduce(0) { $0 | Int(file[offset + 1 + $1]) << (8 * $1) }
      records.append((file[offset], offset..<offset + 9 + length))
      offset += 9 + length
    }
    return records
  }
}
