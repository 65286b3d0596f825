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
