// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A system call that failed: which one, on what, and why.
package struct SystemCallError: ExitStatusError, Equatable, CustomStringConvertible {
  /// Name of the call, as in its manual page.
  package let call: String

  /// Object of the call: a path, a socket's name, or a short description.
  package let path: String

  /// The error number of the call.
  package let errno: CInt

  package init(call: String, path: String, errno: CInt) {
    self.call = call
    self.path = path
    self.errno = errno
  }

  package var description: String {
    "\(path): \(call): \(String(cString: strerror(errno)))"
  }
}

extension SystemCallError {
  /// Whether this process or this machine is out of memory, descriptors, threads or processes.
  package var isShortage: Bool {
    switch errno {
    case ENOMEM, ENOBUFS, EMFILE, ENFILE: true
    // Other calls say so where they would have to wait.
    case EAGAIN: ["pthread_create", "posix_spawn", "fork"].contains(call)
    default: false
    }
  }

  /// Exit code of a program that cannot go on without the file, directory, socket or thread.
  package var exitStatus: ExitStatus {
    switch errno {
    case _ where isShortage: .resource
    case EACCES, EPERM, ELOOP: .notPermitted
    case EIO, ENOSPC, EDQUOT, EFBIG, EROFS: .inputOutput
    default: .unavailable
    }
  }
}

/// Repeats `body` while it is interrupted, and throws if it fails.
///
/// - Parameters:
///   - call: Name of the call, for the error.
///   - path: Object of the call, for the error.
///   - body: The call; a negative result means that `errno` says why.
/// - Returns: The result, not negative.
/// - Throws: `SystemCallError` for every errno but EINTR, EBADF and EFAULT; the last two are bugs and trap.
@discardableResult
package func systemCall<Result: SignedInteger>(
  _ call: String, _ path: String, _ body: () -> Result
) throws(SystemCallError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    let number = errno
    if number == EINTR { continue }
    precondition(number != EBADF && number != EFAULT, "\(call) on \(path): errno \(number)")
    throw SystemCallError(call: call, path: path, errno: number)
  }
}
