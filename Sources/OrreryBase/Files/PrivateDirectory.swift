// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Directories that only this user enters.
package enum PrivateDirectory {
  /// Makes a directory of mode 0700, whatever the umask; does nothing if something has its name.
  ///
  /// - Throws: `SystemCallError` of `mkdir`, but for EEXIST.
  package static func make(_ path: String) throws(SystemCallError) {
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw SystemCallError(call: "mkdir", path: path, errno: errno)
    }
    openToOwner(path)
  }

  /// Gives this user all rights in a directory of their own, and nobody else any.
  ///
  /// A directory that was made under a umask such as 177 cannot be entered by its own user.
  package static func openToOwner(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid(), status.st_mode & 0o700 != 0o700
    else { return }
    chmod(path, status.st_mode & 0o7777 | 0o700)
  }
}
