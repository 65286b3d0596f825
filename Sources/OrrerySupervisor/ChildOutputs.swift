// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// The files that a program leaves when it has ended in order.
///
/// What was there before the program was started is none of its work.
package struct ChildOutputs {
  /// Their paths.
  package let paths: [String]

  /// The files that were at the paths before; nil where there was none.
  private let before: [FileState?]

  /// Looks at what is there now; call it before the program is started.
  init(_ paths: [String]) {
    self.paths = paths
    before = paths.map(FileState.init)
  }

  /// Removes the temporary files of a program that was ended.
  ///
  /// - Parameter processID: The program's.
  /// - Returns: The outputs of which it made a part, and those of which it made nothing.
  func clean(after processID: pid_t) -> (incomplete: [String], notMade: [String]) {
    var (incomplete, notMade): ([String], [String]) = ([], [])
    for (path, state) in zip(paths, before) {
      let hadPart = unlink(PartialFile.path(for: path, processID: processID)) == 0
      if hadPart || FileState(path) != state {
        incomplete.append(path)
      } else {
        notMade.append(path)
      }
    }
    return (incomplete, notMade)
  }
}

/// What tells a file from another one at the same path, and from itself before it was written to.
private struct FileState: Equatable {
  private let numbers: [Int64]

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    numbers = [
      Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
      Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
    ]
  }
}
