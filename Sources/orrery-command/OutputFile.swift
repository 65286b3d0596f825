// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// A file that is written from its start to its end.
final class OutputFile {
  private let path: String
  private let descriptor: FileDescriptor

  /// Makes the file, or empties it.
  ///
  /// - Throws: `Failure`, `inputOutput`.
  init(_ path: String) throws(Failure) {
    self.path = path
    do throws(SystemCallError) {
      descriptor = FileDescriptor(
        owning: try systemCall("open", path) {
          open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        })
    } catch {
      throw Failure(.inputOutput, error)
    }
  }

  /// Adds bytes.
  ///
  /// - Throws: `Failure`, `inputOutput`.
  func write(_ bytes: [UInt8]) throws(Failure) {
    do throws(SystemCallError) {
      try descriptor.writeAll(bytes, path: path)
    } catch {
      throw Failure(.inputOutput, error)
    }
  }
}
