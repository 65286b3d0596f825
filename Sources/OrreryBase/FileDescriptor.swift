// SPDX-License-Identifier: Apache-2.0

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
