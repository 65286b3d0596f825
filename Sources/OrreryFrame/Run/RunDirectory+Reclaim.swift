// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// What a dead sim left behind, now removed.
package struct Leftovers: Equatable, Sendable {
  /// Name of its run.
  package let name: String
  /// What it wrote of itself.
  package let owner: RunOwner
  /// Paths that were removed: sockets, the lock, the directory, the ring's name in /dev/shm.
  package let removed: [String]
  /// Files in the directory that no sim makes; they and the directory stay.
  package let foreign: [String]
}

extension RunDirectory {
  /// The sockets that a sim makes; its lock comes last.
  var socketPaths: [String] { [joinPath, announcePath, controlPath, eventsPath] }

  /// Names of all directories in the directory of all runs, in order.
  ///
  /// - Parameter base: The directory of all runs.
  /// - Returns: The names that runs can have; none if there is no such directory.
  /// - Throws: `RunDirectoryError`: `unsafe` if others can enter it.
  package static func names(
    in base: String = RunDirectory.base()
  ) throws(RunDirectoryError) -> [String] {
    guard try isPrivate(base) else { return [] }
    do throws(SystemCallError) {
      return try DirectoryListing.names(in: base, where: isName).sorted()
    } catch {
      throw .system(error)
    }
  }

  /// Removes what dead sims of this user left behind; nothing of a living one is touched.
  ///
  /// - Parameter base: The directory of all runs.
  /// - Returns: What was removed, by run.
  /// - Throws: `RunDirectoryError` when the directory of all runs cannot be used.
  @discardableResult
  package static func reclaim(
    in base: String = RunDirectory.base()
  ) throws(RunDirectoryError) -> [Leftovers] {
    try names(in: base).compactMap { name in
      (try? RunDirectory(name: name, base: base))?.reclaim()
    }
  }

  /// Removes what a dead sim left in this directory.
  ///
  /// It takes the lock that a sim takes, and keeps it until everything is removed. A sim that starts
  /// meanwhile waits for the lock and then makes the directory again (`RunLock`). A directory that is
  /// younger than ten seconds and has no signed lock may be one that a sim is just making: it stays.
  ///
  /// - Returns: Nil if nothing was removed: the run is alive, starting, or not a directory of this user.
  package func reclaim() -> Leftovers? {
    guard (try? Self.isPrivate(path)) == true, let file = openDeadLock() else { return nil }
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0, file.isStill(at: lockPath) else { return nil }
    // Read under the lock: a sim may have come, signed and died since the first look.
    let owner = RunOwner(lockPath: lockPath)
    guard owner.process == nil else { return nil }
    var removed: [String] = []
    if let segment = owner.segment, SegmentName.removeDead(segment) {
      removed.append(Carrier.path(of: segment))
    }
    removed += (socketPaths + [lockPath]).filter { unlink($0) == 0 }
    if rmdir(path) == 0 { removed.append(path) }
    return Leftovers(name: name, owner: owner, removed: removed, foreign: entries ?? [])
  }

  /// Opens the lock file of a sim that seems to be dead; nil if it may be alive or starting.
  private func openDeadLock() -> FileDescriptor? {
    do throws(RunDirectoryError) {
      if let file = try openLock(O_RDWR | O_NONBLOCK) {
        let owner = RunOwner(lockPath: lockPath)
        // Most are alive: their locks are left alone.
        guard owner.process == nil, owner.processID != nil || isOld(file) else { return nil }
        return file
      }
      // A sim that died before it made its lock, or after it removed it. Making the file here lets a
      // sim that starts now wait, as it would for any other process that cleans up.
      var status = stat()
      guard lstat(path, &status) == 0, Self.isOld(status), let entries,
        Set(entries).isSubset(of: socketPaths)
      else { return nil }
      return try openLock(O_RDWR | O_CREAT | O_NONBLOCK)
    } catch {
      // What is no plain file was not made by a sim, and stays.
      return nil
    }
  }

  /// Paths of everything in the directory; nil if it cannot be read.
  private var entries: [String]? {
    (try? DirectoryListing.names(in: path))?.sorted().map { path + "/" + $0 }
  }
}
