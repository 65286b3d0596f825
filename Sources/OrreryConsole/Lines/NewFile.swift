// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Writes a file in one go.
package enum NewFile {
  /// Writes all bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole content.
  ///   - path: The file.
  ///   - replaces: Whether a file of that name is replaced; if not, it is an error, `EEXIST`.
  /// - Throws: The error of `open`, `write` or `rename`; nothing is left then.
  package static func write(
    _ bytes: [UInt8], to path: String, replaces: Bool = true
  ) throws(SystemCallError) {
    let file = try OutputFile(path, replaces: replaces)
    try file.write(bytes)
    try file.finish()
  }
}

extension NewFile {
  /// Writes a text.
  ///
  /// - Parameters:
  ///   - text: The whole content.
  ///   - path: The file.
  ///   - replaces: Whether a file that is there is replaced.
  /// - Throws: `Failure` if it is not to be replaced, or cannot be written.
  package static func write(_ text: String, to path: String, replaces: Bool) throws(Failure) {
    do throws(SystemCallError) {
      try write(Array(text.utf8), to: path, replaces: replaces)
    } catch  where error.errno == EEXIST {
      throw Failure(.inputOutput, "\(path): is there already; --force replaces it")
    } catch {
      throw Failure(.inputOutput, error)
    }
  }
}
