// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import OrreryFrame

/// The reading end of one of Orrery's rows.
final class HandoverReader {
  private let task: HandoverTask
  private let index: Int
  private let board: HandoverBoard
  private let reader: FrameReader

  /// Sequence of the last frame that was looked for.
  private var last: UInt64 = 0

  /// - Throws: `Failure` when the board or the ring cannot be had.
  init(
    _ task: HandoverTask, index: Int, board: String, ring: String, ringBytes: UInt64
  ) throws(Failure) {
    self.task = task
    self.index = index
    do {
      self.board = try HandoverBoard(path: board)
      let file = FileDescriptor(
        owning: try systemCall("open", ring) { open(ring, O_RDONLY | O_CLOEXEC) })
      reader = try FrameReader(descriptor: file, segmentBytes: ringBytes)
    } catch {
      throw Failure(.unavailable, error)
    }
  }

  /// Rounds as the writer begins them, until it ends this process.
  func serve() -> Never {
    linux_run_on(CInt(1 + index))
    board.write(.ready, of: index, 1)
    var round: UInt64 = 0
    while true {
      board.waitForRound(after: round)
      round = board.round
      let count = board.count
      board.write(.ready, of: index, round + 1)
      switch task.measure {
      case .latency: readEach(count)
      case .rate, .cost, .remote: readAll(count)
      }
      board.write(.done, of: index, round)
    }
  }

  /// Takes each frame as soon as it is there, and the time.
  private func readEach(_ count: UInt64) {
    let times = board.times(of: index)
    for message in 0..<Int(count) {
      last += 1
      var stamp: UInt64?
      repeat { stamp = receive(last) } while stamp == nil
      times[message] = Int64(linux_counter_after() &- (stamp ?? 0))
      board.write(.had, of: index, last)
    }
    board.write(.received, of: index, count)
  }

  /// The stamp of a frame that was read in place and found whole; nil if it is not there yet.
  @inline(__always) private func receive(_ sequence: UInt64) -> UInt64? {
    let published = task.waiting == .futex ? reader.published : 0
    if case .frame(let view) = reader.acquire(sequence) {
      let stamp = view.stamp()
      if reader.isWhole(view) { return stamp.simTimeNs }
    }
    if task.waiting == .futex {
      reader.wait(after: published, timeoutNs: 1_000_000_000)
    } else {
      linux_spin_hint()
    }
    return nil
  }

  /// Frames between two words to a writer that waits for its readers.
  private static let told: UInt64 = 8

  /// Takes what there is, up to the round's last frame, and counts what was missed.
  private func readAll(_ count: UInt64) {
    let end = last + count
    var received: UInt64 = 0
    let bytes = Int(reader.layout.frameBytes)
    let own = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    defer { own.deallocate() }
    let yields = task.readerCount > 1
    while last < end {
      let published = task.waiting == .futex ? reader.published : 0
      switch reader.acquire(last + 1) {
      case .frame(let view):
        if task.copies, let base = view.bytes.baseAddress { memcpy(own, base, bytes) }
        let stamp = view.stamp()
        if reader.isWhole(view), stamp.tick == last + 1 { received += 1 }
        last += 1
      case .lapped(let oldest):
        last = min(max(oldest, last + 2) - 1, end)
      case .notYet:
        // Readers that share a processor let each other go on.
        if task.waiting == .futex {
          reader.wait(after: published, timeoutNs: 1_000_000_000)
        } else if yields {
          sched_yield()
        } else {
          linux_spin_hint()
        }
        continue
      }
      if (last + 1) % Self.told == 0 || last == end { board.write(.had, of: index, last) }
    }
    board.write(.received, of: index, received)
    board.write(.missed, of: index, count - received)
  }
}
