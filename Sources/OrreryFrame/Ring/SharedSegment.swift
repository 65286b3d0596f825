// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase

/// An owned mapping of shared memory, unmapped when this value is destroyed.
package struct SharedSegment: ~Copyable, @unchecked Sendable {
  /// Start of the mapping, page-aligned.
  package let base: UnsafeMutableRawPointer

  /// Length of the mapping.
  package let bytes: UInt64

  /// Makes a memory file of zeros.
  ///
  /// - Parameters:
  ///   - bytes: Its length.
  ///   - name: What the kernel lists it as.
  /// - Returns: The file.
  /// - Throws: `FrameError.notEnoughMemory`, or `FrameError.system`.
  package static func makeFile(
    bytes: UInt64, name: String = "orrery-ring"
  ) throws(FrameError) -> FileDescriptor {
    let available = Memory.availableBytes()
    guard bytes <= available else {
      throw .notEnoughMemory(needed: bytes, available: available)
    }
    do throws(SystemCallError) {
      let file = FileDescriptor(
        owning: try systemCall("memfd_create", name) { linux_memory_file(name) })
      try systemCall("ftruncate", name) { ftruncate(file.number, off_t(bytes)) }
      return file
    } catch {
      throw .system(error)
    }
  }

  /// Maps a file for its only writer, reserves its pages, and then forbids other writing and all
  /// resizing.
  ///
  /// All pages are reserved before another process maps them, so running out of memory is an error
  /// here and never a SIGBUS later.
  ///
  /// - Parameters:
  ///   - file: From `makeFile`, or a named one, which cannot be sealed.
  ///   - bytes: Its length.
  ///   - isSealed: Whether to forbid that.
  /// - Throws: `FrameError.system`.
  package init(
    writing file: borrowing FileDescriptor, bytes: UInt64, isSealed: Bool = true
  ) throws(FrameError) {
    let base: UnsafeMutableRawPointer
    do throws(SystemCallError) {
      base = try Self.map(file.number, bytes: bytes, protection: PROT_READ | PROT_WRITE, flags: 0)
    } catch {
      throw .system(error)
    }
    // If the kernel gives shared memory huge pages on request, it uses the request of the mapping
    // that touches a page first.
    Memory.preferHugePages(base, bytes: Int(bytes))
    Self.populate(base, Int(bytes))
    let failure = posix_fallocate(file.number, 0, off_t(bytes))
    guard failure == 0 else {
      munmap(base, Int(bytes))
      throw .system(
        SystemCallError(call: "posix_fallocate", path: Self.name, errno: failure))
    }
    guard !isSealed || linux_seal_against_readers(file.number) == 0 else {
      let number = errno
      munmap(base, Int(bytes))
      throw .system(SystemCallError(call: "fcntl", path: Self.name, errno: number))
    }
    self.base = base
    self.bytes = bytes
  }

  /// Maps a file for reading.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - bytes: Its length, from the sim.
  ///   - isSealed: Whether it must be sealed. A named file cannot be, and its user is trusted not
  ///     to shrink it.
  /// - Throws: `FrameError.notSealed` if its maker could still shrink it, `corruptHeader` if its
  ///   length is another one, or `system`.
  package init(
    reading file: borrowing FileDescriptor, bytes: UInt64, isSealed: Bool = true
  ) throws(FrameError) {
    guard !isSealed || linux_is_sealed_against_resizing(file.number) == 1 else { throw .notSealed }
    var status = stat()
    guard fstat(file.number, &status) == 0, UInt64(status.st_size) == bytes else {
      throw .corruptHeader(field: "segment_bytes", value: bytes)
    }
    do throws(SystemCallError) {
      base = try Self.map(
        file.number, bytes: bytes, protection: PROT_READ, flags: MAP_POPULATE)
      self.bytes = bytes
    } catch {
      throw .system(error)
    }
  }

  /// Touches all pages: each processor a part of a large segment, since the kernel clears page by page.
  ///
  /// If it cannot, pages are touched later, one by one.
  private static func populate(_ base: UnsafeMutableRawPointer, _ bytes: Int) {
    let address = UInt(bitPattern: base)
    let share = max(bytes / Processors.count, partBytesMin) / partAlignment * partAlignment
    BackgroundThread.concurrently((bytes + share - 1) / share) { index in
      let start = index * share
      let part = UnsafeMutableRawPointer(bitPattern: address + UInt(start))
      _ = madvise(part, min(share, bytes - start), populateForWriting)
    }
  }

  /// Parts begin where a huge page may.
  private static let partAlignment = 2 << 20
  /// Less is touched before a thread is started.
  private static let partBytesMin = 64 << 20

  private static func map(
    _ descriptor: CInt, bytes: UInt64, protection: CInt, flags: CInt
  ) throws(SystemCallError) -> UnsafeMutableRawPointer {
    let base = mmap(nil, Int(bytes), protection, MAP_SHARED | flags, descriptor, 0)
    guard let base, base != MAP_FAILED else {
      throw SystemCallError(call: "mmap", path: Self.name, errno: errno)
    }
    return base
  }

  deinit { munmap(base, Int(bytes)) }

  /// MADV_POPULATE_WRITE: touches all pages, or fails if memory is short or the kernel older than
  /// 5.14.
  ///
  /// glibc's headers of Debian 12 have it, but Swift does not see it everywhere.
  private static let populateForWriting: CInt = 23

  /// Name of the file in errors.
  private static let name = "frame ring"
}
