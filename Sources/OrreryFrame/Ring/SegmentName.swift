// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase

/// A ring's name in /dev/shm, from the moment when it is complete until its sim ends.
///
/// The file is made without a name, locked, filled, and then linked in: nobody ever sees a part of one. The
/// kernel drops the lock with the process, however it ends, so a name that a killed sim left behind is
/// taken over by the next one, and a live sim's never is. Whoever removes a name holds the lock of its file.
final class SegmentName: Sendable {
  /// The file, for writing; it holds the lock.
  let file: FileDescriptor

  private let path: String

  /// Makes a file of zeros that has no name yet.
  ///
  /// - Throws: `FrameError`, in particular where the name is taken or /dev/shm is too small.
  init(_ name: String, bytes: UInt64) throws(FrameError) {
    path = Carrier.path(of: name)
    try Self.checkSpace(bytes, path: path)
    try Self.clear(path)
    do throws(SystemCallError) {
      let path = path
      file = FileDescriptor(
        owning: try systemCall("open", path) { linux_unnamed_file(Self.directory) })
      try systemCall("flock", path) { flock(file.number, LOCK_EX | LOCK_NB) }
      try systemCall("fchmod", path) { fchmod(file.number, 0o600) }
      try systemCall("ftruncate", path) { ftruncate(file.number, off_t(bytes)) }
    } catch {
      throw .system(error)
    }
  }

  private static let directory = "/dev/shm"

  /// Removes the name if it is still this file's.
  deinit {
    if Self.leads(path, to: file) { unlink(path) }
  }

  /// Gives the file its name.
  ///
  /// - Throws: `FrameError.segmentTaken` where another sim was faster; `unsafeSegment`, `notARing` or `system`.
  func link() throws(FrameError) {
    // A dead sim's name goes, another's end may free it: both leave room for one of those who try.
    for _ in 0..<100 {
      if linkat(AT_FDCWD, "/proc/self/fd/\(file.number)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 {
        return
      }
      guard errno == EEXIST else {
        throw .system(SystemCallError(call: "linkat", path: path, errno: errno))
      }
      try Self.clear(path)
    }
    throw .segmentTaken(path: path)
  }

  /// The file for those who only read.
  ///
  /// - Throws: `FrameError.system`.
  func readOnly() throws(FrameError) -> FileDescriptor {
    do throws(SystemCallError) {
      let number = try systemCall("open", path) {
        Glibc.open("/proc/self/fd/\(file.number)", O_RDONLY | O_CLOEXEC)
      }
      return FileDescriptor(owning: number)
    } catch {
      throw .system(error)
    }
  }
}

extension SegmentName {
  /// Opens a ring that somebody has named, for reading.
  ///
  /// - Throws: `FrameError.unsafeSegment` when it belongs to somebody else or others may write to it.
  static func open(_ path: String) throws(FrameError) -> FileDescriptor {
    // Never through a symbolic link, and never waiting for a pipe's other end.
    let number = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else {
      throw .system(SystemCallError(call: "open", path: path, errno: errno))
    }
    let file = FileDescriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0 else {
      throw .system(SystemCallError(call: "fstat", path: path, errno: errno))
    }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0, status.st_nlink <= 1
    else {
      throw .unsafeSegment(
        path: path, owner: status.st_uid, mode: status.st_mode, links: UInt64(status.st_nlink))
    }
    return file
  }

  /// Removes a name that a dead sim left behind.
  private static func clear(_ path: String) throws(FrameError) {
    let file: FileDescriptor
    do throws(FrameError) {
      file = try open(path)
    } catch .system(let error) where error.errno == ENOENT {
      return
    }
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw .segmentTaken(path: path) }
    // Whoever had the lock may have removed the name meanwhile.
    guard leads(path, to: file) else { return }
    var magic: UInt64 = 0
    guard pread(file.number, &magic, 8, 0) == 8, magic == RING_MAGIC else {
      throw .notARing(found: magic)
    }
    unlink(path)
  }

  private static func leads(_ path: String, to file: borrowing FileDescriptor) -> Bool {
    var held = stat()
    var named = stat()
    return fstat(file.number, &held) == 0 && lstat(path, &named) == 0
      && held.st_ino == named.st_ino && held.st_dev == named.st_dev
  }

  private static func checkSpace(_ bytes: UInt64, path: String) throws(FrameError) {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else {
      throw .system(SystemCallError(call: "statvfs", path: directory, errno: errno))
    }
    // A file system without a limit says that it has no blocks.
    guard status.f_blocks > 0 else { return }
    let available = UInt64(status.f_bavail) * UInt64(status.f_frsize)
    guard bytes <= available else {
      throw .notEnoughSpace(path: path, needed: bytes, available: available)
    }
  }
}
