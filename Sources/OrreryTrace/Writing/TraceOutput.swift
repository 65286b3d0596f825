// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// The file under a `TraceWriter`: whole records go in, or nothing does.
///
///     0 ........ offset ........ reservedEnd
///     records    blocks that are ours: the next record, and always room for the summary
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
    // O_NONBLOCK: a FIFO in the file's place is to be refused, not waited for.
    let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let descriptor = FileDescriptor(
      owning: try traceCall("open", path) {
        open(path, overwrite ? flags : flags | O_EXCL, 0o644)
      })
    var status = stat()
    guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notRegularFile(path: path)
    }
    // Other errors mean a file system without locks, where nobody else can be told apart.
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
  ///   - checksum: Of the whole file with them.
  ///   - summaryBytes: Room to be had after them for what ends the file.
  /// - Throws: What the system refused; `offset` is then unchanged, and what stands after it in the
  ///   file is to be written over.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, checksum: Checksum, summaryBytes: Int
  ) throws(SystemCallError) {
    try reserve(bytes.count + summaryBytes)
    try write(bytes)
    offset += UInt64(bytes.count)
    self.checksum = checksum
  }

  /// Appends the end of the file, in room that was reserved, and gives back what else was reserved.
  mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) {
    try checkFileSize(bytes.count)
    try write(bytes)
    offset += UInt64(bytes.count)
    cutAfterLastRecord()
  }

  /// Removes what stands after the last whole record: part of one that failed, and reserved room.
  ///
  /// A failure is harmless: a reader stops at the part of a record.
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

  /// Writing past the limit would raise SIGXFSZ, which ends a process that does not expect it.
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
