// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase

/// What a writer and its readers tell each other around a measured path, and never on it: memory that
/// their processes share, with a line for each word that is written often.
package final class HandoverMemory {
  /// Readers at most.
  package static let readersMax = 8

  /// Times kept of a reader and round.
  package static let messagesMax = 1 << 18

  /// What a reader tells.
  package enum ReaderWord: Int {
    /// Rounds that it is ready for; the first is one, once it has joined.
    case ready
    /// Rounds that it has finished.
    case done
    /// Frames received, and missed, in the last round.
    case received, missed
    /// The last frame that it is done with.
    case had
    /// How often its thread went to sleep in the last round.
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

  /// Maps the memory of another process's board.
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

  /// What other processes open.
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

  /// Sleeps until the round is another one than this.
  package func waitForRound(after round: UInt64) {
    while self.round == round {
      linux_futex_wait_shared(
        UnsafeRawPointer(base).assumingMemoryBound(to: UInt32.self),
        UInt32(truncatingIfNeeded: round), 1_000_000_000)
    }
  }

  /// What a reader has told.
  package func read(_ word: ReaderWord, of reader: Int) -> UInt64 {
    word_load_acquire(self.word(word, of: reader))
  }

  /// Tells a word of a reader.
  package func write(_ word: ReaderWord, of reader: Int, _ value: UInt64) {
    word_store_release(self.word(word, of: reader), value)
  }

  /// What a reader took for the frames of a round, in units of the counter.
  package func times(of reader: Int) -> UnsafeMutablePointer<Int64> {
    (base + Self.timesOffset + reader * Self.messagesMax * 8)
      .assumingMemoryBound(to: Int64.self)
  }
}
