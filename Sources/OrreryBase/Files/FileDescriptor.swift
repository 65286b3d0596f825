// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// An owned file descriptor, closed when this value is destroyed.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number, valid for the lifetime of this value.
  package let number: CInt

  /// Takes ownership of an open descriptor.
  package init(owning number: CInt) {
    precondition(number >= 0, "file descriptor \(number)")
    self.number = number
  }

  deinit { close(number) }
}

extension FileDescriptor {
  /// Whether this is a plain file: no directory, pipe, socket or device.
  package var isPlain: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a path still leads to this file; another process may have removed or replaced it.
  package func isStill(at path: String) -> Bool {
    var held = stat()
    var named = stat()
    return fstat(number, &held) == 0 && lstat(path, &named) == 0
      && held.st_ino == named.st_ino && held.st_dev == named.st_dev
  }
}

extension FileDescriptor {
  /// Writes all bytes.
  ///
  /// - Parameters:
  ///   - bytes: What to write, where the file's position is.
  ///   - path: The file, for the error.
  /// - Throws: The error of `write`.
  package func writeAll(_ bytes: [UInt8], path: String) throws(SystemCallError) {
    var done = 0
    while done < bytes.count {
      let start = done
      done += try systemCall("write", path) {
        bytes.withUnsafeBytes { buffer in
          Glibc.write(number, buffer.baseAddress.map { $0 + start }, buffer.count - start)
        }
      }
    }
  }
}

/// A pipe from a child; only what is handed to a child stays open in it.
package struct PipeEnds: ~Copyable {
  /// This process's end.
  private let reading: FileDescriptor

  /// The child's end.
  package let writing: FileDescriptor

  /// Makes a pipe.
  ///
  /// - Parameter path: The program that it is for, for the error.
  /// - Throws: `SystemCallError`.
  package init(_ path: String) throws(SystemCallError) {
    var ends: [CInt] = [-1, -1]
    try systemCall("pipe", path) { linux_pipe(&ends) }
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
  }

  /// Closes the child's end here, so that the pipe ends with the child, and returns the other.
  package consuming func closingWriter() -> FileDescriptor { reading }
}

extension FileDescriptor {
  /// Checks that `count` more descriptors can be opened, by opening them for a moment.
  ///
  /// - Throws: `SystemCallError` with EMFILE or ENFILE.
  package static func checkRoom(for count: Int) throws(SystemCallError) {
    var opened: [CInt] = []
    defer { for number in opened { close(number) } }
    for _ in 0..<count {
      opened.append(
        try systemCall("open", "/dev/null") { open("/dev/null", O_RDONLY | O_CLOEXEC) })
    }
  }
}
