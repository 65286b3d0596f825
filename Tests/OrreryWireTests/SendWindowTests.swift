// SPDX-License-Identifier: Apache-2.0

import OrreryWire
import Testing

/// Goal: what is on its way to a subscriber is bounded, and whoever waits for room is woken once half of it is free.
///
/// Method: messages are added and released by hand, and the waker is asked whether it was called.
@Suite struct SendWindowTests {
  /// Whether the waker was called since it was last asked.
  private static func wasWoken(_ waker: Waker) -> Bool {
    let isIdle = waker.beginSleep()
    waker.endSleep(isSignalled: false)
    return !isIdle
  }

  @Test func messagesOfAnySizeFitUpToTheWindow() throws {
    let window = SendWindow(windowBytes: 102_400, messageBytes: 0, waker: try Waker(path: "test"))
    #expect(window.bytesMax == 102_400)
    window.add(100_000)
    #expect(window.hasRoom(for: 2_400))
    #expect(!window.hasRoom(for: 2_401))
    window.add(2_400)
    #expect(window.bytes == 102_400)
    // A message counts as a thousandth of the window at least.
    #expect(!window.hasRoom(for: 0))
    window.release(100_000)
    #expect(window.bytes == 2_400)
    #expect(window.releasedCount == 1)
  }

  @Test func messageThatIsLargerThanTheWindowGoesAlone() throws {
    let window = SendWindow(windowBytes: 1_024, messageBytes: 0, waker: try Waker(path: "test"))
    #expect(window.hasRoom(for: 1 << 20))
    window.add(1)
    #expect(!window.hasRoom(for: 1 << 20))
  }

  @Test func twoMessagesOfTheUsualSizeAlwaysFit() throws {
    let window = SendWindow(windowBytes: 1_024, messageBytes: 5_000, waker: try Waker(path: "test"))
    #expect(window.bytesMax == 10_000)
    window.add(5_000)
    #expect(window.hasRoom(for: 5_000))
    window.add(5_000)
    #expect(!window.hasRoom(for: 1))
  }

  @Test func aThousandSmallMessagesFillTheWindow() throws {
    let most = SendWindow.messagesMax
    let window = SendWindow(
      windowBytes: most * 100, messageBytes: 0, waker: try Waker(path: "test"))
    for _ in 0..<(most - 1) { window.add(1) }
    #expect(window.hasRoom(for: 1))
    window.add(1)
    #expect(window.bytes == most * 100)
    #expect(!window.hasRoom(for: 1))
    for _ in 0..<most { window.release(1) }
    #expect(window.bytes == 0)
    #expect(window.releasedCount == most)
  }

  @Test func whoWaitsIsWokenOnceHalfIsFree() throws {
    let waker = try Waker(path: "test")
    let window = SendWindow(windowBytes: 1_000, messageBytes: 0, waker: waker)
    for _ in 0..<10 { window.add(100) }
    window.release(100)
    #expect(!Self.wasWoken(waker))
    #expect(window.wait())
    for _ in 0..<3 {
      window.release(100)
      #expect(!Self.wasWoken(waker), "\(window.bytes) bytes in flight")
    }
    // 600 of 1000.
    window.release(100)
    #expect(Self.wasWoken(waker))
    window.stopWaiting()
    window.release(100)
    #expect(!Self.wasWoken(waker))
  }

  @Test func roomThatIsThereIsNotWaitedFor() throws {
    let waker = try Waker(path: "test")
    let window = SendWindow(windowBytes: 1_000, messageBytes: 0, waker: waker)
    window.add(501)
    #expect(window.wait())
    window.release(1)
    _ = Self.wasWoken(waker)
    window.add(1)
    window.stopWaiting()
    window.release(1)
    #expect(window.bytes == 500)
    #expect(!window.wait())
    // Nobody waits then.
    window.release(500)
    #expect(!Self.wasWoken(waker))
  }
}
