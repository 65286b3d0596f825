// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase

/// Keeps what is written to standard error from the screen of a terminal, and writes it when it is released.
final class HeldErrors {
  private let before: FileDescriptor
  private let held: FileDescriptor

  /// Begins to keep it; nil where standard error is no terminal, or there is no memory.
  init?() {
    let copy = isatty(STDERR_FILENO) == 1 ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1
    guard copy >= 0 else { return nil }
    before = FileDescriptor(owning: copy)
    let memory = linux_memory_file("orrery-errors")
    guard memory >= 0 else { return nil }
    held = FileDescriptor(owning: memory)
    dup2(held.number, STDERR_FILENO)
  }

  deinit {
    dup2(before.number, STDERR_FILENO)
    let count = max(lseek(held.number, 0, SEEK_CUR), 0)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      filled = max(pread(held.number, bytes.baseAddress, count, 0), 0)
    }
    Standard.error(String(decoding: bytes, as: UTF8.self))
  }
}
