// SPDX-License-Identifier: Apache-2.0

/// How a subscriber's connection came to its end.
package enum Departure: String, Sendable {
  /// It said that it was done.
  case left
  /// It hung up without a word: it was killed, or it crashed.
  case died
  /// It was dropped: a run in lockstep waited for it for too long.
  case stalled
  /// It was dropped: it said something impossible.
  case brokeProtocol = "broke the protocol"
  /// It was still there when the run ended.
  case stayed = "stayed to the end"
}

/// What a sim knows of one subscriber.
package struct SubscriberReport: Equatable, Sendable {
  /// As the subscriber calls itself.
  package let name: String
  package let processID: UInt32
  /// How it learns of frames.
  package let waiting: Waiting
  /// Which frames it wants.
  package let reading: Reading
  /// Sequence before the first frame that it wants.
  package let joinedAfter: UInt64
  /// Every frame up to this one was read or given up.
  package internal(set) var progress: UInt64
  /// How many were given up.
  package internal(set) var missed: UInt64 = 0
  /// Nil while it is connected.
  package internal(set) var departure: Departure?

  /// A subscriber that has read nothing yet.
  ///
  /// - Parameters:
  ///   - name: As it calls itself.
  ///   - processID: What it says of itself.
  ///   - waiting: How it learns of frames.
  ///   - reading: Which frames it wants.
  ///   - joinedAfter: Sequence before the first of them.
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

  /// Frames that it read, as far as it said.
  package var received: UInt64 { progress - joinedAfter - missed }
}

/// How many subscribers wait in which way.
package struct Audience: Equatable, Sendable {
  /// Those that sleep on the ring's `published` word.
  package var futexCount = 0
  /// Those that wait for ZeroMQ's message.
  package var announcementCount = 0

  /// Nobody.
  package init() {}
}
