// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The names in a directory.
package enum DirectoryListing {
  /// Reads a directory's names, without `.` and `..`, in no order.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - countMax: Names that are returned at most; more are ignored.
  ///   - isWanted: Called for each name.
  /// - Returns: The wanted names.
  /// - Throws: `SystemCallError` when the directory cannot be opened.
  package static func names(
    in path: String, countMax: Int = .max, where isWanted: (String) -> Bool = { _ in true }
  ) throws(SystemCallError) -> [String] {
    guard let stream = opendir(path) else {
      throw SystemCallError(call: "opendir", path: path, errno: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < countMax, let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != "..", isWanted(name) { names.append(name) }
    }
    return names
  }
}
