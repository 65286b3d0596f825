// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryTrace
import TestSupport

/// A file in memory behind a trace writer's system calls: slow, short, full, broken or cut off by its
/// process's death, as its seed says.
///
/// The trace writer calls from a thread of its own. What it gets depends only on the number of the call:
/// the scheduler waits until that thread is idle, or holds it up with `isSlow`.
final class SimulatedDisk: Sendable {
  /// What a disk does to its writer.
  struct Faults {
    var writesShort = false
    var interrupts = false
    /// Number of the call from which on writes fail, and how.
    var failsAt: (write: Int, errno: CInt, isLasting: Bool)?
    /// Number of the call from which on room cannot be reserved.
    var reserveFailsAt: Int?
    /// Bytes that it has room for.
    var capacity: Int?
    /// Number of the write in whose midst the process dies.
    var diesAt: Int?

    /// Whether nothing but its size can make a write fail.
    var isOnlyFull: Bool { capacity != nil && failsAt == nil && reserveFailsAt == nil }
  }

  fileprivate struct State {
    var bytes: [UInt8] = []
    var random: SeededRandom
    var faults: Faults
    var writeCount = 0
    var reserveCount = 0
    var isHeldUp = false
    var isDead = false
    var hasFailed = false
    /// A write that was begun, perhaps in several calls, and is not in the file as a whole: where it begins, and
    /// where its next call does.
    var unfinished: (start: Int, next: Int)?
    var hash = StableHash()
  }

  private let state: Monitor<State>

  /// The thread that has made it: what the trace writer does there itself is never held up.
  private let owner = pthread_self()

  init(seed: UInt64, faults: Faults) {
    state = Monitor(State(random: SeededRandom(seed: seed), faults: faults))
  }

  /// Makes writes of the trace writer's thread wait, or lets them go on.
  ///
  /// They must not wait while the writer is flushed or finished.
  func holdUp(_ isHeldUp: Bool) { state.change { $0.isHeldUp = isHeldUp } }

  /// Whether the writer's process is dead: whatever it does now has no effect.
  var isDead: Bool { state.read { $0.isDead } }

  /// The process dies now; what it was writing is lost.
  func die() {
    state.change { state in
      state.isDead = true
      state.isHeldUp = false
    }
  }

  /// Whether a write failed.
  var hasFailed: Bool { state.read { $0.hasFailed } }

  /// Where a write begins of which only a part is in the file; nil if all are there as a whole.
  var tornOffset: Int? { state.read { $0.unfinished?.start } }

  /// What the file holds.
  var bytes: [UInt8] { state.read { $0.bytes } }

  /// Tells apart what was asked of it.
  var hash: UInt64 { state.read { $0.hash.value } }

  /// To be given to a trace writer.
  var calls: TraceSystemCalls {
    var calls = TraceSystemCalls.live
    calls.write = { [self] _, bytes, offset in write(bytes, at: offset) }
    calls.reserve = { [self] _, offset, count in reserve(through: offset + count) }
    calls.truncate = { [self] _, count in truncate(to: count) }
    calls.fileSizeLimit = { .max }
    // It is no file.
    calls.isLost = { _, _ in false }
    return calls
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    let isOwner = pthread_equal(pthread_self(), owner) != 0
    let result: Int = state.wait { (state) -> Int? in
      if state.isHeldUp, !isOwner { return nil }
      if state.isDead { return -Int(EIO) }
      state.writeCount += 1
      state.hash.combine(UInt64(offset) << 32 ^ UInt64(bytes.count))
      let isContinued = state.unfinished?.next == offset
      let start = isContinued ? state.unfinished?.start ?? offset : offset
      let result = state.write(bytes, at: offset)
      let isWhole = result == bytes.count
      state.unfinished = isWhole ? nil : (start, offset + max(0, result))
      return result
    }
    guard result < 0 else { return result }
    if result != -Int(EINTR) { state.change { $0.hasFailed = true } }
    errno = CInt(-result)
    return -1
  }

  private func reserve(through end: Int) -> CInt {
    let number: CInt = state.change { state in
      state.reserveCount += 1
      if let capacity = state.faults.capacity, end > capacity { return ENOSPC }
      guard let first = state.faults.reserveFailsAt, state.reserveCount >= first else { return 0 }
      return ENOSPC
    }
    errno = number
    return number == 0 ? 0 : -1
  }

  private func truncate(to count: Int) -> CInt {
    state.change { state in
      if state.isDead { return }
      if count < state.bytes.count { state.bytes.removeLast(state.bytes.count - count) }
    }
    return 0
  }
}

extension SimulatedDisk.State {
  /// Does one call: the number of bytes written, or a negative errno.
  fileprivate mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    if faults.diesAt == writeCount {
      isDead = true
      store(bytes, Int.random(in: 0...bytes.count, using: &random), at: offset)
      return -Int(EIO)
    }
    if let (first, number, isLasting) = faults.failsAt, writeCount >= first,
      isLasting || writeCount == first
    {
      // A disk may fill up in the midst of a call.
      if number == ENOSPC, writeCount == first, bytes.count > 1 {
        let some = Int.random(in: 1..<bytes.count, using: &random)
        store(bytes, some, at: offset)
        return some
      }
      return -Int(number)
    }
    let room = (faults.capacity ?? .max) - offset
    if room < bytes.count {
      store(bytes, max(room, 0), at: offset)
      return room > 0 ? room : -Int(ENOSPC)
    }
    if faults.interrupts, Int.random(in: 0..<4, using: &random) == 0 { return -Int(EINTR) }
    let isShort = faults.writesShort && bytes.count > 1
    let count = isShort ? Int.random(in: 1...bytes.count, using: &random) : bytes.count
    store(bytes, count, at: offset)
    return count
  }

  private mutating func store(_ source: UnsafeRawBufferPointer, _ count: Int, at offset: Int) {
    if bytes.count < offset + count {
      bytes += [UInt8](repeating: 0, count: offset + count - bytes.count)
    }
    for index in 0..<count { bytes[offset + index] = source[index] }
  }
}
