// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryTrace

/// A number of permits that threads wait for.
final class Permits: @unchecked Sendable {
  /// In memory of its own: it must not move.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { precondition(sem_init(semaphore, 0, 0) == 0, "sem_init: errno \(errno)") }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func give(_ count: Int = 1) {
    for _ in 0..<count { sem_post(semaphore) }
  }

  /// Waits for a permit; false if none came in twenty seconds, so that a fault does not hang the tests.
  func take() -> Bool {
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += 20
    while sem_timedwait(semaphore, &deadline) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}

/// A disk that takes header and channel of a `LooseTrace`, and nothing more until it is told to.
final class SlowDisk: @unchecked Sendable {
  /// One for each write that may go on.
  let permits = Permits()

  /// One for each write that has begun.
  let begun = Permits()

  /// Whether a write went on without a permit, because nobody gave one; read when the writer is gone.
  private(set) var isOutOfPatience = false
  private var writeCount = 0

  /// `calls`, with writes that wait; the writer makes one at a time.
  func calls(_ calls: TraceSystemCalls = .live) -> TraceSystemCalls {
    var slow = calls
    slow.write = { [self] descriptor, bytes, offset in
      writeCount += 1
      if writeCount > LooseTrace.firstWrites {
        begun.give()
        if !isOutOfPatience, !permits.take() { isOutOfPatience = true }
      }
      return calls.write(descriptor, bytes, offset)
    }
    return slow
  }

  /// Calls that succeed and keep nothing.
  static var bottomless: TraceSystemCalls {
    var calls = TraceSystemCalls.live
    calls.write = { _, bytes, _ in bytes.count }
    calls.reserve = { _, _, _ in 0 }
    return calls
  }
}

/// A trace in which each message but the small ones has a chunk of its own.
struct LooseTrace {
  let writer: TraceWriter
  let channel: TraceChannelID

  /// Writes before the first message: the header, and a chunk with the channel.
  static let firstWrites = 2

  init(_ path: String, memoryBytes: Int = 256 << 20, calls: TraceSystemCalls) throws {
    var options = TraceOptions()
    options.chunkBytes = 1_000
    options.memoryBytes = memoryBytes
    writer = try TraceWriter(path: path, options: options, clock: { 0 }, calls: calls)
    channel = try writer.addChannel(TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    try writer.flush()
  }

  func write(_ sequence: Int, byteCount: Int = 2_000) throws(TraceError) {
    try writer.write(
      TraceMessageHead(channel, sequence: UInt64(sequence), logTimeNs: 1, publishTimeNs: 1),
      bytes: Self.message(sequence, byteCount: byteCount).bytes)
  }

  func write(_ message: [UInt8]) throws(TraceError) {
    try writer.write(
      TraceMessageHead(channel, sequence: 0, logTimeNs: 1, publishTimeNs: 1), bytes: message)
  }

  /// What a message becomes.
  static func message(_ sequence: Int, byteCount: Int = 2_000) -> KeptMessage {
    KeptMessage(
      topic: "/t", sequence: UInt32(sequence), logTimeNs: 1, publishTimeNs: 1,
      bytes: [UInt8](repeating: UInt8(sequence), count: byteCount))
  }
}
