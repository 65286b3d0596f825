// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// A sim's lock on its run directory, held as long as the sim lives.
///
/// The kernel releases the lock when the process ends, in whatever way. So the next sim takes over
/// the directory of a killed one, but never that of a living one. Whoever removes a lock file holds
/// its lock, so a process that has the lock of a file that is still there has the run.
package final class RunLock: Sendable {
  /// The locked directory.
  package let directory: RunDirectory
  private let file: FileDescriptor

  /// Locks the directory, makes it if needed, and removes what a dead sim left behind.
  ///
  /// - Parameters:
  ///   - directory: The run's.
  ///   - segment: Name of the ring that the sim will make in /dev/shm; whoever removes what this sim
  ///     leaves behind removes it, too.
  /// - Throws: `RunDirectoryError.taken` when a live sim holds it; `unsafe`, `notALock` or `system`.
  package init(_ directory: RunDirectory, segment: String? = nil) throws(RunDirectoryError) {
    self.directory = directory
    // A sim that ends removes the lock file; a sim that opened it just before must start over.
    for _ in 0..<100 {
      guard try RunDirectory.makePrivate(directory.base) else { continue }
      guard try RunDirectory.makePrivate(directory.path) else { continue }
      guard let file = try directory.openLock(O_RDWR | O_CREAT) else { continue }
      guard try Self.take(file, of: directory) else {
        throw .taken(
          name: directory.name, by: RunOwner(lockPath: directory.lockPath).description)
      }
      if file.isStill(at: directory.lockPath) {
        self.file = file
        if let dead = RunOwner(lockPath: directory.lockPath).segment {
          _ = SegmentName.removeDead(dead)
        }
        removeSockets()
        try sign(RunOwner.lockText(segment: segment))
        return
      }
    }
    throw .system(SystemCallError(call: "flock", path: directory.lockPath, errno: EAGAIN))
  }

  /// Removes the directory; release the lock last.
  deinit {
    removeSockets()
    unlink(directory.lockPath)
    rmdir(directory.path)
  }

  /// Takes the lock of an open file.
  ///
  /// A process that looks at a run, or removes a dead one, holds the lock for an instant. So a lock
  /// that no living process has signed is waited for.
  ///
  /// - Returns: False if a sim holds it.
  private static func take(
    _ file: borrowing FileDescriptor, of directory: RunDirectory
  ) throws(RunDirectoryError) -> Bool {
    let deadline = Clock.monotonicNs() + patienceNs
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK else {
        throw .system(SystemCallError(call: "flock", path: directory.lockPath, errno: errno))
      }
      let now = Clock.monotonicNs()
      guard now < deadline, RunOwner(lockPath: directory.lockPath).process == nil else {
        return false
      }
      Clock.sleep(untilMonotonicNs: now + 1_000_000)
    }
    return true
  }

  /// A look takes microseconds, and longer if its process has to wait for a processor.
  private static let patienceNs: UInt64 = 500_000_000

  private func removeSockets() { for path in directory.socketPaths { unlink(path) } }

  /// Writes the owner of the run, for messages and for whoever removes what it leaves behind.
  private func sign(_ text: String) throws(RunDirectoryError) {
    do throws(SystemCallError) {
      let path = directory.lockPath
      // Looks at the run open the file; the umask may have taken its user's rights away.
      try systemCall("fchmod", path) { fchmod(file.number, 0o600) }
      try systemCall("ftruncate", path) { ftruncate(file.number, 0) }
      try file.writeAll(Array(text.utf8), path: path)
    } catch {
      throw .system(error)
    }
  }
}
