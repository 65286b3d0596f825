// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

extension FileDescriptor {
  /// Makes a descriptor that one thread polls and others signal.
  ///
  /// - Parameter path: What it belongs to, for the error.
  /// - Returns: A descriptor that is not readable yet.
  /// - Throws: `SystemCallError`.
  package static func wakeDescriptor(_ path: String) throws(SystemCallError) -> FileDescriptor {
    FileDescriptor(owning: try systemCall("eventfd", path) { linux_wake_descriptor() })
  }

  /// Makes a wake descriptor readable, until `drain`.
  package borrowing func signal() {
    var one: UInt64 = 1
    _ = write(number, &one, 8)
  }

  /// Takes back all signals.
  package borrowing func drain() {
    var count: UInt64 = 0
    _ = read(number, &count, 8)
  }
}
