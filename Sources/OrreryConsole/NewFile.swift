// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryScene

/// Writes a file in one go.
package enum NewFile {
  /// Writes all bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole content.
  ///   - path: The file.
  ///   - replaces: Whether a file of that name is replaced; if not, it is an error, `EEXIST`.
  /// - Throws: The error of `open` or `write`.
  package static func write(
    _ bytes: [UInt8], to path: String, replaces: Bool = true
  ) throws(SystemCallError) {
    let number = try systemCall("open", path) {
      open(path, O_WRONLY | O_CREAT | (replaces ? O_TRUNC : O_EXCL) | O_CLOEXEC, 0o666)
    }
    try FileDescriptor(owning: number).writeAll(bytes, path: path)
  }
}

extension NewFile {
  /// Writes a scene to begin with.
  ///
  /// - Parameters:
  ///   - template: The scene and its path.
  ///   - replaces: Whether a file that is there is replaced.
  /// - Throws: `Failure` if it is not to be replaced, or cannot be written.
  package static func write(_ template: SceneTemplate, replaces: Bool) throws(Failure) {
    do throws(SystemCallError) {
      try write(Array(template.text.utf8), to: template.path, replaces: replaces)
    } catch  where error.errno == EEXIST {
      throw Failure(.inputOutput, "\(template.path): is there already; --force replaces it")
    } catch {
      throw Failure(.inputOutput, error)
    }
  }
}
