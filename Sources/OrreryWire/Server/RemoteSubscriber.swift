// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// One subscriber that gets frames by message: its options, what it was sent, and its next step.
///
/// The run's `Subscribers` keep its account.
///
/// Used by the wire's thread only.
package final class RemoteSubscriber {
  /// Which frames it wants.
  package enum Frames: String {
    case every
    case latest
    case none

    /// The same, as an account has it.
    var reading: Reading? {
      switch self {
      case .every: .every
      case .latest: .newest
      case .none: nil
      }
    }
  }

  /// The next action for this subscriber.
  package enum Step: Equatable {
    /// Wait: there is no new frame, or frames that it was sent are not yet reported.
    case wait
    /// Wait until its window has room.
    case waitForRoom
    /// Skip these frames: they are not wanted.
    case skip(through: UInt64)
    /// Send this frame.
    case send(UInt64)
  }

  /// Which frames it wants.
  package let frames: Frames
  let isCompressed: Bool
  let wantsEvents: Bool
  /// How many frames may be on their way.
  package let window: SendWindow
  let pinnedFrames: PinnedFrames

  /// Every frame up to this one was sent or skipped.
  package private(set) var cursor: UInt64

  /// Frames that were sent.
  package private(set) var sentCount: UInt64 = 0
  /// Frames that were not sent, because it did not want or could not take them.
  package private(set) var skippedCount: UInt64 = 0

  /// The last frame that it reported.
  private var reported: UInt64

  /// Sequences that were sent and not yet reported; only for a subscriber of the newest frame.
  private var unreported: [UInt64] = []

  /// When it last received a message or reported progress.
  private var activeNs: UInt64
  private var seenReleases = 0

  /// Whether it was sent the `end` message.
  var wasSentEnd = false

  /// Event messages that were dropped because its window was full.
  var droppedEvents: UInt64 = 0

  private let frameBytes: Int

  /// Frames sent and not yet reported, at most, for a subscriber of the newest frame: one is on its
  /// way while the subscriber works on the other, and none queues in between.
  private static let unreportedMax = 2

  /// Creates a subscriber that was sent nothing yet.
  package init(
    frames: Frames, isCompressed: Bool, wantsEvents: Bool, joinedAfter: UInt64,
    windowBytes: Int, writer: FrameWriter, waker: Waker, nowNs: UInt64
  ) {
    self.frames = frames
    self.isCompressed = isCompressed
    self.wantsEvents = wantsEvents
    cursor = joinedAfter
    reported = joinedAfter
    frameBytes = Int(writer.layout.frameBytes)
    window = SendWindow(windowBytes: windowBytes, messageBytes: frameBytes, waker: waker)
    pinnedFrames = PinnedFrames(writer, window: window)
    activeNs = nowNs
  }

  /// Decides the next action.
  ///
  /// - Parameter newest: Sequence of the newest frame.
  /// - Returns: Which frame to send or skip, or what to wait for.
  package func next(newest: UInt64) -> Step {
    guard frames != .none, newest > cursor else { return .wait }
    var wanted = cursor + 1
    if frames == .latest {
      guard unreported.count < Self.unreportedMax else { return .wait }
      wanted = newest
    }
    guard window.hasRoom(for: frameBytes) else { return .waitForRoom }
    return wanted > cursor + 1 ? .skip(through: wanted - 1) : .send(wanted)
  }

  /// Whether there is room for events: twice the window, since frames may fill the window.
  package var hasRoomForEvents: Bool { window.bytes < 2 * window.bytesMax }

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

  /// Takes a report of its progress, which its account has accepted.
  package func reported(through sequence: UInt64, nowNs: UInt64) {
    if sequence > reported { activeNs = nowNs }
    reported = sequence
    unreported.removeAll { $0 <= sequence }
  }

  /// Whether it has received and reported nothing for longer than `limitNs`.
  package func isStuck(nowNs: UInt64, limitNs: UInt64) -> Bool {
    let releases = window.releasedCount
    if releases != seenReleases {
      seenReleases = releases
      activeNs = max(activeNs, nowNs)
    }
    return nowNs > activeNs + limitNs
  }

  /// Whether it is stalled: it does not take what it was sent, or in lockstep the run waits for it.
  package func isStalled(nowNs: UInt64, limitNs: UInt64, isLockstep: Bool, newest: UInt64) -> Bool {
    let isBehind = window.bytes > 0 || (isLockstep && frames != .none && reported < newest)
    guard isBehind else {
      activeNs = nowNs
      return false
    }
    return isStuck(nowNs: nowNs, limitNs: limitNs)
  }
}
