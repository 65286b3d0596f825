// SPDX-License-Identifier: Apache-2.0

import CTrace
import Glibc
import OrreryBase

/// Writes of one file that are under way at the same time; one thread uses it.
package protocol TraceWriteQueue: AnyObject {
  /// Begins a write; the bytes stay where they are until `wait` returns its tag.
  ///
  /// - Returns: 0, or an error number: then nothing was begun.
  func begin(_ bytes: UnsafeRawBufferPointer, at offset: Int, tag: UInt64) -> CInt

  /// Waits for one of the writes that are under way; there is at least one.
  ///
  /// - Returns: Its tag, and its count of bytes or its negative error number.
  func wait() -> (tag: UInt64, result: Int)
}

/// A queue in the kernel; a write that the kernel does not queue is done at once.
final class RingWriteQueue: TraceWriteQueue {
  private let ring: OpaquePointer
  private let descriptor: CInt

  /// Writes that the kernel has, by their tags.
  private var queued: [UInt64: (bytes: UnsafeRawBufferPointer, offset: Int)] = [:]

  /// Writes that were done at once.
  private var done: [(tag: UInt64, result: Int)] = []

  /// Nil if the kernel has none, or refuses it to this process.
  init?(_ descriptor: CInt, depth: Int) {
    guard let ring = trace_ring_make(descriptor, UInt32(depth)) else { return nil }
    (self.ring, self.descriptor) = (ring, descriptor)
  }

  deinit { trace_ring_free(ring) }

  func begin(_ bytes: UnsafeRawBufferPointer, at offset: Int, tag: UInt64) -> CInt {
    guard let start = bytes.baseAddress else { return EINVAL }
    let failure = trace_ring_begin(ring, start, UInt32(bytes.count), UInt64(offset), tag)
    if failure == 0 {
      queued[tag] = (bytes, offset)
      return 0
    }
    if failure == EAGAIN || failure == EBUSY, !queued.isEmpty { return failure }
    done.append((tag, write(bytes, at: offset)))
    return 0
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    let written = pwrite(descriptor, bytes.baseAddress, bytes.count, offset)
    return written < 0 ? -Int(errno) : written
  }

  func wait() -> (tag: UInt64, result: Int) {
    if let first = done.popLast() { return first }
    var tag: UInt64 = 0
    let result = trace_ring_wait(ring, &tag)
    let asked = queued.removeValue(forKey: tag)
    // The kernel cancels a write if it cannot start a thread for it.
    if result == -ECANCELED, let asked { return (tag, write(asked.bytes, at: asked.offset)) }
    return (tag, Int(result))
  }
}

/// A queue of threads that each do one write after another.
package final class ThreadWriteQueue: TraceWriteQueue {
  private struct Job: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
    let offset: Int
    let tag: UInt64
  }

  private struct State {
    var jobs: [Job] = []
    var done: [(tag: UInt64, result: Int)] = []
    var isStopping = false
  }

  private let state: Monitor<State>
  private let threads: [BackgroundThread]

  /// Threads at most: each has one write under way, and a processor only to begin and end it.
  private static let threadCountMax = 8

  /// Nil if the system has no thread left.
  package init?(_ descriptor: CInt, depth: Int) {
    let state = Monitor(State())
    var threads: [BackgroundThread] = []
    for _ in 0..<min(depth, Self.threadCountMax) {
      if let thread = try? BackgroundThread({ Self.serve(descriptor, state) }) {
        threads.append(thread)
      }
    }
    guard !threads.isEmpty else { return nil }
    (self.state, self.threads) = (state, threads)
  }

  deinit {
    state.change { $0.isStopping = true }
    for thread in threads { thread.join() }
  }

  /// See `TraceWriteQueue`.
  package func begin(_ bytes: UnsafeRawBufferPointer, at offset: Int, tag: UInt64) -> CInt {
    state.change { $0.jobs.append(Job(bytes: bytes, offset: offset, tag: tag)) }
    return 0
  }

  /// See `TraceWriteQueue`.
  package func wait() -> (tag: UInt64, result: Int) {
    state.wait { $0.done.isEmpty ? nil : $0.done.removeFirst() }
  }

  private static func serve(_ descriptor: CInt, _ state: Monitor<State>) {
    while true {
      let next: Job?? = state.wait { state in
        if !state.jobs.isEmpty { return .some(.some(state.jobs.removeFirst())) }
        return state.isStopping ? .some(.none) : nil
      }
      guard let job = next ?? nil else { return }
      let written = pwrite(descriptor, job.bytes.baseAddress, job.bytes.count, job.offset)
      let result = written < 0 ? -Int(errno) : written
      state.change { $0.done.append((job.tag, result)) }
    }
  }
}
