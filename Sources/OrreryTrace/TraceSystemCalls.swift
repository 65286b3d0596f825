// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase

/// The system calls that write a trace to disk; tests replace them with failing ones.
///
/// Each returns what its manual page says: negative for a failure that `errno` explains.
package struct TraceSystemCalls {
  /// pwrite(2).
  package var write: (_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int

  /// fallocate(2) that does not change the file's size.
  package var reserve: (_ descriptor: CInt, _ offset: Int, _ byteCount: Int) -> CInt

  /// ftruncate(2).
  package var truncate: (_ descriptor: CInt, _ byteCount: Int) -> CInt

  /// Largest file this process may write, in bytes.
  package var fileSizeLimit: () -> UInt64

  /// The real ones.
  package static var live: TraceSystemCalls {
    TraceSystemCalls(
      write: { pwrite($0, $1.baseAddress, $1.count, $2) },
      reserve: { linux_reserve($0, $1, $2) },
      truncate: { ftruncate($0, $1) },
      fileSizeLimit: {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
          return UInt64.max
        }
        return UInt64(limit.rlim_cur)
      })
  }
}

/// Makes a system call as `systemCall` does, but throws a `TraceError`.
@discardableResult
func traceCall<Result: SignedInteger>(
  _ call: String, _ path: String, _ body: () -> Result
) throws(TraceError) -> Result {
  do throws(SystemCallError) {
    return try systemCall(call, path, body)
  } catch {
    throw .system(error)
  }
}
