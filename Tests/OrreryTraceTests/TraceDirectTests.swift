// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryTrace
import Testing

/// Goal: writes past the page cache, several at a time, give the same file as one after another; whatever
/// fails, what was kept can be read; and from the first chunk on the file opens at any moment.
///
/// Method: the real queues, and one whose writes end in any order, with faults.
@Suite struct TraceDirectTests {
  enum Queue: CaseIterable { case ring, threads, anyOrder }

  private static func calls(_ queue: Queue) -> TraceSystemCalls {
    var calls = TraceSystemCalls.direct
    switch queue {
    case .ring: break
    case .threads: calls.makeQueue = { ThreadWriteQueue($0, depth: $1) }
    case .anyOrder: calls = FaultyQueue.calls()
    }
    return calls
  }

  /// Messages of all sizes around a block and around a piece of a write.
  private static let sizes = [1, 4_000, 4_096, 70_000, 1 << 20, 9 << 20, 10, 300_000, 4_095]

  private static func write(
    _ path: String, compression: TraceCompression, calls: TraceSystemCalls,
    clock: @escaping () -> UInt64 = { 0 }, compressorCount: Int? = nil
  ) throws(TraceError) {
    var options = TraceOptions()
    options.compression = compression
    options.chunkBytes = 200_000
    options.compressorCount = compressorCount
    let writer = try TraceWriter(path: path, options: options, clock: clock, calls: calls)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    for number in messages.indices {
      try writer.write(
        TraceMessageHead(
          channel, sequence: UInt64(number), logTimeNs: UInt64(number), publishTimeNs: 1),
        bytes: messages[number])
      if number == 4 { try writer.addMetadata(name: "m", ["k": "v"]) }
    }
    try writer.finish()
  }

  private static func message(_ number: Int, _ size: Int) -> [UInt8] {
    // Half of them can be compressed.
    number % 2 == 0 ? noise(size, seed: UInt64(number)) : (0..<size).map { UInt8($0 / 64 % 251) }
  }

  private static let messages = sizes.enumerated().map { message($0, $1) }

  private static let kept: [KeptMessage] = messages.indices.map { number in
    KeptMessage(
      topic: "/t", sequence: UInt32(number), logTimeNs: UInt64(number), publishTimeNs: 1,
      bytes: messages[number])
  }

  @Test(arguments: Queue.allCases, TraceCompression.allCases)
  func bytesAreThoseOfWritesThroughTheCache(queue: Queue, compression: TraceCompression) throws {
    let folder = TemporaryFolder()
    try Self.write(folder.file("a"), compression: compression, calls: .live)
    try Self.write(
      folder.file("b"), compression: compression, calls: Self.calls(queue), compressorCount: 2)
    #expect(bytes(of: folder.file("a")) == bytes(of: folder.file("b")))
    #expect(try TraceReader(path: folder.file("b")).keptMessages() == Self.kept)
  }

  @Test(arguments: FaultyQueue.Fault.allCases, [false, true])
  func everyFaultyWriteIsMadeGoodOrReported(fault: FaultyQueue.Fault, lasts: Bool) throws {
    let isMendable = !lasts && fault != .error && fault != .refused
    for number in [1, 2, 3, 5, 6, 9, 30] {
      let folder = TemporaryFolder()
      let plan = FaultyQueue.Plan(fault: fault, number: number, lasts: lasts)
      do {
        try Self.write(
          folder.file(), compression: .none, calls: FaultyQueue.calls(seed: 7, plan: plan))
        #expect(try TraceReader(path: folder.file()).keptMessages() == Self.kept)
      } catch {
        let failure = try #require(error.writeFailure)
        #expect(!isMendable, "\(fault) \(number): \(error)")
        #expect(failure.isFinished)
        try TraceFailureTests.check(failure, folder.file(), prefixOf: Self.kept)
      }
    }
  }

  /// A file that can no longer be written at all says what it has: no more than was written.
  @Test func brokenDiskLeavesWhatWasWritten() throws {
    for number in 2...6 {
      let folder = TemporaryFolder()
      var calls = FaultyQueue.calls(
        seed: 3, plan: .init(fault: .error, number: number, lasts: true))
      let live = TraceSystemCalls.live
      nonisolated(unsafe) var isBroken = false
      let makeQueue = calls.makeQueue
      calls.makeQueue = { descriptor, depth in makeQueue(descriptor, depth) }
      calls.bypassCache = { _, bypasses in
        // The cache is gone back to only after a failure here.
        if !bypasses { isBroken = true }
        return 0
      }
      calls.write = { descriptor, bytes, offset in
        guard isBroken else { return live.write(descriptor, bytes, offset) }
        errno = EIO
        return -1
      }
      let error = try #require(throws: TraceError.self) {
        try Self.write(folder.file(), compression: .none, calls: calls)
      }
      let failure = try #require(error.writeFailure)
      #expect(!failure.isFinished)
      let kept = try TraceReader(path: folder.file(), mode: .scan).keptMessages()
      #expect(kept == Array(Self.kept.prefix(kept.count)))
      #expect(kept.count == Int(failure.messagesKept))
    }
  }

  /// Nothing is lost that an earlier summary had.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func fileOpensAtEveryMoment(seed: UInt64) throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    nonisolated(unsafe) var (counts, failures): ([UInt64], Int) = ([], 0)
    let look = {
      guard let reader = SeekingReader(path) else { return failures += 1 }
      counts.append(reader.messageCount)
    }
    var calls = FaultyQueue.calls(seed: seed, afterWrite: look)
    calls.write = { descriptor, bytes, offset in
      let written = TraceSystemCalls.live.write(descriptor, bytes, offset)
      if !counts.isEmpty || offset > 0 { look() }
      return written
    }
    nonisolated(unsafe) var now: UInt64 = 0
    let writer = try TraceWriter(path: path, chunkBytes: 30_000, clock: { now }, calls: calls)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    for number in 0..<40 {
      now += 200_000_000
      try writer.write(
        TraceMessageHead(channel, sequence: UInt64(number), logTimeNs: 1, publishTimeNs: 1),
        bytes: noise(20_000, seed: seed))
      // Some are under way together, and some alone.
      if number % 3 == 0 { try writer.flush() }
    }
    try writer.flush()
    #expect(counts == counts.sorted())
    #expect(Set(counts).count > 5)
    // Before the header there is nothing to open, and no more than that.
    #expect(failures <= 1)
    try writer.finish()
    #expect(try TraceReader(path: path).keptMessages().count == 40)
  }

  /// A recorder that is killed leaves a trace, if only its beginning, and no file of zeros.
  @Test(arguments: [true, false])
  func fileBeginsAsATraceAtEveryMoment(isDirect: Bool) throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    nonisolated(unsafe) var found: [String] = []
    var calls = isDirect ? FaultyQueue.calls(seed: 3) : .live
    calls.write = { descriptor, bytes, offset in
      let written = TraceSystemCalls.live.write(descriptor, bytes, offset)
      let file = FileManager.default.contents(atPath: path).map {
        try? TraceArchiveFile(bytes: Array($0))
      }
      found.append(file??.state.word ?? "none")
      return written
    }
    let writer = try TraceWriter(path: path, clock: { 0 }, calls: calls)
    try writer.finish()
    #expect(
      found.count > 1 && found.first == "unfinished" && !found.contains("damaged"), "\(found)")
    #expect(!found.contains("none"), "\(found)")
  }

  /// The summary at a file's new end has every chunk that is in the file then, also those that were under way before.
  @Test func summaryOfALongerFileHasAllItsChunks() throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    nonisolated(unsafe) var (summed, scanned): ([Int], [Int]) = ([], [])
    nonisolated(unsafe) var (newest, isLonger) = (0, false)
    var calls = FaultyQueue.calls(seed: 5)
    calls.write = { descriptor, bytes, offset in
      let written = TraceSystemCalls.live.write(descriptor, bytes, offset)
      if offset > newest {
        newest = offset
        isLonger = true
      } else if isLonger {
        // The bytes after the last whole block follow the summary.
        isLonger = false
        summed.append(SeekingReader(path).map { Int($0.messageCount) } ?? 0)
        let reader = try? TraceReader(path: path, mode: .scan)
        scanned.append((try? reader?.keptMessages())?.count ?? 0)
      }
      return written
    }
    let writer = try TraceWriter(path: path, chunkBytes: 1, clock: { 0 }, calls: calls)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    // Two and a half times the room that the file takes at once.
    let message = noise(8 << 20, seed: 1)
    for number in 0..<20 {
      try writer.write(
        TraceMessageHead(channel, sequence: UInt64(number), logTimeNs: 1, publishTimeNs: 1),
        bytes: message)
    }
    try writer.finish()
    #expect(summed.count > 2 && summed == scanned, "\(summed) in summaries, \(scanned) in the file")
  }

  @Test func fileThroughTheCacheOpensAtEveryMomentFromItsFirstSummaryOn() throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    nonisolated(unsafe) var (opened, failures) = (0, 0)
    var calls = TraceSystemCalls.live
    calls.write = { descriptor, bytes, offset in
      let written = TraceSystemCalls.live.write(descriptor, bytes, offset)
      let reader = SeekingReader(path)
      if reader != nil { opened += 1 } else if opened > 0 { failures += 1 }
      return written
    }
    nonisolated(unsafe) var now: UInt64 = 0
    let writer = try TraceWriter(path: path, chunkBytes: 90_000, clock: { now }, calls: calls)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    let message = noise(100_000, seed: 1)
    // More than the room that it takes at a time.
    for number in 0..<60 {
      now += 200_000_000
      try writer.write(
        TraceMessageHead(channel, sequence: UInt64(number), logTimeNs: 1, publishTimeNs: 1),
        bytes: message)
    }
    try writer.finish()
    #expect(failures == 0)
    #expect(opened > 100)
    #expect(try TraceReader(path: path).keptMessages().count == 60)
  }

  @Test func longCopiesHaveTheSumOfShortOnes() {
    let source = noise(70_000, seed: 9)
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 140_000, alignment: 64)
    defer { target.deallocate() }
    for pastCaches in [false, true] {
      for (shift, skipped) in [(0, 0), (1, 3), (31, 0), (33, 17)] {
        for count in [0, 1, 255, 1_023, 1_024, 1_280, 4_097, 65_536, 69_000] {
          var copied = [7, 8 as UInt8].withUnsafeBytes { Checksum($0) }
          source.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress, let to = target.baseAddress else { return }
            copied.copy(from + skipped, to: to + shift, byteCount: count, pastCaches: pastCaches)
          }
          let expected = ([7, 8 as UInt8] + source[skipped..<(skipped + count)]).withUnsafeBytes {
            Checksum($0)
          }
          #expect(copied == expected)
          #expect(
            target[shift..<(shift + count)].elementsEqual(source[skipped..<(skipped + count)]))
        }
      }
    }
  }
}

/// Goal: a queue of threads does each write, however few may be under way.
@Suite struct ThreadWriteQueueTests {
  @Test(arguments: [1, 2, 9])
  func everyWriteIsDoneAtAnyDepth(depth: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let queue = try #require(ThreadWriteQueue(descriptor, depth: depth))
    let written: [UInt8] = [7, 8, 9]
    let ends = written.withUnsafeBytes { written in
      for place in written.indices {
        let byte = UnsafeRawBufferPointer(rebasing: written[place...place])
        #expect(queue.begin(byte, at: place, tag: UInt64(place)) == 0)
      }
      return written.indices.map { _ in queue.wait() }
    }
    #expect(ends.map(\.tag).sorted() == [0, 1, 2])
    #expect(ends.map(\.result) == [1, 1, 1])
    #expect(bytes(of: path) == written)
  }
}

/// Does each write when it is waited for, and hands over where in memory it begins.
private final class WatchedQueue: TraceWriteQueue {
  private let descriptor: CInt
  private let watch: (UnsafeRawPointer?) -> Void
  private var jobs: [(bytes: UnsafeRawBufferPointer, offset: Int, tag: UInt64)] = []

  init(_ descriptor: CInt, watch: @escaping (UnsafeRawPointer?) -> Void) {
    (self.descriptor, self.watch) = (descriptor, watch)
  }

  func begin(_ bytes: UnsafeRawBufferPointer, at offset: Int, tag: UInt64) -> CInt {
    watch(bytes.baseAddress)
    jobs.append((bytes, offset, tag))
    return 0
  }

  func wait() -> (tag: UInt64, result: Int) {
    let job = jobs.removeFirst()
    return (job.tag, pwrite(descriptor, job.bytes.baseAddress, job.bytes.count, job.offset))
  }
}

/// Goal: a chunk that is not compressed is written from where it was built.
@Suite struct TraceBlockTests {
  private typealias Measure = @convention(c) (UnsafeMutableRawPointer?) -> Int

  /// A chunk's own memory has room for 4 MiB; that of a copy ends with the chunk.
  @Test func chunksAreNotCopied() throws {
    let measure = unsafeBitCast(
      try #require(dlsym(nil, "malloc_usable_size")), to: Measure.self)
    let folder = TemporaryFolder()
    nonisolated(unsafe) var isWatched = false
    nonisolated(unsafe) var sizes: [Int] = []
    var calls = TraceSystemCalls.live
    calls.bypassCache = { _, _ in 0 }
    calls.makeQueue = { descriptor, _ in
      WatchedQueue(descriptor) { start in
        if isWatched { sizes.append(measure(UnsafeMutableRawPointer(mutating: start))) }
      }
    }
    let writer = try TraceWriter(path: folder.file(), clock: { 0 }, calls: calls)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    for number in 0..<4 as Range<UInt64> {
      try writer.write(
        TraceMessageHead(channel, sequence: number, logTimeNs: number, publishTimeNs: 1),
        bytes: noise(10_000, seed: number))
      try writer.flush()
      // The first block of the first chunk is written on its own.
      isWatched = true
    }
    isWatched = false
    try writer.finish()
    #expect(sizes.count == 3)
    #expect(sizes.allSatisfy { $0 >= 4 << 20 }, "\(sizes)")
  }
}
