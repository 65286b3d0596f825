// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase

/// A ring's name in /dev/shm, which exists from the ring's completion until its sim ends.
///
/// The file is made without a name, locked, filled, and then linked in: no process ever sees an
/// incomplete ring. The kernel releases the lock when the process ends, in whatever way. So the
/// next sim takes over the name that a killed sim left behind, but never that of a living one. A
/// process that removes a name holds the lock of its file.
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
    if file.isStill(at: path) { unlink(path) }
  }

  /// Gives the file its name.
  ///
  /// - Throws: `FrameError.segmentTaken` where another sim was faster; `unsafeSegment`, `notARing` or `system`.
  func link() throws(FrameError) {
    // A name becomes free when a dead sim's is removed, or when another sim ends. Then one of the
    // sims that try gets it.
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

  /// The file, for reading only.
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
  /// Opens a named ring for reading.
  ///
  /// - Throws: `FrameError.unsafeSegment` when it belongs to another user or other users can access
  ///   it.
  static func open(_ path: String) throws(FrameError) -> FileDescriptor {
    // Follows no symbolic link, and does not wait for the other end of a pipe.
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

  /// Removes the name of a ring whose sim is dead.
  ///
  /// - Returns: Whether there was one; a living sim's ring, and what is no ring, stays.
  static func removeDead(_ name: String) -> Bool {
    do throws(FrameError) {
      return try clear(Carrier.path(of: name))
    } catch {
      return false
    }
  }

  /// Time for which another process's lock may be that of a process that removes the name.
  private static let patienceSeconds = 0.02

  /// Removes a name that a dead sim left behind.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  private static func clear(_ path: String) throws(FrameError) -> Bool {
    let file: FileDescriptor
    do throws(FrameError) {
      file = try open(path)
    } catch .system(let error) where error.errno == ENOENT {
      return false
    }
    let number = file.number
    let isLocked = Clock.wait(seconds: patienceSeconds) { flock(number, LOCK_EX | LOCK_NB) == 0 }
    guard isLocked else { throw .segmentTaken(path: path) }
    // The previous owner of the lock may have removed the name meanwhile.
    guard file.isStill(at: path) else { return false }
    var magic: UInt64 = 0
    guard pread(file.number, &magic, 8, 0) == 8, magic == RING_MAGIC else {
      throw .notARing(found: magic)
    }
    return unlink(path) == 0
  }

  private static func checkSpace(_ bytes: UInt64, path: String) throws(FrameError) {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else {
      throw .system(SystemCallError(call: "statvfs", path: directory, errno: errno))
    }
    // A file system without a limit reports 0 blocks.
    guard status.f_blocks > 0 else { return }
    let available = UInt64(status.f_bavail) * UInt64(status.f_frsize)
    guard bytes <= available else {
      throw .notEnoughSpace(path: path, needed: bytes, available: available)
    }
  }
}
