// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The file of `--timeline`, to which all programs of a run append.
///
/// Perfetto's traces are packets one after the other, so parts of several programs are a trace. A write appends whole
/// packets under a lock of the file, and ends with the mark by which Perfetto divides long traces: bytes after the last
/// mark are of a program that was killed while it wrote, and the next write removes them. The locks are of bytes behind
/// any file's end, and the kernel releases them with their process.
package final class TimelineFile {
  let path: String

  /// The number of this program's packets: no other one that has the file open has it.
  package let number: UInt32

  private let file: FileDescriptor

  /// A pipe or a device only takes bytes.
  private let isPlain: Bool

  /// A packet with Perfetto's synchronization marker.
  package static let mark: [UInt8] = [
    0x0a, 0x13, 0xa2, 0x02, 0x10, 0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d, 0x42, 0xba, 0x81, 0xdc, 0x33,
    0x32, 0x6d, 0x57,
    0xa0, 0x79,
  ]

  /// The lock for writing, and before those of numbers.
  private static let lockOffset = off_t(1) << 62

  /// Programs that may have a file open.
  private static let numberMax: UInt32 = 4096

  /// Opens the file, or makes it.
  ///
  /// - Throws: `Failure` if it cannot be opened, or has something else.
  package init(path: String) throws(Failure) {
    self.path = path
    file = FileDescriptor(
      owning: try Failure.of(.inputOutput) {
        try systemCall("open", path) { open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666) }
      })
    isPlain = file.isPlain
    let descriptor = file.number
    // Where a file system has no locks, the process's number is unlikely to be there twice.
    number =
      isPlain
      ? (1...Self.numberMax).first { linux_lock_byte(descriptor, Self.lockOffset + off_t($0)) == 0 }
        ?? Self.numberMax + UInt32(getpid())
      : UInt32(getpid())
    if isPlain, bytes(at: 0, count: 1).count > 0, bytes(at: 0, count: Self.mark.count) != Self.mark
    {
      throw Failure(.inputOutput, "\(path): has something else than a timeline; give another name")
    }
  }

  /// Makes a timeline empty, or makes an empty file.
  ///
  /// - Throws: `Failure` if the file cannot be opened, or has something else.
  static func clear(_ path: String) throws(Failure) {
    _ = try TimelineFile(path: path)
    try Failure.of(.inputOutput) {
      _ = FileDescriptor(
        owning: try systemCall("open", path) {
          open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        })
    }
  }

  /// Appends whole packets, after what is torn was removed; nothing of them is left if it fails.
  ///
  /// - Returns: False if another program writes now.
  /// - Throws: `SystemCallError`.
  func append(_ packets: [UInt8]) throws(SystemCallError) -> Bool {
    guard isPlain else {
      try file.writeAll(packets + Self.mark, path: path)
      return true
    }
    guard linux_lock_byte(file.number, Self.lockOffset) == 0 || (errno != EAGAIN && errno != EACCES)
    else {
      return false
    }
    defer { linux_unlock_byte(file.number, Self.lockOffset) }
    let size = try mend()
    guard !packets.isEmpty else { return true }
    do throws(SystemCallError) {
      try file.writeAll((size == 0 ? Self.mark : []) + packets + Self.mark, path: path)
    } catch {
      ftruncate(file.number, size)
      throw error
    }
    return true
  }

  /// Removes what stands after the last mark.
  ///
  /// - Returns: Bytes of the file.
  private func mend() throws(SystemCallError) -> off_t {
    let size = lseek(file.number, 0, SEEK_END)
    let markBytes = off_t(Self.mark.count)
    guard size > 0, bytes(at: max(size - markBytes, 0), count: Self.mark.count) != Self.mark else {
      return size
    }
    var end = size
    while end >= markBytes {
      let start = max(end - Self.blockBytes, 0)
      let block = bytes(at: start, count: Int(end - start))
      if let last = Self.lastMark(in: block) {
        let whole = start + off_t(last) + markBytes
        try systemCall("ftruncate", path) { ftruncate(file.number, whole) }
        return whole
      }
      if start == 0 { break }
      // A mark may lie across two blocks.
      end = start + markBytes - 1
    }
    return size
  }

  private static let blockBytes: off_t = 1 << 16

  private static func lastMark(in block: [UInt8]) -> Int? {
    guard block.count >= mark.count else { return nil }
    return (0...block.count - mark.count).last {
      block[$0] == mark[0] && block[$0...].starts(with: mark)
    }
  }

  private func bytes(at offset: off_t, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(pread(file.number, buffer.baseAddress, count, offset), 0)
    }
  }
}
