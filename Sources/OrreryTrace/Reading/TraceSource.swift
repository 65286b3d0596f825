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
