// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Which file this process has open, so that it sees whether the file's path still leads to it.
package struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t

  /// The open file.
  ///
  /// - Parameters:
  ///   - descriptor: Its descriptor.
  ///   - path: Its path, for the error.
  /// - Throws: The error of fstat(2).
  package init(of descriptor: borrowing FileDescriptor, path: String) throws(SystemCallError) {
    var status = stat()
    let number = descriptor.number
    try systemCall("fstat", path) { fstat(number, &status) }
    self.init(status)
  }

  /// The file that a path leads to.
  ///
  /// - Throws: The error of stat(2).
  package init(path: String) throws(SystemCallError) {
    var status = stat()
    try systemCall("stat", path) { stat(path, &status) }
    self.init(status)
  }

  private init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }

  /// Whether a path leads to another file, or to none.
  ///
  /// A path that cannot be followed for another reason is not lost.
  package func isLost(at path: String) -> Bool {
    do throws(SystemCallError) {
      return try FileIdentity(path: path) != self
    } catch {
      return [ENOENT, ENOTDIR, ELOOP].contains(error.errno)
    }
  }

  /// Where the open file is now.
  ///
  /// - Parameter descriptor: The file's.
  /// - Returns: A path that leads to it; nil if it has none, or none that is known.
  package func location(of descriptor: borrowing FileDescriptor) -> String? {
    let link = "/proc/self/fd/\(descriptor.number)"
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    let path = String(
      decoding: bytes.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.hasPrefix("/") && !isLost(at: path) ? path : nil
  }

  /// What happened to a file that was written, in words.
  ///
  /// - Parameters:
  ///   - path: Its path, which no longer leads to it.
  ///   - location: Where it is now; nil if it has no path.
  /// - Returns: A line without its end.
  package static func text(lost path: String, to location: String?) -> String {
    location.map { "\(path): was moved while it was written; the file is now \($0)" }
      ?? "\(path): was removed or replaced while it was written, and has no other path that is known"
  }
}
