// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// The kernel's lock on one shard of a run, held as long as the shard's process lives.
///
///     DIR/NAME.2of4.lock
///
/// The kernel releases it when the process ends, in whatever way: so a shard of this machine is known to be
/// dead at once. Whoever removes the file holds the lock.
final class ShardLock: Sendable {
  private let file: FileDescriptor
  private let path: String

  /// What taking a lock ends with.
  enum Outcome {
    case taken(ShardLock)
    /// Another process has it.
    case held
    /// The file system has no locks.
    case unsupported
  }

  private init(_ file: consuming FileDescriptor, path: String) {
    self.file = file
    self.path = path
  }

  /// Removes the file, and releases the lock last.
  deinit { unlink(path) }

  /// Takes a lock.
  ///
  /// - Parameters:
  ///   - path: Its file, which is made.
  ///   - patienceNs: How long another process may have it: one that looks has it for an instant.
  /// - Returns: The lock, or why there is none.
  /// - Throws: `SystemCallError`: the file cannot be made, or is no plain file (ELOOP, EISDIR, ENXIO, EINVAL).
  static func take(
    _ path: String, patienceNs: UInt64 = ShardLock.patienceNs
  ) throws(SystemCallError) -> Outcome {
    let deadlineNs = Clock.monotonicNs() + patienceNs
    while true {
      let file = FileDescriptor(
        owning: try systemCall("open", path) {
          open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        })
      guard file.isPlain else { throw SystemCallError(call: "open", path: path, errno: EINVAL) }
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 {
        // The process that had it has removed its file.
        guard file.isStill(at: path) else { continue }
        // The umask may have taken this user's own rights away.
        try systemCall("fchmod", path) { fchmod(file.number, 0o600) }
        return .taken(ShardLock(file, path: path))
      }
      guard errno == EWOULDBLOCK || errno == EINTR else { return .unsupported }
      let nowNs = Clock.monotonicNs()
      guard nowNs < deadlineNs else { return .held }
      Clock.sleep(untilMonotonicNs: nowNs + 1_000_000)
    }
  }

  /// A look takes microseconds, and longer if its process has to wait for a processor.
  static let patienceNs: UInt64 = 500_000_000

  /// Whether a process has a lock; true if that cannot be found out.
  static func isHeld(_ path: String) -> Bool {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return errno != ENOENT }
    let file = FileDescriptor(owning: number)
    return flock(file.number, LOCK_SH | LOCK_NB) != 0
  }
}
