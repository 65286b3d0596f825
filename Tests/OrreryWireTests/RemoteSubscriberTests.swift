// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryWire
import Testing

/// Goal: what a subscriber on another machine is sent next, and when it counts as stalled, follows from its account.
///
/// Method: no sockets and no clock. What ZeroMQ would do to the window is done by hand.
@Suite struct RemoteSubscriberTests {
  private static let second: UInt64 = 1_000_000_000
  private static let limitNs = 10 * second

  /// A subscriber of frames of 384 bytes, which joined after frame 10 at second 1.
  private static func subscriber(
    _ frames: RemoteSubscriber.Frames = .every, windowBytes: Int = 1_600
  ) throws -> RemoteSubscriber {
    let writer = try LiveRun.writer()
    try #require(writer.layout.frameBytes == 384)
    return RemoteSubscriber(
      frames: frames, isCompressed: false, wantsEvents: false, joinedAfter: 10,
      windowBytes: windowBytes, writer: writer, waker: try Waker(path: "test"), nowNs: second)
  }

  // MARK: - What comes next

  @Test func everyFrameIsSentInTurn() throws {
    let subscriber = try Self.subscriber()
    #expect(subscriber.next(newest: 10) == .wait)
    #expect(subscriber.next(newest: 9) == .wait)
    for sequence in UInt64(11)...13 {
      #expect(subscriber.next(newest: 13) == .send(sequence))
      // Asked again, it is the same.
      #expect(subscriber.next(newest: 13) == .send(sequence))
      subscriber.sent(sequence)
    }
    #expect(subscriber.next(newest: 13) == .wait)
    subscriber.skip(through: 20)
    #expect(subscriber.next(newest: 21) == .send(21))
    #expect(subscriber.sentCount == 3)
    #expect(subscriber.skippedCount == 7)
  }

  @Test func newestFrameIsSentOnceOneOfTwoIsReported() throws {
    let subscriber = try Self.subscriber(.latest)
    #expect(subscriber.next(newest: 11) == .send(11))
    subscriber.sent(11)
    #expect(subscriber.next(newest: 15) == .skip(through: 14))
    subscriber.skip(through: 14)
    #expect(subscriber.next(newest: 15) == .send(15))
    subscriber.sent(15)
    // Two are under way.
    #expect(subscriber.next(newest: 30) == .wait)
    subscriber.reported(through: 10, nowNs: Self.second)
    #expect(subscriber.next(newest: 30) == .wait)
    subscriber.reported(through: 11, nowNs: Self.second)
    #expect(subscriber.next(newest: 30) == .skip(through: 29))
    subscriber.reported(through: 15, nowNs: Self.second)
    #expect(subscriber.next(newest: 16) == .send(16))
  }

  @Test func whoWantsNoFramesGetsNone() throws {
    let subscriber = try Self.subscriber(.none)
    #expect(subscriber.next(newest: 100) == .wait)
  }

  @Test func fullWindowIsWaitedFor() throws {
    // Four frames of 384 bytes.
    let subscriber = try Self.subscriber(windowBytes: 4 * 384)
    for _ in 0..<3 { subscriber.window.add(384) }
    #expect(subscriber.next(newest: 11) == .send(11))
    subscriber.window.add(384)
    #expect(subscriber.next(newest: 11) == .waitForRoom)
    // What is not there needs no room.
    #expect(subscriber.next(newest: 10) == .wait)
    subscriber.window.release(384)
    #expect(subscriber.next(newest: 11) == .send(11))
  }

  @Test func eventsHaveAsMuchRoomAgain() throws {
    let subscriber = try Self.subscriber(windowBytes: 4 * 384)
    subscriber.window.add(8 * 384 - 1)
    #expect(subscriber.hasRoomForEvents)
    subscriber.window.add(1)
    #expect(!subscriber.hasRoomForEvents)
  }

  // MARK: - Stalls

  private static func isStalled(
    _ subscriber: RemoteSubscriber, _ nowNs: UInt64, isLockstep: Bool = false, newest: UInt64 = 12
  ) -> Bool {
    subscriber.isStalled(nowNs: nowNs, limitNs: limitNs, isLockstep: isLockstep, newest: newest)
  }

  @Test func idleSubscriberDoesNotStall() throws {
    let subscriber = try Self.subscriber()
    let laterNs = 1_000 * Self.second
    // Nothing was on its way all that time: what it is sent then has its time.
    #expect(!Self.isStalled(subscriber, laterNs))
    subscriber.window.add(384)
    #expect(!Self.isStalled(subscriber, laterNs + Self.limitNs))
    #expect(Self.isStalled(subscriber, laterNs + Self.limitNs + 1))
  }

  @Test func whoTakesSomethingGetsOn() throws {
    let subscriber = try Self.subscriber()
    subscriber.window.add(384)
    subscriber.window.add(384)
    let takenNs = 9 * Self.second
    subscriber.window.release(384)
    #expect(!Self.isStalled(subscriber, takenNs))
    #expect(!Self.isStalled(subscriber, takenNs + Self.limitNs))
    #expect(Self.isStalled(subscriber, takenNs + Self.limitNs + 1))
  }

  @Test func whoReportsProgressGetsOn() throws {
    let subscriber = try Self.subscriber()
    subscriber.sent(11)
    subscriber.sent(12)
    subscriber.window.add(384)
    subscriber.reported(through: 11, nowNs: 9 * Self.second)
    // The same again is no progress.
    subscriber.reported(through: 11, nowNs: 15 * Self.second)
    #expect(!Self.isStalled(subscriber, 9 * Self.second + Self.limitNs))
    #expect(Self.isStalled(subscriber, 9 * Self.second + Self.limitNs + 1))
  }

  @Test func lockstepAlsoWaitsForReports() throws {
    let subscriber = try Self.subscriber()
    subscriber.sent(11)
    let endNs = Self.second + Self.limitNs
    // It owes a report of frame 11, or of frames that it was not sent yet.
    #expect(!Self.isStalled(subscriber, endNs, isLockstep: true, newest: 11))
    #expect(Self.isStalled(subscriber, endNs + 1, isLockstep: true, newest: 11))
    // In live delivery nobody waits for it.
    #expect(!Self.isStalled(subscriber, endNs + 1, newest: 11))
    subscriber.reported(through: 11, nowNs: endNs)
    #expect(!Self.isStalled(subscriber, 10 * endNs, isLockstep: true, newest: 11))
    let none = try Self.subscriber(.none)
    #expect(!Self.isStalled(none, 10 * endNs, isLockstep: true, newest: 11))
  }

  @Test func stuckIsWhoTakesNothing() throws {
    let subscriber = try Self.subscriber()
    #expect(!subscriber.isStuck(nowNs: 3 * Self.second, limitNs: 2 * Self.second))
    #expect(subscriber.isStuck(nowNs: 3 * Self.second + 1, limitNs: 2 * Self.second))
    subscriber.window.add(384)
    subscriber.window.release(384)
    #expect(!subscriber.isStuck(nowNs: 4 * Self.second, limitNs: 2 * Self.second))
    #expect(!subscriber.isStuck(nowNs: 6 * Self.second, limitNs: 2 * Self.second))
    #expect(subscriber.isStuck(nowNs: 6 * Self.second + 1, limitNs: 2 * Self.second))
  }
}
