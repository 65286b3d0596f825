// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// One subscriber on another machine, as the wire's thread knows it: what it wants, what it was sent, and
/// what is to be sent next.
package final class RemoteSubscriber {
  /// Which frames it wants.
  package enum Frames: String {
    case every
    case latest
    case none
  }

  /// What is to be done for it next.
  package enum Step: Equatable {
    /// Nothing is there that it has not got, or it has not taken what it got.
    case wait
    /// Nothing before its window has room.
    case waitForRoom
    /// These frames cannot be had any more, or are not wanted.
    case skip(through: UInt64)
    /// Send this one.
    case send(UInt64)
  }

  let name: String
  package let frames: Frames
  let isCompressed: Bool
  let wantsEvents: Bool
  package let flow: OutFlow
  let outlet: FrameOutlet

  /// Newest frame when it joined, or the one before the first that it asked for.
  let joinedAfter: UInt64

  /// Every frame up to this one was sent or skipped.
  package private(set) var cursor: UInt64

  private(set) var sentCount: UInt64 = 0
  private(set) var skippedCount: UInt64 = 0

  /// What it says itself: every frame up to this one was read or given up.
  package private(set) var reported: UInt64
  package private(set) var reportedMissed: UInt64 = 0

  /// Sequences that were sent and not reported, of a subscriber that wants the latest.
  private var unreported: [UInt64] = []

  /// When it last took or reported something.
  private var movedNs: UInt64
  private var seenReleases = 0

  /// Whether it was told that nothing follows.
  var wasTold = false

  /// Events that its window had no room for.
  var droppedEvents: UInt64 = 0

  private let frameBytes: Int

  /// Frames that a subscriber of the latest may have been sent and not have reported: one is under way
  /// while it works on the other, and nothing queues in between.
  private static let latestUnreported = 2

  /// A subscriber that was sent nothing yet.
  package init(
    name: String, frames: Frames, isCompressed: Bool, wantsEvents: Bool, joinedAfter: UInt64,
    windowBytes: Int, writer: FrameWriter, waker: Waker, nowNs: UInt64
  ) {
    self.name = name
    self.frames = frames
    self.isCompressed = isCompressed
    self.wantsEvents = wantsEvents
    self.joinedAfter = joinedAfter
    cursor = joinedAfter
    reported = joinedAfter
    frameBytes = Int(writer.layout.frameBytes)
    flow = OutFlow(windowBytes: windowBytes, messageBytes: frameBytes, waker: waker)
    outlet = FrameOutlet(writer, flow: flow)
    movedNs = nowNs
  }

  /// What to do next, where this is the sequence of the newest frame.
  package func next(newest: UInt64) -> Step {
    guard frames != .none, newest > cursor else { return .wait }
    var wanted = cursor + 1
    if frames == .latest {
      guard unreported.count < Self.latestUnreported else { return .wait }
      wanted = newest
    }
    guard flow.hasRoom(for: frameBytes) else { return .waitForRoom }
    return wanted > cursor + 1 ? .skip(through: wanted - 1) : .send(wanted)
  }

  /// Whether there is room for something else than a frame: beyond the window, which may be full of them.
  package var hasRoomForEvents: Bool { flow.bytes < 2 * flow.windowBytes }

  /// Counts frames that are not sent.
  package func skip(through sequence: UInt64) {
    skippedCount += sequence - cursor
    cursor = sequence
  }

  /// Counts a frame that was sent.
  package func sent(_ sequence: UInt64) {
    precondition(sequence == cursor + 1, "sent \(sequence) after \(cursor)")
    sentCount += 1
    cursor = sequence
    if frames == .latest { unreported.append(sequence) }
  }

  /// Takes what the subscriber says of itself.
  ///
  /// - Returns: False if that cannot be.
  package func report(sequence: UInt64, missed: UInt64, nowNs: UInt64) -> Bool {
    guard sequence >= reported, sequence <= max(cursor, reported),
      missed >= reportedMissed, missed <= sequence - joinedAfter
    else { return false }
    if sequence > reported { movedNs = nowNs }
    reported = sequence
    reportedMissed = missed
    unreported.removeAll { $0 <= sequence }
    return true
  }

  /// Whether it has taken and reported nothing for so long.
  package func isStuck(nowNs: UInt64, limitNs: UInt64) -> Bool {
    let releases = flow.releasedCount
    if releases != seenReleases {
      seenReleases = releases
      movedNs = max(movedNs, nowNs)
    }
    return nowNs > movedNs + limitNs
  }

  /// Whether it holds something up: frames that it does not take, or the run where that waits for it.
  package func isStalled(nowNs: UInt64, limitNs: UInt64, isLockstep: Bool, newest: UInt64) -> Bool {
    let isOwing = flow.bytes > 0 || (isLockstep && frames != .none && reported < newest)
    guard isOwing else {
      movedNs = nowNs
      return false
    }
    return isStuck(nowNs: nowNs, limitNs: limitNs)
  }

  /// The account.
  package func report(left: String?) -> RemoteReport {
    RemoteReport(
      name: name, frames: frames.rawValue, joinedAfter: joinedAfter, sent: sentCount,
      skipped: skippedCount, progress: reported, missed: reportedMissed, left: left)
  }
}
