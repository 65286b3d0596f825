// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryTrace
import Synchronization
import Testing

/// Chunks are written on a thread of their own: in order, within bounded memory, and with every
/// message either in the file or counted as lost.
///
/// Method: a disk that lets each write go on only when the test says so.
@Suite struct ChunkQueueTests {
  /// The caller has one of the sixty-four buffers.
  private static let queuedMax = 63

  @Test func slowWriteDoesNotHoldTheCaller() throws {
    let folder = TemporaryFolder()
    let disk = SlowDisk()
    let trace = try LooseTrace(folder.file(), calls: disk.calls())
    for sequence in 0..<Self.queuedMax { try trace.write(sequence) }
    #expect(disk.begun.take())
    #expect(try TraceReader(path: folder.file(), mode: .scan).keptMessages() == [])
    disk.permits.give(200)
    try trace.writer.finish()
    #expect(!disk.isOutOfPatience)
    #expect(
      try TraceReader(path: folder.file()).keptMessages()
        == (0..<Self.queuedMax).map { LooseTrace.message($0) })
  }

  /// Four buffers of 27 MiB are within seven eighths of 128 MiB; of 70 MiB there are the two that there
  /// always are.
  @Test(arguments: [(2_000, 64), (27 << 20, 4), (70 << 20, 2)])
  func fullQueueHoldsTheCallerUntilAChunkIsWritten(byteCount: Int, bufferCount: Int) throws {
    let folder = TemporaryFolder()
    let disk = SlowDisk()
    let taken = Permits()
    let takenCount = Atomic<Int>(0)
    let messageCount = bufferCount + 2
    let trace = try LooseTrace(
      folder.file(), memoryBytes: 128 << 20, calls: disk.calls(SlowDisk.bottomless))
    nonisolated(unsafe) let caller = trace
    let thread = try BackgroundThread {
      let message = LooseTrace.message(0, byteCount: byteCount).bytes
      for _ in 0..<messageCount {
        guard (try? caller.write(message)) != nil else { return }
        takenCount.add(1, ordering: .sequentiallyConsistent)
        taken.give()
      }
    }
    for written in 0..<3 {
      for _ in 0..<(written == 0 ? bufferCount - 1 : 1) { #expect(taken.take()) }
      // Time for one write too many, which copies its message into fresh memory.
      usleep(byteCount > 1 << 20 ? 300_000 : 50_000)
      #expect(takenCount.load(ordering: .sequentiallyConsistent) == bufferCount - 1 + written)
      disk.permits.give()
    }
    disk.permits.give(messageCount)
    thread.join()
    #expect(trace.writer.statistics.messageCount == UInt64(messageCount))
    #expect(!disk.isOutOfPatience)
  }

  @Test(arguments: TraceFailureTests.Fault.allCases, 1...6)
  func failureInTheQueueCountsEveryMessage(
    fault: TraceFailureTests.Fault, failing number: Int
  ) throws {
    let folder = TemporaryFolder()
    let disk = SlowDisk()
    let first = LooseTrace.firstWrites
    let failing = TraceFailureTests.failing(fault, at: first + number, errno: EIO)
    let trace = try LooseTrace(folder.file(), calls: disk.calls(failing))
    for sequence in 0..<6 { try trace.write(sequence) }
    try trace.write(6, byteCount: 10)
    disk.permits.give(200)
    // Waits until the writer's thread has nothing more to do.
    #expect(trace.writer.statistics.messageCount == UInt64(number - 1))
    let error = try #require(throws: TraceError.self) { try trace.write(7) }
    let failure = try #require(error.writeFailure)
    #expect(failure.cause.errno == EIO)
    #expect(failure.messagesKept == UInt64(number - 1))
    #expect(failure.messagesLost == UInt64(7 - (number - 1)))
    #expect(failure.isFinished == (fault == .once))
    let all = (0..<6).map { LooseTrace.message($0) }
    try TraceFailureTests.check(failure, folder.file(), prefixOf: all)

    let after = bytes(of: folder.file())
    #expect(throws: error) { try trace.writer.flush() }
    #expect(throws: error) { try trace.writer.addMetadata(name: "m", [:]) }
    #expect(throws: error) { try trace.writer.finish() }
    #expect(bytes(of: folder.file()) == after)
    #expect(!disk.isOutOfPatience)
  }

  @Test func finishReportsAFailureInTheQueue() throws {
    let folder = TemporaryFolder()
    let disk = SlowDisk()
    let failing = TraceFailureTests.failing(.once, at: 4, errno: ENOSPC)
    let trace = try LooseTrace(folder.file(), calls: disk.calls(failing))
    for sequence in 0..<4 { try trace.write(sequence) }
    disk.permits.give(200)
    let error = #expect(throws: TraceError.self) { try trace.writer.finish() }
    let failure = try #require(error?.writeFailure)
    #expect(failure.messagesKept == 1)
    #expect(failure.messagesLost == 3)
    #expect(failure.isFinished)
    #expect(try TraceReader(path: folder.file()).keptMessages() == [LooseTrace.message(0)])
  }

  @Test func callerThatWaitsForABufferLearnsOfAFailure() throws {
    let folder = TemporaryFolder()
    let disk = SlowDisk()
    let failing = TraceFailureTests.failing(.always, at: 3, errno: EIO)
    let trace = try LooseTrace(folder.file(), calls: disk.calls(failing))
    for sequence in 0..<Self.queuedMax { try trace.write(sequence) }
    let releaser = try BackgroundThread {
      usleep(50_000)
      disk.permits.give(200)
    }
    let error = #expect(throws: TraceError.self) { try trace.write(Self.queuedMax) }
    releaser.join()
    // It was taken before there was no buffer, or the failure came first.
    let lost = try #require(error?.writeFailure).messagesLost
    #expect(lost == UInt64(Self.queuedMax + 1) || lost == UInt64(Self.queuedMax))
    #expect(trace.writer.messageCount == lost)
  }

  enum Ending: CaseIterable { case unfinished, finished, failed }

  @Test(arguments: Ending.allCases)
  func writerThatGoesTakesItsThreadAlong(ending: Ending) throws {
    let folder = TemporaryFolder()
    weak var held: SlowDisk?
    do {
      let disk = SlowDisk()
      held = disk
      let calls: TraceSystemCalls =
        ending == .failed ? TraceFailureTests.failing(.always, at: 5, errno: EIO) : .live
      let trace = try LooseTrace(folder.file(), calls: disk.calls(calls))
      for sequence in 0..<5 { try trace.write(sequence) }
      disk.permits.give(200)
      if ending == .finished { try trace.writer.finish() }
    }
    // The thread holds the calls that hold the disk.
    #expect(held == nil)
    let kept = try TraceReader(path: folder.file(), mode: .scan).keptMessages()
    #expect(kept.count == (ending == .failed ? 2 : 5))
  }

  @Test(arguments: TraceCompression.allCases)
  func slowDiskGetsTheSameBytes(compression: TraceCompression) throws {
    let folder = TemporaryFolder()
    var calls = TraceSystemCalls.live
    calls.write = { descriptor, bytes, offset in
      usleep(2_000)
      return TraceSystemCalls.live.write(descriptor, bytes, offset)
    }
    try SmallTrace.write(to: folder.file(), compression: compression, calls: calls)
    #expect(bytes(of: folder.file()) == (try SmallTrace.bytes(compression)))
  }

  /// A limit on memory says how many threads may compress, and there may be nothing to compress.
  @Test func tracesAreWrittenWithinALimitOnMemory() async {
    await #expect(processExitsWith: .success) {
      try MemoryLimit.set(8 << 30, argument: "8G", kind: .command) { _ in exit(2) }
      for compression in TraceCompression.allCases {
        let reader = try TraceReader(bytes: SmallTrace.bytes(compression))
        guard try reader.keptMessages() == SmallTrace.written else { exit(3) }
      }
    }
  }

  /// A process that is killed leaves what is in the file at that moment.
  @Test func fileCanBeReadInTheMiddleOfEveryWrite() throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    var calls = TraceSystemCalls.live
    nonisolated(unsafe) var keptCounts: [Int?] = []
    calls.write = { descriptor, bytes, offset in
      // Half of the bytes first; the writer comes again for the rest.
      let half = UnsafeRawBufferPointer(rebasing: bytes[..<((bytes.count + 1) / 2)])
      let written = TraceSystemCalls.live.write(descriptor, half, offset)
      if offset > 0 {
        let reader = try? TraceReader(path: path, mode: .scan)
        keptCounts.append((try? reader?.keptMessages())?.count)
      }
      return written
    }
    let trace = try LooseTrace(path, calls: calls)
    for sequence in 0..<20 { try trace.write(sequence) }
    try trace.writer.flush()
    #expect(keptCounts.allSatisfy { $0 != nil })
    let counts = keptCounts.compactMap { $0 }
    #expect(counts == counts.sorted())
    #expect(Set(counts).isSuperset(of: 0...20))
  }
}
