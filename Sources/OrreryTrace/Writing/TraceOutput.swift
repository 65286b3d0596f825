// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// The file behind a `TraceWriter`: a record is written whole, or not at all.
///
///     0 ........ offset ........ reservedEnd
///     records    reserved blocks: the next record, and always room for the summary
///
/// Disk space is reserved before a record is written, together with room for the summary that would
/// end the file after it. So when the disk is full, the record is refused before a byte of it is
/// written, and the summary still fits.
struct TraceOutput: ~Copyable {
  let path: String

  /// End of the last whole record, in bytes.
  private(set) var offset: UInt64 = 0

  /// Checksum of all bytes before `offset`.
  private(set) var checksum = Checksum()

  private let descriptor: FileDescriptor
  private let calls: TraceSystemCalls
  private var reservedEnd: UInt64 = 0
  private var canReserve = true

  /// Creates the file, or empties it if it may be overwritten.
  ///
  /// - Throws: `system` if it exists and must not be overwritten, is a symbolic link, or cannot be
  ///   opened; `notRegularFile`; `beingWritten` if another writer has it open.
  init(path: String, overwrite: Bool, calls: TraceSystemCalls) throws(TraceError) {
    self.path = path
    self.calls = calls
    descriptor = try Self.create(path, overwrite: overwrite, calls: calls)
  }

  private static func create(
    _ path: String, overwrite: Bool, calls: TraceSystemCalls
  ) throws(TraceError) -> FileDescriptor {
    // O_NONBLOCK: a FIFO at this path is refused without a wait for its other end.
    let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let descriptor = FileDescriptor(
      owning: try traceCall("open", path) {
        open(path, overwrite ? flags : flags | O_EXCL, 0o644)
      })
    var status = stat()
    guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notRegularFile(path: path)
    }
    // Other errors mean a file system without locks, where another writer cannot be noticed.
    if flock(descriptor.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw .beingWritten(path: path)
    }
    try traceCall("ftruncate", path) { calls.truncate(descriptor.number, 0) }
    return descriptor
  }

  /// Appends whole records.
  ///
  /// - Parameters:
  ///   - bytes: The records.
  ///   - checksum: Checksum of the whole file with them.
  ///   - summaryBytes: Room needed after them for the end of the file.
  /// - Throws: The failed system call; `offset` is then unchanged, and bytes after it in the file
  ///   are to be overwritten.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, checksum: Checksum, summaryBytes: Int
  ) throws(SystemCallError) {
    try reserve(bytes.count + summaryBytes)
    try write(bytes)
    offset += UInt64(bytes.count)
    self.checksum = checksum
  }

  /// Appends the end of the file, in reserved room, and frees the rest of that room.
  mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) {
    try checkFileSize(bytes.count)
    try write(bytes)
    offset += UInt64(bytes.count)
    cutAfterLastRecord()
  }

  /// Removes everything after the last whole record: part of a failed record, and reserved room.
  ///
  /// A failure is harmless: a reader stops at the partial record.
  func cutAfterLastRecord() {
    _ = calls.truncate(descriptor.number, Int(offset))
  }

  private mutating func reserve(_ byteCount: Int) throws(SystemCallError) {
    try checkFileSize(byteCount)
    let end = offset + UInt64(byteCount)
    guard canReserve, end > reservedEnd else { return }
    let (number, start) = (descriptor.number, Int(offset))
    do throws(SystemCallError) {
      try systemCall("fallocate", path) { [calls] in calls.reserve(number, start, byteCount) }
      reservedEnd = end
    } catch {
      switch error.errno {
      case EOPNOTSUPP, ENOSYS, EINVAL, EPERM: canReserve = false
      default: throw error
      }
    }
  }

  /// Checks the limit, because writing past it would raise SIGXFSZ, which ends an unprepared
  /// process.
  private func checkFileSize(_ byteCount: Int) throws(SystemCallError) {
    let limit = calls.fileSizeLimit()
    guard offset + UInt64(byteCount) <= limit else {
      throw SystemCallError(call: "write", path: path, errno: EFBIG)
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let (number, position) = (descriptor.number, Int(offset) + done)
      let written = try systemCall("write", path) { [calls] in
        calls.write(number, rest, position)
      }
      guard written > 0 else { throw SystemCallError(call: "write", path: path, errno: EIO) }
      done += written
    }
  }
}
