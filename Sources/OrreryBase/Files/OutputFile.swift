// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that is written from its start to its end, and has its path once it is complete.
///
/// Until then it stands beside the path, so a failure leaves what was there before. A pipe or a device is written
/// as it is.
package final class OutputFile {
  /// The path that was asked for.
  package let path: String

  /// Where a chain of symbolic links from the path leads.
  private let target: String

  /// Where it is until it is complete; nil: nothing is to be renamed or removed.
  private var partial: String?
  private let descriptor: FileDescriptor

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - path: Where it is to be.
  ///   - replaces: Whether a file of that name is replaced; if not, it is an error, `EEXIST`.
  /// - Throws: `SystemCallError`.
  package init(_ path: String, replaces: Bool = true) throws(SystemCallError) {
    self.path = path
    var existing = stat()
    let exists = stat(path, &existing) == 0
    let isOther = exists && existing.st_mode & S_IFMT != S_IFREG
    target = Self.resolved(path)
    // Without a file to keep, it is made where it is to be.
    let partial = replaces ? PartialFile.path(for: target) : path
    let flags = O_WRONLY | O_CLOEXEC | (isOther ? 0 : O_CREAT | (replaces ? O_TRUNC : O_EXCL))
    descriptor = FileDescriptor(
      owning: try systemCall("open", path) { open(isOther ? path : partial, flags, 0o666) })
    self.partial = isOther ? nil : partial
    if !isOther { PartialFile.begin(partial) }
    if exists, !isOther { fchmod(descriptor.number, existing.st_mode & 0o777) }
  }

  deinit {
    guard let partial else { return }
    unlink(partial)
    PartialFile.end(partial)
  }

  /// Adds bytes.
  ///
  /// - Throws: `SystemCallError`.
  package func write(_ bytes: [UInt8]) throws(SystemCallError) {
    try descriptor.writeAll(bytes, path: path)
  }

  /// Gives the file its path; without this call nothing is left of it.
  ///
  /// - Throws: `SystemCallError`.
  package func finish() throws(SystemCallError) {
    guard let partial else { return }
    if partial != path { try systemCall("rename", path) { rename(partial, target) } }
    PartialFile.end(partial)
    self.partial = nil
  }

  /// The path without symbolic links, if it leads to something.
  private static func resolved(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }
}
