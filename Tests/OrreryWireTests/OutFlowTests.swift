// SPDX-License-Identifier: Apache-2.0

import OrreryWire
import Testing

/// Goal: what is on its way to a subscriber is bounded, and whoever waits for room is woken once half of it is free.
///
/// Method: messages are added and released by hand, and the waker is asked whether it was called.
@Suite struct OutFlowTests {
  /// Whether the waker was called since it was last asked.
  private static func wasWoken(_ waker: Waker) -> Bool {
    let isIdle = waker.beginSleep()
    waker.endSleep(isSignalled: false)
    return !isIdle
  }

  @Test func messagesOfAnySizeFitUpToTheWindow() throws {
    let flow = OutFlow(windowBytes: 102_400, messageBytes: 0, waker: try Waker(path: "test"))
    #expect(flow.windowBytes == 102_400)
    flow.add(100_000)
    #expect(flow.hasRoom(for: 2_400))
    #expect(!flow.hasRoom(for: 2_401))
    flow.add(2_400)
    #expect(flow.bytes == 102_400)
    // A message counts as a thousandth of the window at least.
    #expect(!flow.hasRoom(for: 0))
    flow.release(100_000)
    #expect(flow.bytes == 2_400)
    #expect(flow.releasedCount == 1)
  }

  @Test func messageThatIsLargerThanTheWindowGoesAlone() throws {
    let flow = OutFlow(windowBytes: 1_024, messageBytes: 0, waker: try Waker(path: "test"))
    #expect(flow.hasRoom(for: 1 << 20))
    flow.add(1)
    #expect(!flow.hasRoom(for: 1 << 20))
  }

  @Test func twoMessagesOfTheUsualSizeAlwaysFit() throws {
    let flow = OutFlow(windowBytes: 1_024, messageBytes: 5_000, waker: try Waker(path: "test"))
    #expect(flow.windowBytes == 10_000)
    flow.add(5_000)
    #expect(flow.hasRoom(for: 5_000))
    flow.add(5_000)
    #expect(!flow.hasRoom(for: 1))
  }

  @Test func aThousandSmallMessagesFillTheWindow() throws {
    let most = OutFlow.messagesMax
    let flow = OutFlow(windowBytes: most * 100, messageBytes: 0, waker: try Waker(path: "test"))
    for _ in 0..<(most - 1) { flow.add(1) }
    #expect(flow.hasRoom(for: 1))
    flow.add(1)
    #expect(flow.bytes == most * 100)
    #expect(!flow.hasRoom(for: 1))
    for _ in 0..<most { flow.release(1) }
    #expect(flow.bytes == 0)
    #expect(flow.releasedCount == most)
  }

  @Test func whoWaitsIsWokenOnceHalfIsFree() throws {
    let waker = try Waker(path: "test")
    let flow = OutFlow(windowBytes: 1_000, messageBytes: 0, waker: waker)
    for _ in 0..<10 { flow.add(100) }
    flow.release(100)
    #expect(!Self.wasWoken(waker))
    #expect(flow.wait())
    for _ in 0..<3 {
      flow.release(100)
      #expect(!Self.wasWoken(waker), "\(flow.bytes) bytes in flight")
    }
    // 600 of 1000.
    flow.release(100)
    #expect(Self.wasWoken(waker))
    flow.stopWaiting()
    flow.release(100)
    #expect(!Self.wasWoken(waker))
  }

  @Test func roomThatIsThereIsNotWaitedFor() throws {
    let waker = try Waker(path: "test")
    let flow = OutFlow(windowBytes: 1_000, messageBytes: 0, waker: waker)
    flow.add(501)
    #expect(flow.wait())
    flow.release(1)
    _ = Self.wasWoken(waker)
    flow.add(1)
    flow.stopWaiting()
    flow.release(1)
    #expect(flow.bytes == 500)
    #expect(!flow.wait())
    // Nobody waits then.
    flow.release(500)
    #expect(!Self.wasWoken(waker))
  }
}
