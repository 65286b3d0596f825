// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Where the processes of this user name their counters pages.
///
///     $XDG_RUNTIME_DIR/orrery/.counters/SPACE-PID-N  ──►  /proc/PID/fd/D
///
/// A page is a sealed memory file: a store into a file on a disk can wait for the disk, and a tick must not. The kernel
/// frees it with its process, in whatever way that ends; a link whose page is gone is left over. SPACE is the number
/// of the PID namespace: a process of another container is out of sight, and its links are left alone.
package struct CounterDirectory: Sendable {
  /// The path; there is no directory while nobody counts.
  package let path: String

  private let base: String

  /// The directory beside the runs.
  ///
  /// - Parameter base: The directory of all runs.
  package init(base: String = RunDirectory.base()) {
    self.base = base
    path = base + "/.counters"
  }

  /// Links of pages that this process can see, by name.
  ///
  /// - Throws: `RunDirectoryError`: `unsafe` if others can enter the directory.
  package func links() throws(RunDirectoryError) -> [String] {
    guard try RunDirectory.isPrivate(path) else { return [] }
    do throws(SystemCallError) {
      let prefix = Self.space + "-"
      return try DirectoryListing.names(in: path, countMax: Self.linksMax) { $0.hasPrefix(prefix) }
        .sorted()
    } catch {
      if error.errno == ENOENT { return [] }
      throw .system(error)
    }
  }

  /// More links than a user has processes.
  private static let linksMax = 1 << 16

  /// Makes a link to a descriptor of this process.
  ///
  /// - Returns: Its name.
  /// - Throws: `RunDirectoryError`.
  package func link(to descriptor: CInt) throws(RunDirectoryError) -> String {
    var failure: CInt = EEXIST
    // The directory goes with its last link, maybe just now.
    for number in 0..<Self.attemptsMax {
      guard try RunDirectory.makePrivate(base), try RunDirectory.makePrivate(path) else { continue }
      let name = "\(Self.space)-\(getpid())-\(number)"
      if symlink("/proc/\(getpid())/fd/\(descriptor)", path + "/" + name) == 0 { return name }
      failure = errno
      guard failure == EEXIST || failure == ENOENT else { break }
    }
    throw .system(SystemCallError(call: "symlink", path: path, errno: failure))
  }

  /// Pages of one process, at most: a test has many runs in one.
  private static let attemptsMax = 1000

  /// Removes a link, and the directory with the last one.
  func remove(_ name: String) {
    unlink(path + "/" + name)
    rmdir(path)
  }

  /// Removes the links of processes that have ended.
  ///
  /// - Returns: The paths that were removed.
  /// - Throws: `RunDirectoryError`, as `links` does.
  @discardableResult
  package func reclaim() throws(RunDirectoryError) -> [String] {
    try links().filter { name in
      guard
        case .failure(.gone) = Result(catching: { () throws(CounterFault) in
          try CounterReading(path: path + "/" + name)
        })
      else { return false }
      remove(name)
      return true
    }.map { path + "/" + $0 }
  }

  /// The PID namespace of this process.
  private static let space: String = {
    var status = stat()
    return stat("/proc/self/ns/pid", &status) == 0 ? "\(status.st_ino)" : "0"
  }()
}
