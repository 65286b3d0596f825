// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import Synchronization
import TestSupport
import Testing

/// Goal: a word holds up only threads that have seen its newest value, wakes all of them, and leaves no memory behind.
///
/// Method: sleeps for longer than a test waits; for the memory, more words than a process has room for unnoticed.
@Suite struct FutexWordTests {
  private final class Board: Sendable {
    let word = FutexWord()
    let asleep = Atomic(0)

    var value: UInt32 { word.atomic.pointee.load(ordering: .acquiring) }
  }

  @Test func whoHasSeenAnotherValueDoesNotSleep() throws {
    let board = Board()
    #expect(board.value == 0)
    try within("the end of a sleep on 1") { board.word.wait(while: 1, ns: endlessNs) }
    board.word.atomic.pointee.store(7, ordering: .releasing)
    try within("the end of a sleep on 0") { board.word.wait(while: 0, ns: endlessNs) }
    #expect(board.value == 7)
  }

  @Test func allSleepersAreWoken() throws {
    let board = Board()
    let threads = try (0..<4).map { number in
      try TestThread("the end of sleeper \(number)") {
        board.asleep.wrappingAdd(1, ordering: .releasing)
        while board.value == 0 { board.word.wait(while: 0, ns: endlessNs) }
      }
    }
    try waitUntil("four sleepers") { board.asleep.load(ordering: .acquiring) == 4 }
    // Long enough that they do sleep.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 2_000_000)
    board.word.atomic.pointee.store(1, ordering: .releasing)
    board.word.wakeAll()
    for thread in threads { try thread.join() }
  }

  /// In a process of its own, whose memory is that of the words.
  @Test func memoryGoesWithTheWord() async {
    await #expect(processExitsWith: .success) {
      let before = try #require(Memory.residentBytes())
      for number in 0..<500_000 as Range<UInt32> {
        let word = FutexWord()
        word.atomic.pointee.store(number, ordering: .relaxed)
      }
      let after = try #require(Memory.residentBytes())
      precondition(isSanitized || after < before + (6 << 20), "\(before) grew to \(after)")
    }
  }
}
