// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whether two paths lead to one file.
enum SameFile {
  static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}
