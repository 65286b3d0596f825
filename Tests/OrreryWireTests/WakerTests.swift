// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import Synchronization
import TestSupport
import Testing

import OrreryWire

/// Goal: a sleeper misses no wake-up, and is woken once for each.
///
/// Method: the descriptor is looked at between the steps; then a thread wakes another as fast as it can.
@Suite struct WakerTests {
  private static func isReadable(_ waker: Waker, milliseconds: CInt = 0) -> Bool {
    var polled = pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) == 1
  }

  @Test func whoIsAwakeIsNotWrittenTo() throws {
    let waker = try Waker(path: "test")
    waker.wake()
    #expect(!Self.isReadable(waker))
    // It has something to look at first.
    #expect(!waker.beginSleep())
    waker.endSleep(isSignalled: false)
    #expect(waker.beginSleep())
  }

  @Test func sleeperIsWokenOnce() throws {
    let waker = try Waker(path: "test")
    #expect(waker.beginSleep())
    waker.wake()
    #expect(Self.isReadable(waker))
    waker.wake()
    waker.endSleep(isSignalled: true)
    // A descriptor that stays readable would make its thread spin.
    #expect(!Self.isReadable(waker))
    #expect(waker.beginSleep())
    #expect(!Self.isReadable(waker))
  }

  @Test func noWakeUpIsLost() throws {
    let waker = try Waker(path: "test")
    let board = Board()
    let sleeper = try TestThread("the sleeper's end") {
      var isSignalled = false
      while true {
        waker.endSleep(isSignalled: isSignalled)
        let number = board.published.load(ordering: .sequentiallyConsistent)
        board.seen.store(number, ordering: .releasing)
        if number < 0 { return }
        isSignalled = waker.beginSleep() && Self.isReadable(waker, milliseconds: 3_600_000)
      }
    }
    for number in 1...20_000 {
      board.published.store(number, ordering: .sequentiallyConsistent)
      waker.wake()
      // A lost one would take an hour.
      if number % 100 == 0 {
        try waitUntil("number \(number) to be seen") {
          board.seen.load(ordering: .acquiring) == number
        }
      }
    }
    board.published.store(-1, ordering: .sequentiallyConsistent)
    waker.wake()
    try sleeper.join()
    #expect(board.seen.load(ordering: .acquiring) == -1)
  }

  private final class Board: Sendable {
    let published = Atomic(0)
    let seen = Atomic(0)
  }
}
