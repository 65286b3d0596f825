// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase

/// Shared memory for messages between a writer and its readers around a measured path, never on it.
///
/// Each word that is written often has its own cache line.
package final class HandoverMemory {
  /// Limit of readers.
  package static let readersMax = 8

  /// Limit of times kept for a reader and round.
  package static let messagesMax = 1 << 18

  /// The words that a reader writes.
  package enum ReaderWord: Int {
    /// The round that it is ready for; 1 once it has joined.
    case ready
    /// The last round that it has finished.
    case done
    /// Frames received, and missed, in the last round.
    case received, missed
    /// The last frame that it has finished reading.
    case had
    /// Count of its thread's sleeps in the last round.
    case slept
  }

  private static let lineBytes = 64
  private static let readerBytes = 6 * lineBytes
  private static let timesOffset = 3 * lineBytes + readersMax * readerBytes
  private static let bytes = timesOffset + readersMax * messagesMax * 8

  private let base: UnsafeMutableRawPointer
  private let file: FileDescriptor

  /// Makes the memory.
  ///
  /// - Throws: `SystemCallError`.
  package init() throws(SystemCallError) {
    let file = FileDescriptor(
      owning: try systemCall("memfd_create", "board") { linux_memory_file("orrery-bench") })
    try systemCall("ftruncate", "board") { ftruncate(file.number, off_t(Self.bytes)) }
    base = try Self.map(file.number)
    self.file = file
  }

  /// Maps the memory that another process has made.
  ///
  /// - Throws: `SystemCallError`.
  package init(path: String) throws(SystemCallError) {
    let file = FileDescriptor(
      owning: try systemCall("open", path) { open(path, O_RDWR | O_CLOEXEC) })
    base = try Self.map(file.number)
    self.file = file
  }

  deinit { munmap(base, Self.bytes) }

  private static func map(_ number: CInt) throws(SystemCallError) -> UnsafeMutableRawPointer {
    let base = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, number, 0)
    guard let base, base != MAP_FAILED else {
      throw SystemCallError(call: "mmap", path: "board", errno: errno)
    }
    return base
  }

  /// The path that other processes open.
  package var path: String { "/proc/\(getpid())/fd/\(file.number)" }

  private func word(_ offset: Int) -> UnsafeMutablePointer<UInt64> {
    (base + offset).assumingMemoryBound(to: UInt64.self)
  }

  private func word(_ word: ReaderWord, of reader: Int) -> UnsafeMutablePointer<UInt64> {
    self.word(3 * Self.lineBytes + reader * Self.readerBytes + word.rawValue * Self.lineBytes)
  }

  /// Frames of the round.
  package var count: UInt64 {
    get { word_load_acquire(word(Self.lineBytes)) }
    set { word_store_release(word(Self.lineBytes), newValue) }
  }

  /// Number of the round; readers sleep until it changes.
  package var round: UInt64 { word_load_acquire(word(0)) }

  /// Wakes the readers for the next round.
  package func beginRound() {
    word_store_release(word(0), round + 1)
    linux_futex_wake_shared(UnsafeRawPointer(base).assumingMemoryBound(to: UInt32.self))
  }

  /// Sleeps until the round differs from this one.
  package func waitForRound(after round: UInt64) {
    while self.round == round {
      linux_futex_wait_shared(
        UnsafeRawPointer(base).assumingMemoryBound(to: UInt32.self),
        UInt32(truncatingIfNeeded: round), 1_000_000_000)
    }
  }

  /// Reads a word of a reader.
  package func read(_ word: ReaderWord, of reader: Int) -> UInt64 {
    word_load_acquire(self.word(word, of: reader))
  }

  /// Writes a word of a reader.
  package func write(_ word: ReaderWord, of reader: Int, _ value: UInt64) {
    word_store_release(self.word(word, of: reader), value)
  }

  /// A reader's times for the frames of a round, in counts of the counter.
  package func times(of reader: Int) -> UnsafeMutablePointer<Int64> {
    (base + Self.timesOffset + reader * Self.messagesMax * 8)
      .assumingMemoryBound(to: Int64.self)
  }
}
