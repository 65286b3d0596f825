// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import OrreryTrace
import Testing

/// A trace that can no longer be written is reported with its numbers, and what was kept can be read.
///
/// Method: let the n-th system call fail, for every n; then the same with real limits and a real full
/// disk, in processes of their own.
@Suite struct TraceFailureTests {
  /// How writes go wrong from the n-th on.
  enum Fault: CaseIterable {
    /// Once, with nothing written.
    case once
    /// For ever, with nothing written.
    case always
    /// For ever, with half of the bytes written first.
    case alwaysAfterHalf
  }

  /// Calls whose n-th write fails.
  static func failing(_ fault: Fault, at n: Int, errno number: CInt) -> TraceSystemCalls {
    var calls = TraceSystemCalls.live
    let live = calls
    nonisolated(unsafe) var count = 0
    calls.write = { descriptor, bytes, offset in
      count += 1
      if count < n || (fault == .once && count > n) {
        return live.write(descriptor, bytes, offset)
      }
      if fault == .alwaysAfterHalf, count == n, bytes.count > 1 {
        let half = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)])
        return live.write(descriptor, half, offset)
      }
      errno = number
      return -1
    }
    return calls
  }

  /// Checks that a file has just what a failure says.
  static func check(
    _ failure: TraceWriteFailure, _ path: String, prefixOf all: [KeptMessage]
  ) throws {
    guard !bytes(of: path).isEmpty else {
      #expect(failure.messagesKept == 0)
      #expect(!failure.isFinished)
      return
    }
    let scan = try TraceReader(path: path, mode: .scan)
    let kept = try scan.keptMessages()
    #expect(kept == Array(all.prefix(kept.count)))
    #expect(kept.count == Int(failure.messagesKept))
    if failure.isFinished {
      #expect(try TraceReader(path: path).keptMessages() == kept)
    } else {
      #expect(scan.ending == .unfinished(.end(offset: failure.offset)))
    }
  }

  @Test(arguments: Fault.allCases)
  func everyFailingWriteLeavesAReadableTrace(fault: Fault) throws {
    var faults = 0
    while true {
      let folder = TemporaryFolder()
      let calls = Self.failing(fault, at: faults + 1, errno: EIO)
      do {
        try SmallTrace.write(to: folder.file(), compression: .none, calls: calls)
        break
      } catch {
        faults += 1
        let failure = try #require(error.writeFailure)
        #expect(failure.cause.errno == EIO)
        #expect(failure.cause.path == folder.file())
        #expect(failure.isFinished == (fault == .once && faults > 1), "write \(faults)")
        try Self.check(failure, folder.file(), prefixOf: SmallTrace.written)
      }
      #expect(faults < 100)
    }
    // Header, metadata, two attachments, chunks, end.
    #expect(faults > 7)
  }

  @Test func nothingIsWrittenAfterAFailure() throws {
    let folder = TemporaryFolder()
    let calls = Self.failing(.once, at: 2, errno: EDQUOT)
    let writer = try TraceWriter(path: folder.file(), calls: calls)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    try writer.write(
      TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1), bytes: [1])
    let expected = TraceError.writeFailed(
      TraceWriteFailure(
        cause: SystemCallError(call: "write", path: folder.file(), errno: EDQUOT), offset: 35,
        byteCount: 142, messagesKept: 0, messagesLost: 1, isFinished: true))
    #expect(throws: expected) { try writer.flush() }
    let after = bytes(of: folder.file())
    #expect(throws: expected) {
      try writer.write(
        TraceMessageHead(channel, sequence: 2, logTimeNs: 1, publishTimeNs: 1), bytes: [1])
    }
    #expect(throws: expected) { try writer.finish() }
    #expect(bytes(of: folder.file()) == after)
  }

  @Test func discardedTraceLeavesNoFile() throws {
    let folder = TemporaryFolder()
    for _ in 0..<2 {
      // The second would not be allowed to overwrite what the first had left.
      let writer = try TraceWriter(path: folder.file())
      _ = try writer.addChannel(TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
      writer.discard()
    }
    #expect(access(folder.file(), F_OK) != 0)
  }

  @Test func shortAndInterruptedWritesAreContinued() throws {
    let folder = TemporaryFolder()
    var calls = TraceSystemCalls.live
    let live = calls
    nonisolated(unsafe) var count = 0
    calls.write = { descriptor, bytes, offset in
      count += 1
      if count % 3 == 0 {
        errno = EINTR
        return -1
      }
      return live.write(
        descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<min(7, bytes.count)]), offset)
    }
    try SmallTrace.write(to: folder.file(), compression: .none, calls: calls)
    #expect(bytes(of: folder.file()) == (try SmallTrace.bytes(.none)))
  }

  @Test(arguments: [true, false])
  func fileSizeLimitIsNeverPassed(canReserve: Bool) throws {
    let whole = try SmallTrace.bytes(.none).count
    for limit in 0...(whole + 1_000) {
      let folder = TemporaryFolder()
      var calls = TraceSystemCalls.live
      calls.fileSizeLimit = { UInt64(limit) }
      if !canReserve {
        calls.reserve = { _, _, _ in
          errno = EOPNOTSUPP
          return -1
        }
      }
      do {
        try SmallTrace.write(to: folder.file(), compression: .none, calls: calls)
      } catch {
        let failure = try #require(error.writeFailure)
        #expect(failure.cause.errno == EFBIG)
        #expect(failure.isFinished == (failure.offset > 0))
        try Self.check(failure, folder.file(), prefixOf: SmallTrace.written)
      }
      #expect(bytes(of: folder.file()).count <= limit)
    }
  }

  /// Room for the summary is reserved before each record: wherever the disk is full, the summary still fits.
  @Test func fullDiskOfAnySizeLeavesAWholeTrace() throws {
    let whole = try SmallTrace.bytes(.none).count
    for size in stride(from: 0, through: whole + 500, by: 5) {
      let folder = TemporaryFolder()
      do {
        try SmallTrace.write(
          to: folder.file(), compression: .none, calls: Self.disk(of: size, reserves: true))
        #expect(size >= whole)
      } catch {
        let failure = try #require(error.writeFailure)
        #expect(failure.cause.errno == ENOSPC)
        #expect(failure.cause.call == "fallocate")
        try #require(failure.isFinished == (failure.offset > 0), "a disk of \(size) bytes")
        try Self.check(failure, folder.file(), prefixOf: SmallTrace.written)
      }
      #expect(bytes(of: folder.file()).count <= size)
    }
  }

  /// Where nothing can be reserved, a full disk may leave no room for the summary: what is there can be read.
  @Test func fullDiskThatReservesNothingLeavesAReadableTrace() throws {
    let whole = try SmallTrace.bytes(.none).count
    var (sizes, unfinished) = (0, 0)
    for size in stride(from: 0, to: whole, by: 11) {
      let folder = TemporaryFolder()
      do {
        try SmallTrace.write(
          to: folder.file(), compression: .none, calls: Self.disk(of: size, reserves: false))
        Issue.record("\(whole) bytes on a disk of \(size)")
      } catch {
        let failure = try #require(error.writeFailure)
        #expect(failure.cause.errno == ENOSPC)
        #expect(failure.cause.call == "write")
        (sizes, unfinished) = (sizes + 1, unfinished + (failure.isFinished ? 0 : 1))
        try Self.check(failure, folder.file(), prefixOf: SmallTrace.written)
      }
    }
    #expect(unfinished > sizes / 2)
  }

  /// Calls on a disk that holds so many bytes, reserved or written.
  static func disk(of size: Int, reserves: Bool) -> TraceSystemCalls {
    var calls = TraceSystemCalls.live
    let live = calls
    calls.reserve = { _, offset, byteCount in
      if reserves, offset + byteCount <= size { return 0 }
      errno = reserves ? ENOSPC : EOPNOTSUPP
      return -1
    }
    calls.write = { descriptor, bytes, offset in
      let room = min(bytes.count, size - offset)
      if room > 0 {
        return live.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<room]), offset)
      }
      errno = ENOSPC
      return -1
    }
    return calls
  }

  @Test func realFileSizeLimitDoesNotEndTheProcess() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 200_000)
      guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(2) }
      guard TraceSystemCalls.live.fileSizeLimit() == 100_000 else { exit(6) }
      let folder = TemporaryFolder()
      let failure = try LargeTrace.fillUntilFailure(folder.file(), calls: .live)
      guard failure.cause.errno == EFBIG, failure.isFinished else { exit(3) }
      // 6111 bytes of chunk and 83 of chunk index each.
      guard failure.messagesKept == 16 else { exit(4) }
      guard try LargeTrace.count(folder.file()) == 16 else { exit(5) }
    }
  }

  @Test(.enabled(if: LargeTrace.mayMount, "mounting a small disk needs CAP_SYS_ADMIN"))
  func fullDiskLeavesAWholeTrace() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = folder.file("trace.mcap")
      let disk = String(path.dropLast("/trace.mcap".utf8.count))
      guard LargeTrace.mountDisk(of: 256 << 10, at: disk) else { exit(2) }
      for canReserve in [true, false] {
        // A file that is replaced keeps its room until the new one has some.
        unlink(path)
        var calls = TraceSystemCalls.live
        if !canReserve {
          calls.reserve = { _, _, _ in
            errno = EOPNOTSUPP
            return -1
          }
        }
        let failure = try LargeTrace.fillUntilFailure(path, calls: calls)
        guard failure.cause.errno == ENOSPC, failure.isFinished else { exit(3) }
        // A checkpoint, whose time depends on the machine, takes room for a summary: up to four messages'.
        guard failure.messagesKept >= 38, failure.messagesKept <= 42 else { exit(4) }
        guard try LargeTrace.count(path) == failure.messagesKept else { exit(5) }
        unlink(path)
      }
      // Small messages: their summary is so large that it fits only where room was reserved for it.
      let reserved = try LargeTrace.fillUntilFailure(path, messageBytes: 100, calls: .live)
      guard reserved.cause.call == "fallocate", reserved.isFinished else { exit(6) }
      guard try LargeTrace.count(path) == reserved.messagesKept else { exit(7) }
      unlink(path)
      var pretending = TraceSystemCalls.live
      pretending.reserve = { _, _, _ in 0 }
      let unreserved = try LargeTrace.fillUntilFailure(path, messageBytes: 100, calls: pretending)
      guard unreserved.cause.call == "write", !unreserved.isFinished else { exit(8) }
      // What is said to be kept can be recovered; how much that is depends on when a summary was written.
      let salvage = TraceSalvage(bytes: try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
      var (found, last) = (UInt64(0), UInt32(0))
      try salvage.run { item in
        if case .message(let message) = item { (found, last) = (found + 1, message.head.sequence) }
      }
      guard unreserved.messagesKept > 0, found >= unreserved.messagesKept else { exit(9) }
      guard found == UInt64(last) else { exit(10) }
      umount(disk)
    }
  }
}

extension TraceError {
  /// What is left of a trace that could not be written on.
  var writeFailure: TraceWriteFailure? {
    if case .writeFailed(let failure) = self { failure } else { nil }
  }
}

/// A trace of large messages, a chunk each, until it can no longer be written.
enum LargeTrace {
  static func fillUntilFailure(
    _ path: String, messageBytes: Int = 6_000, calls: TraceSystemCalls
  ) throws -> TraceWriteFailure {
    let writer = try TraceWriter(path: path, chunkBytes: min(messageBytes, 1_000), calls: calls)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    var sequence: UInt64 = 0
    while true {
      sequence += 1
      do {
        try writer.write(
          TraceMessageHead(channel, sequence: sequence, logTimeNs: 1, publishTimeNs: 1),
          bytes: [UInt8](repeating: UInt8(sequence % 256), count: messageBytes))
      } catch {
        guard let failure = error.writeFailure else { throw error }
        return failure
      }
    }
  }

  static func count(_ path: String) throws -> UInt64 {
    let reader = try TraceReader(path: path)
    try reader.readToEnd()
    return reader.statistics.messageCount
  }

  /// Puts a small disk at `folder`, seen by this thread alone; false if the kernel does not let us.
  static func mountDisk(of byteCount: Int, at folder: String) -> Bool {
    let newMountNamespace: CInt = 0x0002_0000
    typealias Unshare = @convention(c) (CInt) -> CInt
    // glibc hides unshare(2) from Swift.
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "unshare"),
      unsafeBitCast(symbol, to: Unshare.self)(newMountNamespace) == 0
    else { return false }
    let flags = UInt(MS_REC | MS_PRIVATE)
    // In a chroot the root is no mount point and cannot be made private; the disk is unmounted anyway.
    guard mount("none", "/", nil, flags, nil) == 0 || errno == EINVAL else { return false }
    return "size=\(byteCount)".withCString { mount("tmpfs", folder, "tmpfs", 0, $0) } == 0
  }

  /// Whether this process may mount: it has CAP_SYS_ADMIN.
  static var mayMount: Bool {
    let status = String(decoding: bytes(of: "/proc/self/status"), as: UTF8.self)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("CapEff:") }),
      let capabilities = UInt64(line.dropFirst("CapEff:\t".count), radix: 16)
    else { return false }
    return capabilities & 1 << 21 != 0
  }
}
