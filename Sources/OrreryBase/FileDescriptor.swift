// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file descriptor that is closed when its owner goes.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number, valid for the lifetime of this value.
  package let number: CInt

  /// Takes over an open descriptor.
  package init(owning number: CInt) {
    precondition(number >= 0, "file descriptor \(number)")
    self.number = number
  }

  deinit { close(number) }
}
