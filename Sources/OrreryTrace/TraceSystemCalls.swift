// SPDX-License-Identifier: Apache-2.0

import CLinux
import CTrace
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

  /// fdatasync(2).
  package var sync: (_ descriptor: CInt) -> CInt

  /// Largest file this process may write, in bytes.
  package var fileSizeLimit: () -> UInt64

  /// Free bytes of the file system, and its size in bytes; nil if unknown.
  package var freeSpace: (_ descriptor: CInt) -> (available: UInt64, size: UInt64)?

  /// Lets writes bypass the page cache, or go through it again; negative where they cannot.
  package var bypassCache: (_ descriptor: CInt, _ bypasses: Bool) -> CInt

  /// A queue of up to `depth` writes at the same time; nil if there is none.
  package var makeQueue: (_ descriptor: CInt, _ depth: Int) -> (any TraceWriteQueue)?

  /// Whether a path does not lead to the file.
  package var isLost: (_ file: FileIdentity, _ path: String) -> Bool = { $0.isLost(at: $1) }

  /// The real ones through the page cache: each write is `write`.
  package static var live: TraceSystemCalls {
    TraceSystemCalls(
      write: { pwrite($0, $1.baseAddress, $1.count, $2) },
      reserve: { linux_reserve($0, $1, $2) },
      truncate: { ftruncate($0, $1) },
      sync: { fdatasync($0) },
      fileSizeLimit: {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
          return UInt64.max
        }
        return UInt64(limit.rlim_cur)
      },
      freeSpace: {
        var (available, size): (UInt64, UInt64) = (0, 0)
        return trace_free_space($0, &available, &size) == 0 ? (available, size) : nil
      },
      bypassCache: { _, _ in
        errno = EINVAL
        return -1
      },
      makeQueue: { _, _ in nil })
  }

  /// The real ones past the page cache where the file system can: several writes are under way, by
  /// io_uring, or by threads where the kernel refuses it.
  package static var direct: TraceSystemCalls {
    var calls = live
    calls.bypassCache = { trace_bypass_cache($0, $1 ? 1 : 0) }
    calls.makeQueue = { RingWriteQueue($0, depth: $1) ?? ThreadWriteQueue($0, depth: $1) }
    return calls
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
