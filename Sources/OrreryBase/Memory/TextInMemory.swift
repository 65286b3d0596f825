// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A text that this user's other processes can read by a path while this process holds it.
package final class TextInMemory {
  private let file: FileDescriptor

  /// Puts the text into memory.
  ///
  /// - Throws: `SystemCallError` where there is no memory for it.
  package init(_ text: String) throws(SystemCallError) {
    let name = "memory"
    file = FileDescriptor(
      owning: try systemCall("memfd_create", name) { linux_memory_file("orrery-text") })
    try file.writeAll(Array(text.utf8), path: name)
  }

  /// The path.
  package var path: String { "/proc/\(getpid())/fd/\(file.number)" }
}
