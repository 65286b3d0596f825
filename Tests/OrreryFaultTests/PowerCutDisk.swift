// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryTrace
import TestSupport

/// A file behind a trace writer's system calls whose power may be cut at any moment.
///
/// Of each sector of 512 bytes the disk then has what the last `fdatasync` left, or what any write since then made of
/// it, whether that write had ended or was under way: writes reach a disk in any order and in parts.
final class PowerCutDisk: Sendable {
  /// What is on the disk after a cut, and what the writer had been told is safe by then.
  struct Cut {
    let bytes: [UInt8]
    /// Messages that were in the file when the last `fdatasync` began that has ended.
    let promisedCount: Int
    /// Messages that had been given to the writer.
    let givenCount: Int
  }

  private struct Write {
    let offset: Int
    let bytes: [UInt8]
    /// Of one that is under way.
    var tag: UInt64?
  }

  private struct State {
    var random: SeededRandom
    /// As of the last `fdatasync`.
    var synced: [UInt8] = []
    /// Since then, in the order in which they began.
    var unsynced: [Write] = []
    /// The size that the file has now.
    var size = 0
    var flushedCount = 0
    var promisedCount = 0
    var givenCount = 0
    var cuts: [Cut] = []
    var callCount = 0
  }

  static let sectorBytes = 512

  private let state: Monitor<State>
  private let cutsMax: Int

  init(seed: UInt64, cutsMax: Int) {
    state = Monitor(State(random: SeededRandom(seed: seed)))
    self.cutsMax = cutsMax
  }

  /// What was on the disk at some moments.
  var cuts: [Cut] { state.read { $0.cuts } }

  /// So many messages were given to the writer.
  func give(_ count: Int) { state.change { $0.givenCount = count } }

  /// So many messages are in the file, as the writer says.
  func flushed(_ count: Int) { state.change { $0.flushedCount = count } }

  /// To be given to a trace writer; `direct`: past the page cache, with several writes at the same time.
  func calls(isDirect: Bool) -> TraceSystemCalls {
    var calls = TraceSystemCalls.live
    calls.write = { [self] _, bytes, offset in
      begin(bytes, at: offset, tag: nil)
      return bytes.count
    }
    calls.reserve = { _, _, _ in 0 }
    calls.truncate = { [self] _, count in
      state.change { $0.size = count }
      return 0
    }
    calls.sync = { [self] _ in
      sync()
      return 0
    }
    calls.fileSizeLimit = { .max }
    calls.freeSpace = { _ in nil }
    if isDirect {
      calls.bypassCache = { _, _ in 0 }
      calls.makeQueue = { [self] _, _ in Queue(self) }
    }
    return calls
  }

  /// Writes that end in any order.
  private final class Queue: TraceWriteQueue {
    private let disk: PowerCutDisk
    private var jobs: [(tag: UInt64, byteCount: Int)] = []

    init(_ disk: PowerCutDisk) { self.disk = disk }

    func begin(_ bytes: UnsafeRawBufferPointer, at offset: Int, tag: UInt64) -> CInt {
      disk.begin(bytes, at: offset, tag: tag)
      jobs.append((tag, bytes.count))
      return 0
    }

    func wait() -> (tag: UInt64, result: Int) {
      let index = disk.state.change { Int.random(in: jobs.indices, using: &$0.random) }
      let job = jobs.remove(at: index)
      disk.end(job.tag)
      return (job.tag, job.byteCount)
    }
  }

  private func begin(_ bytes: UnsafeRawBufferPointer, at offset: Int, tag: UInt64?) {
    state.change { state in
      state.unsynced.append(Write(offset: offset, bytes: Array(bytes), tag: tag))
      state.size = max(state.size, offset + bytes.count)
      mayCut(&state)
    }
  }

  private func end(_ tag: UInt64) {
    state.change { state in
      for index in state.unsynced.indices where state.unsynced[index].tag == tag {
        state.unsynced[index].tag = nil
      }
      mayCut(&state)
    }
  }

  /// Writes that are under way are not waited for.
  private func sync() {
    state.change { state in
      mayCut(&state)
      Self.resize(&state.synced, to: state.size)
      for write in state.unsynced where write.tag == nil {
        Self.put(write.bytes[...], at: write.offset, into: &state.synced)
      }
      state.unsynced.removeAll { $0.tag == nil }
      state.promisedCount = state.flushedCount
      mayCut(&state)
    }
  }

  /// The power goes in one of ten calls, until there are enough cuts.
  private func mayCut(_ state: inout State) {
    state.callCount += 1
    guard state.cuts.count < cutsMax, Int.random(in: 0..<10, using: &state.random) == 0 else {
      return
    }
    var bytes = state.synced
    let isLonger = state.size > bytes.count && Bool.random(using: &state.random)
    if isLonger { Self.resize(&bytes, to: state.size) }
    for write in state.unsynced {
      // A write may be there as a whole, not at all, or in parts.
      let kind = Int.random(in: 0..<3, using: &state.random)
      guard kind != 0 else { continue }
      var at = 0
      while at < write.bytes.count {
        let start = write.offset + at
        let sectorEnd = (start / Self.sectorBytes + 1) * Self.sectorBytes
        let next = min(sectorEnd - write.offset, write.bytes.count)
        if kind == 1 || Bool.random(using: &state.random) {
          Self.put(write.bytes[at..<next], at: start, into: &bytes)
        }
        at = next
      }
    }
    state.cuts.append(
      Cut(bytes: bytes, promisedCount: state.promisedCount, givenCount: state.givenCount))
  }

  private static func resize(_ bytes: inout [UInt8], to size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else if size > bytes.count {
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }
  }

  /// What lies behind the end of the file makes no difference.
  private static func put(_ source: ArraySlice<UInt8>, at offset: Int, into bytes: inout [UInt8]) {
    let count = min(source.count, bytes.count - offset)
    guard count > 0 else { return }
    bytes.replaceSubrange(offset..<offset + count, with: source.prefix(count))
  }
}
