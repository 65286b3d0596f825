// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// The bytes behind a `TraceReader`: a file, or memory.
///
/// A file is read and not mapped: if a mapped file is shortened, an access ends the process.
struct TraceSource: ~Copyable {
  /// Fills `room` from `offset` on.
  private typealias Read =
    (_ offset: Int, _ room: UnsafeMutableRawBufferPointer) throws(TraceError) -> Void

  /// Size when opened, in bytes; bytes appended later are ignored.
  let byteCount: UInt64

  private let read: Read
  private var window: ByteStore
  private var windowStart: UInt64 = 0

  /// Smallest read of records and their heads, in bytes.
  var readAhead = TraceSource.windowBytes

  /// Smallest read, in bytes, so that small records do not cost a system call each.
  static let windowBytes = 256 << 10

  /// Opens a file.
  ///
  /// - Throws: `system`; `notRegularFile`.
  init(path: String) throws(TraceError) {
    // O_NONBLOCK: a FIFO is refused without a wait for its other end.
    let descriptor = FileDescriptor(
      owning: try traceCall("open", path) { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) })
    var status = stat()
    guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notRegularFile(path: path)
    }
    byteCount = UInt64(max(0, status.st_size))
    window = ByteStore(capacity: Self.windowBytes)
    let file = TraceSourceFile(path: path, descriptor: descriptor)
    read = { (offset, room) throws(TraceError) in try file.read(at: offset, into: room) }
  }

  /// Uses the bytes of a file: all are in the window.
  init(bytes: [UInt8]) {
    byteCount = UInt64(bytes.count)
    window = ByteStore(capacity: bytes.count)
    read = { (offset, room) throws(TraceError) in
      bytes.withUnsafeBytes {
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + room.count]))
      }
    }
    bytes.withUnsafeBytes { window.append($0) }
  }

  /// Reads the same bytes as another source, which stays as it is.
  init(_ other: borrowing TraceSource) {
    byteCount = other.byteCount
    window = ByteStore(capacity: Self.windowBytes)
    read = other.read
  }

  /// Bytes `offset ..< offset + count`; valid until the next call.
  ///
  /// `readAhead` is the smallest read, in bytes.
  ///
  /// - Throws: `fileEnds` if the file has fewer; `system`.
  mutating func bytes(
    at offset: UInt64, count: UInt64, atLeast readAhead: Int = windowBytes
  ) throws(TraceError) -> UnsafeRawBufferPointer {
    try check(offset, count)
    let windowEnd = windowStart + UInt64(window.count)
    if offset < windowStart || offset + count > windowEnd {
      let wanted = Int(min(max(count, UInt64(readAhead)), byteCount - offset))
      window.truncate(to: 0)
      try read(Int(offset), window.room(for: wanted))
      window.commit(wanted)
      windowStart = offset
    }
    let first = Int(offset - windowStart)
    return UnsafeRawBufferPointer(rebasing: window.bytes[first..<first + Int(count)])
  }

  /// A copy of bytes `offset ..< offset + count`, which leaves `bytes(at:count:)` valid.
  ///
  /// - Throws: As `bytes(at:count:)`.
  borrowing func copy(at offset: UInt64, count: UInt64) throws(TraceError) -> [UInt8] {
    try check(offset, count)
    var copy = [UInt8](repeating: 0, count: Int(count))
    var span = copy.mutableSpan
    var room = span.mutableBytes
    try room.withUnsafeMutableBytes { (room) throws(TraceError) in try read(Int(offset), room) }
    return copy
  }

  /// Fills `room` from `offset` on, which leaves `bytes(at:count:)` valid.
  ///
  /// - Throws: As `bytes(at:count:)`.
  borrowing func fill(
    _ room: UnsafeMutableRawBufferPointer, from offset: UInt64
  ) throws(TraceError) {
    try check(offset, UInt64(room.count))
    try read(Int(offset), room)
  }

  private borrowing func check(_ offset: UInt64, _ count: UInt64) throws(TraceError) {
    let have = byteCount - min(offset, byteCount)
    guard count <= have else { throw .fileEnds(offset: offset, needed: count, have: have) }
  }
}

/// Records where they stand in the file.
extension TraceSource {
  /// Checks the magic bytes that begin and end a file.
  mutating func readMagic(at offset: UInt64) throws(TraceError) {
    let bytes = try bytes(at: offset, count: UInt64(TraceFormat.magic.count))
    guard bytes.elementsEqual(TraceFormat.magic) else { throw .badMagic(offset: offset) }
  }

  /// The head of the record at `offset`, of which nothing is checked.
  mutating func anyHead(at offset: UInt64) throws(TraceError) -> RecordHead {
    var fields = ByteCursor(
      try bytes(at: offset, count: UInt64(RecordHead.byteCount), atLeast: readAhead), start: offset)
    return try RecordHead(&fields)
  }

  /// The head of the record at `offset`, which ends in the file.
  ///
  /// - Throws: `invalidOpcode`; `fileEnds`; `system`.
  mutating func head(at offset: UInt64) throws(TraceError) -> RecordHead {
    let head = try anyHead(at: offset)
    guard head.opcode != 0 else { throw .invalidOpcode(offset: offset) }
    let (needed, isOver) = head.contentBytes.addingReportingOverflow(UInt64(RecordHead.byteCount))
    guard !isOver, needed <= byteCount - offset else {
      throw .fileEnds(offset: offset, needed: isOver ? .max : needed, have: byteCount - offset)
    }
    return head
  }

  /// The head of the record at `offset`, which ends in the file and is not too large.
  ///
  /// - Throws: As `head(at:)`; `tooLarge`.
  mutating func head(at offset: UInt64, _ limits: TraceLimits) throws(TraceError) -> RecordHead {
    let head = try head(at: offset)
    try limits.check(head)
    return head
  }

  /// The content of a record, or of its first `byteCount` bytes; valid until the next read.
  mutating func content(
    _ record: RecordLocation, first byteCount: Int = .max
  ) throws(TraceError) -> ByteCursor {
    let count = min(record.byteCount, UInt64(byteCount))
    var fields = ByteCursor(
      try bytes(at: record.offset, count: count, atLeast: readAhead), start: record.offset)
    _ = try fields.take(UInt64(RecordHead.byteCount))
    return ByteCursor(fields.rest, start: fields.offset)
  }

  /// Adds bytes to a checksum.
  mutating func sum(
    _ range: Range<UInt64>, into checksum: inout Checksum
  ) throws(TraceError) {
    var at = range.lowerBound
    while at < range.upperBound {
      let count = min(range.upperBound - at, UInt64(Self.windowBytes))
      checksum.update(try bytes(at: at, count: count))
      at += count
    }
  }

  /// The fields of a Chunk record; its stored records are not read.
  ///
  /// - Throws: `unknownCompression`, whatever stands for its name; as `TraceLimits.check`; if it is cut off.
  mutating func chunkHead(
    _ record: RecordLocation, _ limits: TraceLimits
  ) throws(TraceError) -> ChunkHead {
    let content = try content(record, first: ChunkHead.bytesBeforeDataMax)
    let head: ChunkHead
    do throws(TraceError) {
      head = try ChunkHead(of: content)
    } catch {
      // All fields are there, with any name that is known.
      guard record.byteCount > ChunkHead.bytesBeforeDataMax else { throw error }
      throw .unknownCompression(offset: content.offset + UInt64(ChunkHead.bytesBeforeName))
    }
    try limits.check(head, in: record)
    return head
  }

  /// The fields of a chunk, and its records, decompressed and compared with their checksum; valid until the next
  /// read.
  mutating func chunk(
    _ record: RecordLocation, _ limits: TraceLimits, _ decompressor: inout ChunkDecompressor
  ) throws(TraceError) -> (head: ChunkHead, records: ByteCursor) {
    let head = try chunkHead(record, limits)
    let stored = try bytes(at: head.dataOffset(at: record.offset), count: head.storedBytes)
    let records = try decompressor.records(stored, of: head, offset: record.offset)
    try head.check(records, at: record.offset)
    return (head, ByteCursor(records, start: 0))
  }
}

/// An open file, shared by the closure that reads it.
private final class TraceSourceFile {
  private let path: String
  private let descriptor: FileDescriptor

  init(path: String, descriptor: consuming FileDescriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  func read(at offset: Int, into room: UnsafeMutableRawBufferPointer) throws(TraceError) {
    var done = 0
    while done < room.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: room[done...])
      let got = try traceCall("read", path) {
        pread(descriptor.number, rest.baseAddress, rest.count, offset + done)
      }
      // The file is shorter than when it was opened.
      guard got > 0 else {
        throw .fileEnds(
          offset: UInt64(offset), needed: UInt64(room.count), have: UInt64(done))
      }
      done += got
    }
  }
}
