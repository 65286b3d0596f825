// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a loop did, on its way to the thread that writes it.
///
/// The loop stores 32 bytes for each slice and each note, and makes the records of a frame visible by one store: it
/// takes no lock, makes no system call and allocates nothing. If the thread does not keep up, whole frames are left
/// out and counted.
package final class TimelineRing: @unchecked Sendable {
  /// A slice, or a number that belongs to the slice after it.
  package struct Record: Equatable {
    package var fromNs: UInt64
    package var toNs: UInt64
    /// Of a note its number, of a slice its frame; 0: none.
    package var value: UInt64
    /// A `TimelinePhase`, or a `TimelineNote`.
    package var word: UInt8
    package var isNote: Bool

    /// A slice from a time to another, or a note.
    package init(
      fromNs: UInt64 = 0, toNs: UInt64 = 0, value: UInt64 = 0, word: UInt8 = 0, isNote: Bool = false
    ) {
      (self.fromNs, self.toNs, self.value) = (fromNs, toNs, value)
      (self.word, self.isNote) = (word, isNote)
    }
  }

  /// Records of a frame, at most.
  package static let frameMax = 64

  /// Of 2 MiB: at 60 Hz they last for minutes.
  package static let capacity = 1 << 16

  private let records: UnsafeMutablePointer<Record>

  /// Records of whole frames; written by the loop.
  private let committed = Atomic<Int>(0)

  /// Records that were taken; written by the thread.
  private let taken = Atomic<Int>(0)

  /// Of the loop: the end of the open frame's records, and how many more it may have.
  private var end = 0
  private var room = 0
  private var leftOut: UInt64 = 0

  /// Makes an empty ring, and touches its memory.
  package init() {
    records = .allocate(capacity: Self.capacity)
    records.initialize(repeating: Record(), count: Self.capacity)
  }

  deinit { records.deallocate() }

  // MARK: - The loop

  /// Begins a frame.
  package func begin() {
    end = committed.load(ordering: .relaxed)
    // Pairs with the release in `take`.
    guard Self.capacity - (end - taken.load(ordering: .acquiring)) >= Self.frameMax else {
      room = 0
      leftOut += 1
      return
    }
    room = Self.frameMax
    if leftOut > 0 {
      add(Record(value: leftOut, word: TimelineNote.leftOut.rawValue, isNote: true))
    }
    leftOut = 0
  }

  /// Adds to the open frame.
  package func add(_ record: Record) {
    guard room > 0 else { return }
    records[end % Self.capacity] = record
    end += 1
    room -= 1
  }

  /// Makes the open frame visible.
  package func commit() {
    // Pairs with the acquiring load in `take`.
    committed.store(end, ordering: .releasing)
  }

  // MARK: - The thread

  /// Hands over all records of whole frames, the oldest first.
  package func take(_ use: (Record) -> Void) {
    var index = taken.load(ordering: .relaxed)
    let end = committed.load(ordering: .acquiring)
    while index < end {
      use(records[index % Self.capacity])
      index += 1
    }
    taken.store(index, ordering: .releasing)
  }
}
