// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Files that are written beside their final path, and get it once they are complete.
package enum PartialFile {
  /// The temporary path of a file.
  ///
  /// It has the same extension, by which a player of an unfinished video knows the format.
  ///
  /// - Parameters:
  ///   - path: The final path.
  ///   - processID: The process that renames the file when it is complete.
  /// - Returns: A path in the same directory.
  package static func path(for path: String, processID: pid_t = getpid()) -> String {
    PathHalves(path, mayBeNameless: true).joined(by: ".\(processID).partial")
  }

  private static let unfinished = Mutex<Set<String>>([])

  /// Notes a file that this process has begun and that is to be removed if it ends before `end`.
  package static func begin(_ path: String) { unfinished.withLock { _ = $0.insert(path) } }

  /// A file that was begun is complete, or is gone from this path.
  package static func end(_ path: String) { unfinished.withLock { _ = $0.remove(path) } }

  /// Removes files that were begun and are not complete: this process ends at once.
  package static func removeAll() {
    for path in unfinished.withLock({ $0 }) { unlink(path) }
  }

  /// Writes a picture: a reader finds the file that was there before, none, or the whole new one.
  ///
  /// Until it is complete its name does not end as a picture's. A symbolic link at the path is replaced.
  ///
  /// - Parameters:
  ///   - path: The file; it is replaced if it exists.
  ///   - fault: The caller's error for a system call.
  ///   - body: Writes into the descriptor of an empty file, and returns 0 or an errno.
  /// - Throws: What `fault` makes of a system call with the path; what `body` throws. Nothing is then left.
  package static func writePicture<Fault: Error>(
    _ path: String, _ fault: (SystemCallError) -> Fault, _ body: (CInt) throws(Fault) -> CInt
  ) throws(Fault) {
    let partial = "\(path).\(getpid()).partial"
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let number: CInt
    do throws(SystemCallError) {
      number = try systemCall("open", path) { open(partial, flags, 0o666) }
    } catch {
      throw fault(error)
    }
    let file = FileDescriptor(owning: number)
    var isComplete = false
    begin(partial)
    defer {
      if !isComplete { unlink(partial) }
      end(partial)
    }
    let failure = try body(file.number)
    do throws(SystemCallError) {
      if failure != 0 { throw SystemCallError(call: "write", path: path, errno: failure) }
      try systemCall("rename", path) { rename(partial, path) }
    } catch {
      throw fault(error)
    }
    isComplete = true
  }
}
