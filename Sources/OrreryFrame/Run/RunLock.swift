// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// A sim's lock on its run directory, held as long as the sim lives.
///
/// The kernel releases the lock when the process ends, in whatever way. So the next sim takes over
/// the directory of a killed one, but never that of a living one.
package final class RunLock: Sendable {
  package let directory: RunDirectory
  private let file: FileDescriptor

  /// Locks the directory, makes it if needed, and removes the files that a dead sim left in it.
  ///
  /// - Throws: `RunDirectoryError.taken` when a live sim holds it; `unsafe` or `system`.
  package init(_ directory: RunDirectory) throws(RunDirectoryError) {
    self.directory = directory
    // A sim that ends removes the lock file; a sim that opened it just before must start over.
    for _ in 0..<100 {
      guard try RunDirectory.makePrivate(directory.base) else { continue }
      guard try RunDirectory.makePrivate(directory.path) else { continue }
      let number = open(directory.lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if number < 0, errno == ENOENT { continue }
      guard number >= 0 else {
        throw .system(SystemCallError(call: "open", path: directory.lockPath, errno: errno))
      }
      let file = FileDescriptor(owning: number)
      if flock(number, LOCK_EX | LOCK_NB) != 0 {
        guard errno == EWOULDBLOCK else {
          throw .system(SystemCallError(call: "flock", path: directory.lockPath, errno: errno))
        }
        throw .taken(name: directory.name, by: Self.holder(of: directory))
      }
      if Self.isStillThere(file, path: directory.lockPath) {
        self.file = file
        unlink(directory.joinPath)
        unlink(directory.announcePath)
        unlink(directory.controlPath)
        unlink(directory.eventsPath)
        sign()
        return
      }
    }
    throw .system(SystemCallError(call: "flock", path: directory.lockPath, errno: EAGAIN))
  }

  /// Removes the directory; release the lock last.
  deinit {
    unlink(directory.joinPath)
    unlink(directory.announcePath)
    unlink(directory.controlPath)
    unlink(directory.eventsPath)
    unlink(directory.lockPath)
    rmdir(directory.path)
  }

  /// What the holder of a run wrote into its lock file.
  private static func holder(of directory: RunDirectory) -> String {
    let text = SmallFile.read(directory.lockPath) ?? ""
    return text.isEmpty ? "starting" : text.split(separator: "\n").joined(separator: ", ")
  }

  private static func isStillThere(_ file: borrowing FileDescriptor, path: String) -> Bool {
    var held = stat()
    var named = stat()
    return fstat(file.number, &held) == 0 && lstat(path, &named) == 0
      && held.st_ino == named.st_ino && held.st_dev == named.st_dev
  }

  /// Writes the owner of the run, for the message that a second sim prints.
  private func sign() {
    let seconds = Clock.wallNs() / 1_000_000_000
    let text = "pid \(getpid())\nuser \(geteuid())\nsince \(seconds) Unix time\n"
    ftruncate(file.number, 0)
    _ = text.withCString { pwrite(file.number, $0, strlen($0), 0) }
  }
}
