// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Writes a file in one go.
package enum NewFile {
  /// Writes all bytes; replaces a file of that name.
  ///
  /// - Throws: The error of `open` or `write`.
  package static func write(_ bytes: [UInt8], to path: String) throws(SystemCallError) {
    let number = try systemCall("open", path) {
      open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    }
    let file = FileDescriptor(owning: number)
    var done = 0
    while done < bytes.count {
      let start = done
      done += try systemCall("write", path) {
        bytes.withUnsafeBytes { buffer in
          Glibc.write(file.number, buffer.baseAddress.map { $0 + start }, buffer.count - start)
        }
      }
    }
  }
}
