// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads and writes files of a few lines, such as those in /proc.
package enum SmallFile {
  /// The beginning of a file as text, or nil if it cannot be read.
  ///
  /// It does not wait: what is no plain file, such as a pipe, is not read.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - bytesMax: How much of it is read.
  /// - Returns: The text; what is not UTF-8 is replaced.
  package static func read(_ path: String, bytesMax: Int = 64 << 10) -> String? {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(owning: number)
    guard file.isPlain else { return nil }
    var bytes = [UInt8](repeating: 0, count: bytesMax)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file.number, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if got <= 0 { break }
      count += got
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Reads a file that holds one number; nil if it does not.
  package static func readNumber(_ path: String) -> UInt64? {
    guard let text = read(path) else { return nil }
    return UInt64(text.prefix { !$0.isWhitespace })
  }

  /// Writes a line into a file of mode 0600, completely or not at all.
  ///
  /// - Parameters:
  ///   - line: The line, without its end.
  ///   - path: The file.
  ///   - temporary: Where it is written before it gets that name; what is there is lost.
  ///   - replaces: Whether a file at the path is replaced; if not, it is an error, even if it is made meanwhile.
  /// - Throws: `SystemCallError`; nothing is left behind then.
  package static func writePrivate(
    _ line: String, to path: String, by temporary: String, replaces: Bool = true
  ) throws(SystemCallError) {
    unlink(temporary)
    defer { unlink(temporary) }
    let file = FileDescriptor(
      owning: try systemCall("open", temporary) {
        open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      })
    // The umask may have taken the user's own rights away.
    try systemCall("fchmod", temporary) { fchmod(file.number, 0o600) }
    let bytes = Array((line + "\n").utf8)
    let count = try systemCall("write", temporary) { Glibc.write(file.number, bytes, bytes.count) }
    guard count == bytes.count else {
      throw SystemCallError(call: "write", path: temporary, errno: ENOSPC)
    }
    try systemCall("fsync", temporary) { fsync(file.number) }
    // `link` refuses to replace a file that was created meanwhile.
    try systemCall(replaces ? "rename" : "link", path) {
      replaces ? rename(temporary, path) : link(temporary, path)
    }
  }
}
