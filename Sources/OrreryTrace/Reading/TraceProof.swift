// SPDX-License-Identifier: Apache-2.0

/// What the checksum of the data section says of records that have no checksum of their own.
///
/// One flipped bit changes a CRC-32 by a value that belongs to its place alone: the polynomial is primitive, so
/// the values of 2³² − 1 places differ, which are 512 MiB. So a single flipped bit is found, whatever its place.
/// Other damage gives the value of a place in the file with a probability of its bits in 2³²; so nothing is
/// repaired by it.
enum TraceProof: Equatable {
  /// All bytes of the data section are right.
  case whole

  /// All are but this one, if one bit is damaged and no more.
  case damagedByte(at: UInt64)

  /// More is damaged, or there is no end of the data section.
  case unknown

  /// There is no checksum.
  case absent

  /// Where data of more bytes than this is damaged, it is not searched for.
  static let searchedBytesMax: UInt64 = 512 << 20

  /// Reads the data section once.
  ///
  /// - Throws: `system`.
  init(of source: inout TraceSource) throws(TraceError) {
    self = .unknown
    do throws(TraceError) {
      guard let end = try Self.dataEnd(&source) else { return }
      let record = RecordLocation(offset: end, byteCount: UInt64(DataEndRecord.recordBytes))
      let stored = try DataEndRecord(of: source.content(record)).checksum
      guard stored != 0 else {
        self = .absent
        return
      }
      var checksum = Checksum()
      try source.sum(0..<end, into: &checksum)
      self.init(stored: stored, computed: checksum.value, dataBytes: end)
    } catch {
      if case .system = error { throw error }
    }
  }

  /// Compares the checksum of `dataBytes` bytes.
  init(stored: UInt32, computed: UInt32, dataBytes: UInt64) {
    var change = stored ^ computed
    // A single bit of the checksum itself is of no place in the data.
    guard change.nonzeroBitCount > 1 else {
      self = .whole
      return
    }
    self = .unknown
    let tables = Self.tables
    for distance in 0..<min(dataBytes, Self.searchedBytesMax) {
      let byte = tables.inverse[Int(change >> 24)]
      let ofByte = tables.forward[Int(byte)]
      // Is it what a change of one bit of the last byte makes?
      if ofByte == change, byte.nonzeroBitCount == 1 {
        self = .damagedByte(at: dataBytes - 1 - distance)
        return
      }
      // As if the last byte, which is right, were not there.
      change = (change ^ ofByte) << 8 | UInt32(byte)
    }
  }

  /// Changes of a CRC-32 by a byte, and which byte it was by the highest byte of the change.
  private static let tables: (forward: [UInt32], inverse: [UInt8]) = {
    var forward: [UInt32] = []
    var inverse = [UInt8](repeating: 0, count: 256)
    for byte in 0..<256 as Range<UInt32> {
      var value = byte
      for _ in 0..<8 { value = (value >> 1) ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
      forward.append(value)
      inverse[Int(value >> 24)] = UInt8(byte)
    }
    return (forward, inverse)
  }()

  /// Where DataEnd stands: before the summary, as the footer has it; at the end of all records, if that is
  /// damaged.
  private static func dataEnd(_ source: inout TraceSource) throws(TraceError) -> UInt64? {
    let endBytes = UInt64(DataEndRecord.recordBytes)
    let magicBytes = UInt64(TraceFormat.magic.count)
    let footerBytes = UInt64(FooterRecord.recordBytes)
    if source.byteCount >= magicBytes + endBytes + footerBytes + magicBytes {
      let footer = RecordLocation(
        offset: source.byteCount - footerBytes - magicBytes, byteCount: footerBytes)
      let start = try FooterRecord(of: source.content(footer)).summaryStart
      let end = (start == 0 ? footer.offset : start).subtractingReportingOverflow(endBytes)
      if !end.overflow, end.partialValue <= footer.offset - endBytes {
        let head = try source.anyHead(at: end.partialValue)
        // Its own head may be what is damaged.
        let damage =
          (head.opcode ^ TraceOpcode.dataEnd.rawValue).nonzeroBitCount
          + (head.contentBytes ^ UInt64(DataEndRecord.contentBytes)).nonzeroBitCount
        if damage <= 1 { return end.partialValue }
      }
    }
    var offset = magicBytes
    while offset + endBytes <= source.byteCount {
      let head = try source.anyHead(at: offset)
      if head.kind == .dataEnd, head.contentBytes == UInt64(DataEndRecord.contentBytes) {
        return offset
      }
      let left = source.byteCount - offset - UInt64(RecordHead.byteCount)
      guard head.opcode != 0, head.contentBytes <= left else { return nil }
      offset = head.location.end
    }
    return nil
  }
}
