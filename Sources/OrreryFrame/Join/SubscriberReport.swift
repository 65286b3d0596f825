// SPDX-License-Identifier: Apache-2.0

/// How a subscriber's connection ended.
package enum Departure: String, Sendable {
  /// It reported that it was leaving.
  case left
  /// It hung up without a last report: it was killed, or it crashed.
  case died
  /// It was dropped: a run in lockstep waited for it for too long.
  case stalled
  /// It was dropped: it sent an impossible message.
  case brokeProtocol = "broke the protocol"
  /// It was still connected when the run ended.
  case stayed = "stayed to the end"
}

/// A sim's account of one subscriber.
package struct SubscriberReport: Equatable, Sendable {
  /// Name that the subscriber chose.
  package let name: String
  package let processID: UInt32
  /// How it learns of frames.
  package let waiting: Waiting
  /// Which frames it wants.
  package let reading: Reading
  /// Sequence before the first wanted frame.
  package let joinedAfter: UInt64
  /// Every frame up to this one was read or given up.
  package internal(set) var progress: UInt64
  /// Count of the frames given up.
  package internal(set) var missed: UInt64 = 0
  /// Nil while it is connected.
  package internal(set) var departure: Departure?

  /// A subscriber that has read nothing yet.
  ///
  /// - Parameters:
  ///   - name: Name that it chose.
  ///   - processID: Process id that it sent.
  ///   - waiting: How it learns of frames.
  ///   - reading: Which frames it wants.
  ///   - joinedAfter: Sequence before the first wanted frame.
  package init(
    name: String, processID: UInt32, waiting: Waiting, reading: Reading, joinedAfter: UInt64
  ) {
    self.name = name
    self.processID = processID
    self.waiting = waiting
    self.reading = reading
    self.joinedAfter = joinedAfter
    progress = joinedAfter
  }

  /// Whether its connection is open.
  package var isConnected: Bool { departure == nil }

  /// Count of the frames read, as far as it reported.
  package var received: UInt64 { progress - joinedAfter - missed }
}

/// Counts of the subscribers that wait in each way.
package struct Audience: Equatable, Sendable {
  /// Subscribers that sleep on the ring's `published` word.
  package var futexCount = 0
  /// Subscribers that wait for announcements through ZeroMQ.
  package var announcementCount = 0

  /// No subscribers.
  package init() {}
}
