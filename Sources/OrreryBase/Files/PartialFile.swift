// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Names of files that are being written beside their final path.
package enum PartialFile {
  /// The temporary path of a file.
  ///
  /// It has the same extension, by which a player of an unfinished video knows the format.
  ///
  /// - Parameters:
  ///   - path: The final path.
  ///   - processID: The process that renames the file when it is complete.
  /// - Returns: A path in the same directory.
  package static func path(for path: String, processID: pid_t = getpid()) -> String {
    PathHalves(path, mayBeNameless: true).joined(by: ".\(processID).partial")
  }
}
