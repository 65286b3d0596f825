// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Whose timeline it is.
package struct TimelineOwner {
  let program: String
  let run: String
  let kinds: String
  let processID = getpid()
  let threadID = linux_thread_id()

  /// Describes this process and this thread.
  ///
  /// - Parameters:
  ///   - program: The program's name.
  ///   - run: The run's, or that of its shard.
  ///   - kinds: Entities by kind, in words; empty: not known.
  package init(program: String, run: String, kinds: String = "") {
    (self.program, self.run, self.kinds) = (program, run, kinds)
  }

  /// The program, of a shard with its number.
  var processName: String { Shard.parse(run: run).map { "\(program) \($0.shard)" } ?? program }
}

/// What a program did with each frame and when, for the file of `--timeline`: a trace that Perfetto opens.
///
///     loop:    stores 32 bytes for each thing that it did (`TimelineRing`)
///     thread:  looks ten times a second, encodes (`TimelineEncoder`), and appends about once a second (`TimelineFile`)
///
/// All programs of a machine have the monotonic clock, so their parts need no adjustment to each other. A failed write
/// does not disturb the program's own work: the rest is dropped, and `finish` returns the failure.
package final class ProgramTimeline: @unchecked Sendable {
  private let ring = TimelineRing()
  private let isEnding = Monitor(false)
  private var thread: BackgroundThread?

  /// Of the thread, until it has ended.
  private var encoder: TimelineEncoder
  private let file: TimelineFile
  private var writtenNs: UInt64
  private var failure: Failure?

  /// Time between two polls, and between two writes.
  private static let pollNs: UInt64 = 100_000_000
  private static let writeNs: UInt64 = 1_000_000_000

  /// Bytes of packets at which they are written earlier.
  private static let fullBytes = 256 << 10

  /// Bytes that may wait while another program has the file's lock, and how long that is waited for at the end.
  private static let waitingBytesMax = 16 << 20
  private static let lockNs: UInt64 = 2_000_000_000

  /// Opens the file, and starts the thread; the file is written to after the first frames.
  ///
  /// - Parameters:
  ///   - path: The file; one that exists is added to.
  ///   - owner: This program.
  /// - Throws: `Failure`.
  package init(path: String, _ owner: TimelineOwner) throws(Failure) {
    file = try TimelineFile(path: path)
    writtenNs = Clock.monotonicNs()
    encoder = TimelineEncoder(
      owner, number: file.number, nowNs: writtenNs, wallNs: Clock.wallNs())
    do throws(SystemCallError) {
      // The thread is joined in `finish`, which `deinit` also calls.
      thread = try BackgroundThread { [unowned(unsafe) self] in serve() }
    } catch {
      throw Failure(error)
    }
  }

  deinit { _ = finish() }

  /// Makes a file empty for a run whose programs will add to it.
  ///
  /// - Throws: `Failure` if it cannot be written.
  package static func clear(_ path: String) throws(Failure) { try TimelineFile.clear(path) }

  /// Removes what a program that was killed while it wrote has left at a file's end.
  package static func mend(_ path: String) { _ = try? TimelineFile(path: path).append([]) }

  // MARK: - The loop

  /// Begins what belongs together: it is there as a whole, or left out.
  package func begin() { ring.begin() }

  /// Adds a number to the slice that comes next; 0 is nothing to say.
  package func note(_ note: TimelineNote, _ value: UInt64) {
    if value > 0 { ring.add(TimelineRing.Record(value: value, word: note.rawValue, isNote: true)) }
  }

  /// Adds a slice; one of `late` or `overBudget` comes before what lies in it.
  ///
  /// - Parameters:
  ///   - phase: What was done.
  ///   - fromNs: When it began, by the monotonic clock.
  ///   - toNs: When it ended; a slice without length is left out.
  ///   - frame: Number of the frame; 0: none.
  package func add(_ phase: TimelinePhase, from fromNs: UInt64, to toNs: UInt64, frame: UInt64 = 0)
  {
    ring.add(TimelineRing.Record(fromNs: fromNs, toNs: toNs, value: frame, word: phase.rawValue))
  }

  /// Ends it.
  package func commit() { ring.commit() }

  /// Writes the rest, and ends the thread.
  ///
  /// - Returns: The first failure of all writes; nil: the file has everything.
  package func finish() -> Failure? {
    guard let thread else { return failure }
    isEnding.change { $0 = true }
    thread.join()
    self.thread = nil
    return failure
  }
}

// MARK: - The thread

extension ProgramTimeline {
  private func serve() {
    while true {
      let isOver = isEnding.wait(atMostNs: Self.pollNs) { $0 ? true : nil } ?? false
      ring.take { record in
        encoder.take(record)
        // Of a run without a clock, the ring alone would be megabytes of packets.
        if encoder.fields.bytes.count >= Self.fullBytes { write() }
      }
      if isOver { return writeRest() }
      if Clock.monotonicNs() >= writtenNs + Self.writeNs { write() }
    }
  }

  /// Writes the packets so far, unless another program writes now.
  ///
  /// - Returns: False if it does.
  @discardableResult
  private func write() -> Bool {
    writtenNs = Clock.monotonicNs()
    // A program that has done nothing leaves no part.
    guard encoder.hasBegun, !encoder.fields.bytes.isEmpty else { return true }
    if failure == nil {
      do throws(SystemCallError) {
        guard try file.append(encoder.fields.bytes) else {
          if encoder.fields.bytes.count < Self.waitingBytesMax { return false }
          throw SystemCallError(call: "lock", path: file.path, errno: EWOULDBLOCK)
        }
      } catch {
        failure = Failure(.inputOutput, error)
      }
    }
    encoder.removeAll()
    return true
  }

  private func writeRest() {
    let deadlineNs = Clock.monotonicNs() + Self.lockNs
    while !write() {
      guard Clock.monotonicNs() < deadlineNs else {
        failure = Failure(
          .inputOutput,
          "\(file.path): another program has had it locked for \(Self.lockNs / 1_000_000_000) s")
        return
      }
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 1_000_000)
    }
  }
}
